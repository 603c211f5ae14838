"""The websocket of a table: read a request, have the service do it, send what comes of it. No rule stands here.

A receive loop of our own, since Channels' consumer classes hop through a thread for every message.
"""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable
from typing import Any

from channels.db import database_sync_to_async
from django.conf import settings
from django.db import DatabaseError
from django.utils import translation

from games import selectors, services
from games.engine.game import Refusal
from games.live import hub, tables
from games.models import Attempt
from games.protocol import LONGEST, Do, Malformed, Ping, Pong, Refused, encode, parse
from games.sentences import why

logger = logging.getLogger(__name__)
SILENCE = 30.0  # seconds without a word after which a client counts as gone
# An application may close with 4000 and up only; these are HTTP's codes with a 4 before.
NOT_YOURS, SILENT, TOO_BIG, AWAY = 4404, 4408, 4413, 4503

Receive = Callable[[], Awaitable[dict[str, Any]]]


class Bucket:
    """A token bucket: so many at once, so many a second for long."""

    def __init__(self, a_second: float, burst: int) -> None:
        self.a_second, self.burst = a_second, burst
        self.tokens, self.at = float(burst), time.monotonic()

    def take(self) -> bool:
        """Whether one more is allowed now."""
        now = time.monotonic()
        self.tokens = min(self.burst, self.tokens + (now - self.at) * self.a_second)
        self.at = now
        if self.tokens < 1:
            return False
        self.tokens -= 1
        return True


class Gone(Exception):
    """The socket is to be closed with this code."""

    def __init__(self, code: int) -> None:
        super().__init__(code)
        self.code = code


class Left(Exception):
    """The other end has closed the socket."""


class TableSocket:
    """One socket of the player of one attempt."""

    def __init__(self, scope: dict[str, Any], receive: Receive, send: hub.Send) -> None:
        self.scope, self.receive, self.send = scope, receive, send
        self.outbox = hub.Outbox(send)
        self.bucket = Bucket(settings.REQUESTS_PER_SECOND, settings.REQUEST_BURST)
        self.language = _language(scope)
        self.attempt: Attempt

    async def run(self) -> None:
        """From the handshake to the end, whatever the end is."""
        await self.receive()  # websocket.connect
        await self.send({"type": "websocket.accept"})
        try:
            await self._open()
            await self._talk()
        except Gone as gone:
            await self._close(gone.code)
        except Attempt.DoesNotExist:  # deleted with its player's account
            await self._close(NOT_YOURS)
        except DatabaseError:
            await self._close(AWAY)
        except Left:
            return

    async def _open(self) -> None:
        code = self.scope["url_route"]["kwargs"]["code"]
        attempt = await database_sync_to_async(selectors.own_attempt)(self.scope["user"], code)
        if attempt is None:
            raise Gone(NOT_YOURS)
        self.attempt = attempt

    async def _talk(self) -> None:
        writer = asyncio.create_task(self.outbox.run())
        hub.listen(self.attempt.pk, self.outbox)
        try:
            await self._show()
            while not writer.done():
                await self._hear()
        finally:
            writer.cancel()
            if hub.leave(self.attempt.pk, self.outbox):
                tables.drop(self.attempt.pk)

    async def _hear(self) -> None:
        try:
            async with asyncio.timeout(SILENCE):
                event = await self.receive()
        except TimeoutError:
            raise Gone(SILENT) from None
        if event["type"] == "websocket.disconnect":
            raise Left
        text = event.get("text") or event.get("bytes") or ""
        if len(text) > LONGEST:
            raise Gone(TOO_BIG)
        await self._answer(text)

    async def _answer(self, text: str | bytes) -> None:
        try:
            match parse(text) if self.bucket.take() else None:
                case Ping(version):
                    await self._pong(version)
                case Do(version, entry):
                    await self._do(version, entry)
                case None:
                    await self._refuse(services.Denied("too-fast"))
        except Malformed:
            await self._refuse(services.Denied("malformed"))

    async def _do(self, version: int, entry: str) -> None:
        try:
            await services.enter(attempt_id=self.attempt.pk, version=version, entry=entry)
        except services.Denied as denied:
            await self._refuse(denied, version, entry)

    async def _pong(self, version: int) -> None:
        newest = await services.newest_version(self.attempt.pk)
        self.outbox.say(encode(Pong(newest)))
        if version != newest:
            await self._show()

    async def _refuse(self, denied: services.Denied, version: int = 0, entry: str = "") -> None:
        self.outbox.say(encode(Refused(denied.code, self._why(denied.refusal), version, entry)))
        await self._show()

    def _why(self, refusal: Refusal) -> str:
        with translation.override(self.language):
            return why(refusal)

    async def _show(self) -> None:
        self.outbox.show(self.attempt.code, await services.view(attempt_id=self.attempt.pk))

    async def _close(self, code: int) -> None:
        try:
            await self.send({"type": "websocket.close", "code": code})
        except Exception as error:  # it is closed already
            logger.debug("closing a closed socket: %s", error)


def _language(scope: dict[str, Any]) -> str:
    """The language that the page was read in: the cookie of the switch, else what the browser asks for."""
    cookie = scope.get("cookies", {}).get(settings.LANGUAGE_COOKIE_NAME)
    wished = dict(scope["headers"]).get(b"accept-language", b"").decode("latin-1")
    for code in [cookie or "", *(part.partition(";")[0].strip() for part in wished.split(","))]:
        try:
            return translation.get_supported_language_variant(code)
        except LookupError:
            continue
    return str(settings.LANGUAGE_CODE)


async def table_socket(scope: dict[str, Any], receive: Receive, send: hub.Send) -> None:
    """The ASGI application behind /ws/play/<code>/."""
    await TableSocket(scope, receive, send).run()


async def no_socket(scope: dict[str, Any], receive: Receive, send: hub.Send) -> None:
    """The ASGI application behind every other address: nobody is there."""
    await receive()
    await send({"type": "websocket.close"})
