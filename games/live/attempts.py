"""Entries of attempts as the journal writes them. What they mean is for `services` to know."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any, NamedTuple

from games.live.journal import Conflict
from games.live.statements import Statement, moments
from games.models import Attempt, Entry

_ENTRY = {"attempt_id": "bigint", "number": "integer", "text": "text", "at": "timestamptz"}
_ROW = {
    "attempt_id": "bigint",
    "number": "integer",
    "at": "timestamptz",
    "ended": "boolean",
    "outcome": "text",
    "closed": "boolean",
    "moves": "integer",
    "home": "integer",
    "undos": "integer",
    "restarts": "integer",
    "seconds": "double precision",
}
# To find that a number is taken must not be an error: PostgreSQL would give up all that it was sent together.
_INSERT = Statement(
    _ENTRY,
    f"""
    INSERT INTO {Entry._meta.db_table} (attempt_id, number, text, at)
    SELECT attempt_id, number, text, at FROM {{new}} WHERE TRUE ON CONFLICT DO NOTHING
    """,
)
_UPDATE = Statement(
    _ROW,
    f"""
    UPDATE {Attempt._meta.db_table} AS old SET version = new.number, touched_at = new.at,
        ended_at = CASE WHEN new.ended THEN new.at END, started_at = COALESCE(old.started_at, new.at),
        outcome = new.outcome, closed = new.closed, moves = new.moves, home = new.home, undos = new.undos,
        restarts = new.restarts, seconds = new.seconds
    FROM {{new}}
    WHERE old.id = new.attempt_id AND old.version = new.number - 1
    """,
)


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
        moment_of = moments()
        entries: list[Any] = []
        rows: list[Any] = []
        for attempt_id, number, text, at, *figures in ordered:
            moment = moment_of(at)
            entries.append((attempt_id, number, text, moment))
            rows.append((attempt_id, number, moment, *figures))
        # One statement for all, and not one for each: a thread that plays and one that writes change places for each.
        if _INSERT.execute(entries) != len(ordered) or _UPDATE.execute(rows) != len(ordered):
            raise Conflict("an attempt is not at the version before its entry")
