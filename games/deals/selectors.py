"""Reading how a deal went, and the daily deals. Who may look at a deal is for `games.selectors`."""

from collections.abc import Iterable
from datetime import UTC, date, timedelta
from itertools import groupby
from typing import NamedTuple
from zoneinfo import ZoneInfo

from django.db.models import Count, F, Q, QuerySet
from django.db.models.functions import TruncDate

from accounts.models import User
from games.engine.catalogue import GAMES
from games.models import RANKED, Attempt, Deal, Outcome
from games.selectors import deck_is_open, first_attempt, may_see_deck, opens_at, today


def is_ranked(deal: Deal) -> bool:
    """Whether first attempts at a deal are compared: nobody could know its deck."""
    return deal.kind in RANKED


def results(deal: Deal) -> QuerySet[Attempt]:
    """The attempts that ended: of a ranked deal the first ones, the best first; of others all, the latest first."""
    ended = Attempt.objects.filter(deal_id=deal.pk, practice=False, ended_at__isnull=False).select_related("player")
    if not is_ranked(deal):
        return ended.order_by("-ended_at", "-id")
    if deal.day:  # its deck is open from then on
        ended = ended.filter(ended_at__lt=opens_at(deal.day))
    return ended.filter(score__isnull=False).order_by("-score", "id")


def place(deal: Deal, player: User) -> int | None:
    """A player's place on a ranked deal, from 1; None without a result."""
    ranked = results(deal)
    mine = ranked.filter(player_id=player.pk).first() if is_ranked(deal) else None
    if mine is None:
        return None
    return ranked.filter(Q(score__gt=mine.score) | Q(score=mine.score, id__lt=mine.pk)).count() + 1


def is_clean(attempt: Attempt) -> bool:
    """A win without undo and restart."""
    return attempt.outcome == Outcome.WON and not (attempt.undos or attempt.restarts)


def may_export(deal: Deal, player: User | None) -> bool:
    """Whether somebody who may look at a deal may have its cards as text."""
    if deck_is_open(deal):
        return True
    first = first_attempt(player, deal) if player else None
    return first is not None and may_see_deck(first)


def may_close(deal: Deal, player: User | None) -> bool:
    """Whether somebody may make a deal private: its maker, as long as nobody else has played it."""
    if player is None or deal.made_by_id != player.pk:
        return False
    return not Attempt.objects.filter(deal=deal).exclude(player_id=player.pk).exists()


def of_day(day: date) -> list[tuple[Deal, int]]:
    """The deals of a day in the order of the games, each with the number of its players so far."""
    played = Q(attempts__number=1, attempts__practice=False, attempts__ended_at__lt=opens_at(day))
    found = Deal.objects.filter(day=day).annotate(players=Count("attempts", filter=played))
    return [(deal, deal.players) for deal in sorted(found, key=lambda deal: list(GAMES).index(deal.game))]


def seals_of(day: date) -> dict[str, str]:
    """The commitments of a day's deals by game; all that may be known of a day to come."""
    seals = dict(Deal.objects.filter(day=day).values_list("game", "commitment"))
    return {slug: seals[slug] for slug in GAMES if slug in seals}


def days_from(first: date, last: date) -> set[date]:
    """The days that have deals."""
    days = Deal.objects.filter(day__range=(first, last)).values_list("day", flat=True).distinct()
    return {day for day in days if day}


def neighbours(first: date, last: date) -> tuple[date | None, date | None]:
    """The latest day with deals before these days, and the earliest after them that has come."""
    days = Deal.objects.filter(day__isnull=False).values_list("day", flat=True)
    earlier = days.filter(day__lt=first).order_by("-day").first()
    return earlier, days.filter(day__gt=last, day__lte=today()).order_by("day").first()


def own_of_days(player: User, first: date, last: date) -> list[Attempt]:
    """A player's first attempts at the daily deals of some days."""
    attempts = Attempt.objects.filter(player=player, deal__day__range=(first, last), number=1, practice=False)
    return list(attempts.select_related("deal"))


def in_time(attempt: Attempt) -> bool:
    """Whether a daily deal was ended before its day was over."""
    day = attempt.deal.day
    return bool(day and attempt.ended_at and attempt.ended_at < opens_at(day))


class Streak(NamedTuple):
    """How many dates in a row a daily deal was played, and whether today is one of them."""

    dates: int
    today: bool


def streak(player: User, today: date, zone: ZoneInfo) -> Streak:
    """A player's streak by their own date."""
    ended = Attempt.objects.filter(player=player, number=1, practice=False, ended_at__isnull=False)
    in_time = ended.annotate(utc=TruncDate("ended_at", tzinfo=UTC)).filter(utc=F("deal__day"))
    latest_first = in_time.order_by("-ended_at").values_list("ended_at", flat=True).iterator(chunk_size=100)
    # Dates are worked out here, as a database may not know every zone that Python knows.
    dates = (at.astimezone(zone).date() for at in latest_first if at)
    return count_streak((played for played, _ in groupby(dates)), today)


def count_streak(dates: Iterable[date], today: date) -> Streak:
    """`dates` come latest first. One date missed in a row is forgiven; today is not missed before it is over."""
    last, count, played_today = today, 0, False
    for played in dates:
        if last - played > timedelta(days=2):
            break
        last, count, played_today = played, count + 1, played_today or played == today
    return Streak(count, played_today)
