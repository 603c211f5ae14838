"""Open tables: attempts in memory, so that the usual move costs one step. In doubt drop it: the log rebuilds it."""

import asyncio
from dataclasses import dataclass, field
from datetime import datetime

from channels.db import database_sync_to_async

from games.engine.line import Line
from games.live.hub import Topic
from games.models import Attempt
from games.selectors import read_log

KIND = "attempt"  # of topic


def topic(attempt_id: int) -> Topic:
    """What the sockets of an attempt listen to."""
    return Topic(KIND, attempt_id)


@dataclass(slots=True)
class OpenTable:
    """An attempt as its log told it when last looked at. Change it with its lock held only."""

    attempt_id: int
    code: str
    line: Line
    entries: list[str]
    seconds: float
    last_at: datetime | None
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    piles: dict[str, list[str | None]] = field(default_factory=dict)  # as last seen; {} before the first look

    @property
    def topic(self) -> Topic:
        """What its sockets listen to."""
        return topic(self.attempt_id)


_open: dict[int, OpenTable] = {}


def _load(attempt_id: int) -> OpenTable:
    attempt = Attempt.objects.select_related("deal").get(pk=attempt_id)
    log = read_log(attempt)
    return OpenTable(attempt.pk, attempt.code, log.line, log.entries, log.seconds, log.last_at)


async def open_table(attempt_id: int) -> OpenTable:
    """The table from memory, or from the log. Raises Attempt.DoesNotExist."""
    table = _open.get(attempt_id)
    if table is None:
        loaded = await database_sync_to_async(_load)(attempt_id)
        table = _open.setdefault(attempt_id, loaded)  # another task may have been faster
        if table.line.version < loaded.line.version:
            table = _open[attempt_id] = loaded
    return table


def drop(attempt_id: int) -> None:
    """Forget a table: nobody looks at it, or memory and log may differ."""
    _open.pop(attempt_id, None)


def version_of(attempt_id: int) -> int | None:
    """The version in memory, None for a table that is not open here."""
    table = _open.get(attempt_id)
    return table.line.version if table else None
