"""The page of one's statistics: numbers as words, tables and pictures. How they are counted is in `statistics`."""

from collections.abc import Mapping
from datetime import date
from itertools import product
from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from accounts.models import User
from games import names
from games.engine.catalogue import GAMES
from games.history import pictures, selectors
from games.history.statistics import Figures, Periods, Sort, count


@login_required
@require_safe
def statistics(request: HttpRequest) -> HttpResponse:
    """What one's games come to, each game by itself and over all; pictures of one game or of all."""
    assert isinstance(request.user, User)
    game = request.GET.get("game", "")
    game = game if game in GAMES else ""
    periods = selectors.periods(request.user, game)
    everything, each = count(selectors.ended_games(request.user), periods, game)
    played = {slug for slug, _winnable in each}
    context: dict[str, Any] = {
        "games": [{"slug": slug, "name": names.NAMES[slug]} for slug in GAMES if slug in played],
        "game": game,
        "name": names.NAMES.get(game, ""),
        "lines": [_line(sort, each[sort]) for sort in product(GAMES, (False, True)) if sort in each],
        "everything": _whole(everything) if everything.played else None,
    }
    if periods:
        context |= {"pictures": _pictures(periods), "periods": [_period(periods, *each) for each in _newest(periods)]}
    return render(request, "games/statistics.html", context)


def _line(sort: Sort, figures: Figures) -> dict[str, Any]:
    slug, winnable = sort
    name = _("%(game)s, winnable deals") % {"game": names.NAMES[slug]} if winnable else names.NAMES[slug]
    odds = names.odds(slug, winnable=winnable)
    return _whole(figures) | {"name": name, "total": 52 * GAMES[slug].packs, "odds": odds}


def _whole(figures: Figures) -> dict[str, Any]:
    low, high = figures.interval
    return {
        "name": _("All games"),
        "figures": figures,
        "rate": percent(figures.rate),
        "low": percent(low),
        "high": percent(high),
        "best": duration(figures.best),
        "median": duration(figures.median),
    }


def _newest(periods: Periods) -> list[tuple[date, Figures]]:
    return list(periods.figures.items())[::-1]


def _period(periods: Periods, start: date, figures: Figures) -> dict[str, Any]:
    return {
        "label": pictures.label(periods.of, start),
        "figures": figures,
        "rate": percent(figures.rate) if figures.played else "",
        "median": duration(figures.median),
    }


def _pictures(periods: Periods) -> Mapping[str, SafeString]:
    """The pictures by name, as the template has a caption for each."""
    labels = [pictures.label(periods.of, start) for start in periods.figures]
    each = list(periods.figures.values())
    times = [figures.median and figures.median / 60 for figures in each]
    return {
        "games": pictures.bars(labels, [[f.won for f in each], [f.played - f.won for f in each]]),
        "rate": pictures.line(labels, [100 * f.rate if f.played else None for f in each], top=100),
        "home": pictures.bars(labels, [[f.average_home if f.played else None for f in each]]),
        "time": pictures.line(labels, times),
    }


def percent(share: float) -> str:
    """0.204 → 20 %."""
    return _("%(number)s %%") % {"number": round(100 * share)}


def duration(seconds: float | None) -> str:
    """125.4 → 2:05; nothing for no time."""
    if seconds is None:
        return ""
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"
