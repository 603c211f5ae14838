"""The pages of deals, by code or by number. Each first fetches what this user may see, or answers 404."""

from io import BytesIO
from typing import Any

import segno
from django.conf import settings
from django.contrib import messages
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import translation
from django.utils.cache import get_conditional_response
from django.utils.translation import get_language, gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.language import IN_LINKS
from accounts.limits import limited
from accounts.models import User
from accounts.services import guest_for
from games import names
from games.deals import notation, numbers, picture as pictures, selectors, services
from games.engine.catalogue import GAMES
from games.models import Attempt, Deal, Kind
from games.selectors import deal_for, deals_for, deck_is_open, open_attempts, opens_at, shuffled
from games.services import play_deal

A_PAGE = 20
KEPT = 30 * 24 * 60 * 60  # seconds that caches may keep a picture
LINKS = ("play", "picture", "preview", "qr", "text")


@require_safe
def page(request: HttpRequest, **address: Any) -> HttpResponseBase:
    """A deal: what it looks like, how it went, and how to give it to a friend."""
    deal = _found(request, address)
    here = link(deal)
    if request.path != here:
        return redirect(here, permanent=True)
    player = _player(request)
    found = Paginator(selectors.results(deal), A_PAGE).get_page(request.GET.get("page"))
    links = {name: link(deal, name) for name in LINKS}
    for name in ("picture", "preview"):
        links[name] += f"?{IN_LINKS}={get_language()}"  # that of the letters on its cards
    context = {
        "deal": deal,
        "game": {"slug": deal.game, "name": names.NAMES[deal.game], "sentence": names.SENTENCES[deal.game]},
        "kind_label": names.KIND_LABELS[deal.kind],
        "links": links,
        "address": request.build_absolute_uri(here),
        "preview_address": request.build_absolute_uri(links["preview"]),
        "picture_words": pictures.describe(deal),
        "page_obj": found,
        "results": [_result(deal, attempt, player) for attempt in found.object_list],
        "ranked": selectors.is_ranked(deal),
        "opens_at": opens_at(deal.day) if deal.day and not deck_is_open(deal) else None,
        "may_export": selectors.may_export(deal, player),
        "may_close": selectors.may_close(deal, player),
    }
    if player:
        context["mine"] = open_attempts(player).filter(deal_id=deal.pk, practice=False).first()
        context["place"] = selectors.place(deal, player)
    return render(request, "games/deal.html", context)


@require_POST
@limited("new_game")
def play(request: HttpRequest, **address: Any) -> HttpResponseBase:
    """An attempt of one's own at exactly this deal."""
    deal = _found(request, address)
    if deal.kind == Kind.NUMBERED:
        return redirect("table", services.play_numbered(player=guest_for(request), deal=deal))
    try:
        return redirect("table", play_deal(player=guest_for(request), deal=deal).code)
    except Deal.DoesNotExist:  # made private at this moment
        raise Http404 from None


@require_POST
def private(request: HttpRequest, code: str) -> HttpResponseBase:
    """Make a deal of one's own private, or open it again."""
    deal, player = _found(request, {"code": code}), _player(request)
    if player is None:
        raise Http404
    try:
        services.set_private(player=player, code=code, private=request.POST.get("private") == "yes")
    except services.NotYours:
        raise Http404 from None
    return redirect(link(deal))


@require_safe
def picture(request: HttpRequest, form: str, **address: Any) -> HttpResponseBase:
    """The opening layout in a form that `draw` knows, in the language that the address names."""
    deal, language = _found(request, address), request.GET.get(IN_LINKS)
    with translation.override(language if language in dict(settings.LANGUAGES) else settings.LANGUAGE_CODE):
        tag = f'"{pictures.EDITION}-{form}-{get_language()}-{deal.game}-{deal.number or deal.code}"'
        known = get_conditional_response(request, etag=tag)
        answer = known or HttpResponse(pictures.draw(deal, form), f"image/{form}")
    return _cached(answer, deal, tag)


