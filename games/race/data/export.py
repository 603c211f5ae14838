"""The rounds of a player in the copy of their data. docs/export.md explains it; games/data/ writes the file."""

from collections import defaultdict
from collections.abc import AsyncIterator
from typing import Any

from channels.db import database_sync_to_async

from accounts.models import User
from games.data.export import cards
from games.models import Deal
from games.race.models import NOBODY, Entry, Round
from games.race.past.history import seated, side_in

CHUNK = 20
TERMS = ("code", "sharing", "redeal", "best_of", "open_to")
FIGURES = (
    "number", "match", "winner", "reason", "first_home", "second_home", "first_misses", "second_misses",
    "started_at", "ended_at",
)  # fmt: skip
OF_DEAL = ("code", "game", "commitment")


async def told(user: User) -> AsyncIterator[dict[str, Any]]:
    """Every round that a user has a seat at, the oldest first."""
    last = 0
    while chunk := await database_sync_to_async(_chunk)(user, last):
        for _, round_ in chunk:
            yield round_
        last = chunk[-1][0]


def _chunk(user: User, last: int) -> list[tuple[int, dict[str, Any]]]:
    mine = seated(user).filter(pk__gt=last).select_related("race", "first_deal", "second_deal")
    rounds = list(mine.order_by("pk")[:CHUNK])
    logs = defaultdict(list)
    for entry in Entry.objects.filter(round__in=rounds).order_by("round", "number"):
        logs[entry.round_id].append(entry)
    return [(round_.pk, _told(round_, logs[round_.pk])) for round_ in rounds]


def _told(round_: Round, log: list[Entry]) -> dict[str, Any]:
    """A round as its player may know it: before its end neither cards nor what the rival does."""
    race, is_over = round_.race, round_.ended_at is not None
    seen = [entry for entry in log if is_over or entry.side in (NOBODY, side_in(round_))]
    return {
        "race": {name: getattr(race, name) for name in TERMS},
        "side": side_in(round_),
        **{name: getattr(round_, name) for name in FIGURES},
        "deals": [_deal(deal, is_over) for deal in (round_.first_deal, round_.second_deal)],
        "log": [{"side": entry.side, "entry": entry.text, "at": entry.at} for entry in seen],
    }


def _deal(deal: Deal, is_over: bool) -> dict[str, Any]:
    return {name: getattr(deal, name) for name in OF_DEAL} | cards(deal, is_over)
