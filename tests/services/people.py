"""People at tables, who keep at it whatever becomes of their server, and what the log must say of them afterwards."""

import asyncio
import json
import random
import sqlite3
from collections import Counter
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager, closing, suppress
from dataclasses import dataclass, field
from http.cookiejar import CookieJar
from typing import Any
from urllib.parse import urlencode
from urllib.request import HTTPCookieProcessor, build_opener, urlopen

import psycopg
import pytest

from bench.players import CLOSE, Player, Seat
from tests.browser.conftest import PATIENCE, Site

WORDS = ("undo", "redo", "restart")
REST = 0.05  # seconds before another try
LOG = (
    "SELECT entry.number, entry.text FROM games_entry AS entry "
    "JOIN games_attempt AS attempt ON attempt.id = entry.attempt_id WHERE attempt.code = '{}' ORDER BY 1"
)


@dataclass
class Client:
    """A player who keeps at it: whatever becomes of a connection, the request in flight is sent again."""

    code: str
    cookie: str
    pause: float = 0  # seconds from an answer to the next entry
    acknowledged: list[str] = field(default_factory=list)
    asked: str = ""  # the entry in flight, for the version that comes after the acknowledged ones
    refused: Counter[str] = field(default_factory=Counter)
    closed: Counter[int] = field(default_factory=Counter)  # by the code that the server closed with
    connection: "Connection | None" = None

    async def play(self, ports: Callable[[], int]) -> None:
        """Connect again and again, each time to the port that is named then, until cancelled."""
        while True:
            with suppress(ConnectionError):
                self.connection = Connection(self, ports())
                await self.connection.sit_down()
                try:
                    await self.connection.gone
                finally:
                    self.connection.transport.abort()
            await asyncio.sleep(REST)

    def hear(self, table: dict[str, Any], first: bool) -> None:
        """Take a table for an acknowledgement, unless it is the one that greets a new connection."""
        mine = self.asked and (table["version"], table["last"]) == (len(self.acknowledged) + 1, self.asked)
        if mine and not first:
            self.acknowledged.append(self.asked)
            self.asked = ""
        assert mine or table["version"] == len(self.acknowledged), table
        if not self.asked:
            self.asked = random.choice([*table["moves"], *(word for word in WORDS if table[word])])


class Connection(Player):
    """One connection of a client, which asks for the next entry as soon as it hears of the last."""

    def __init__(self, client: Client, port: int) -> None:
        super().__init__(Seat(port, f"/ws/play/{client.code}/", client.cookie, ()))
        self.client = client
        self.asked_for = -1  # the version of the request that is on its way

    def hear(self, version: int, payload: bytes) -> None:
        message = json.loads(payload)
        if message["type"] == "refused":
            self.client.refused[message["code"]] += 1
            assert message["code"] == "unavailable", message
            self.loop.call_later(REST, self.go_on, True)
            return
        self.client.hear(message, first=not self.seated.done())
        super().hear(version, payload)
        if self.client.pause:
            self.loop.call_later(self.client.pause, self.go_on)
        else:
            self.go_on()

    def go_on(self, again: bool = False) -> None:
        number = len(self.client.acknowledged)
        if (again or self.asked_for != number) and not self.gone.done():
            self.asked_for = number
            self.ask(number, self.client.asked)

    def _message(self, opcode: int, payload: bytes) -> None:
        if opcode == CLOSE:
            self.client.closed[int.from_bytes(payload[:2], "big")] += 1
        super()._message(opcode, payload)


class Stranger(Player):
    """Hears the head of the answer to its handshake."""

    head = b""

    def data_received(self, data: bytes) -> None:
        self.head += data


async def turned_away(seat: Seat) -> bytes:
    """What somebody hears who is not let in."""
    stranger = Stranger(seat)
    with pytest.raises(ConnectionError):
        await stranger.sit_down()
    return stranger.head


def guest(site: Site, game: str) -> Client:
    """Somebody who has just started a game, as a browser would."""
    cookies = CookieJar()
    browser = build_opener(HTTPCookieProcessor(cookies))
    browser.addheaders = [("Referer", f"{site.url}/")]  # with TLS a form that does not say where it was is refused
    browser.open(f"{site.url}/").close()
    token = next(cookie.value for cookie in cookies if cookie.name == "csrftoken")
    with browser.open(f"{site.url}/new/", urlencode({"game": game, "csrfmiddlewaretoken": token}).encode()) as page:
        code = page.url.split("/")[-2]
    return Client(code, "; ".join(f"{cookie.name}={cookie.value}" for cookie in cookies))


async def guests(site: Site, count: int, pause: float = 0) -> list[Client]:
    """So many of them, at Frogs and Toads in turn."""
    games = ["frog", "american-toad"] * count
    found = [await asyncio.to_thread(guest, site, game) for game in games[:count]]
    for client in found:
        client.pause = pause
    return found


@asynccontextmanager
async def playing(clients: list[Client], ports: Callable[[], int]) -> AsyncIterator[None]:
    """All of them at their pace, at full speed without one."""
    async with running(*(client.play(ports) for client in clients)):
        yield


@asynccontextmanager
async def running(*lives: Coroutine[Any, Any, None]) -> AsyncIterator[None]:
    """All of them go on until cancelled in the end; one that ended before has failed."""
    tasks = [asyncio.create_task(life) for life in lives]
    try:
        yield
    finally:
        for task in tasks:
            task.cancel()
        for end in await asyncio.gather(*tasks, return_exceptions=True):
            assert isinstance(end, asyncio.CancelledError), end


async def under_way(clients: list[Client], entries: int = 3) -> None:
    """Wait until each of them has got on, so that the server is in full swing."""
    before = [len(client.acknowledged) for client in clients]
    await until(lambda: all(len(one.acknowledged) >= old + entries for one, old in zip(clients, before, strict=True)))


async def until(holds: Callable[[], Any], patience: float = PATIENCE) -> None:
    """Wait until something holds, but not for ever."""
    async with asyncio.timeout(patience):
        while not holds():
            await asyncio.sleep(0.02)


def readiness(site: Site) -> dict[str, bool]:
    """What a process that is ready says of itself; HTTPError if it is not."""
    with urlopen(f"{site.url}/readyz") as answer:
        told: dict[str, bool] = json.load(answer)
    return told


def check(site: Site, clients: list[Client]) -> None:
    """The log holds what was acknowledged, and at most the request in flight beside it."""
    for client in clients:
        assert log_of(site, client) in (client.acknowledged, [*client.acknowledged, client.asked])


async def check_at_rest(site: Site, clients: list[Client], others: int = 0) -> None:
    """The same once nobody plays any more, and a replay of every log gives what the tables say."""
    check(site, clients)
    assert f"{len(clients) + others} logs agree" in await asyncio.to_thread(site.manage, "check_logs")


def log_of(site: Site, client: Client) -> list[str]:
    """What stands in the database, the entries numbered without a gap."""
    address = site.env["DATABASE_URL"]
    if address.startswith("sqlite"):
        with closing(sqlite3.connect(site.file)) as file:
            rows = file.execute(LOG.format(client.code)).fetchall()
    else:
        with psycopg.connect(address) as server:
            rows = server.execute(LOG.format(client.code)).fetchall()
    assert [number for number, _ in rows] == list(range(1, len(rows) + 1))
    return [text for _, text in rows]
