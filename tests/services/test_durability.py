"""A server that dies while people play: what was acknowledged is in the log, at its number, once, and no more is."""

import asyncio
import random
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.browser.conftest import Site
from tests.services.people import check, check_at_rest, guests, playing, under_way


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Site]:
    site = Site(tmp_path)
    site.env |= {"REQUESTS_PER_SECOND": "1000000", "REQUEST_BURST": "1000000"}
    site.start()
    yield site
    site.kill()


async def test_a_server_that_dies_in_mid_play_keeps_all_it_acknowledged_and_nothing_else(site: Site) -> None:
    clients = await guests(site, 8)
    ends: list[Callable[[], None]] = [site.kill, site.kill, site.kill, site.stop]
    async with playing(clients, lambda: site.port):
        for end in ends:
            await under_way(clients)
            await asyncio.sleep(random.uniform(0.1, 0.8))
            await asyncio.to_thread(end)
            await asyncio.sleep(0.05)  # what is on its way to the clients still arrives
            check(site, clients)
            await asyncio.to_thread(site.start)
        await under_way(clients)
    await asyncio.to_thread(site.stop)
    await check_at_rest(site, clients)
