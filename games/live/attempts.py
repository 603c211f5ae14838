"""Entries of attempts as the journal writes them. What they mean is for `services` to know."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import NamedTuple

from games.live.statements import Append, moments
from games.models import Attempt, Entry

_APPEND = Append(
    Entry._meta.db_table,
    (("attempt_id", "bigint"), ("number", "integer"), ("text", "text"), ("at", "timestamptz")),
    (
        ("ended", "boolean"),
        ("outcome", "text"),
        ("closed", "boolean"),
        ("moves", "integer"),
        ("home", "integer"),
        ("undos", "integer"),
        ("restarts", "integer"),
        ("seconds", "double precision"),
        ("lately", "timestamptz"),
    ),
    # A move that changes nothing of which there is an index costs PostgreSQL half: so `touched_at` stays for a while.
    f"""
    UPDATE {Attempt._meta.db_table} AS old SET version = new.number,
        touched_at = CASE WHEN NOT new.ended AND old.touched_at BETWEEN new.lately AND new.at THEN old.touched_at
            ELSE new.at END,
        ended_at = CASE WHEN new.ended THEN new.at END, started_at = COALESCE(old.started_at, new.at),
        outcome = new.outcome, closed = new.closed, moves = new.moves, home = new.home, undos = new.undos,
        restarts = new.restarts, seconds = new.seconds
    FROM {{new}}
    WHERE old.id = new.attempt_id AND old.version = new.number - 1
    """,
)
_A_WHILE = timedelta(minutes=1)


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
        """Insert the entries and bring the rows up to them, all or none. Raises Conflict or IntegrityError."""
        moment_of = moments()
        rows = [
            (attempt_id, number, text, moment_of(at), *figures, moment_of(at - _A_WHILE))
            for attempt_id, number, text, at, *figures in sorted(records)  # the same order everywhere: no deadlock
        ]
        _APPEND.execute(rows)
