"""Each request for a page: given an id, counted and timed by its view, and one line of the log. No path is told, as
some hold a key that lets somebody in; nor is anything that was sent. What no page has to read is refused here too."""

import logging
import re
import secrets
import time
from collections.abc import Awaitable, Callable
from typing import Any

from asgiref.sync import iscoroutinefunction, markcoroutinefunction
from django.conf import settings
from django.core.exceptions import BadRequest
from django.http import HttpRequest, HttpResponseBase
from django.utils.deprecation import MiddlewareMixin
from prometheus_client import Counter, Histogram
from structlog.contextvars import bind_contextvars, clear_contextvars

logger = logging.getLogger(__name__)
METHODS = ("GET", "HEAD", "POST", "OPTIONS", "PUT", "PATCH", "DELETE", "TRACE")
PROXYS_ID = re.compile(r"[\w-]{8,64}", re.ASCII)

answered = Counter("lilypad_http_requests", "Requests answered.", ["view", "method", "status"])
seconds = Histogram("lilypad_http_seconds", "How long a view took.", ["view"], buckets=(0.01, 0.03, 0.1, 0.3, 1, 3, 10))


class Requests:
    """Middleware around all others."""

    sync_capable = async_capable = True

    def __init__(self, get_response: Callable[[HttpRequest], Any]) -> None:
        self.get_response = get_response
        self.awaits = iscoroutinefunction(get_response)
        if self.awaits:
            markcoroutinefunction(self)

    def __call__(self, request: HttpRequest) -> HttpResponseBase | Awaitable[HttpResponseBase]:
        if self.awaits:
            return self._awaited(request)
        number, start = _begin(request), time.monotonic()
        return _end(request, self.get_response(request), number, start)

    async def _awaited(self, request: HttpRequest) -> HttpResponseBase:
        number, start = _begin(request), time.monotonic()
        return _end(request, await self.get_response(request), number, start)


class NoNul(MiddlewareMixin):
    """Middleware: PostgreSQL takes no NUL, and not every page of Django's own asks before it looks for one."""

    def process_request(self, request: HttpRequest) -> None:
        if "%00" in request.META["QUERY_STRING"]:
            raise BadRequest


def _begin(request: HttpRequest) -> str:
    """The id by which all lines about this request can be found, the proxy's own if there is one that is trusted."""
    given = request.headers.get("X-Request-ID", "") if settings.ALLAUTH_TRUSTED_PROXY_COUNT else ""
    number = given if PROXYS_ID.fullmatch(given) else secrets.token_hex(8)
    clear_contextvars()
    bind_contextvars(request=number)
    return number


def _end(request: HttpRequest, response: HttpResponseBase, number: str, start: float) -> HttpResponseBase:
    took = time.monotonic() - start
    view = request.resolver_match.view_name if request.resolver_match else ""
    method = request.method if request.method in METHODS else "other"
    answered.labels(view, method, response.status_code).inc()
    seconds.labels(view).observe(took)
    player = getattr(getattr(request, "_cached_user", None), "pk", None)  # without asking the database
    told = {"view": view, "method": method, "status": response.status_code, "ms": round(took * 1000, 1)}
    logger.info("answered", extra=told | ({"player": player} if player else {}))
    response.headers["X-Request-ID"] = number
    return response
