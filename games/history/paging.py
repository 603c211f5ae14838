"""Pages of a long list by keyset: each begins after a row, not a count, so a late one costs what the first does."""

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from heapq import merge
from itertools import islice
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
        moment = datetime.fromisoformat(at)
        read = Mark(moment.astimezone(UTC), int(number))
    except (ValueError, OverflowError):  # no moment, or one outside the years of UTC
        return None
    return read if moment.tzinfo and 0 <= read.id < 2**63 else None


def page(stretches: Sequence[QuerySet[Attempt]], *, before: Mark | None = None, after: Mark | None = None) -> Page:
    """The newest page of all stretches together, or the one that follows a mark on either side. One query a stretch."""
    if after:
        rows = _merged([newer(stretch, after) for stretch in stretches], newest_first=False)
        more, rows = len(rows) > A_PAGE, rows[:A_PAGE][::-1]
        return Page(rows, _mark(rows[:1], more), _mark(rows[-1:], True))
    rows = _merged([older(stretch, before) for stretch in stretches], newest_first=True)
    more, rows = len(rows) > A_PAGE, rows[:A_PAGE]
    return Page(rows, _mark(rows[:1], before is not None), _mark(rows[-1:], more))


def older(attempts: QuerySet[Attempt], than: Mark | None) -> QuerySet[Attempt]:
    """A page and one more, the newest first, of what is older than a mark."""
    if than:
        # The index is entered at the moment; the first condition only tells rows of that same moment apart.
        rest = Q(touched_at__lt=than.touched_at) | Q(id__lt=than.id)
        attempts = attempts.filter(rest, touched_at__lte=than.touched_at)
    return attempts.order_by("-touched_at", "-id")[: A_PAGE + 1]


def newer(attempts: QuerySet[Attempt], than: Mark) -> QuerySet[Attempt]:
    """A page and one more, the oldest first, of what is newer than a mark."""
    rest = Q(touched_at__gt=than.touched_at) | Q(id__gt=than.id)
    return attempts.filter(rest, touched_at__gte=than.touched_at).order_by("touched_at", "id")[: A_PAGE + 1]


def _merged(stretches: Iterable[QuerySet[Attempt]], newest_first: bool) -> list[Attempt]:
    rows = merge(*stretches, key=lambda attempt: (attempt.touched_at, attempt.pk), reverse=newest_first)
    return list(islice(rows, A_PAGE + 1))


def _mark(rows: list[Attempt], there_is_more: bool) -> Mark | None:
    return Mark(rows[0].touched_at, rows[0].pk) if rows and there_is_more else None
