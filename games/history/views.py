"""The pages of what was played: the list, replays, and their sharing. Statistics have a module of their own."""

from typing import Any
from urllib.parse import urlencode

import msgspec
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from accounts.limits import limited
from accounts.models import User
from games.engine.catalogue import GAMES
from games.history import paging, replay as replays, review as reviewing, selectors, services
from games.history.forms import HistoryFilter
from games.models import Attempt, Outcome
from games.services import Denied
from games.views import about, line, rows


@login_required
@require_safe
def mine(request: HttpRequest) -> HttpResponse:
    """Everything one has played, the last touched first, filtered as one wishes."""
    assert isinstance(request.user, User)
    form = HistoryFilter(request.GET)
    chosen = form.chosen()
    before, after = (paging.mark(request.GET.get(name, "")) for name in ("before", "after"))
    page = paging.page(selectors.history(request.user, **chosen), before=before, after=after)
    context = {
        "form": form,
        "is_filtered": bool(chosen),
        "attempts": [_line(attempt) for attempt in page.rows],
        "newer": page.newer and _query(request, after=page.newer),
        "older": page.older and _query(request, before=page.older),
    }
    return render(request, "games/mine.html", context)


def _line(attempt: Attempt) -> dict[str, Any]:
    has_replay = attempt.outcome != Outcome.PLAYING and attempt.version > 0
    address = reverse("replay" if has_replay else "table", args=[attempt.code])
    told: dict[str, Any] = {"address": address, "practice": attempt.practice}
    told["helped"] = attempt.undos + attempt.restarts > 0
    if attempt.outcome == Outcome.STUCK and not attempt.version:
        told["outcome_label"] = _("no first move")
    return line(attempt) | told


def _query(request: HttpRequest, **mark: paging.Mark) -> str:
    """The query of another page with the same filter."""
    kept = {name: request.GET[name] for name in HistoryFilter.base_fields if request.GET.get(name)}
    return urlencode(kept | mark)


@require_safe
def replay(request: HttpRequest, code: str) -> HttpResponse:
    """The replay of one's own game, with what only its player may do: take over, share."""
    attempt = _own(request, code)
    context = _replay(attempt, reverse("replay-frames", args=[code])) | {"is_own": True}
    context["can_be_reviewed"] = selectors.can_be_reviewed(attempt)
    context["waits"] = selectors.waits_for_its_day(attempt)
    if attempt.share_code:
        context["link"] = request.build_absolute_uri(reverse("shared-replay", args=[attempt.share_code]))
    return render(request, "games/replay.html", context)


@require_safe
def shared(request: HttpRequest, share_code: str) -> HttpResponse:
    """A replay that somebody shares, for whoever has the link."""
    attempt = _shared(request, share_code)
    return render(request, "games/replay.html", _replay(attempt, reverse("shared-replay-frames", args=[share_code])))


def _replay(attempt: Attempt, frames: str) -> dict[str, Any]:
    game = GAMES[attempt.game]
    return about(attempt.deal) | {"attempt": attempt, "rows": rows(game), "total": 52 * game.packs, "frames": frames}


@require_safe
def frames(request: HttpRequest, code: str) -> HttpResponse:
    """Frames of one's own replay, after the entry that is asked for."""
    return _part(request, _own(request, code))


@require_safe
def shared_frames(request: HttpRequest, share_code: str) -> HttpResponse:
    """Frames of a shared replay."""
    return _part(request, _shared(request, share_code))


def _part(request: HttpRequest, attempt: Attempt) -> HttpResponse:
    after = _number(request.GET.get("after", "0"), attempt.version)
    return HttpResponse(msgspec.json.encode(replays.part(attempt, after)), content_type="application/json")


@require_POST
def share(request: HttpRequest, code: str) -> HttpResponse:
    """Make a link to a replay."""
    services.share(attempt=_own(request, code))
    return redirect("replay", code)


@require_POST
def unshare(request: HttpRequest, code: str) -> HttpResponse:
    """Have the link lead nowhere."""
    services.unshare(attempt=_own(request, code))
    return redirect("replay", code)


@require_POST
def take_over(request: HttpRequest, code: str) -> HttpResponse:
    """Play on from the middle of one's own game, for practice."""
    attempt = _own(request, code)
    assert isinstance(request.user, User)
    entries = _number(request.POST.get("entry", ""), attempt.version)
    try:
        begun = services.take_over(player=request.user, attempt=attempt, entries=entries)
    except Denied:
        messages.info(request, _("The game was closed at this point. Take over from an earlier one."))
        return redirect("replay", code)
    return redirect("table", begun.code)


@require_POST
@limited("review")
def review(request: HttpRequest, code: str) -> HttpResponse:
    """Show the last position of one's own lost game from which it could still be won."""
    attempt = _own(request, code)
    assert isinstance(request.user, User)
    if not selectors.can_be_reviewed(attempt):
        raise Http404
    if not selectors.may_review(request.user, attempt):
        messages.info(request, _("Where a game was lost tells of hidden cards: look at the deck first, then ask."))
        return redirect("proof", code)
    entry = reviewing.last_win(attempt)
    place = "no-win" if entry is None else f"last-win-{entry}"
    return redirect(reverse("replay", args=[code]) + f"#{place}")  # replay.js goes there and says so


def _number(text: str, most: int) -> int:
    """A number of entries."""
    if not (text.isdecimal() and len(text) < 10 and int(text) <= most):
        raise Http404
    return int(text)


def _own(request: HttpRequest, code: str) -> Attempt:
    attempt = selectors.own_replay(request.user, code) if isinstance(request.user, User) else None
    if attempt is None:
        raise Http404
    return attempt


def _shared(request: HttpRequest, share_code: str) -> Attempt:
    attempt = selectors.shared_replay(request.user, share_code)
    if attempt is None:
        raise Http404
    return attempt
