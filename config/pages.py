"""Pages of the site as a whole: what makes it an app of its own on a device, and what is shown when something fails."""

from django.contrib.staticfiles.storage import staticfiles_storage
from django.http import HttpRequest, HttpResponse, HttpResponseBase, JsonResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.templatetags.static import static
from django.urls import reverse
from django.utils.deprecation import MiddlewareMixin
from django.utils.translation import get_language, gettext as _
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe
from structlog.contextvars import bind_contextvars

from accounts.look import USUAL, known, look_of_browser, said

GREEN, PAPER = "#14503c", "#f2f4ec"  # the felt, and the page by day, as in static/css/tokens.css


@require_safe
@cache_control(max_age=24 * 60 * 60)
def manifest(request: HttpRequest) -> JsonResponse:
    """What a device needs to know to install the site."""
    icons = [
        {"src": static(f"img/icon-{size}.png"), "sizes": f"{size}x{size}", "type": "image/png", "purpose": purpose}
        for size in (192, 512)
        for purpose in ("any", "maskable")
    ]
    told = {
        "name": "Lilypad",
        "short_name": "Lilypad",
        "description": _("Patience, fairly dealt: Frog and its kin, Flower Garden, American Toad."),
        "lang": get_language(),
        "id": "/",
        "start_url": reverse("lobby"),
        "scope": "/",
        "display": "standalone",
        "theme_color": GREEN,
        "background_color": PAPER,
        "icons": icons,
    }
    return JsonResponse(told, content_type="application/manifest+json", headers={"Vary": "Accept-Language, Cookie"})


@require_safe
@cache_control(no_cache=True)
def service_worker(request: HttpRequest) -> HttpResponse:
    """The script that keeps static files; it stands at the root, since it may only serve what lies below it."""
    context = {"release": getattr(staticfiles_storage, "manifest_hash", "")}
    return render(request, "site/service-worker.js", context, content_type="text/javascript; charset=utf-8")


@require_safe
def offline(request: HttpRequest) -> HttpResponse:
    """What a browser that has been here before shows while it has no network; it asks as nobody, and names the look."""
    return render(request, "site/offline.html", said(USUAL | known(request.GET)))


def refused(request: HttpRequest, exception: Exception) -> HttpResponse:
    """What is shown for a request that makes no sense, even if it is by the name of the site or by its sender."""
    bind_contextvars(fault=type(exception).__name__)  # for the line of the log that tells of the answer
    return HttpResponse(render_to_string("400.html", said(look_of_browser(request))), status=400)


class NotAllowed(MiddlewareMixin):
    """Middleware that shows a page where a view only says which methods it takes; OPTIONS asks no more than that."""

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        if response.status_code != 405:
            return response
        page = HttpResponse() if request.method == "OPTIONS" else render(request, "405.html", status=405)
        page.headers["Allow"] = response.headers["Allow"]
        return page


def broken(request: HttpRequest) -> HttpResponse:
    """What is shown after a fault of ours, in the reader's language and look. Asks nothing that may have failed."""
    return HttpResponse(render_to_string("500.html", said(look_of_browser(request))), status=500)
