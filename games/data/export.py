"""Everything a player has played, as text, piece by piece: memory does not grow with it. docs/export.md explains it."""

import csv
import io
import json
from collections import defaultdict
from collections.abc import AsyncIterator
from datetime import datetime
from typing import Any, NamedTuple

from channels.db import database_sync_to_async
from django.core.serializers.json import DjangoJSONEncoder
from django.utils import timezone

from accounts.models import User
from games import selectors
from games.deals import notation
from games.engine.catalogue import GAMES
from games.models import Attempt, Deal, Entry
from games.parts import PARTS

FORMAT = "lilypad-1"
CHUNK = 50
FIGURES = (
    "code", "number", "outcome", "closed", "practice", "moves", "home", "undos", "restarts", "seconds",
    "created_at", "started_at", "touched_at", "ended_at", "share_code",
)  # fmt: skip
OF_DEAL = ("code", "game", "kind", "number", "day", "private", "commitment")
DECK = ("deck", "second_deck", "nonce", "layout")


class Game(NamedTuple):
    """An attempt with its log, and the player's first at the same deal, which rules whether the deck may be seen."""

    attempt: Attempt
    first: Attempt | None
    log: list[tuple[str, datetime]]


async def as_json(user: User) -> AsyncIterator[str]:
    """One JSON object: who, a list of attempts with their logs, the oldest first, and what other apps add."""
    person = {"name": None if user.is_guest else user.username, "email": user.email, "joined": user.date_joined}
    person["look"] = user.look
    head = {"format": FORMAT, "exported_at": timezone.now(), "player": person}
    yield _dump(head)[:-1]
    for name, things in {"attempts": _attempts, **{name: part.told for name, part in PARTS.items()}}.items():
        yield f', "{name}": ['
        comma = "\n"
        async for thing in things(user):
            yield comma + _dump(thing)
            comma = ",\n"
        yield "\n]"
    yield "}\n"


async def _attempts(user: User) -> AsyncIterator[dict[str, Any]]:
    async for game in _games(user):
        yield _told(game) | {"log": [{"entry": text, "at": at} for text, at in game.log]}


async def as_csv(user: User) -> AsyncIterator[str]:
    """A line an attempt, its log in one column with a space between entries."""
    columns = [*FIGURES, *(f"deal_{name}" for name in OF_DEAL), *DECK, "log"]
    yield _line(columns)
    async for game in _games(user):
        told = _told(game)
        told |= {f"deal_{name}": value for name, value in told.pop("deal").items()}
        told["log"] = " ".join(text for text, _ in game.log)
        yield _line([_cell(told[column]) for column in columns])


async def _games(user: User) -> AsyncIterator[Game]:
    last = 0
    while chunk := await database_sync_to_async(_chunk)(user, last):
        for game in chunk:
            yield game
        last = chunk[-1].attempt.pk


def _chunk(user: User, last: int) -> list[Game]:
    mine = Attempt.objects.filter(player_id=user.pk).select_related("deal")
    attempts = list(mine.filter(pk__gt=last).order_by("pk")[:CHUNK])
    firsts = mine.filter(number=1, deal__in={attempt.deal_id for attempt in attempts})
    at_deal = {first.deal_id: first for first in firsts}
    logs = defaultdict(list)
    entries = Entry.objects.filter(attempt__in=attempts).order_by("attempt", "number")
    for attempt, text, at in entries.values_list("attempt_id", "text", "at"):
        logs[attempt].append((text, at))
    return [Game(attempt, at_deal.get(attempt.deal_id), logs[attempt.pk]) for attempt in attempts]


def _told(game: Game) -> dict[str, Any]:
    attempt, deal = game.attempt, game.attempt.deal
    seen = attempt.closed and game.first is not None and selectors.may_see_deck(game.first)
    return {
        **{name: getattr(attempt, name) for name in FIGURES},
        "deal": {name: getattr(deal, name) for name in OF_DEAL},
        **cards(deal, seen),
    }


def cards(deal: Deal, seen: bool) -> dict[str, str | None]:
    """The cards of a deal, and the nonce that they were sealed with, for whoever may see them."""
    if not seen:
        return dict.fromkeys(DECK)
    layout = notation.write(GAMES[deal.game], selectors.shuffled(deal))
    return dict(zip(DECK, (deal.deck, deal.spare, deal.nonce, layout), strict=True))


def _dump(value: object) -> str:
    return json.dumps(value, cls=DjangoJSONEncoder, ensure_ascii=False)


def _cell(value: object) -> object:
    return value.isoformat() if isinstance(value, datetime) else value


def _line(cells: list[Any]) -> str:
    text = io.StringIO()
    csv.writer(text).writerow(cells)
    return text.getvalue()
