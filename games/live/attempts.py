"""Entries of attempts as the journal writes them. What they mean is for `services` to know."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db import connection

from games.live.journal import Conflict
from games.models import Attempt, Entry

_FIGURES = ("outcome", "closed", "moves", "home", "undos", "restarts", "seconds")
_TIMES = ("started_at", "ended_at")


@dataclass(frozen=True, slots=True)
class AttemptRecord:
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

    @staticmethod
    def write(records: Sequence["AttemptRecord"]) -> None:
        """Insert the entries and bring the rows up to them. Raises Conflict or IntegrityError."""
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
