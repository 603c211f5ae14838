"""The websocket of a table: read a request, have the service do it, send what comes of it. No rule stands here."""

from typing import Any

from channels.db import database_sync_to_async
from structlog.contextvars import bind_contextvars

from games import metrics, selectors, services
from games.engine.game import Refusal
from games.live import hub, tables
from games.models import Attempt
from games.protocol import Do, Ping, Pong, Refused, encode, parse
from games.sentences import why
from games.sockets import NOBODY, NOT_YOURS, Gone, Receive, Socket


class TableSocket(Socket):
    """One socket of the player of one attempt."""

    attempt: Attempt

    async def open(self) -> None:
        """Only its player may look at an attempt."""
        code = self.scope["url_route"]["kwargs"]["code"]
        attempt = await database_sync_to_async(selectors.own_attempt)(self.scope["user"], code)
        if attempt is None:
            raise Gone(NOT_YOURS if self.scope["user"].pk else NOBODY)
        self.attempt = attempt
        bind_contextvars(attempt=attempt.pk)

    async def sit(self) -> None:
        """Show every new view from now on."""
        await services.catch_up(attempt_id=self.attempt.pk, version=self.attempt.version)
        hub.listen(tables.topic(self.attempt.pk), self.outbox)
        await self._show()

    async def rise(self, code: int) -> None:
        """Forget the table when nobody looks at it."""
        if hub.leave(tables.topic(self.attempt.pk), self.outbox):
            tables.drop(self.attempt.pk)

    async def answer(self, text: str | bytes) -> None:
        """Do what is asked; see docs/protocol.md."""
        match parse(text):
            case Ping(version):
                await self._pong(version)
            case Do(version, entry):
                await self._do(version, entry)

    async def refuse(self, code: str) -> None:
        """Refuse what was not even read."""
        await self._refuse(services.Denied(code))

    def sentence(self, refusal: Refusal) -> str:
        """In the words of the rules of this game."""
        return why(refusal, self.attempt.game)

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
        metrics.refusals.labels(self.attempt.game, denied.code).inc()
        self.outbox.say(encode(Refused(denied.code, self.why(denied.refusal), version, entry)))
        await self._show()

    async def _show(self) -> None:
        self.outbox.show(self.attempt.code, await services.view(attempt_id=self.attempt.pk))


async def table_socket(scope: dict[str, Any], receive: Receive, send: hub.Send) -> None:
    """The ASGI application behind /ws/play/<code>/."""
    await TableSocket(scope, receive, send).run()


async def no_socket(scope: dict[str, Any], receive: Receive, send: hub.Send) -> None:
    """The ASGI application behind every other address: nobody is there."""
    await receive()
    await send({"type": "websocket.close"})
