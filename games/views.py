"""The pages. Each first fetches what this user may see, or answers 404; changes are made by `services`."""

from typing import Any

from asgiref.sync import async_to_sync
from django.conf import settings
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import get_language, gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe
from structlog.contextvars import bind_contextvars

from accounts.limits import limited
from accounts.models import User
from accounts.services import guest_for
from games import layouts, names, selectors, services, shuffling
from games.engine.catalogue import GAMES
from games.engine.game import Game
from games.models import Attempt, Deal, Outcome

A_PAGE = 20
LESSON, LESSON_MOVES = "frog", 14  # the game that newcomers are taught at, and how long


@require_safe
def lobby(request: HttpRequest) -> HttpResponse:
    """All games, and the visitor's own that are still open."""
    mine = selectors.open_attempts(request.user)[:A_PAGE] if isinstance(request.user, User) else []
    return render(
        request,
        "games/lobby.html",
        {"games": [_tile(game) for game in GAMES.values()], "open_attempts": [line(attempt) for attempt in mine]},
    )


@require_POST
@limited("new_game")
def new(request: HttpRequest) -> HttpResponse:
    """Deal a game; somebody unknown becomes a guest."""
    game = GAMES.get(request.POST.get("game", ""))
    if game is None:
        raise Http404
    kind = request.POST.get("kind") or shuffling.kinds(game)[0]
    try:
        attempt = services.start(player=guest_for(request), game=game.slug, kind=kind)
    except services.NoSuchKind:
        raise Http404 from None
    except shuffling.NoneWon:
        messages.error(request, _("No deal that can be won was found in time. Please try once more."))
        return redirect("lobby")
    return redirect("table", attempt.code)


@require_safe
def table(request: HttpRequest, code: str) -> HttpResponse:
    """The table of one's own attempt; its cards come over the websocket."""
    attempt = _own(request, code)
    game = GAMES[attempt.deal.game]
    context = about(attempt.deal) | {"attempt": attempt, "rows": rows(game), "total": 52 * game.packs}
    context["kind"] = attempt.deal.kind if attempt.deal.kind in shuffling.kinds(game) else ""  # of a new deal
    context["is_first"] = request.COOKIES.get("first-minute") != "skipped" and _is_lesson(attempt)
    return render(request, "games/table.html", context)


def _is_lesson(attempt: Attempt) -> bool:
    """Whether its player is new enough to be told what to do."""
    return attempt.game == LESSON and attempt.moves < LESSON_MOVES and selectors.is_first(attempt)


@require_http_methods(["GET", "HEAD", "POST"])
def proof(request: HttpRequest, code: str) -> HttpResponse:
    """The commitment of a deal, and once the first attempt at it is over, what it committed to."""
    attempt = _own(request, code)
    assert isinstance(request.user, User)
    first = selectors.first_attempt(request.user, attempt.deal) or attempt
    if request.method == "POST":
        if not attempt.deal.day:  # the deck of a daily deal opens with the end of its day, whoever asks
            _reveal(first)
        return redirect("proof", code)
    context = about(attempt.deal) | {"attempt": attempt, "commitment": attempt.deal.commitment}
    context["revealed"] = selectors.may_see_deck(first)
    context["may_reveal"] = first.outcome in (Outcome.WON, Outcome.STUCK) and not first.closed and not attempt.deal.day
    context["opens_at"] = attempt.deal.day and selectors.opens_at(attempt.deal.day)
    if context["revealed"]:
        cards = selectors.shuffled(attempt.deal)
        context |= {"nonce": attempt.deal.nonce, "deck": attempt.deal.deck, "second_deck": attempt.deal.spare}
        context["text"] = shuffling.sealed_text(attempt.deal.nonce, cards)
    return render(request, "games/proof.html", context)


def _reveal(attempt: Attempt) -> None:
    """Close a stuck game for good, so that its deck can be shown; where that is not possible nothing happens."""
    try:
        async_to_sync(services.enter)(attempt_id=attempt.pk, version=attempt.version, entry="reveal")
    except services.Denied:
        return  # played on meanwhile: the page shows how it stands now


@require_safe
def rules(request: HttpRequest, slug: str) -> HttpResponse:
    """The rules of a game; side by side in a second language where the address asks for one: `?beside=de`."""
    if slug not in GAMES:
        raise Http404
    game = GAMES[slug]
    beside = request.GET.get("beside")
    if beside == get_language() or beside not in dict(settings.LANGUAGES):
        beside = None
    context = {"game": _tile(game), "board": rows(game), "parts": layouts.parts(game), "beside": beside}
    return render(request, f"games/rules/{slug}.html", context)


def _own(request: HttpRequest, code: str) -> Attempt:
    attempt = selectors.own_attempt(request.user, code) if isinstance(request.user, User) else None
    if attempt is None:
        raise Http404
    bind_contextvars(attempt=attempt.pk)
    return attempt


def _game(game: Game) -> dict[str, Any]:
    return {"slug": game.slug, "name": names.NAMES[game.slug], "sentence": names.SENTENCES[game.slug]}


def _tile(game: Game) -> dict[str, Any]:
    picture = [[{"group": group, "count": game.place[group].count} for group in row.split()] for row in game.layout]
    kinds = [(kind, names.KIND_LABELS[kind], names.KIND_NOTES[game.slug][kind]) for kind in shuffling.kinds(game)]
    minutes = names.MINUTES.get(game.slug, names.USUAL_MINUTES)
    return _game(game) | {"rows": picture, "kinds": kinds, "minutes": minutes, "odds": names.ODDS[game.slug]}


def rows(game: Game) -> list[list[dict[str, Any]]]:
    """The places of a table as its template draws them."""
    return [[_group(game, group) for group in row.split()] for row in game.layout]


def _group(game: Game, group: str) -> dict[str, Any]:
    place = game.place[group]
    piles = [
        {"name": name, "label": names.place_name(name, game.slug), "seen": place.seen.value}
        for name in game.names.names[game.names.span[group]]
    ]
    return {"group": group, "label": names.group_label(game.slug, group), "piles": piles}


def about(deal: Deal) -> dict[str, Any]:
    """What every page about a deal says."""
    return {"deal": deal, "game": _game(GAMES[deal.game]), "kind_label": names.KIND_LABELS[deal.kind]}


def line(attempt: Attempt) -> dict[str, Any]:
    """An attempt as a line of a list."""
    return {
        "code": attempt.code,
        "name": names.NAMES[attempt.game],
        "moves": attempt.moves,
        "home": attempt.home,
        "total": 52 * GAMES[attempt.game].packs,
        "touched_at": attempt.touched_at,
        "outcome": attempt.outcome,
        "outcome_label": names.OUTCOMES[attempt.outcome],
    }
