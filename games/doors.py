"""How much one address and one account may ask of the websockets of this process. What they ask is not known here."""

import ipaddress
from functools import lru_cache
from time import monotonic
from typing import Any

from django.conf import settings

from accounts.limits import address_of
from games import metrics

KNOWN = 50_000  # accounts and addresses that are remembered at once


class Bucket:
    """A token bucket: so many at once, so many a second for long. Who asks for more all the same gets into debt."""

    __slots__ = ("a_second", "at", "burst", "tokens")  # there are many

    def __init__(self, a_second: float, burst: int) -> None:
        self.a_second, self.burst = a_second, burst
        self.tokens, self.at = float(burst), monotonic()

    def take(self) -> bool:
        """Whether one more is allowed now."""
        tokens = self._filled() - 1
        self.tokens = tokens if tokens >= -self.burst else -self.burst - 1
        return tokens >= 0

    @property
    def overdrawn(self) -> bool:
        """Whether a whole burst was asked for that was refused."""
        return self.tokens < -self.burst

    def _filled(self) -> float:
        """The tokens, with those that have come since the last time."""
        now = monotonic()
        tokens = self.tokens + (now - self.at) * self.a_second
        self.at = now
        if tokens > self.burst:  # min() would cost a third of all this
            return self.burst
        return tokens


class Common(Bucket):
    """The bucket of many, who are not to suffer for one: what is refused takes nothing, so there is no debt."""

    __slots__ = ()

    def take(self) -> bool:
        tokens = self.tokens = self._filled()
        if tokens < 1:
            return False
        self.tokens = tokens - 1
        return True


FREE = Common(1e9, 10**9)  # for whom there is no limit


@lru_cache(KNOWN)
def bucket(whose: str, a_second: float, burst: int, kind: type[Bucket] = Bucket) -> Bucket:
    """The one bucket of an account or address, for all its sockets."""
    return kind(a_second, burst)


def of_account(account: int | None) -> Bucket:
    """What one account may ask on all its sockets together; without an account, on this one."""
    limits = settings.REQUESTS_PER_SECOND, settings.REQUEST_BURST
    return bucket(f"account {account}", *limits) if account else Bucket(*limits)


def of_address(where: str) -> Bucket:
    """What all accounts may ask together that come from there."""
    share = settings.ACCOUNTS_PER_ADDRESS
    limits = settings.REQUESTS_PER_SECOND * share, settings.REQUEST_BURST * share
    return FREE if is_here(where) else bucket(f"address {where}", *limits, Common)


def address(scope: dict[str, Any]) -> str:
    """Where a websocket comes from; all whose address makes no sense come from one place, which is ""."""
    told = [value.decode("latin-1") for name, value in scope["headers"] if name == b"x-forwarded-for"]
    peer, _port = scope.get("client") or ("127.0.0.1", 0)  # by a way that has no addresses, so from this machine
    return address_of(",".join(told), peer)


def is_here(where: str) -> bool:
    """Whether that is this machine, which has no limits: who tries the site out, or a proxy that is not trusted."""
    return bool(where) and ipaddress.ip_address(where).is_loopback


class Door:
    """An ASGI application before all that asks the database: only so many sockets of one address, open and a minute."""

    def __init__(self, inside: Any) -> None:
        self.inside = inside
        self.open: dict[str, int] = {}

    async def __call__(self, scope: dict[str, Any], receive: Any, send: Any) -> None:
        where = address(scope)
        if not self._lets_in(where):
            metrics.closings.labels("door").inc()
            await receive()
            await send({"type": "websocket.close"})  # before it is accepted: HTTP's 403
            return
        self.open[where] = self.open.get(where, 0) + 1
        try:
            await self.inside(scope, receive, send)
        finally:
            self.open[where] -= 1
            if not self.open[where]:
                del self.open[where]

    def _lets_in(self, where: str) -> bool:
        if is_here(where):
            return True
        most = settings.SOCKETS_PER_ADDRESS
        return self.open.get(where, 0) < most and bucket(f"door {where}", most / 60, most).take()
