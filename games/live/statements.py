"""Statements about many rows at once, as the journal sends them. What they say is for those who keep a log to know.

They go past Django's cursor, which would look through their text for placeholders each time: that is most of its work.
"""

from collections.abc import Callable, Sequence
from contextlib import closing
from datetime import datetime
from functools import lru_cache
from typing import Any

from django.db import connection


def execute(order: str, columns: int, values: Sequence[Any]) -> int:
    """Have `{rows}` in an order stand for as many rows of so many columns as there are values; how many rows it met.

    Raises Django's errors.
    """
    mark = "?" if connection.vendor == "sqlite" else "%s"
    with connection.wrap_database_errors, closing(connection.connection.cursor()) as cursor:
        cursor.execute(_statement(order, mark, columns, len(values) // columns), values)
        met: int = cursor.rowcount
    return met


@lru_cache(200)
def _statement(order: str, mark: str, columns: int, count: int) -> str:
    row = f"({', '.join([mark] * columns)})"
    return order.format(rows=", ".join([row] * count))


def moments() -> Callable[[datetime], Any]:
    """What makes of a time in UTC what the database stores."""
    return _text if connection.vendor == "sqlite" else _itself


def _text(at: datetime) -> str:
    return str(at.replace(tzinfo=None))


def _itself(at: datetime) -> datetime:
    return at
