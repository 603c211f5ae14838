"""Whoever logs out at one process has left the tables at the others too."""

import asyncio
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlencode
from urllib.request import Request, urlopen

import pytest

from tests.browser.conftest import Site
from tests.services.people import guests, playing, under_way, until


@pytest.fixture
def sites(tmp_path: Path, redis: str) -> Iterator[list[Site]]:
    """Two processes of one site."""
    shared = {"DATABASE_URL": f"sqlite:///{tmp_path / 'both.sqlite3'}", "REDIS_URL": redis, "SECRET_KEY": "of both"}
    both = [Site(tmp_path, **shared) for _ in range(2)]
    for site in both:
        site.start()
    yield both
    for site in both:
        site.kill()


def log_out(site: Site, cookie: str) -> None:
    """Press the button, as the page has it."""
    token = cookie.partition("csrftoken=")[2].partition(";")[0]
    form = urlencode({"csrfmiddlewaretoken": token}).encode()
    urlopen(Request(f"{site.url}/accounts/logout/", form, {"Cookie": cookie})).close()


async def test_sockets_at_other_processes_are_closed(sites: list[Site]) -> None:
    here, there = sites
    leaves, stays = await guests(here, 2, pause=0.05)
    async with playing([leaves, stays], lambda: there.port):
        await under_way([leaves, stays])
        await asyncio.to_thread(log_out, here, leaves.cookie)
        await until(lambda: leaves.closed[4401] == 1)
        await until(lambda: leaves.closed[4403])  # it came back, and was nobody
        done = len(leaves.acknowledged)
        await under_way([stays])
    assert len(leaves.acknowledged) == done
    assert not stays.closed
