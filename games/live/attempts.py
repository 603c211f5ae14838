"""Entries of attempts as the journal writes them. What they mean is for `services` to know."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any, NamedTuple

from games.live import statements
from games.live.journal import Conflict
from games.models import Attempt, Entry

_LOG, _ATTEMPTS = Entry._meta.db_table, Attempt._meta.db_table
# To find that a number is taken must not be an error: PostgreSQL would give up all that it was sent together.
_INSERT = f"INSERT INTO {_LOG} (attempt_id, number, text, at) VALUES {{rows}} ON CONFLICT DO NOTHING"
# In the order of a record's fields, which both databases call so. A column of nothing but NULLs would be text.
_UPDATE = f"""
    UPDATE {_ATTEMPTS} SET version = new.column2, touched_at = new.column3,
        ended_at = CASE WHEN new.column4 THEN new.column3 END, started_at = COALESCE(started_at, new.column3),
        outcome = new.column5, closed = new.column6, moves = new.column7, home = new.column8, undos = new.column9,
        restarts = new.column10, seconds = new.column11
    FROM (VALUES {{rows}}) AS new
    WHERE id = new.column1 AND version = new.column2 - 1
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
        moment_of = statements.moments()
        entries: list[Any] = []
        rows: list[Any] = []
        for attempt_id, number, text, at, *figures in ordered:
            moment = moment_of(at)
            entries += (attempt_id, number, text, moment)
            rows += (attempt_id, number, moment, *figures)
        # One statement for all, and not one for each: a thread that plays and one that writes change places for each.
        for order, columns, values in ((_INSERT, 4, entries), (_UPDATE, 11, rows)):
            if statements.execute(order, columns, values) != len(ordered):
                raise Conflict("an attempt is not at the version before its entry")
