"""Rooms of the cast, and sockets to race through."""

import json
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

import pytest

from accounts.models import User
from games.race import rooms, seats, standing
from games.race.models import Race
from games.race.seats import Terms
from tests.games.conftest import wire_for
from tests.wires import Wire


@pytest.fixture
def race(owner: User, rival: User) -> Race:
    """A race of owner and rival at the same winnable deal; nobody is there yet."""
    race = seats.invite(host=owner, terms=Terms())
    seats.join(player=rival, race=race)
    return race


@pytest.fixture(autouse=True)
def no_room_open() -> None:
    """What another test's process memory held is of no concern here."""
    rooms._open.clear()


@dataclass
class Racer:
    """One end of a socket in a room, speaking the protocol."""

    wire: Wire
    view: dict[str, Any]
    heard: list[str]
    pings: int = 0

    async def hear(self) -> dict[str, Any]:
        text = await self.wire.receive_from()
        self.heard.append(text)
        message: dict[str, Any] = json.loads(text)
        if message["type"] == "race":
            self.view = message
        return message

    async def until(self, holds: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        """Hear until the view is like that."""
        while not holds(self.view):
            await self.hear()
        return self.view

    async def say(self, **request: Any) -> None:
        await self.wire.send_to(text_data=json.dumps(request))

    async def do(self, entry: str, **seen: int) -> dict[str, Any]:
        """Ask for an entry; return the refusal, or the view that shows what came of it; a ping tells when it does."""
        seen = {"round": self.view["round"], "version": self.view["version"]} | seen
        await self.say(type="do", entry=entry, **seen)
        refusal = await self.ping()
        return refusal or self.view

    async def ping(self) -> dict[str, Any] | None:
        """Hear all that was said until now, and the newest view; return a refusal that was among it."""
        self.pings += 1
        await self.say(type="ping", round=self.view["round"], version=self.view["version"], sent=self.pings)
        refusal = None
        while (message := await self.hear())["type"] != "pong" or message["sent"] != self.pings:
            refusal = message if message["type"] == "refused" else refusal
        newest = (message["round"], message["version"])
        await self.until(lambda view: (view["round"], view["version"]) >= newest)
        return refusal

    @property
    def me(self) -> dict[str, Any]:
        side: dict[str, Any] = self.view["sides"][self.view["seat"] - 1]
        return side


Enter = Callable[[User | None, Race], AbstractAsyncContextManager[Racer]]


@pytest.fixture
def enter() -> Enter:
    """Go into a room: `async with enter(owner, race) as racer`."""

    @asynccontextmanager
    async def entering(user: User | None, race: Race) -> AsyncIterator[Racer]:
        wire = await wire_for(user, race.code, path="race")
        connected, _ = await wire.connect()
        assert connected
        racer = Racer(wire, {}, [])
        await racer.hear()
        yield racer
        await wire.disconnect(code=1001)

    return entering


@pytest.fixture
def in_a_hurry(monkeypatch: pytest.MonkeyPatch, settings: Any) -> None:
    monkeypatch.setattr(standing, "COUNTDOWN", timedelta(seconds=0.2))
    settings.REQUEST_BURST = 10_000


async def start(first: Racer, second: Racer) -> None:
    """Both press ready, and wait for the cards."""
    await first.do("ready")
    await second.do("ready")
    for racer in (first, second):
        await racer.until(lambda view: view["phase"] == "running")


Both = Callable[[Race], AbstractAsyncContextManager[tuple[Racer, Racer]]]


@pytest.fixture
def both(enter: Enter, owner: User, rival: User) -> Both:
    """Owner and rival, racing: `async with both(race) as (one, two)`."""

    @asynccontextmanager
    async def racing(race: Race) -> AsyncIterator[tuple[Racer, Racer]]:
        async with enter(owner, race) as one, enter(rival, race) as two:
            await start(one, two)
            yield one, two

    return racing
