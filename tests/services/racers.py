"""Two who race, and keep at it whatever becomes of their servers; what the log must say of them afterwards."""

import asyncio
import json
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass, field
from http.cookiejar import CookieJar
from typing import Any
from urllib.parse import urlencode
from urllib.request import HTTPCookieProcessor, build_opener

from bench.players import TEXT, Player, Seat, frame
from tests.browser.conftest import Site
from tests.services.people import running, until

RANKS = "A23456789TJQK"
PACE = 0.12  # seconds from an answer to the next pick
LOG = """
from games.race.models import Entry
for entry in Entry.objects.order_by("round", "number"): print(entry.number, entry.side, entry.text)
"""


@dataclass
class Racer:
    """A player's page: keeps the newest view, has one request under way, and sends it again on a new connection."""

    code: str
    cookie: str
    port: int
    view: dict[str, Any] = field(default_factory=dict)
    asked: dict[str, Any] | None = None
    home: int = 0  # cards that the server has acknowledged, in any view
    picking: bool = False
    pinging: bool = True
    answered: float = 0  # when, by the event loop's clock
    connection: "Connection | None" = None
    greeted: int = 0  # connections that have heard a view

    async def race(self) -> None:
        """Connect again and again, until cancelled."""
        while True:
            with suppress(ConnectionError):
                self.connection = Connection(self)
                await self.connection.sit_down()
                try:
                    await self.connection.gone  # raises what a message was not to be
                finally:
                    self.connection.transport.abort()
            await asyncio.sleep(0.05)

    def move_to(self, port: int) -> None:
        """Go on at another process."""
        self.port = port
        assert self.connection
        self.connection.transport.abort()

    @property
    def me(self) -> dict[str, Any]:
        side: dict[str, Any] = self.view["sides"][self.view["seat"] - 1]
        return side

    @property
    def other(self) -> dict[str, Any]:
        side: dict[str, Any] = self.view["sides"][2 - self.view["seat"]]
        return side

    def hear(self, message: dict[str, Any]) -> None:
        assert message["type"] in ("race", "pong") or message["code"] in ("stale", "unavailable", "over"), message
        if message["type"] == "refused":
            self.asked, self.answered = None, asyncio.get_running_loop().time()
        if message["type"] != "race":
            return
        newest = (self.view.get("round", 0), self.view.get("version", -1))
        if (message["round"], message["version"]) < newest:
            return
        self.view = message
        if self.me["home"] > self.home:
            assert self.me["home"] == self.home + 1
            self.home, self.asked = self.me["home"], None
            self.answered = asyncio.get_running_loop().time()

    def pick(self) -> None:
        rested = asyncio.get_running_loop().time() >= self.answered + PACE
        if self.picking and rested and self.asked is None and self.view["phase"] == "running":
            self.ask(fitting(self.me["piles"]))

    def ask(self, entry: str) -> None:
        self.asked = {"type": "do", "round": self.view["round"], "version": self.view["version"], "entry": entry}
        assert self.connection
        self.connection.send(self.asked)


def fitting(piles: dict[str, list[str]]) -> str:
    """A place whose top card goes home."""
    heights = {pile[0][1]: len(pile) for name, pile in piles.items() if name.startswith("foundation") and pile}
    for name, pile in piles.items():
        if pile and not name.startswith("foundation") and RANKS.index(pile[-1][0]) == heights.get(pile[-1][1], 0):
            return name
    raise AssertionError(f"a winnable garden is stuck: {piles}")


class Connection(Player):
    """One connection of a racer. Picks follow one another at a hand's pace; pings come as from a browser."""

    def __init__(self, racer: Racer) -> None:
        super().__init__(Seat(racer.port, f"/ws/race/{racer.code}/", racer.cookie, ()))
        self.racer = racer

    def hear(self, version: int, payload: bytes) -> None:
        first = not self.seated.done()
        super().hear(version, payload)
        self.racer.hear(json.loads(payload))
        if first:
            self.racer.greeted += 1
            if self.racer.asked:
                self.send(self.racer.asked)
            self._next()
            self.loop.call_later(1, self._ping)

    def _next(self) -> None:
        if self.racer.connection is self and not self.gone.done():
            self.racer.pick()
            self.loop.call_later(0.02, self._next)

    def _ping(self) -> None:
        if self.racer.connection is self and not self.gone.done():
            view = self.racer.view
            if self.racer.pinging:
                self.send({"type": "ping", "round": view["round"], "version": view["version"], "sent": 0})
            self.loop.call_later(1, self._ping)

    def send(self, request: dict[str, Any]) -> None:
        self.transport.write(frame(TEXT, json.dumps(request, separators=(",", ":")).encode()))


