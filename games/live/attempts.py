"""Entries of attempts as the journal writes them. What they mean is for `services` to know."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any, NamedTuple

from django.db import connection

from games.live.journal import Conflict
from games.models import Attempt, Entry

_LOG, _ATTEMPTS = Entry._meta.db_table, Attempt._meta.db_table
# To find that a number is taken must not be an error: PostgreSQL would give up all that it was sent together.
_INSERT = f"INSERT INTO {_LOG} (attempt_id, number, text, at) VALUES (%s, %s, %s, %s) ON CONFLICT DO NOTHING"
_UPDATE = f"""
    UPDATE {_ATTEMPTS} SET version = %s, touched_at = %s, ended_at = %s, started_at = COALESCE(started_at, %s),
        outcome = %s, closed = %s, moves = %s, home = %s, undos = %s, restarts = %s, seconds = %s
    WHERE id = %s AND version = %s
"""


class AttemptRecord(NamedTuple):
    """An entry to append, and what the attempt's row says once it is there."""

    attempt_id: int
    number: int
    text: str
    at: datetime
    ended: bool
    outcome: str
    closed: bool
    moves: int
    home: int
    undos: int
    restarts: int
    seconds: float

    @staticmethod
    def write(records: Sequence["AttemptRecord"]) -> None:
        """Insert the entries and bring the rows up to them. Raises Conflict, IntegrityError where one is gone."""
        ordered = sorted(records)  # by attempt, the same order in every process: no deadlock
        adapt = connection.ops.adapt_datetimefield_value
        entries: list[tuple[Any, ...]] = []
        rows: list[tuple[Any, ...]] = []
        for attempt_id, number, text, at, ended, *figures in ordered:
            moment = adapt(at)
            entries.append((attempt_id, number, text, moment))
            rows.append((number, moment, moment if ended else None, moment, *figures, attempt_id, number - 1))
        with connection.cursor() as cursor:
            for order, parameters in ((_INSERT, entries), (_UPDATE, rows)):
                cursor.executemany(order, parameters)
                if cursor.rowcount != len(ordered):
                    raise Conflict("an attempt is not at the version before its entry")
