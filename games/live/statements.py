"""Statements about many rows at once, as the journal sends them. What they say is for those who keep a log to know.

They go past Django's cursor: what it does for each value takes longer than the rest. PostgreSQL gets
the rows as one text of JSON, so that its statement is always the same and planned but once; to SQLite they are bound,
which is quicker there. Why it is so: docs/decisions/0037.
"""

from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from datetime import datetime
from functools import lru_cache
from itertools import chain
from typing import Any, NamedTuple

import msgspec
import psycopg
from django.db import connection

_json = msgspec.json.Encoder()


class Statement(NamedTuple):
    """An order about the rows of `{new}`, and their columns with the types that PostgreSQL has for them."""

    columns: Mapping[str, str]
    order: str

    def execute(self, rows: Sequence[Sequence[Any]]) -> int:
        """How many rows were met. Raises Django's errors."""
        with connection.wrap_database_errors:
            return self._sqlite(rows) if connection.vendor == "sqlite" else self._postgres(rows)

    def _sqlite(self, rows: Sequence[Sequence[Any]]) -> int:
        with closing(connection.connection.cursor()) as cursor:
            cursor.execute(_sqlite(tuple(self.columns), self.order, len(rows)), tuple(chain.from_iterable(rows)))
            met: int = cursor.rowcount
        return met

    def _postgres(self, rows: Sequence[Sequence[Any]]) -> int:
        objects = _json.encode([dict(zip(self.columns, row, strict=True)) for row in rows]).decode()
        with psycopg.RawCursor(connection.connection) as cursor:
            cursor.execute(_postgres(tuple(self.columns.items()), self.order), [objects], prepare=True)
            return cursor.rowcount


def moments() -> Callable[[datetime], Any]:
    """What makes of a time in UTC what goes into a row."""
    return _text if connection.vendor == "sqlite" else _itself


def _text(at: datetime) -> str:
    return str(at.replace(tzinfo=None))


def _itself(at: datetime) -> datetime:
    return at


@lru_cache(200)
def _sqlite(columns: tuple[str, ...], order: str, count: int) -> str:
    named = ", ".join(f"column{number} AS {name}" for number, name in enumerate(columns, 1))
    row = f"({', '.join('?' * len(columns))})"
    return order.format(new=f"(SELECT {named} FROM (VALUES {', '.join([row] * count)})) AS new")


@lru_cache
def _postgres(columns: tuple[tuple[str, str], ...], order: str) -> str:
    return order.format(new=f"json_to_recordset($1) AS new ({', '.join(map(' '.join, columns))})")
