"""How often somebody may ask for what costs something: by address, and by account. allauth counts, the settings say."""

import ipaddress
from collections.abc import Callable
from functools import wraps

from allauth.core import ratelimit
from django.conf import settings
from django.http import HttpRequest, HttpResponseBase

from accounts.models import User

View = Callable[..., HttpResponseBase]


def address_of(forwarded: str, peer: str) -> str:
    """Where a request comes from: what the first of our proxies saw. What a client says of itself counts for nothing.

    Empty if that is unknown. Of an IPv6 address the half that names the network: the other one is anybody's to choose.
    """
    told = forwarded.split(",") if forwarded else []
    trusted = settings.TRUSTED_PROXIES
    seen = told[-trusted].strip() if 0 < trusted <= len(told) else peer
    try:
        address = ipaddress.ip_address(seen)
    except ValueError:
        return ""
    if isinstance(address, ipaddress.IPv4Address) or address.is_loopback:
        return seen
    if address.ipv4_mapped:
        return str(address.ipv4_mapped)
    return str(ipaddress.ip_network((address, 64), strict=False).network_address)


def limited(action: str, *, get: bool = False) -> Callable[[View], View]:
    """Throttle a page, when it is only looked at too if `get`, by ACCOUNT_RATE_LIMITS: `key` there is the account."""

    def decorate(view: View) -> View:
        @wraps(view)
        def enter(request: HttpRequest, *args: object, **kwargs: object) -> HttpResponseBase:
            player = f"account {request.user.pk}" if isinstance(request.user, User) else address(request)
            too_often = ratelimit.consume_or_429(request, action=action, key=player, limit_get=get)
            return too_often or view(request, *args, **kwargs)

        return enter

    return decorate


def may_guess(action: str, address: str) -> bool:
    """Whether an address may look for something once more, outside of pages."""
    return bool(ratelimit.consume(_asking(address), action=action, key=address, dry_run=True))


def guessed(action: str, address: str) -> None:
    """An address has looked for something that is not there."""
    ratelimit.consume(_asking(address), action=action, key=address)


def address(request: HttpRequest) -> str:
    """Where a request for a page comes from."""
    return address_of(request.headers.get("X-Forwarded-For", ""), request.META.get("REMOTE_ADDR", ""))


def _asking(address: str) -> HttpRequest:
    request = HttpRequest()
    request.method, request.META = "CONNECT", {"REMOTE_ADDR": address}
    return request
