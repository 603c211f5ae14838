"""How entries of many logs are appended at once. What they say, and the rows that follow them, is for who keeps a log.

It goes past Django's cursor: what that does for each value takes longer than the rest. PostgreSQL gets the rows as one
text of JSON and one statement that never changes, so that it is planned but once and is a commit of its own; to SQLite
they are bound, which is quicker there. Why it is so: docs/decisions/0037.
"""

from collections.abc import Callable, Sequence
from contextlib import closing
from datetime import datetime
from functools import lru_cache
from itertools import chain
from typing import Any, NamedTuple

import msgspec
import psycopg
from django.db import connection, transaction

from games.live.journal import Conflict

_json = msgspec.json.Encoder()
Columns = tuple[tuple[str, str], ...]  # name, and the type that PostgreSQL has for it


class Append(NamedTuple):
    """Insert the rows of `{new}` into a log's table, and bring the rows that follow it up to them."""

    table: str
    entry: Columns  # of the table, the first of `new`
    more: Columns = ()  # the others of `new`, which the update reads
    update: str = ""  # from `{new}`; has to find one row for each

    def execute(self, rows: Sequence[Sequence[Any]]) -> None:
        """Do all of it or nothing. Raises Conflict, IntegrityError where a number is taken, and Django's errors."""
        connection.ensure_connection()
        if connection.vendor == "sqlite":
            with transaction.atomic(), connection.wrap_database_errors:
                self._sqlite(rows)
        else:
            with connection.wrap_database_errors:
                self._postgres(rows)

    def _sqlite(self, rows: Sequence[Sequence[Any]]) -> None:
        steps = [(_insert(self), self.entry), (self.update, self.entry + self.more)]
        for step, columns in steps if self.update else steps[:1]:
            with closing(connection.connection.cursor()) as cursor:
                values = chain.from_iterable(row[: len(columns)] for row in rows)
                cursor.execute(_sqlite(step, columns, len(rows)), tuple(values))
                if cursor.rowcount != len(rows):
                    raise Conflict("a row is not at the number before its entry")

    def _postgres(self, rows: Sequence[Sequence[Any]]) -> None:
        names = [name for name, _ in self.entry + self.more]
        objects = _json.encode([dict(zip(names, row, strict=True)) for row in rows]).decode()
        try:
            with psycopg.RawCursor(connection.connection) as cursor:
                cursor.execute(_postgres(self), [objects], prepare=True)
        except psycopg.errors.DivisionByZero as error:
            raise Conflict("a row is not at the number before its entry") from error


def moments() -> Callable[[datetime], Any]:
    """What makes of a time in UTC what goes into a row."""
    return _text if connection.vendor == "sqlite" else _itself


def _text(at: datetime) -> str:
    return str(at.replace(tzinfo=None))


def _itself(at: datetime) -> datetime:
    return at


def _insert(append: Append) -> str:
    names = ", ".join(name for name, _ in append.entry)
    return f"INSERT INTO {append.table} ({names}) SELECT {names} FROM {{new}}"


@lru_cache(200)
def _sqlite(step: str, columns: Columns, count: int) -> str:
    named = ", ".join(f"column{number} AS {name}" for number, (name, _) in enumerate(columns, 1))
    row = f"({', '.join('?' * len(columns))})"
    return step.format(new=f"(SELECT {named} FROM (VALUES {', '.join([row] * count)})) AS new")


@lru_cache
def _postgres(append: Append) -> str:
    columns = ", ".join(map(" ".join, append.entry + append.more))
    new = f"json_to_recordset($1) AS new ({columns})"
    if not append.update:
        return _insert(append).format(new=new)
    # A statement by itself takes back what it did only if it fails: where the update found too few, it divides by 0.
    # It counts what was entered first, so that processes wait for one another in the order of their rows: no deadlock.
    return f"""
    WITH new AS MATERIALIZED (SELECT * FROM {new}),
        entered AS ({_insert(append).format(new="new")} RETURNING 1),
        followed AS ({append.update.format(new="new")} RETURNING 1)
    SELECT 1 / (count(*) = (SELECT count(*) FROM followed))::integer FROM entered
    """
