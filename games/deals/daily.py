"""The pages of the daily deals. One deal's own page is in `views`."""

import logging
from calendar import Calendar
from collections import Counter
from datetime import date, timedelta
from typing import Any, NamedTuple
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from django.db import DatabaseError
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_safe

from accounts.models import User
from games import names, selectors as looking
from games.deals import selectors, services
from games.models import Attempt, Deal, Outcome

logger = logging.getLogger(__name__)
COOKIE = "timezone"  # set by static/js/local-time.js


class Square(NamedTuple):
    """A day in the calendar."""

    day: date
    dealt: bool
    this_month: bool
    played: int
    won: int


@require_safe
def today(request: HttpRequest) -> HttpResponse:
    """Today's deals, the player's streak, and the seals of tomorrow's. Deals what is missing, at most once a day."""
    try:
        services.deal_daily()
    except DatabaseError as error:  # one that can only be read still has those that bin/daily dealt
        logger.warning("no daily deals can be made: %s", error)
    day = looking.today()
    seals = selectors.seals_of(day + timedelta(days=1))
    context = _day(request, day) | {"seals": [(names.NAMES[slug], seal) for slug, seal in seals.items()]}
    if isinstance(request.user, User):
        zone = _zone(request)
        context["streak"] = selectors.streak(request.user, timezone.now().astimezone(zone).date(), zone)
    return render(request, "games/daily.html", context)


@require_safe
def past(request: HttpRequest, day: str) -> HttpResponse:
    """The deals of a day that is over."""
    try:
        found = date.fromisoformat(day)
    except ValueError:
        raise Http404 from None
    if found == looking.today():
        return redirect("daily")
    if found > looking.today() or not selectors.days_from(found, found):
        raise Http404
    return render(request, "games/daily.html", _day(request, found))


def _day(request: HttpRequest, day: date) -> dict[str, Any]:
    player = request.user if isinstance(request.user, User) else None
    weeks = Calendar().monthdatescalendar(day.year, day.month)
    dealt = selectors.days_from(weeks[0][0], min(weeks[-1][-1], looking.today()))
    own = selectors.own_of_days(player, weeks[0][0], weeks[-1][-1]) if player else []
    mine = {attempt.deal_id: attempt for attempt in own}
    played = Counter(attempt.deal.day for attempt in own if selectors.in_time(attempt))
    won = Counter(attempt.deal.day for attempt in own if selectors.in_time(attempt) and attempt.outcome == Outcome.WON)
    earlier, later = selectors.neighbours(day.replace(day=1), weeks[-1][-1])
    return {
        "day": day,
        "is_today": day == looking.today(),
        "over_at": looking.opens_at(day),
        "deals": [_line(deal, players, mine.get(deal.pk)) for deal, players in selectors.of_day(day)],
        "weeks": [[Square(on, on in dealt, on.month == day.month, played[on], won[on]) for on in row] for row in weeks],
        "earlier": earlier,
        "later": later,
    }


def _line(deal: Deal, players: int, mine: Attempt | None) -> dict[str, Any]:
    """A deal of the day, and how the player stands in it."""
    return {
        "code": deal.code,
        "slug": deal.game,
        "name": names.NAMES[deal.game],
        "players": players,
        "mine": mine,
        "outcome_label": names.OUTCOMES[mine.outcome] if mine else "",
        "open": mine is not None and mine.outcome == Outcome.PLAYING,
        "in_time": mine is not None and selectors.in_time(mine),
    }


def _zone(request: HttpRequest) -> ZoneInfo:
    """The player's time zone as the browser says; UTC where it does not or there is no such zone."""
    try:
        return ZoneInfo(request.COOKIES.get(COOKIE, "UTC"))
    except (ValueError, OSError, ZoneInfoNotFoundError):
        return ZoneInfo("UTC")
