"""Reading what was played, and who may look at a replay. How a page or picture looks is told elsewhere."""

from collections.abc import Iterator
from datetime import UTC, date, datetime, time, timedelta

from django.contrib.auth.models import AnonymousUser
from django.db.models import BooleanField, ExpressionWrapper, Max, Min, Q, QuerySet

from accounts.models import User
from games import selectors, winning
from games.history.statistics import Ended, Periods
from games.models import Attempt, Kind, Outcome

LONGEST_REVIEW = 2000  # entries


def history(
    user: User, *, game: str = "", outcome: str = "", since: date | None = None, until: date | None = None
) -> list[QuerySet[Attempt]]:
    """A user's attempts, filtered: those that go on and those that ended, as each has indexes of its own.

    Days are those of UTC, the last one included. Not in any order yet.
    """
    attempts = Attempt.objects.filter(player_id=user.pk)
    if game:
        attempts = attempts.filter(game=game)
    if outcome:
        attempts = attempts.filter(outcome=outcome)
    if since:
        attempts = attempts.filter(touched_at__gte=_midnight(since))
    if until and until < date.max:
        attempts = attempts.filter(touched_at__lt=_midnight(until + timedelta(days=1)))
    going_on, ended = attempts.filter(ended_at=None), attempts.filter(ended_at__isnull=False)
    if outcome:
        return [going_on if outcome == Outcome.PLAYING else ended]
    return [going_on, ended]


def _midnight(day: date) -> datetime:
    return datetime.combine(day, time.min, UTC)


def own_replay(user: User, code: str) -> Attempt | None:
    """An attempt of one's own that is over and has a log to show."""
    attempt = selectors.own_attempt(user, code)
    return attempt if attempt and _is_over(attempt) else None


def shared_replay(user: User | AnonymousUser, share_code: str) -> Attempt | None:
    """An attempt that its player shows to whoever has the link, while it is over and its deal may be looked at.

    One at a daily deal opens when its day is over.
    """
    shared = Attempt.objects.select_related("deal", "player").filter(share_code=share_code, player__isnull=False)
    attempt = shared.first()
    if attempt is None or not _is_over(attempt) or waits_for_its_day(attempt):
        return None
    may_look = selectors.deals_for(user).filter(pk=attempt.deal_id)  # asked for apart: together all deals are read
    return attempt if may_look.exists() else None


def waits_for_its_day(attempt: Attempt) -> bool:
    """Whether others may not see it yet, as they may still play the same daily deal for the first time."""
    day = attempt.deal.day
    return day is not None and day >= selectors.today()


def can_be_reviewed(attempt: Attempt) -> bool:
    """Whether there is anything to tell about where a game was lost, at a cost that can be borne."""
    is_lost = attempt.outcome in (Outcome.STUCK, Outcome.GIVEN_UP)
    return is_lost and attempt.game in winning.PREFERENCES and attempt.version <= LONGEST_REVIEW


def may_review(user: User, attempt: Attempt) -> bool:
    """Whether its player may be told where a game was lost: that tells of hidden cards, as the deck does."""
    return selectors.may_see_deck(selectors.first_attempt(user, attempt.deal) or attempt)


def _is_over(attempt: Attempt) -> bool:
    return attempt.outcome != Outcome.PLAYING and attempt.version > 0


def counted(user: User) -> QuerySet[Attempt]:
    """The attempts that enter the statistics: begun, ended and not for practice. One row a game, so none twice."""
    ended = Attempt.objects.filter(player_id=user.pk, practice=False, started_at__isnull=False)
    return ended.exclude(outcome=Outcome.PLAYING).filter(ended_at__isnull=False)


def ended_games(user: User) -> Iterator[Ended]:
    """The games that count, in the order in which they ended."""
    winnable = ExpressionWrapper(Q(deal__kind=Kind.WINNABLE), BooleanField())
    rows = counted(user).annotate(winnable=winnable).order_by("ended_at", "id").values_list(*Ended._fields)
    return map(Ended._make, rows.iterator(chunk_size=2000))


def periods(user: User, game: str) -> Periods | None:
    """Days, weeks or months to count games in, of one game or of all; None where there are no games."""
    games = counted(user).filter(game=game) if game else counted(user)
    span = games.aggregate(first=Min("ended_at"), last=Max("ended_at"))
    return Periods(span["first"].date(), span["last"].date()) if span["first"] else None
