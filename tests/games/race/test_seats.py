"""Seats in a room and the start, through sockets: who sits where, reloads, other tabs, watchers."""

import asyncio

import pytest
from channels.db import database_sync_to_async

from accounts import services as accounts
from accounts.models import User
from games.race import seats
from games.race.models import Race
from games.race.seats import Terms
from tests.games.conftest import wire_for
from tests.games.race.conftest import Both, Enter, start
from tests.games.race.logs import entries_of, log_of

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("in_a_hurry")]


async def test_two_start_and_pick(both: Both, race: Race) -> None:
    async with both(race) as (one, two):
        assert one.me["piles"]["bed1"][-1] == "AS"
        assert one.view["sides"][1]["piles"] is None
        after = await one.do("bed1")
        assert after["sides"][0]["last"] == "bed1>foundation1"
        assert after["sides"][0]["home"] == 1
        seen = await two.until(lambda view: view["version"] == after["version"])
        assert (seen["sides"][0]["home"], seen["sides"][0]["last"]) == (1, "")


async def test_a_room_waits_for_its_second_player(enter: Enter, owner: User, rival: User) -> None:
    race = await database_sync_to_async(seats.invite)(host=owner, terms=Terms())
    async with enter(owner, race) as one:
        assert one.view["phase"] == "open"
        await one.do("ready")
        assert (one.view["phase"], one.view["sides"][1]["taken"]) == ("open", False)
        await database_sync_to_async(seats.join)(player=rival, race=race)
        await one.until(lambda view: view["sides"][1]["taken"])
        async with enter(rival, race) as two:
            await two.do("ready")
            await one.until(lambda view: view["phase"] == "running")


async def test_ready_is_withdrawn_when_the_last_tab_closes_before_the_start(
    enter: Enter, owner: User, rival: User, race: Race
) -> None:
    async with enter(owner, race) as one:
        async with enter(rival, race) as two:
            await two.do("ready")
            async with enter(rival, race):
                pass
            await one.do("ready")
            assert one.view["phase"] == "countdown"
        view = await one.until(lambda view: view["sides"][1]["presence"] == "closed")
        assert (view["phase"], view["go_at"], view["sides"][0]["ready"], view["sides"][1]["ready"]) == (
            "ready",
            None,
            True,
            False,
        )
        await asyncio.sleep(0.3)
        await one.ping()
        assert one.view["version"] == view["version"]  # nothing has begun
    assert (0, "start") not in await log_of(race)


async def test_a_reload_and_another_device_keep_the_seat(enter: Enter, both: Both, rival: User, race: Race) -> None:
    async with both(race) as (one, two):
        await two.do("bed1")
        async with enter(rival, race) as device:
            await device.until(lambda view: view["version"] == two.view["version"])
            assert device.view == two.view | {"now": device.view["now"]}
            await two.wire.disconnect(code=1001)
            await device.do("luck")
            assert device.view["sides"][1]["presence"] == "here"
        await one.until(lambda view: view["sides"][1]["presence"] == "closed")
        async with enter(rival, race) as again:
            assert (again.view["seat"], again.me["home"], again.view["phase"]) == (2, 1, "running")
            await one.until(lambda view: view["sides"][1]["presence"] == "here")


async def test_both_tabs_of_a_seat_play_one_garden(enter: Enter, both: Both, owner: User, race: Race) -> None:
    async with both(race) as (one, _), enter(owner, race) as tab:
        await tab.until(lambda view: view["version"] == one.view["version"])
        seen = one.view["version"]
        await one.do("bed1")
        assert (await tab.do("bed1", version=seen))["type"] == "race"
        assert (await tab.do("bed2", version=seen))["code"] == "stale"
        await tab.until(lambda view: view["sides"][0]["home"] == 1)
        assert tab.view["version"] == seen + 1
    assert (await log_of(race)).count((1, "bed1>foundation1")) == 1


async def test_a_guest_who_logs_in_keeps_the_seat(enter: Enter, owner: User, db: None) -> None:
    guest = await database_sync_to_async(User.objects.create_user)("guest-x", is_guest=True)
    member = await database_sync_to_async(User.objects.create_user)("member")
    race = await database_sync_to_async(seats.invite)(host=owner, terms=Terms())
    await database_sync_to_async(seats.join)(player=guest, race=race)
    async with enter(owner, race) as one, enter(guest, race) as two:
        await start(one, two)
        await two.do("bed1")
        assert one.view["sides"][1]["name"] == ""
        await database_sync_to_async(accounts.claim)(guest=guest, member=member)
        await one.until(lambda view: view["sides"][1]["name"] == "member")
        async with enter(member, race) as three:
            assert (three.view["seat"], three.me["home"], three.view["phase"]) == (2, 1, "running")
            await three.do("luck")
            assert three.view["said"]["side"] == 2
            await two.say(type="do", round=1, version=two.view["version"], entry="played")  # from a tab left open
            while (event := await two.wire.receive_output())["type"] != "websocket.close":
                pass
            assert event["code"] == 4401  # and come back as the member


async def test_a_seat_is_left_with_the_account(enter: Enter, both: Both, owner: User, rival: User, race: Race) -> None:
    async with both(race) as (one, two):
        await database_sync_to_async(accounts.close)(user=rival)
        await one.until(lambda view: view["sides"][1]["name"] == "")
        before = await log_of(race)
        await two.say(type="do", round=1, version=two.view["version"], entry="bed1")
        while (event := await two.wire.receive_output())["type"] != "websocket.close":
            pass
        assert event["code"] == 4401
        await one.until(lambda view: view["sides"][1]["presence"] == "lost")
        assert await log_of(race) == before


async def test_a_new_name_is_shown_at_once(enter: Enter, owner: User) -> None:
    race = await database_sync_to_async(seats.invite)(host=owner, terms=Terms())
    guest = await database_sync_to_async(User.objects.create_user)("guest-x", is_guest=True)
    await database_sync_to_async(seats.join)(player=guest, race=race)
    async with enter(owner, race) as one:
        assert one.view["sides"][1]["name"] == ""
        guest.username, guest.is_guest = "toad", False  # as signing up does it
        await database_sync_to_async(guest.save)()
        await one.until(lambda view: view["sides"][1]["name"] == "toad")
        await database_sync_to_async(accounts.close)(user=guest)
        await one.until(lambda view: view["sides"][1]["name"] == "")
        assert one.view["sides"][1]["taken"]


async def test_who_watches_is_counted_and_can_do_nothing(enter: Enter, both: Both, stranger: User, race: Race) -> None:
    async with both(race) as (one, _), enter(stranger, race) as watcher, enter(None, race) as unknown:
        assert (await one.until(lambda view: view["watchers"] == 2))["phase"] == "running"
        before = await entries_of(race)
        for entry in ("bed1", "give-up", "luck", "ready", "claim"):
            for racer in (watcher, unknown):
                assert (await racer.do(entry))["code"] == "watching"
        assert await entries_of(race) == before
    assert before == await entries_of(race) - 2  # the two players have gone


async def test_there_is_no_socket_where_there_is_no_race(owner: User, race: Race) -> None:
    for code in ("ABCDEF", "nothing", "1"):
        wire = await wire_for(owner, code, path="race")
        assert (await wire.connect())[0]
        assert await wire.receive_output() == {"type": "websocket.close", "code": 4404}
