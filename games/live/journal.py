"""The only code that appends entries: one thread with its own connection commits those of many attempts together.

There is no timer: entries gather as long as the event loop brings more, and while others are being committed. What one
means is not known here. Why it is so: docs/decisions/0036.
"""

import asyncio
import logging
import queue
import threading
from collections.abc import Sequence
from contextlib import suppress
from typing import Any, NamedTuple, Protocol

from django.db import DatabaseError, IntegrityError, InterfaceError, OperationalError, connection

from games import metrics

logger = logging.getLogger(__name__)
BATCH = 500
QUIET = 2  # rounds of an event loop with no entry, so none is on its way: from its socket to here one takes two
ROUNDS = 20  # that an entry waits at most for others to come with it


class Conflict(Exception):
    """Another entry has this number already: the writer did not know the newest version."""


class Unavailable(Exception):
    """The database did not take the entry. Only the log can tell whether it is there."""


class Away(Unavailable):
    """The database takes no entries at all at present."""


class Record(Protocol):
    """An entry to append to some log, with what else changes by it."""

    @staticmethod
    def write(records: Sequence[Any], /) -> None:
        """Write records of this type, all or none. Raises Conflict or IntegrityError."""


class _Gathered(NamedTuple):
    """What the tasks of one event loop submitted shortly after one another, and who waits for it."""

    loop: asyncio.AbstractEventLoop
    records: list[Record]
    futures: list[asyncio.Future[None]]


class Journal:
    """Start it by submitting; it runs as long as the process."""

    def __init__(self) -> None:
        self._gathering: dict[asyncio.AbstractEventLoop, _Gathered] = {}
        self._queue: queue.SimpleQueue[_Gathered] = queue.SimpleQueue()
        self._thread: threading.Thread | None = None

    async def submit(self, record: Record) -> None:
        """Return once the entry is committed. Raises Conflict or Unavailable."""
        loop = asyncio.get_running_loop()
        gathered = self._gathering.get(loop)
        if gathered is None:
            gathered = self._gathering[loop] = _Gathered(loop, [], [])
            loop.call_soon(self._gather, gathered, 0, QUIET, ROUNDS)
        future = loop.create_future()
        gathered.records.append(record)
        gathered.futures.append(future)
        await future

    def _gather(self, gathered: _Gathered, known: int, quiet: int, rounds: int) -> None:
        """Wait for entries that are on their way, round by round of the event loop, then hand all over."""
        count = len(gathered.records)
        quiet = QUIET if count > known else quiet - 1
        if quiet and rounds and count < BATCH:
            gathered.loop.call_soon(self._gather, gathered, count, quiet, rounds - 1)
        else:
            self._hand_over(gathered)

    def _hand_over(self, gathered: _Gathered) -> None:
        if self._thread is None:
            self._thread = threading.Thread(target=self._run, name="journal", daemon=True)
            self._thread.start()
        del self._gathering[gathered.loop]
        self._queue.put(gathered)

    def _run(self) -> None:
        while True:
            batch = [self._queue.get()]
            while sum(len(gathered.records) for gathered in batch) < BATCH and not self._queue.empty():
                batch.append(self._queue.get())
            records = [record for gathered in batch for record in gathered.records]
            metrics.batch_entries.observe(len(records))
            with metrics.commit_seconds.time():
                results = iter(_commit(records))
            for gathered in batch:
                _answer(gathered, [next(results) for _ in gathered.records])


def _answer(gathered: _Gathered, results: list[Exception | None]) -> None:
    """Wake those who wait, all of an event loop at once."""
    try:
        gathered.loop.call_soon_threadsafe(_resolve, gathered.futures, results)
    except RuntimeError:  # the loop is closed: nobody waits any more
        logger.info("%d answers came after their event loop had closed", len(results))


def _resolve(futures: list[asyncio.Future[None]], results: list[Exception | None]) -> None:
    for future, error in zip(futures, results, strict=True):
        if future.done():
            continue
        if error:
            future.set_exception(error)
        else:
            future.set_result(None)


def _commit(records: list[Record]) -> list[Exception | None]:
    """Commit those of each type together, since they are one statement."""
    kinds = {type(record) for record in records}
    results = {kind: iter(_together([record for record in records if type(record) is kind])) for kind in kinds}
    return [next(results[type(record)]) for record in records]


def _together(records: list[Record]) -> list[Exception | None]:
    """Commit all. When that fails, each by itself, so that one bad entry fails alone."""
    error = _try(records)
    if error is None or isinstance(error, Away) or len(records) == 1:  # to wait for a lost database once is enough
        return [error] * len(records)
    return [_try([record]) for record in records]


def _try(records: list[Record]) -> Exception | None:
    try:
        type(records[0]).write(records)
    except (IntegrityError, Conflict) as error:
        return Conflict(str(error))
    except Exception as error:  # whatever it is, the thread must outlive it
        away = isinstance(error, OperationalError | InterfaceError)
        logger.error("entries could not be written: %s", error, exc_info=not away)
        with suppress(DatabaseError):
            connection.close()  # the next batch opens a fresh one
        return Away(str(error)) if away else Unavailable(str(error))
    return None


journal = Journal()
