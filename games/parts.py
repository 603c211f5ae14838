"""What other apps keep of players: each says here what to do where everything of a player is told, kept or deleted.

Games itself never imports them; each puts its part here when Django starts.
"""

from collections.abc import AsyncIterator, Callable, Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Exists

from accounts.models import User


@dataclass(frozen=True, slots=True)
class Part:
    """One app's answers."""

    # Everything of a user, for the copy to take along.
    told: Callable[[User], AsyncIterator[dict[str, Any]]]
    # Which guests have something to keep, or were there since then; about a user as OuterRef("pk").
    kept: Callable[[datetime], Exists]
    # Before these accounts are deleted: what nobody else has a part in goes.
    release: Callable[[list[int]], None]
    # Every stored log by name, with what its row says otherwise.
    checked: Callable[[], Iterator[tuple[str, list[str]]]]


PARTS: dict[str, Part] = {}  # by what is kept, as the copy names it
