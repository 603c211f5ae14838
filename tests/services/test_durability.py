"""A server that dies while people play: what was acknowledged is in the log, at its number, once, and no more is."""

import asyncio
import json
import random
import sqlite3
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, closing, suppress
from dataclasses import dataclass, field
from http.cookiejar import CookieJar
from pathlib import Path
from typing import Any
from urllib.parse import urlencode
from urllib.request import HTTPCookieProcessor, build_opener

import pytest

from bench.players import Player, Seat
from tests.browser.conftest import PATIENCE, Site

CLIENTS = 8
WORDS = ("undo", "redo", "restart")


@dataclass
class Client:
    """A player who keeps at it: whatever becomes of a connection, the request in flight is sent again."""

    code: str
    cookie: str
    acknowledged: list[str] = field(default_factory=list)
    asked: str = ""  # the entry in flight, for the version that comes after the acknowledged ones

    async def play(self, port: int) -> None:
        """Connect again and again, until cancelled."""
        while True:
            with suppress(ConnectionError):
                connection = Connection(self, port)
                await connection.sit_down()
                try:
                    await connection.gone
                finally:
                    connection.transport.abort()
            await asyncio.sleep(0.05)

    def hear(self, table: dict[str, Any], first: bool) -> None:
        """Take a table for an acknowledgement, unless it is the one that greets a new connection."""
        assert table["type"] == "table", table
        if self.asked and not first:
            assert table["version"] == len(self.acknowledged) + 1
            assert table["last"] == self.asked
            self.acknowledged.append(self.asked)
            self.asked = ""
        if not self.asked:
            self.asked = random.choice([*table["moves"], *(word for word in WORDS if table[word])])


class Connection(Player):
    """One connection of a client, which asks for the next entry as soon as it hears of the last."""

    def __init__(self, client: Client, port: int) -> None:
        super().__init__(Seat(port, f"/ws/play/{client.code}/", client.cookie, ()))
        self.client = client

    def hear(self, version: int, payload: bytes) -> None:
        self.client.hear(json.loads(payload), first=not self.seated.done())
        super().hear(version, payload)
        self.ask(len(self.client.acknowledged), self.client.asked)


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Site]:
    site = Site(tmp_path)
    site.env |= {"REQUESTS_PER_SECOND": "1000000", "REQUEST_BURST": "1000000"}
    site.start()
    yield site
    site.kill()


def guest(site: Site, game: str) -> Client:
    """Somebody who has just started a game, as a browser would."""
    cookies = CookieJar()
    browser = build_opener(HTTPCookieProcessor(cookies))
    browser.open(f"{site.url}/").close()
    token = next(cookie.value for cookie in cookies if cookie.name == "csrftoken")
    with browser.open(f"{site.url}/new/", urlencode({"game": game, "csrfmiddlewaretoken": token}).encode()) as page:
        code = page.url.split("/")[-2]
    return Client(code, "; ".join(f"{cookie.name}={cookie.value}" for cookie in cookies))


@asynccontextmanager
async def playing(clients: list[Client], port: int) -> AsyncIterator[None]:
    """All of them at full speed."""
    tasks = [asyncio.create_task(client.play(port)) for client in clients]
    try:
        yield
    finally:
        for task in tasks:
            task.cancel()
        for end in await asyncio.gather(*tasks, return_exceptions=True):
            assert isinstance(end, asyncio.CancelledError), end


def check(site: Site, clients: list[Client]) -> None:
    """The log holds what was acknowledged, and at most the request in flight beside it."""
    for client in clients:
        assert log_of(site, client) in (client.acknowledged, [*client.acknowledged, client.asked])


async def under_way(clients: list[Client]) -> None:
    """Wait until each of them has got on, so that the server is in full swing."""
    before = [len(client.acknowledged) for client in clients]
    async with asyncio.timeout(PATIENCE):
        while any(len(client.acknowledged) < old + 3 for client, old in zip(clients, before, strict=True)):
            await asyncio.sleep(0.02)


def log_of(site: Site, client: Client) -> list[str]:
    """What stands in the database, the entries numbered without a gap."""
    with closing(sqlite3.connect(site.log.with_name("site.sqlite3"))) as database:
        rows = database.execute(
            "SELECT entry.number, entry.text FROM games_entry AS entry "
            "JOIN games_attempt AS attempt ON attempt.id = entry.attempt_id WHERE attempt.code = ? ORDER BY 1",
            [client.code],
        ).fetchall()
    assert [number for number, _ in rows] == list(range(1, len(rows) + 1))
    return [text for _, text in rows]


async def test_a_server_that_dies_in_mid_play_keeps_all_it_acknowledged_and_nothing_else(site: Site) -> None:
    clients = [await asyncio.to_thread(guest, site, game) for game in ["frog", "american-toad"] * (CLIENTS // 2)]
    ends: list[Callable[[], None]] = [site.kill, site.kill, site.kill, site.stop]
    async with playing(clients, site.port):
        for end in ends:
            await under_way(clients)
            await asyncio.sleep(random.uniform(0.1, 0.8))
            await asyncio.to_thread(end)
            await asyncio.sleep(0.05)  # what is on its way to the clients still arrives
            check(site, clients)
            await asyncio.to_thread(site.start)
        await under_way(clients)
    await asyncio.to_thread(site.stop)
    check(site, clients)
    assert f"{CLIENTS} logs agree" in await asyncio.to_thread(site.manage, "check_logs")
