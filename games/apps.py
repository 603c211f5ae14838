"""Tells Django that this app is here, and takes over what a guest has played when the guest becomes a member."""

from typing import Any

from django.apps import AppConfig


class GamesConfig(AppConfig):
    name = "games"

    def ready(self) -> None:
        from accounts.signals import guest_claimed

        guest_claimed.connect(_take_over, dispatch_uid="games")


def _take_over(guest: Any, member: Any, **kwargs: Any) -> None:
    from games import services

    services.claim(guest=guest, member=member)
