"""How much one address and one account may ask of the websockets of this process. What they ask is not known here."""

import ipaddress
import time
from functools import lru_cache
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
        self.tokens, self.at = float(burst), time.monotonic()

    def take(self) -> bool:
        """Whether one more is allowed now."""
        now = time.monotonic()
        self.tokens = min(self.burst, self.tokens + (now - self.at) * self.a_second)
        self.at = now
        self.tokens = max(self.tokens, -self.burst) - 1
        return self.tokens >= 0

    @property
    def overdrawn(self) -> bool:
        """Whether a whole burst was asked for that was refused."""
        return self.tokens < -self.burst


@lru_cache(KNOWN)
def bucket(whose: str, a_second: float, burst: int) -> Bucket:
    """The one bucket of an account or address, for all its sockets."""
    return Bucket(a_second, burst)


def address(scope: dict[str, Any]) -> str:
    """Where a websocket comes from."""
    told = [value.decode("latin-1") for name, value in scope["headers"] if name == b"x-forwarded-for"]
    peer, _port = scope.get("client") or ("", 0)
    return address_of(",".join(told), peer)


class Door:
    """An ASGI application before all that asks the database: only so many sockets of one address, open and a minute.

    This machine itself is let in: who tries the site out is here, and so is a proxy whose word is not to be trusted.
    """

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
        if not where or ipaddress.ip_address(where).is_loopback:
            return True
        most = settings.SOCKETS_PER_ADDRESS
        return self.open.get(where, 0) < most and bucket(f"door {where}", most / 60, most).take()
