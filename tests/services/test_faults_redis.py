"""Redis lost, and back again: what goes between processes is late meanwhile, but nothing is lost, and play goes on."""

import asyncio
from functools import partial
from pathlib import Path

from tests.browser.conftest import Site
from tests.services.own import own
from tests.services.people import check_at_rest, guests, playing, readiness, under_way, until
from tests.services.racers import Racer, get_on, over, picking, racing, resting, two


async def test_a_race_on_two_processes_goes_on_without_redis_and_is_quick_again_with_it(
    tmp_path: Path, postgres: str
) -> None:
    with own("redis") as redis:
        shared = {"DATABASE_URL": postgres, "REDIS_URL": redis.address, "SECRET_KEY": "of both"}
        sites = []
        for name in ("a", "b"):
            (tmp_path / name).mkdir()
            sites.append(Site(tmp_path / name, **shared))
            sites[-1].start()
        try:
            one, guest = await asyncio.to_thread(two, *sites)
            async with racing(one, guest):
                await picking(one, guest)
                await get_on(one, guest)
                redis.crash()
                await get_on(one, guest)  # each hears of the other by its own pings
                with resting(one, guest):
                    await asyncio.to_thread(redis.start)
                one.pinging = guest.pinging = False
                await get_on(one, guest)
                for idle, busy in ((one, guest), (guest, one)):  # to pick is to hear of the other
                    idle.picking, busy.picking = False, True
                    await until(partial(has_heard, idle, busy.home + 3))
                one.picking = guest.picking = True
                await over(sites[0], one, guest)
        finally:
            for site in sites:
                site.kill()


def has_heard(idle: Racer, home: int) -> bool:
    """Whether somebody who says nothing knows of so many cards at the rival's home."""
    return idle.asked is None and idle.other["home"] >= home


async def test_visitors_come_and_play_while_redis_is_away(tmp_path: Path, postgres: str) -> None:
    with own("redis") as redis:
        site = Site(tmp_path, DATABASE_URL=postgres, REDIS_URL=redis.address)
        site.start()
        try:
            redis.crash()
            told = await asyncio.to_thread(readiness, site)  # with 200, or nobody would be sent anywhere
            assert told == {"ready": True, "database": True, "writes": True, "layer": False, "draining": False}
            clients = await guests(site, 2, pause=0.05)
            async with playing(clients, lambda: site.port):
                await under_way(clients)
            await check_at_rest(site, clients)
        finally:
            site.kill()
