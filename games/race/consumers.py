"""The websocket of a race: read a request, have the service do it, send what comes of it. No rule stands here."""

import logging
from typing import Any

from channels.db import database_sync_to_async
from django.db import DatabaseError
from structlog.contextvars import bind_contextvars

from accounts.limits import guessed, may_guess
from games import metrics
from games.doors import address
from games.engine.game import Refusal
from games.live import hub
from games.live.hub import WATCHING
from games.race import rooms, selectors, services
from games.race.models import Race
from games.race.protocol import Do, Ping, Pong, Refused, encode, milliseconds, parse
from games.race.sentences import why
from games.services import Denied
from games.sockets import AWAY, MOVED, NOT_YOURS, TOO_OFTEN, Gone, Receive, Socket

logger = logging.getLogger(__name__)
GOODBYE = (1000, 1001, 1005)  # what browsers close with when a tab is closed or left; all else is a lost connection


class RaceSocket(Socket):
    """One socket of somebody in the room: a player or one who watches."""

    race: Race
    seat: int

    async def open(self) -> None:
        """Whoever has the code may be here; who sits where is on record."""
        self.race, self.seat = await database_sync_to_async(self._found)()
        bind_contextvars(race=self.race.pk)

    def _found(self) -> tuple[Race, int]:
        where = address(self.scope)
        if not may_guess("find_race", where):
            raise Gone(TOO_OFTEN)
        race = selectors.race_for(self.scope["url_route"]["kwargs"]["code"])
        if race is None:
            guessed("find_race", where)
            raise Gone(NOT_YOURS)
        return race, selectors.side_of(self.scope["user"], race)

    async def sit(self) -> None:
        """Show every new view from now on, and let the others see who has come."""
        hub.listen(rooms.topic(self.race.pk), self.outbox, self.seat)
        try:
            await services.arrive(race_id=self.race.pk, seat=self.seat)
        except Denied:
            raise Gone(AWAY) from None

    async def rise(self, code: int) -> None:
        """Let the others see who has gone; forget the room when nobody is there."""
        hub.leave(rooms.topic(self.race.pk), self.outbox)
        try:
            await services.depart(race_id=self.race.pk, seat=self.seat, closed=code in GOODBYE)
        except (Denied, DatabaseError) as error:  # the rival may still call time
            logger.warning("nobody was told that a player has gone: %s", error)

    async def answer(self, text: str | bytes) -> None:
        """Do what is asked; see docs/race-protocol.md."""
        request = parse(text)
        if not await services.sits(race_id=self.race.pk, seat=self.seat, player_id=self.scope["user"].pk):
            raise Gone(MOVED)
        match request:
            case Ping(number, version, sent):
                await self._pong(number, version, sent)
            case Do(number, version, entry):
                await self._do(number, version, entry)

    async def refuse(self, code: str) -> None:
        """Refuse what was not even read."""
        await self._refuse(Denied(code))

    def sentence(self, refusal: Refusal) -> str:
        """In the words of a race."""
        return why(refusal)

    async def _do(self, number: int, version: int, entry: str) -> None:
        try:
            if self.seat == WATCHING:
                raise Denied("watching")
            await services.enter(race_id=self.race.pk, side=self.seat, number=number, version=version, entry=entry)
        except Denied as denied:
            await self._refuse(denied, number, version, entry)

    async def _pong(self, number: int, version: int, sent: float) -> None:
        newest = await services.newest(self.race.pk)
        hub.remind(rooms.topic(self.race.pk))
        self.outbox.say(encode(Pong(*newest, sent, milliseconds(await services.clock(self.race.pk)))))
        if (number, version) != newest:
            await self._show()

    async def _refuse(self, denied: Denied, number: int = 0, version: int = 0, entry: str = "") -> None:
        metrics.refusals.labels(metrics.RACE, denied.code).inc()
        self.outbox.say(encode(Refused(denied.code, self.why(denied.refusal), number, version, entry)))
        await self._show()

    async def _show(self) -> None:
        self.outbox.show(self.race.code, await services.view(race_id=self.race.pk, seat=self.seat))


async def race_socket(scope: dict[str, Any], receive: Receive, send: hub.Send) -> None:
    """The ASGI application behind /ws/race/<code>/."""
    await RaceSocket(scope, receive, send).run()
