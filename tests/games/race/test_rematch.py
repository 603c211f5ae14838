"""What follows a race through its sockets: more rounds, a rematch, a phrase, a ghost."""

import asyncio

import pytest
from channels.db import database_sync_to_async

from accounts.models import User
from games.race import seats
from games.race.models import Race, Round
from games.race.seats import Terms
from tests.games.race import runs
from tests.games.race.conftest import Both, Enter
from tests.games.race.logs import log_of, over

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("in_a_hurry")]


async def test_best_of_three_is_counted_and_a_rematch_begins_anew(both: Both, owner: User, rival: User) -> None:
    race = await database_sync_to_async(seats.invite)(host=owner, terms=Terms(best_of=3))
    await database_sync_to_async(seats.join)(player=rival, race=race)
    async with both(race) as (one, two):
        scores = []
        for loser, other in ((two, one), (one, two), (two, one)):
            await loser.do("give-up")
            await over(one, two)
            scores.append((one.view["decided"], *(side["score"] for side in one.view["sides"])))
            await other.do("ready")
            await loser.until(lambda view: view["phase"] != "over")
            await loser.do("ready")
            for racer in (one, two):
                await racer.until(lambda view: view["phase"] == "running")
        assert scores == [(False, 1, 0), (False, 1, 1), (True, 2, 1)]
        assert (one.view["round"], one.view["match"]) == (4, 2)
        assert [side["score"] for side in one.view["sides"]] == [0, 0]


async def test_both_press_for_the_rematch_at_once(both: Both, race: Race) -> None:
    async with both(race) as (one, two):
        await one.do("give-up")
        await over(one, two)
        await asyncio.gather(*(racer.do("ready") for racer in (one, two)))
        for racer in (one, two):
            await racer.until(lambda view: view["phase"] == "running")
            assert (racer.view["round"], racer.view["match"]) == (2, 2)
            assert [side["presence"] for side in racer.view["sides"]] == ["here", "here"]
    assert (await log_of(race))[:2] in ([(1, "ready"), (2, "ready")], [(2, "ready"), (1, "ready")])
    assert await database_sync_to_async(Round.objects.filter(race=race).count)() == 2


async def test_ready_for_the_next_round_sent_again_deals_no_other(both: Both, race: Race) -> None:
    async with both(race) as (one, two):
        await one.do("give-up")
        await over(one, two)
        seen = one.view["version"]
        for _ in range(3):
            await one.do("ready", round=1, version=seen)
            await one.until(lambda view: view["round"] == 2)
        assert one.me["ready"]
        assert (await one.do("bed1", round=1, version=seen))["code"] == "stale"
    assert await log_of(race) == [(1, "ready")]


async def test_ready_for_a_round_that_there_was_not_is_stale(enter: Enter, owner: User, race: Race) -> None:
    async with enter(owner, race) as one:
        assert (await one.do("ready", round=0, version=0))["code"] == "stale"
        assert (await one.do("ready", round=2, version=0))["code"] == "stale"
    assert await log_of(race) == []


async def test_the_word_after_the_end(both: Both, race: Race) -> None:
    async with both(race) as (one, two):
        await one.do("give-up")
        await over(one, two)
        end = two.view["ended_at"]
        await two.do("played")
        view = await one.until(lambda view: view["said"] is not None)
        assert (view["said"]["phrase"], view["ended_at"], view["phase"]) == ("played", end, "over")


async def test_a_race_against_a_ghost(enter: Enter, owner: User, rival: User, race: Race) -> None:
    wishes = await database_sync_to_async(runs.picks)(race, 2, 0.2, 2)
    miss = await database_sync_to_async(runs.wrong)(race, 2, 0.05)
    round_ = await database_sync_to_async(runs.run)(
        race, [miss, *((at + 0.7, side, place) for at, side, place in wishes)]
    )
    haunted = await database_sync_to_async(seats.haunt)(player=owner, round_=round_, side=2)
    async with enter(owner, haunted) as one:
        assert (one.view["ghost"], one.view["sides"][1]["presence"]) == (True, "ghost")
        assert (await one.do("bed1"))["code"] == "early"
        await one.do("ready")
        assert one.view["phase"] in ("countdown", "running")
        await one.until(lambda view: view["sides"][1]["home"] == 2)
        assert (one.view["sides"][1]["misses"], one.view["sides"][1]["piles"]) == (1, None)
        assert one.view["sides"][1]["stuck"]  # it did no more
        assert (await one.do("call"))["code"] == "illegal"
        await one.do("give-up")
        assert await over(one) == (2, "gave-up")
        await one.do("ready")
        await one.until(lambda view: view["round"] == 2 and view["phase"] == "running")
        assert one.view["sides"][1]["home"] == 0
    async with enter(rival, haunted) as watcher:
        assert watcher.view["seat"] == 0