def visitor(site: Site, path: str) -> tuple[str, str]:
    """Somebody new posts a form of no fields there; the code of the room that it leads to, and the cookies."""
    cookies = CookieJar()
    browser = build_opener(HTTPCookieProcessor(cookies))
    browser.addheaders = [("Referer", f"{site.url}/")]  # with TLS a form that does not say where it was is refused
    browser.open(f"{site.url}/race/").close()
    token = next(cookie.value for cookie in cookies if cookie.name == "csrftoken")
    with browser.open(f"{site.url}{path}", urlencode({"csrfmiddlewaretoken": token}).encode()) as page:
        code = page.url.split("/")[-2]
    return code, "; ".join(f"{cookie.name}={cookie.value}" for cookie in cookies)


def two(first: Site, second: Site) -> tuple[Racer, Racer]:
    """A host at one process, and a guest who takes the second seat at another."""
    code, host = visitor(first, "/race/new/")
    joined, guest = visitor(second, f"/race/{code}/join/")
    assert joined == code
    return Racer(code, host, first.port), Racer(code, guest, second.port)


@asynccontextmanager
async def racing(*racers: Racer) -> AsyncIterator[None]:
    """All of them connected, and ready."""
    async with running(*(racer.race() for racer in racers)):
        await until(lambda: all(racer.greeted for racer in racers))
        for racer in racers:
            racer.ask("ready")
            await until(lambda racer=racer: racer.me["ready"])
            racer.asked = None
        yield


async def picking(*racers: Racer) -> None:
    """From now on, once the race runs, each picks at its pace."""
    await until(lambda: all(racer.view["phase"] == "running" for racer in racers))
    for racer in racers:
        racer.picking = True


async def get_on(*racers: Racer, cards: int = 4) -> None:
    """Until each has brought home some more, and has seen the rival's."""
    goals = [racer.home + cards for racer in racers]

    def done() -> bool:
        assert all(racer.view["phase"] == "running" for racer in racers)
        return all(
            racer.home >= goal and racer.other["home"] >= other
            for racer, goal, other in zip(racers, goals, reversed(goals), strict=True)
        )

    await until(done)


@contextmanager
def resting(*racers: Racer) -> Iterator[None]:
    """Nobody picks while something takes its time, or the race would be over before the end of the test."""
    for racer in racers:
        racer.picking = False
    yield
    for racer in racers:
        racer.picking = True


def log_of(site: Site) -> list[tuple[int, int, str]]:
    """What stands in the database."""
    lines = [line.split(" ", 2) for line in site.manage("shell", "--no-imports", "--command", LOG).splitlines()]
    return [(int(number), int(side), text) for number, side, text in lines]


def check(site: Site, *racers: Racer) -> None:
    """The log has no gap, and holds what was acknowledged by then and at most the pick under way beside it."""
    acknowledged = [racer.home for racer in racers]
    log = log_of(site)
    assert [number for number, _, _ in log] == list(range(1, len(log) + 1))
    for racer, before in zip(racers, acknowledged, strict=True):
        home = sum(side == racer.view["seat"] and ">" in text for _, side, text in log)
        assert before <= home <= racer.home + bool(racer.asked)


async def over(site: Site, *racers: Racer, others: int = 0) -> None:
    """Both have seen the same end, and it is what the log says; so many other games agree with theirs too."""
    await until(lambda: all(racer.view["phase"] == "over" for racer in racers))
    first, second = (racer.view | {"seat": 0, "now": 0} for racer in racers)
    assert first == second
    assert first["reason"] == "beds"
    check(site, *racers)
    assert f"{1 + others} logs agree" in await asyncio.to_thread(site.manage, "check_logs")
