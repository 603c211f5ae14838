"""Tells Django that this app is here, and what becomes of games when accounts are merged or closed."""

from typing import Any

from django.apps import AppConfig


class GamesConfig(AppConfig):
    name = "games"

    def ready(self) -> None:
        from accounts.signals import account_closing, guest_claimed

        guest_claimed.connect(_take_over, dispatch_uid="games")
        account_closing.connect(_release, dispatch_uid="games")


def _take_over(guest: Any, member: Any, **kwargs: Any) -> None:
    from games import services

    services.claim(guest=guest, member=member)


def _release(user: Any, **kwargs: Any) -> None:
    from games.data import leaving

    leaving.release(user=user)
