"""What every websocket does: shake hands, read until its end, keep to the limits. What is said is not known here.

A receive loop of our own, since Channels' consumer classes hop through a thread for every message.
"""

import asyncio
import logging
import secrets
import time
from collections.abc import Awaitable, Callable
from typing import Any
from urllib.parse import parse_qs

from django.conf import settings
from django.core.exceptions import ObjectDoesNotExist
from django.db import DatabaseError
from django.utils import translation
from structlog.contextvars import bind_contextvars

from games import metrics
from games.engine.game import Refusal
from games.live import hub
from games.protocol import LONGEST, Malformed
from games.sentences import why

logger = logging.getLogger(__name__)
SILENCE = 30.0  # seconds without a word after which a client counts as gone
# An application may close with 4000 and up only; these are HTTP's codes with a 4 before.
ELSEWHERE, MOVED, NOT_YOURS, SILENT, TOO_BIG, FLOODING, AWAY = 4307, 4401, 4404, 4408, 4413, 4429, 4503
LOST = 1006  # what the server says where the other end said nothing

Receive = Callable[[], Awaitable[dict[str, Any]]]


class Bucket:
    """A token bucket: so many at once, so many a second for long. Who asks for more all the same gets into debt."""

    def __init__(self, a_second: float, burst: int) -> None:
        self.a_second, self.burst = a_second, burst
        self.tokens, self.at = float(burst), time.monotonic()

    def take(self) -> bool:
        """Whether one more is allowed now."""
        now = time.monotonic()
        self.tokens = min(self.burst, self.tokens + (now - self.at) * self.a_second)
        self.at = now
        self.tokens -= 1
        return self.tokens >= 0

    @property
    def overdrawn(self) -> bool:
        """Whether a whole burst was asked for that was refused."""
        return self.tokens < -self.burst


class Gone(Exception):
    """The socket is to be closed with this code."""

    def __init__(self, code: int) -> None:
        super().__init__(code)
        self.code = code


class Left(Exception):
    """The other end has closed the socket, with this code."""

    def __init__(self, code: int) -> None:
        super().__init__(code)
        self.code = code


class Socket:
    """One socket. Its kinds say who may sit down here, what an answer is, and what a refusal looks like."""

    sentence = staticmethod(why)

    def __init__(self, scope: dict[str, Any], receive: Receive, send: hub.Send) -> None:
        self.scope, self.receive, self.send = scope, receive, send
        self.outbox = hub.Outbox(send)
        self.bucket = Bucket(settings.REQUESTS_PER_SECOND, settings.REQUEST_BURST)
        self.language = _language(scope)

    async def run(self) -> None:
        """From the handshake to the end, whatever the end is."""
        bind_contextvars(socket=secrets.token_hex(8))  # by which all lines of the log about this socket can be found
        await self.receive()  # websocket.connect
        await self.send({"type": "websocket.accept"})
        try:
            with metrics.sockets.track_inprogress():
                await self.open()
                await self._talk()
        except Gone as gone:
            metrics.closings.labels(gone.code).inc()
            logger.info("a socket was closed", extra={"code": gone.code})
            await self._close(gone.code)
        except ObjectDoesNotExist:  # deleted meanwhile, as with its player's account
            await self._close(NOT_YOURS)
        except DatabaseError:
            await self._close(AWAY)
        except Left:
            return

    async def open(self) -> None:
        """Find out what this socket is for. Raises Gone where there is nothing for this user."""
        raise NotImplementedError

    async def sit(self) -> None:
        """Begin to listen, and show how things stand."""
        raise NotImplementedError

    async def rise(self, code: int) -> None:
        """The end of `sit`; `code` is the one that the socket was closed with, or will be."""
        raise NotImplementedError

    async def answer(self, text: str | bytes) -> None:
        """Do what is asked. Raises Malformed."""
        raise NotImplementedError

    async def refuse(self, code: str) -> None:
        """Say that nothing was done, and why."""
        raise NotImplementedError

    async def _talk(self) -> None:
        writer = asyncio.create_task(self.outbox.run())
        code = LOST
        try:
            await self.sit()
            while not writer.done():
                await self._hear()
        except (Left, Gone) as end:
            code = end.code
            raise
        finally:
            writer.cancel()
            if code == ELSEWHERE:
                await self.outbox.flush()
            await self.rise(code)

    async def _hear(self) -> None:
        try:
            async with asyncio.timeout(SILENCE):
                event = await self.receive()
        except TimeoutError:
            raise Gone(SILENT) from None
        if event["type"] == "websocket.disconnect":
            raise Left(event.get("code") or LOST)
        if event["type"] == "websocket.drain":  # our server's own word: it is about to end
            raise Gone(ELSEWHERE)
        text = event.get("text") or event.get("bytes") or ""
        if len(text) > LONGEST:
            raise Gone(TOO_BIG)
        try:
            if self.bucket.take():
                await self.answer(text)
            elif self.bucket.overdrawn:
                raise Gone(FLOODING)
            else:
                await self.refuse("too-fast")
        except Malformed:
            await self.refuse("malformed")

    def why(self, refusal: Refusal) -> str:
        """The sentence for a refusal in the reader's language."""
        with translation.override(self.language):
            return self.sentence(refusal)

    async def _close(self, code: int) -> None:
        try:
            await self.send({"type": "websocket.close", "code": code})
        except Exception as error:  # it is closed already
            logger.debug("closing a closed socket: %s", error)


def _language(scope: dict[str, Any]) -> str:
    """The language of the page, which names it when it opens the socket."""
    (wished, *_) = parse_qs(scope["query_string"].decode("latin-1")).get("lang", [""])
    return wished if wished in dict(settings.LANGUAGES) else str(settings.LANGUAGE_CODE)
