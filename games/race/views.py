"""The pages of races. Whoever has a room's code may look; changes are made by `seats`, rounds live on the websocket."""

from io import BytesIO
from typing import Any

import segno
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe
from structlog.contextvars import bind_contextvars

from accounts.limits import limited
from accounts.models import User
from accounts.services import guest_for
from games import names
from games.engine.catalogue import GAMES
from games.race import seats, selectors
from games.race.forms import TermsForm
from games.race.models import OpenTo, Race
from games.race.past import history
from games.race.results import Score
from games.views import rows

A_FEW = 10


@require_safe
def lobby(request: HttpRequest) -> HttpResponse:
    """Ways into a race, and the visitor's own that are not over."""
    mine = selectors.going_on(request.user)[:A_FEW] if isinstance(request.user, User) else []
    return render(request, "race/lobby.html", {"going_on": [_line(race, request.user) for race in mine]})


def _line(race: Race, user: Any) -> dict[str, Any]:
    rival = next((seat.player for seat in race.seats.all() if seat.player_id != user.pk), None)
    return {
        "code": race.code,
        "rival": rival.display_name if rival else "",
        "ghost": race.open_to == OpenTo.GHOST,
        "waits": race.open_to != OpenTo.GHOST and len(race.seats.all()) < 2,
        "created_at": race.created_at,
    }


@require_POST
@limited("new_race")
def new(request: HttpRequest) -> HttpResponseBase:
    """A room for a friend."""
    terms = _terms(request)
    return redirect("race", seats.invite(host=guest_for(request), terms=terms).code)


@require_POST
@limited("new_race")
def anyone(request: HttpRequest) -> HttpResponseBase:
    """Whoever has waited longest, or a place to wait."""
    terms = _terms(request)
    return redirect("race", seats.anyone(player=guest_for(request), terms=terms).code)


def _terms(request: HttpRequest) -> seats.Terms:
    form = TermsForm(request.POST)
    if not form.is_valid():
        raise Http404
    return form.terms()


@require_POST
@limited("new_race")
def ghost(request: HttpRequest) -> HttpResponseBase:
    """A race against what a side did in a round that is over."""
    round_ = selectors.ended_round(request.POST.get("code", ""), request.POST.get("round", ""))
    side = request.POST.get("side")
    if round_ is None or side not in ("1", "2"):
        raise Http404
    return redirect("race", seats.haunt(player=guest_for(request), round_=round_, side=int(side)).code)


@require_safe
@limited("find_race", get=True)
def find(request: HttpRequest) -> HttpResponseBase:
    """To the room of a code that somebody was told."""
    race = selectors.race_for(request.GET.get("code", ""))
    if race:
        return redirect("race", race.code)
    messages.error(request, _("There is no race of that code. It has six letters; ask your friend once more."))
    return redirect("race-lobby")


@require_safe
@limited("find_race", get=True)
def room(request: HttpRequest, code: str) -> HttpResponseBase:
    """The room: to play, or to watch."""
    race = _found(code)
    if race.code != code:
        return redirect("race", race.code)
    seat, free = selectors.side_of(request.user, race), selectors.is_free(race)
    game = GAMES[selectors.game_of(race)]
    context = {
        "race": race,
        "game": {"slug": game.slug, "name": names.NAMES[game.slug]},
        "seat": seat,
        "free": free and not seat,
        "invites": free and seat == seats.HOST,
        "rows": rows(game),
        "link": request.build_absolute_uri(reverse("race", args=[race.code])),
        "head_to_head": _head_to_head(race, seat) if seat else None,
    }
    return render(request, "race/room.html", context)


def _head_to_head(race: Race, side: int) -> Score | None:
    """How the two have fared against each other so far, as a side sees it; None where there are no two, or no round."""
    players = selectors.players(race)
    player, rival = players.get(side), players.get(3 - side)
    if player is None or rival is None or race.open_to == OpenTo.GHOST:
        return None
    score = history.head_to_head(player, rival)
    return score if score.played else None


@require_POST
@limited("new_race")
def join(request: HttpRequest, code: str) -> HttpResponseBase:
    """Take the second seat; whoever comes too late watches."""
    race = _found(code)
    if selectors.is_free(race):
        seats.join(player=guest_for(request), race=race)
    return redirect("race", race.code)


@require_POST
@limited("find_race")
def look_again(request: HttpRequest, code: str) -> HttpResponseBase:
    """Where a host who waits for anyone should be."""
    race = _found(code)
    if isinstance(request.user, User) and selectors.side_of(request.user, race) == seats.HOST:
        race = seats.look_again(host=request.user, race=race)
    return redirect("race", race.code)


@require_safe
@limited("find_race", get=True)
def qr(request: HttpRequest, code: str) -> HttpResponseBase:
    """The room's address as a QR code."""
    svg = BytesIO()
    address = request.build_absolute_uri(reverse("race", args=[_found(code).code]))
    made = segno.make(address, error="m", micro=False)
    made.save(svg, kind="svg", scale=8, border=3, light="#ffffff", xmldecl=False, svgclass=None, lineclass=None)
    return HttpResponse(svg.getvalue(), "image/svg+xml", headers={"Cache-Control": "private, max-age=3600"})


def _found(code: str) -> Race:
    race = selectors.race_for(code)
    if race is None:
        raise Http404
    bind_contextvars(race=race.pk)
    return race
