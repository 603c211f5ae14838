"""Each end of a race, through its sockets."""

from datetime import timedelta

import pytest
from channels.db import database_sync_to_async

from accounts.models import User
from games.race import standing
from games.race.models import Race
from tests.games.race import runs
from tests.games.race.conftest import Both, Enter, start
from tests.games.race.logs import ONE, STUCK, age, agrees, dealt, over

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("in_a_hurry")]


async def test_giving_up(both: Both, race: Race) -> None:
    async with both(race) as (one, two):
        await one.do("give-up")
        assert await over(one, two) == (2, "gave-up")
        assert one.view["sides"][1]["piles"] == two.me["piles"]
    assert await agrees(race)


async def test_whoever_empties_the_beds_first_wins(both: Both, race: Race, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(standing, "HAND", timedelta())
    async with both(race) as (one, two):
        picks = await database_sync_to_async(runs.picks)(race, 2, 1.0)
        for _, _, place in picks:
            if two.view["phase"] == "over":
                break
            await two.do(place)
        assert await over(one, two) == (2, "beds")
        assert (two.me["beds"], two.me["stuck"], one.me["home"]) == (0, two.me["home"] == 52, 0)
    assert await agrees(race)


async def test_both_stuck(both: Both, owner: User, rival: User) -> None:
    race = await database_sync_to_async(dealt)(owner, rival, ONE, STUCK)
    async with both(race) as (one, two):
        assert [side["stuck"] for side in one.view["sides"]] == [False, True]
        await one.do("bed1")
        assert await over(one, two) == (1, "count")
    assert await agrees(race)


async def test_as_many_cards_and_the_earlier(both: Both, owner: User, rival: User) -> None:
    race = await database_sync_to_async(dealt)(owner, rival, ONE)
    async with both(race) as (one, two):
        await two.do("bed1")
        await one.do("bed1")
        assert await over(one, two) == (2, "earlier")
    assert await agrees(race)


async def test_as_many_cards_of_ones_own_are_a_draw(both: Both, owner: User, rival: User) -> None:
    race = await database_sync_to_async(dealt)(owner, rival, ONE, ONE)
    async with both(race) as (one, two):
        await two.do("bed1")
        await one.do("bed1")
        assert await over(one, two) == (0, "draw")
    assert await agrees(race)


async def test_two_gardens_without_a_move_are_a_draw_at_once(enter: Enter, owner: User, rival: User) -> None:
    race = await database_sync_to_async(dealt)(owner, rival, STUCK, STUCK)
    async with enter(owner, race) as one, enter(rival, race) as two:
        await one.do("ready")
        await two.do("ready")
        assert await over(one, two) == (0, "draw")
    assert await agrees(race)


async def test_time_is_called(both: Both, race: Race) -> None:
    async with both(race) as (one, two):
        assert (await one.do("call"))["code"] == "illegal"
        await age(race, 60)
        await one.do("call")
        view = await two.until(lambda view: view["sides"][1]["out_at"] is not None)
        assert 19_000 < view["sides"][1]["out_at"] - view["now"] <= 20_000
        await age(race, 10)
        await two.do("bed1")
        await one.until(lambda view: view["sides"][1]["out_at"] is None)
        await age(race, 60)
        await one.do("call")
        await age(race, 19.8)
        await one.ping()  # winds up the clock of a room that was read anew
        seen = two.view["version"]
        assert await over(one, two) == (1, "time")
        assert (await two.do("bed2", version=seen))["code"] == "over"  # a moment too late
    assert await agrees(race)


async def test_a_closed_tab_and_a_claim(enter: Enter, owner: User, rival: User, race: Race) -> None:
    async with enter(owner, race) as one:
        async with enter(rival, race) as two:
            await start(one, two)
        await one.until(lambda view: view["sides"][1]["presence"] == "closed")
        assert (await one.do("claim"))["code"] == "illegal"
        await age(race, 10)
        await one.ping()
        await one.do("claim")
        assert await over(one) == (1, "left")
    assert await agrees(race)


async def test_a_lost_connection_and_a_claim(both: Both, race: Race) -> None:
    async with both(race) as (one, two):
        await two.wire.disconnect(code=1006)
        await one.until(lambda view: view["sides"][1]["presence"] == "lost")
        await age(race, 110)
        assert (await one.do("claim"))["code"] == "illegal"
        await age(race, 10)
        await one.do("claim")
        assert await over(one) == (1, "left")
    assert await agrees(race)
