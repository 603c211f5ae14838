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

from channels.auth import get_user
from django.conf import settings
from django.core.exceptions import ObjectDoesNotExist
from django.db import DatabaseError
from django.utils import translation
from structlog.contextvars import bind_contextvars

from games import doors, metrics
from games.engine.game import Refusal
from games.live import hub
from games.live.hub import Topic
from games.protocol import LONGEST, Malformed

logger = logging.getLogger(__name__)
SILENCE = 30.0  # seconds without a word after which a client counts as gone
# An application may close with 4000 and up only; these are HTTP's codes with a 4 before.
ELSEWHERE, MOVED, NOBODY, NOT_YOURS, SILENT, TOO_BIG, TOO_OFTEN, AWAY = 4307, 4401, 4403, 4404, 4408, 4413, 4429, 4503
LOST = 1006  # what the server says where the other end said nothing

Receive = Callable[[], Awaitable[dict[str, Any]]]


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


ACCOUNT = "account"  # of topic
_sockets: dict[int, set["Socket"]] = {}  # of each account, in this process


class Socket:
    """One socket. Its kinds say who may sit down here, what an answer is, and what a refusal looks like."""

    def __init__(self, scope: dict[str, Any], receive: Receive, send: hub.Send) -> None:
        self.scope, self.receive, self.send = scope, receive, send
        self.outbox = hub.Outbox(send)
        self.bucket, self.shared = doors.of_account(scope["user"].pk), doors.of_address(doors.address(scope))
        self.language = _language(scope)
        self.heard = 0.0  # when, about, something was heard last
        self.moved = False  # whoever opened it is not logged in any more

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
            await self._close(gone.code)
        except ObjectDoesNotExist:  # deleted meanwhile, as with its player's account
            await self._close(NOT_YOURS)
        except DatabaseError:
            await self._close(AWAY)
        except Left:
            if self.moved:  # the other end has only answered
                _count(MOVED)

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
        """Listen and answer, and tidy up after it. Raises Left or Gone."""
        end: type[Left | Gone] = Left
        code = LOST
        self._come()
        try:
            end, code = await self._hear_all()
        finally:  # to ask the database while an exception is on its way would leave a circle of it and its frames
            self.outbox.stop()
            if code == ELSEWHERE:
                await self.outbox.flush()
            self._go()
            await self.rise(code)
        raise end(code)

    async def _hear_all(self) -> tuple[type[Left | Gone], int]:
        """Hear what comes until the end: whose doing it was, and the code."""
        try:
            await self.sit()
            async with asyncio.timeout(SILENCE) as patience:
                while True:
                    await self._hear(patience)
        except (Left, Gone) as end:
            return type(end), end.code
        except TimeoutError:
            return Gone, SILENT

    async def _hear(self, patience: asyncio.Timeout) -> None:
        event = await self.receive()
        self._put_off(patience)
        if event["type"] == "websocket.disconnect":
            raise Left(event.get("code") or LOST)
        if event["type"] == "websocket.drain":  # our server's own word: it is about to end
            raise Gone(ELSEWHERE)
        if self.moved:
            raise Gone(MOVED)
        text = event.get("text") or event.get("bytes") or ""
        if len(text) > LONGEST:
            raise Gone(TOO_BIG)
        try:
            if self.bucket.take() and self.shared.take():
                await self.answer(text)
            elif self.bucket.overdrawn:
                raise Gone(TOO_OFTEN)
            else:
                await self.refuse("too-fast")
        except Malformed:
            await self.refuse("malformed")
        await self.outbox.flush()

    def _put_off(self, patience: asyncio.Timeout) -> None:
        """Be patient for as long again; a timer set for every message would cost more than to read it."""
        now = time.monotonic()
        if now > self.heard + SILENCE / 10:
            self.heard = now
            patience.reschedule(asyncio.get_running_loop().time() + SILENCE)

    def _come(self) -> None:
        if account := self.scope["user"].pk:
            _sockets.setdefault(account, set()).add(self)
            hub.listen(Topic(ACCOUNT, account), self.outbox)

    def _go(self) -> None:
        if account := self.scope["user"].pk:
            hub.leave(Topic(ACCOUNT, account), self.outbox)
            _sockets[account].discard(self)
            if not _sockets[account]:
                del _sockets[account]

    async def look_again(self) -> None:
        """Close the socket unless its session is still its account's."""
        session = self.scope["session"]
        fresh: Any = {"session": session.__class__(session.session_key)}
        if await get_user(fresh) != self.scope["user"]:
            self.moved = True
            self.outbox.close(MOVED)

    def why(self, refusal: Refusal) -> str:
        """The sentence for a refusal in the reader's language."""
        with translation.override(self.language):
            return self.sentence(refusal)

    def sentence(self, refusal: Refusal) -> str:
        """The same in the language of the moment."""
        raise NotImplementedError

    async def _close(self, code: int) -> None:
        _count(code)
        try:
            await self.send({"type": "websocket.close", "code": code})
        except Exception as error:  # it is closed already
            logger.debug("closing a closed socket: %s", error)


async def turn_away(receive: Receive, send: hub.Send, code: int) -> None:
    """Close a socket that nothing is known about; it is accepted first, or the code would not reach the other end."""
    await receive()  # websocket.connect
    await send({"type": "websocket.accept"})
    _count(code)
    await send({"type": "websocket.close", "code": code})


async def session_ended(account: int) -> None:
    """Somebody has logged out, or has a new password: sockets that were opened by what holds no more are closed."""
    await _look_again(account)
    hub.nudge(Topic(ACCOUNT, account))


async def _look_again(account: int) -> None:
    for socket in tuple(_sockets.get(account, ())):
        await socket.look_again()


hub.on_nudge(ACCOUNT, _look_again)


def _count(code: int) -> None:
    metrics.closings.labels(code).inc()
    logger.info("a socket was closed", extra={"code": code})


def _language(scope: dict[str, Any]) -> str:
    """The language of the page, which names it when it opens the socket."""
    (wished, *_) = parse_qs(scope["query_string"].decode("latin-1")).get("lang", [""])
    return wished if wished in dict(settings.LANGUAGES) else str(settings.LANGUAGE_CODE)
