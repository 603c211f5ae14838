"""Pages of a long list by keyset: each begins after a row, not a count, so a late one costs what the first does."""

from datetime import datetime
from typing import NamedTuple

from django.db.models import Q, QuerySet

from games.models import Attempt

A_PAGE = 20


class Mark(NamedTuple):
    """Where a page ends: the keys of a row."""

    touched_at: datetime
    id: int

    def __str__(self) -> str:
        return f"{self.touched_at.isoformat()}_{self.id}"


class Page(NamedTuple):
    """Rows, the newest first, and the marks that lead on; None where nothing follows."""

    rows: list[Attempt]
    newer: Mark | None
    older: Mark | None


def mark(text: str) -> Mark | None:
    """Read a mark; None for anything else."""
    at, _, number = text.rpartition("_")
    try:
        read = Mark(datetime.fromisoformat(at), int(number))
    except ValueError:
        return None
    return read if read.touched_at.tzinfo and 0 <= read.id < 2**63 else None


def page(attempts: QuerySet[Attempt], *, before: Mark | None = None, after: Mark | None = None) -> Page:
    """The newest page, or the one that follows a mark on either side. One query, whatever the length of the list."""
    if after:
        rows = list(_newer(attempts, after)[: A_PAGE + 1])
        more, rows = len(rows) > A_PAGE, rows[:A_PAGE][::-1]
        return Page(rows, _mark(rows[:1], more), _mark(rows[-1:], True))
    rows = list((_older(attempts, before) if before else attempts.order_by("-touched_at", "-id"))[: A_PAGE + 1])
    more, rows = len(rows) > A_PAGE, rows[:A_PAGE]
    return Page(rows, _mark(rows[:1], before is not None), _mark(rows[-1:], more))


def _older(attempts: QuerySet[Attempt], than: Mark) -> QuerySet[Attempt]:
    # The index is entered at the moment; the first condition only tells rows of that same moment apart.
    rest = attempts.filter(Q(touched_at__lt=than.touched_at) | Q(id__lt=than.id), touched_at__lte=than.touched_at)
    return rest.order_by("-touched_at", "-id")


def _newer(attempts: QuerySet[Attempt], than: Mark) -> QuerySet[Attempt]:
    rest = attempts.filter(Q(touched_at__gt=than.touched_at) | Q(id__gt=than.id), touched_at__gte=than.touched_at)
    return rest.order_by("touched_at", "id")


def _mark(rows: list[Attempt], there_is_more: bool) -> Mark | None:
    return Mark(rows[0].touched_at, rows[0].pk) if rows and there_is_more else None
