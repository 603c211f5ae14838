"""The only code that appends entries: one thread with its own connection commits those of many attempts together.

There is no timer: while one batch is being committed the next one gathers. What an entry means is not known here.
"""

import asyncio
import logging
import queue
import threading
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime

from django.db import DatabaseError, IntegrityError, InterfaceError, OperationalError, connection, transaction

from games.models import Attempt, Entry

logger = logging.getLogger(__name__)
BATCH = 500


class Conflict(Exception):
    """Another entry has this number already: the writer did not know the newest version."""


class Unavailable(Exception):
    """The database did not take the entry. Only the log can tell whether it is there."""


class Away(Unavailable):
    """The database takes no entries at all at present."""


@dataclass(frozen=True, slots=True)
class Record:
    """An entry to append, and what the attempt's row says once it is there."""

    attempt_id: int
    number: int
    text: str
    at: datetime
    outcome: str
    closed: bool
    moves: int
    home: int
    undos: int
    restarts: int
    seconds: float
    started_at: datetime
    ended_at: datetime | None


@dataclass(frozen=True, slots=True)
class _Waiting:
    record: Record
    future: asyncio.Future[None]
    loop: asyncio.AbstractEventLoop


_FIGURES = ("outcome", "closed", "moves", "home", "undos", "restarts", "seconds")
_TIMES = ("started_at", "ended_at")


class Journal:
    """Start it by submitting; it runs as long as the process."""

    def __init__(self) -> None:
        self._queue: queue.SimpleQueue[_Waiting] = queue.SimpleQueue()
        self._thread: threading.Thread | None = None

    async def submit(self, record: Record) -> None:
        """Return once the entry is committed. Raises Conflict or Unavailable."""
        if self._thread is None:
            self._thread = threading.Thread(target=self._run, name="journal", daemon=True)
            self._thread.start()
        loop = asyncio.get_running_loop()
        waiting = _Waiting(record, loop.create_future(), loop)
        self._queue.put(waiting)
        await waiting.future

    def _run(self) -> None:
        while True:
            batch = [self._queue.get()]
            while len(batch) < BATCH and not self._queue.empty():
                batch.append(self._queue.get())
            _answer(batch, _commit([waiting.record for waiting in batch]))


def _answer(batch: list[_Waiting], results: list[Exception | None]) -> None:
    """Wake those who wait, each event loop once."""
    answers: dict[asyncio.AbstractEventLoop, list[tuple[asyncio.Future[None], Exception | None]]] = {}
    for waiting, result in zip(batch, results, strict=True):
        answers.setdefault(waiting.loop, []).append((waiting.future, result))
    for loop, pairs in answers.items():
        try:
            loop.call_soon_threadsafe(_resolve, pairs)
        except RuntimeError:  # the loop is closed: nobody waits any more
            logger.info("%d answers came after their event loop had closed", len(pairs))


def _resolve(pairs: list[tuple[asyncio.Future[None], Exception | None]]) -> None:
    for future, error in pairs:
        if future.done():
            continue
        if error:
            future.set_exception(error)
        else:
            future.set_result(None)


def _commit(records: list[Record]) -> list[Exception | None]:
    """Commit all together. When that fails, each by itself, so that one bad entry fails alone."""
    error = _try(records)
    if error is None or isinstance(error, Away) or len(records) == 1:  # to wait for a lost database once is enough
        return [error] * len(records)
    return [_try([record]) for record in records]


def _try(records: list[Record]) -> Exception | None:
    try:
        with transaction.atomic():
            _write(records)
    except (IntegrityError, Conflict) as error:
        return Conflict(str(error))
    except Exception as error:  # whatever it is, the thread must outlive it
        away = isinstance(error, OperationalError | InterfaceError)
        logger.error("entries could not be written: %s", error, exc_info=not away)
        with suppress(DatabaseError):
            connection.close()  # the next batch opens a fresh one
        return Away(str(error)) if away else Unavailable(str(error))
    return None


def _write(records: list[Record]) -> None:
    """Raise Conflict or IntegrityError where a record does not follow what the database holds."""
    ordered = sorted(records, key=lambda record: record.attempt_id)  # the same order in every process: no deadlock
    adapt = connection.ops.adapt_datetimefield_value
    table, log = Attempt._meta.db_table, Entry._meta.db_table
    figures = ", ".join(f"{name} = %s" for name in _FIGURES + _TIMES)
    with connection.cursor() as cursor:
        cursor.executemany(
            f"INSERT INTO {log} (attempt_id, number, text, at) VALUES (%s, %s, %s, %s)",
            [(record.attempt_id, record.number, record.text, adapt(record.at)) for record in ordered],
        )
        cursor.executemany(
            f"UPDATE {table} SET version = %s, touched_at = %s, {figures} WHERE id = %s AND version = %s",
            [
                (
                    record.number,
                    adapt(record.at),
                    *(getattr(record, name) for name in _FIGURES),
                    *(adapt(getattr(record, name)) for name in _TIMES),
                    record.attempt_id,
                    record.number - 1,
                )
                for record in ordered
            ],
        )
        if cursor.rowcount != len(ordered):
            raise Conflict("an attempt is not at the version before its entry")


journal = Journal()
