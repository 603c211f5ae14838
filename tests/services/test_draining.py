"""A deploy: a server that ends lets nobody in, answers what it has begun, and sends its players to another one."""

import asyncio
import time
from collections.abc import Iterator
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import urlopen

import pytest

from bench.players import Player, Seat
from config.server import GRACE
from tests.browser.conftest import Site
from tests.services.people import check_at_rest, guests, playing, turned_away, under_way, until

LINGER = 1.0
ELSEWHERE = 4307


@pytest.fixture
def sites(tmp_path: Path) -> Iterator[list[Site]]:
    """Two processes of one site."""
    shared = {
        "DATABASE_URL": f"sqlite:///{tmp_path / 'site.sqlite3'}",
        "SECRET_KEY": "of both",
        "DRAIN_SECONDS": str(LINGER),
        "REQUESTS_PER_SECOND": "1000000",
        "REQUEST_BURST": "1000000",
    }
    both = []
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
        both.append(Site(tmp_path / name, **shared))
        both[-1].start()
    yield both
    for site in both:
        site.kill()


async def test_a_server_that_ends_sends_its_players_to_another_and_loses_no_move(sites: list[Site]) -> None:
    old, new = sites
    clients = await guests(old, 6)
    port = old.port
    async with playing(clients, lambda: port):
        await under_way(clients)
        port = new.port  # as a proxy does once a server says that it ends
        began = time.monotonic()
        old.process.terminate()
        await until(lambda: all(client.closed[ELSEWHERE] for client in clients))
        assert old.process.poll() is None
        seat = Seat(old.port, f"/ws/play/{clients[0].code}/", clients[0].cookie, ())
        assert (await turned_away(seat)).startswith(b"HTTP/1.1 503 ")
        with pytest.raises(HTTPError, match="503"):
            await asyncio.to_thread(urlopen, f"{old.url}/readyz")
        await asyncio.to_thread(old.process.wait, LINGER + GRACE + 2)
        assert old.process.returncode == 0
        assert time.monotonic() - began >= LINGER
        await under_way(clients)
    assert all(client.closed.total() == client.closed[ELSEWHERE] == 1 for client in clients)
    assert "Traceback" not in old.log.read_text()
    await check_at_rest(new, clients)


async def test_a_server_that_ends_does_not_wait_for_a_client_that_does_not_answer(sites: list[Site]) -> None:
    old, new = sites
    (client,) = await guests(old, 1)
    deaf = Player(Seat(old.port, f"/ws/play/{client.code}/", client.cookie, ()))
    await deaf.sit_down()
    deaf.transport.pause_reading()
    began = time.monotonic()
    await asyncio.to_thread(old.stop)
    assert old.process.returncode == 0
    assert time.monotonic() - began < LINGER + GRACE + 2
    deaf.transport.abort()
    await check_at_rest(new, [client])
