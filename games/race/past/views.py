"""The pages of rounds that are over: both gardens side by side, and one's own races. Rooms are for `views`."""

from typing import Any
from urllib.parse import urlencode

import msgspec
from django.contrib.auth.decorators import login_required
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from accounts.limits import limited
from accounts.models import User
from games.engine.catalogue import GAMES
from games.history import paging
from games.history.figures import duration
from games.race import results, selectors
from games.race.models import SIDES, OpenTo, Reason, Round
from games.race.past import endings, history, replay as replays
from games.views import rows

MOST_RIVALS = 50


@require_safe
@limited("find_race", get=True)
def replay(request: HttpRequest, code: str, number: str) -> HttpResponseBase:
    """Both gardens on one time axis, for whoever has the link, once the round is over."""
    round_ = _ended(code, number)
    deals = (round_.first_deal, round_.second_deal)
    names, game = _names(round_), GAMES[selectors.game_of(round_.race)]
    context = {
        "race": round_.race,
        "round": round_,
        "sides": [{"side": side, "name": names[side - 1], "deal": deals[side - 1]} for side in SIDES],
        "mode": endings.mode(round_.race),
        "ending": endings.told(round_, names),
        "total": 52 * game.packs,
        "rows": rows(game),
    }
    return render(request, "race/replay.html", context)


@require_safe
@limited("find_race", get=True)
def frames(request: HttpRequest, code: str, number: str) -> HttpResponseBase:
    """What the page of a replay shows."""
    round_ = _ended(code, number)
    return HttpResponse(msgspec.json.encode(replays.of(round_, _names(round_))), content_type="application/json")


def _ended(code: str, number: str) -> Round:
    round_ = selectors.ended_round(code, number)
    if round_ is None:
        raise Http404
    return round_


def _names(round_: Round) -> list[str]:
    return [endings.name(round_.race, side) for side in SIDES]


@login_required
@require_safe
def mine(request: HttpRequest) -> HttpResponse:
    """The rounds that one has raced, with whom, and what they come to."""
    user = request.user
    assert isinstance(user, User)
    rival = history.rival_in(user, request.GET.get("rival", ""))
    rounds = history.rounds_of(user)
    chosen = history.against(rounds, rival) if rival else rounds
    everything, each = results.count(history.counted(rounds, user))
    context = {
        "rivals": _rivals(each, rival),
        "rival": rival,
        "figures": _figures(each.get(rival.pk, results.Figures()) if rival else everything),
        **_page(request, chosen),
    }
    return render(request, "race/mine.html", context)


def _page(request: HttpRequest, rounds: QuerySet[Round]) -> dict[str, Any]:
    before, after = (paging.mark(request.GET.get(name, "")) for name in ("before", "after"))
    page = paging.page([history.with_people(rounds)], by=history.BY, before=before, after=after)
    scores = history.scores(page.rows)
    kept = {"rival": request.GET["rival"]} if request.GET.get("rival") else {}
    return {
        "rounds": [_line(round_, scores.get(round_.pk)) for round_ in page.rows],
        "newer": page.newer and urlencode(kept | {"after": page.newer}),
        "older": page.older and urlencode(kept | {"before": page.older}),
    }


def _line(round_: Round, score: results.Score | None) -> dict[str, Any]:
    race, side = round_.race, history.side_in(round_)
    result = history.result(round_.winner, side)
    homes = (round_.first_home, round_.second_home)
    return {
        "code": race.code,
        "number": round_.number,
        "rival": endings.rival(race, side),
        "is_ghost": race.open_to == OpenTo.GHOST,
        "mode": endings.mode(race),
        "result": result,
        "result_label": endings.RESULTS[result],
        "why": endings.WHY[result, Reason(round_.reason)],
        "home": homes[side - 1],
        "rival_home": homes[2 - side],
        "match": score and _match(score, race.best_of),
        "ended_at": round_.ended_at,
    }


def _match(score: results.Score, best_of: int) -> str:
    said = _("match over at %(score)s") if score.decides(best_of) else _("match at %(score)s")
    return said % {"score": f"{score.won} : {score.lost}"}


def _rivals(each: dict[int, results.Figures], chosen: User | None) -> list[dict[str, Any]]:
    """Those most met, and the one that was chosen."""
    met = sorted(each, key=lambda pk: -each[pk].rounds.played)
    shown = [pk for place, pk in enumerate(met) if place < MOST_RIVALS or (chosen and pk == chosen.pk)]
    people = User.objects.in_bulk(shown)
    return [
        {
            "name": people[pk].display_name,
            "code": each[pk].code,
            "figures": each[pk],
            "is_chosen": chosen is not None and pk == chosen.pk,
        }
        for pk in shown
    ]


def _figures(figures: results.Figures) -> dict[str, Any]:
    ends = sorted(figures.ends.items(), key=lambda end: -end[1])
    return {
        "rounds": figures.rounds,
        "matches": figures.matches,
        "fastest": duration(figures.fastest),
        "median_home": figures.median_home,
        "average_misses": figures.average_misses,
        "ends": [
            {
                "result": result,
                "label": endings.RESULTS[result],
                "why": endings.WHY[result, Reason(reason)],
                "count": number,
            }
            for (result, reason), number in ends
        ],
    }
