"""Tells Django that races are here, and what becomes of them when accounts are merged, copied or closed."""

from typing import Any

from django.apps import AppConfig


class RaceConfig(AppConfig):
    name = "games.race"

    def ready(self) -> None:
        from django.db.models.signals import post_save

        from accounts.models import User
        from accounts.signals import guest_claimed
        from games.parts import PARTS, Part
        from games.race.data import checking, export, leaving

        guest_claimed.connect(_take_over, dispatch_uid="race")
        post_save.connect(_rename, sender=User, dispatch_uid="race")
        PARTS["races"] = Part(export.told, leaving.kept, leaving.release, checking.checked)


def _rename(instance: Any, created: bool, update_fields: frozenset[str] | None, **kwargs: Any) -> None:
    """A guest has signed up, or a member has another name now; most savings are of a login only."""
    from games.race import seats

    if not created and (update_fields is None or "username" in update_fields):
        seats.name_anew(instance)


def _take_over(guest: Any, member: Any, **kwargs: Any) -> None:
    from games.race import seats

    seats.claim(guest=guest, member=member)
