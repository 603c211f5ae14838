"""A clock that is set forward and back while people play and race."""

import asyncio
from pathlib import Path

import pytest

from tests.browser.conftest import Site
from tests.services.people import check_at_rest, guests, playing, under_way, until
from tests.services.racers import check, get_on, racing, resting, two

FAKETIME = sorted(Path("/usr/lib").glob("*/faketime/libfaketimeMT.so.1"))
STEPS = ("+3600s", "-7200s", "+0s")


async def test_players_and_racers_go_on_when_the_clock_is_set_forward_and_back(tmp_path: Path) -> None:
    if not FAKETIME:
        pytest.fail("needs libfaketime; bin/test installs it on Debian, as root")
    clock = tmp_path / "clock"
    clock.write_text("+0s")
    site = Site(tmp_path)
    site.env |= {
        "LD_PRELOAD": str(FAKETIME[-1]),
        "FAKETIME_TIMESTAMP_FILE": str(clock),
        "FAKETIME_CACHE_DURATION": "1",  # seconds; to look into the file for every call is too slow
        "FAKETIME_DONT_FAKE_MONOTONIC": "1",
    }
    site.start()
    try:
        clients = await guests(site, 2, pause=0.05)
        one, guest = await asyncio.to_thread(two, site, site)
        async with playing(clients, lambda: site.port), racing(one, guest):
            clock.write_text("-100000s")  # in the countdown, or just after it
            await until(lambda: one.view["phase"] == guest.view["phase"] == "running")
            one.picking = guest.picking = True
            for step in STEPS:
                await get_on(one, guest)
                clock.write_text(step)
                with resting(one, guest):
                    await asyncio.sleep(1.5)
                    await under_way(clients)
            await get_on(one, guest)
        clock.write_text("+0s")
        await asyncio.to_thread(check, site, one, guest)
        await check_at_rest(site, clients, others=1)
    finally:
        site.kill()
