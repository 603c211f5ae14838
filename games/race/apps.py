"""Tells Django that races are here, and what becomes of them when accounts are merged, copied or closed."""

from typing import Any

from django.apps import AppConfig


class RaceConfig(AppConfig):
    name = "games.race"

    def ready(self) -> None:
        from accounts.signals import guest_claimed
        from games.parts import PARTS, Part
        from games.race import checking, export, leaving

        guest_claimed.connect(_take_over, dispatch_uid="race")
        PARTS["races"] = Part(export.told, leaving.kept, leaving.release, checking.checked)


def _take_over(guest: Any, member: Any, **kwargs: Any) -> None:
    from games.race import seats

    seats.claim(guest=guest, member=member)
