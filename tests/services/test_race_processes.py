"""A race whose servers die: on two processes that share PostgreSQL and Redis, and on one with SQLite.

What was acknowledged is in the log, once; both players see the same end, and a replay of the log gives it too.
"""

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.browser.conftest import Site
from tests.services.racers import check, get_on, over, picking, racing, resting, two


@pytest.fixture
def sites(tmp_path: Path, postgres: str, redis: str) -> Iterator[list[Site]]:
    """Two processes of one site."""
    shared = {"DATABASE_URL": postgres, "REDIS_URL": redis, "SECRET_KEY": "of both"}
    both = []
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
        both.append(Site(tmp_path / name, **shared))
    for site in both:
        site.start()
    yield both
    for site in both:
        site.kill()


async def test_two_processes_carry_a_race_and_either_may_die(sites: list[Site]) -> None:
    a, b = sites
    one, guest = await asyncio.to_thread(two, a, b)
    async with racing(one, guest):
        await picking(one, guest)
        go_at = one.view["go_at"]
        assert guest.view["go_at"] == go_at
        await get_on(one, guest)
        a.kill()
        one.port = b.port
        await get_on(one, guest)
        with resting(one, guest):
            await asyncio.to_thread(a.start)
        one.move_to(a.port)
        await get_on(one, guest)
        b.kill()
        guest.port = a.port
        await get_on(one, guest)
        with resting(one, guest):
            await asyncio.to_thread(check, a, one, guest)
            await asyncio.to_thread(b.start)
        guest.move_to(b.port)
        await get_on(one, guest)
        await over(b, one, guest)
        assert one.view["go_at"] == go_at
        assert (one.view["seat"], guest.view["seat"]) == (1, 2)


async def test_one_process_on_sqlite_dies_before_the_start_and_in_the_middle(site: Site) -> None:
    one, guest = await asyncio.to_thread(two, site, site)
    async with racing(one, guest):
        go_at = one.view["go_at"] or guest.view["go_at"]
        site.kill()
        await asyncio.to_thread(site.start)
        await picking(one, guest)
        for _ in range(2):
            await get_on(one, guest)
            site.kill()
            await asyncio.to_thread(site.start)
        await get_on(one, guest)
        await over(site, one, guest)
        assert (one.view["go_at"], one.view["seat"], guest.view["seat"]) == (go_at, 1, 2)