@require_safe
def qr(request: HttpRequest, **address: Any) -> HttpResponseBase:
    """The deal's address as a QR code."""
    deal = _found(request, address)
    svg = BytesIO()
    code = segno.make(request.build_absolute_uri(link(deal)), error="m", micro=False)
    code.save(svg, kind="svg", scale=8, border=3, light="#ffffff", xmldecl=False, svgclass=None, lineclass=None)
    return _cached(HttpResponse(svg.getvalue(), "image/svg+xml"), deal)


@require_safe
def text(request: HttpRequest, **address: Any) -> HttpResponseBase:
    """The whole deal as text, for those who may see its deck."""
    deal = _found(request, address)
    if not selectors.may_export(deal, _player(request)):
        raise Http404
    return HttpResponse(notation.write(GAMES[deal.game], shuffled(deal)), "text/plain; charset=utf-8")


@require_http_methods(["GET", "HEAD", "POST"])
@limited("new_game")
def index(request: HttpRequest) -> HttpResponseBase:
    """Deals by their number, and deals brought along as text."""
    context: dict[str, Any] = {"games": [(slug, names.NAMES[slug]) for slug in GAMES], "largest": numbers.LARGEST}
    if request.method == "POST":
        written = request.POST.get("text", "")
        try:
            notation.read(written)  # before somebody unknown becomes a guest
            return redirect(link(services.import_deal(player=guest_for(request), text=written)))
        except notation.BadDeal as bad:
            return render(request, "games/deals.html", context | {"text": written, "bad": bad}, status=422)
    game, number = request.GET.get("game", ""), request.GET.get("number", "").strip()
    if number:
        if game in GAMES and number.isascii() and number.isdecimal() and 1 <= int(number[:15]) <= numbers.LARGEST:
            return redirect("numbered", game, int(number))
        messages.error(request, _("A number from 1 to %(largest)s, please.") % {"largest": numbers.LARGEST})
    return render(request, "games/deals.html", context | {"game": game, "number": number})


def link(deal: Deal, name: str = "") -> str:
    """The address of a deal, or of its picture and the like."""
    prefix, args = ("numbered", [deal.game, deal.number]) if deal.kind == Kind.NUMBERED else ("deal", [deal.code])
    return reverse(f"{prefix}-{name}" if name else prefix, args=args)


def _found(request: HttpRequest, address: dict[str, Any]) -> Deal:
    """The deal at an address; a numbered one may never have been played, and then is not saved."""
    if "code" in address:
        deal = deal_for(request.user, address["code"])
    else:
        deal = deals_for(request.user).filter(**address).first() or _numbered(**address)
    if deal is None:
        raise Http404
    return deal


def _numbered(game: str, number: int) -> Deal | None:
    return numbers.numbered(GAMES[game], number) if game in GAMES and 1 <= number <= numbers.LARGEST else None


def _player(request: HttpRequest) -> User | None:
    return request.user if isinstance(request.user, User) else None


def _cached(answer: HttpResponseBase, deal: Deal, tag: str = "") -> HttpResponseBase:
    """Let caches keep what never changes; what is private stays with its maker."""
    answer.headers["Cache-Control"] = "private, no-cache" if deal.private else f"public, max-age={KEPT}"
    if tag:
        answer.headers["ETag"] = tag
    return answer


def _result(deal: Deal, attempt: Attempt, player: User | None) -> dict[str, Any]:
    """An attempt as a line of the table of results."""
    who = attempt.player
    return {
        "who": who.display_name if who else _("somebody"),
        "you": player is not None and who == player,
        "outcome": attempt.outcome,
        "outcome_label": names.OUTCOMES[attempt.outcome],
        "clean": selectors.is_clean(attempt),
        "home": attempt.home,
        "total": 52 * GAMES[deal.game].packs,
        "moves": attempt.moves,
        "minutes": f"{int(attempt.seconds) // 60}:{int(attempt.seconds) % 60:02}",
    }
