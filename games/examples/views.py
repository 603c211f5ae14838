"""What the rules pages ask for: the frames of an example, and a table to play on from one of them."""

import msgspec
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_POST, require_safe

from accounts.limits import limited
from accounts.services import guest_for
from games.examples import worked


@require_safe
@cache_control(max_age=3600)
def frames(request: HttpRequest, slug: str) -> HttpResponse:
    """The views of a player, one after the other."""
    if slug not in worked.EXAMPLES:
        raise Http404
    return HttpResponse(msgspec.json.encode(worked.frames(slug)), content_type="application/json")


@require_POST
@limited("new_game")
def play(request: HttpRequest, slug: str) -> HttpResponseBase:
    """A table that begins where the reader has stopped."""
    entry = request.POST.get("entry", "")
    if slug not in worked.EXAMPLES or not (entry.isascii() and entry.isdecimal() and len(entry) < 4):
        raise Http404
    return redirect("table", worked.play_on(player=guest_for(request), slug=slug, entries=int(entry)).code)
