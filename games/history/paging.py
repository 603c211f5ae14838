"""Pages of a long list by keyset: each begins after a row, not a count, so a late one costs what the first does."""

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from heapq import merge
from itertools import islice
from typing import Generic, NamedTuple, TypeVar

from django.db.models import Model, Q, QuerySet

A_PAGE = 20
TOUCHED = "touched_at"  # what attempts are in the order of
Row = TypeVar("Row", bound=Model)


class Mark(NamedTuple):
    """Where a page ends: the keys of a row."""

    at: datetime
    id: int

    def __str__(self) -> str:
        return f"{self.at.isoformat()}_{self.id}"


class Page(NamedTuple, Generic[Row]):
    """Rows, the newest first, and the marks that lead on; None where nothing follows."""

    rows: list[Row]
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


def page(
    stretches: Sequence[QuerySet[Row]], *, by: str = TOUCHED, before: Mark | None = None, after: Mark | None = None
) -> Page[Row]:
    """The newest page of all stretches together, or the one that follows a mark on either side. One query a stretch."""
    if after:
        rows = _merged([newer(stretch, after, by) for stretch in stretches], by, newest_first=False)
        more, rows = len(rows) > A_PAGE, rows[:A_PAGE][::-1]
        return Page(rows, _mark(rows[:1], by, more), _mark(rows[-1:], by, True))
    rows = _merged([older(stretch, before, by) for stretch in stretches], by, newest_first=True)
    more, rows = len(rows) > A_PAGE, rows[:A_PAGE]
    return Page(rows, _mark(rows[:1], by, before is not None), _mark(rows[-1:], by, more))


def older(rows: QuerySet[Row], than: Mark | None, by: str = TOUCHED) -> QuerySet[Row]:
    """A page and one more, the newest first, of what is older than a mark."""
    if than:
        # The index is entered at the moment; the first condition only tells rows of that same moment apart.
        rest = Q(**{f"{by}__lt": than.at}) | Q(id__lt=than.id)
        rows = rows.filter(rest, **{f"{by}__lte": than.at})
    return rows.order_by(f"-{by}", "-id")[: A_PAGE + 1]


def newer(rows: QuerySet[Row], than: Mark, by: str = TOUCHED) -> QuerySet[Row]:
    """A page and one more, the oldest first, of what is newer than a mark."""
    rest = Q(**{f"{by}__gt": than.at}) | Q(id__gt=than.id)
    return rows.filter(rest, **{f"{by}__gte": than.at}).order_by(by, "id")[: A_PAGE + 1]


def _merged(stretches: Iterable[QuerySet[Row]], by: str, newest_first: bool) -> list[Row]:
    rows = merge(*stretches, key=lambda row: (getattr(row, by), row.pk), reverse=newest_first)
    return list(islice(rows, A_PAGE + 1))


def _mark(rows: list[Row], by: str, there_is_more: bool) -> Mark | None:
    return Mark(getattr(rows[0], by), rows[0].pk) if rows and there_is_more else None
