"""A race through its sockets: seats, the start, picks, misses, and the end."""

import pytest

from accounts.models import User
from games.race.models import Race
from tests.games.race.conftest import Enter, Racer

pytestmark = pytest.mark.django_db(transaction=True)


async def start(first: Racer, second: Racer) -> None:
    """Both press ready, and wait for the cards."""
    await first.do("ready")
    await second.do("ready")
    for racer in (first, second):
        await racer.until(lambda view: view["phase"] == "running")


async def test_two_start_and_pick(enter: Enter, owner: User, rival: User, race: Race) -> None:
    async with enter(owner, race) as one, enter(rival, race) as two:
        await start(one, two)
        assert one.me["piles"]["bed1"][-1] == "AS"
        assert one.view["sides"][1]["piles"] is None
        after = await one.do("bed1")
        assert after["sides"][0]["last"] == "bed1>foundation1"
        assert after["sides"][0]["home"] == 1
        seen = await two.until(lambda view: view["version"] == after["version"])
        assert (seen["sides"][0]["home"], seen["sides"][0]["last"]) == (1, "")
