"""What a move costs as attempts pile up in the database, and as its own log grows: the whole path but the socket."""

import asyncio
import time
from statistics import median
from typing import Any

from accounts.models import User
from bench.site import deal, recorded
from games import services
from games.live import hub, tables
from games.models import Attempt

LONG = 3_000  # entries of a long log
MOVES = 300  # measured with each


def costs(player: User) -> tuple[float, float]:
    """Milliseconds from an entry to its commit, the middle of many: with a short log, and with a long one."""
    game = recorded()[0]
    short, long = (Attempt.objects.create(player=player, deal=deal(game), game=game.slug) for _ in range(2))
    return asyncio.run(_costs(short.pk, long.pk, game.moves[0]))


async def _costs(short: int, long: int, move: str) -> tuple[float, float]:
    """Both take the same entries in turns, undo and redo, so that a slow moment hits both."""
    for attempt in (short, long):
        hub.listen(tables.topic(attempt), hub.Outbox(_nowhere))  # or it would be read from its log for every entry
        await services.enter(attempt_id=attempt, version=0, entry=move)
    for version in range(1, LONG):
        await _turn(long, version)
    waits = [(await _turn(short, 1 + number), await _turn(long, LONG + number)) for number in range(MOVES)]
    few, many = zip(*waits, strict=True)
    return median(few), median(many)


async def _nowhere(event: dict[str, Any]) -> None: ...


async def _turn(attempt: int, version: int) -> float:
    began = time.perf_counter()
    await services.enter(attempt_id=attempt, version=version, entry="undo" if version % 2 else "redo")
    return 1000 * (time.perf_counter() - began)
