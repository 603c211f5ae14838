"""Tells Django that this app is here, and what becomes of games when accounts are merged or closed."""

from typing import Any

from django.apps import AppConfig


class GamesConfig(AppConfig):
    name = "games"

    def ready(self) -> None:
        from allauth.account.signals import password_changed, password_reset, password_set
        from django.contrib.auth.signals import user_logged_out

        from accounts.signals import account_changed, account_closing, guest_claimed

        guest_claimed.connect(_take_over, dispatch_uid="games")
        account_closing.connect(_release, dispatch_uid="games")
        user_logged_out.connect(_logged_out, dispatch_uid="games")
        for signal in (password_changed, password_reset, password_set, account_changed):
            signal.connect(_session_ended, dispatch_uid="games")


def _take_over(guest: Any, member: Any, **kwargs: Any) -> None:
    from games import services

    services.claim(guest=guest, member=member)


def _release(user: Any, **kwargs: Any) -> None:
    from games.data import leaving

    leaving.release(user=user)


def _logged_out(request: Any, user: Any, **kwargs: Any) -> None:
    request.session.delete()  # Django does so right after this; a socket must not come back by it meanwhile
    _session_ended(user)


def _session_ended(user: Any, **kwargs: Any) -> None:
    from asgiref.sync import async_to_sync
    from django.db import transaction

    from games import sockets

    if user is not None:
        transaction.on_commit(lambda: async_to_sync(sockets.session_ended)(user.pk))
