"""Failures in the middle of a race, seen through its sockets."""

import asyncio
from contextvars import ContextVar
from datetime import UTC, datetime, timedelta

import pytest
from django.db import DatabaseError

from accounts.models import User
from games.race import rooms, services
from games.race.models import Race
from games.race.record import RoundRecord
from tests.games.race.conftest import Both, Enter
from tests.games.race.logs import behind_the_back, log_of, presences_of

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("in_a_hurry")]


async def test_a_database_that_fails_loses_neither_the_race_nor_its_start(
    enter: Enter, owner: User, rival: User, race: Race, monkeypatch: pytest.MonkeyPatch
) -> None:
    def away(records: object) -> None:
        raise DatabaseError("gone")

    async with enter(owner, race) as one, enter(rival, race) as two:
        await one.do("ready")
        with monkeypatch.context() as patch:
            patch.setattr(RoundRecord, "write", away)
            assert (await two.do("ready"))["code"] == "unavailable"
        await two.do("ready")
        with monkeypatch.context() as patch:
            patch.setattr(RoundRecord, "write", away)
            assert (await one.do("luck"))["code"] == "unavailable"
            await asyncio.sleep(0.3)  # the start could not be written in time
        await two.ping()
        for racer in (one, two):
            await racer.until(lambda view: view["phase"] == "running")
    assert await log_of(race) == [(1, "ready"), (2, "ready"), (0, "start")]


async def test_what_another_process_has_added_is_no_reason_to_refuse(both: Both, race: Race) -> None:
    async with both(race) as (one, two):
        await behind_the_back(race, 2, "luck")
        await one.do("bed1")
        assert (one.me["home"], one.view["said"]["phrase"]) == (1, "luck")
        await two.until(lambda view: view["version"] == one.view["version"])
        await behind_the_back(race, 2, "bed1>foundation1")
        await behind_the_back(race, 2, "miss bed2")
        await one.do("luck", version=one.view["version"] + 2)  # seen at the other process
        assert [side["home"] for side in one.view["sides"]] == [1, 1]
    assert (await log_of(race))[-1] == (1, "luck")


async def test_an_end_that_another_process_has_written_is_shown_as_any_news(both: Both, race: Race) -> None:
    async with both(race) as (one, two):
        for text in ("bed1>foundation1", "give-up"):
            await behind_the_back(race, 2, text)
            await services.refresh(race.pk)
        for player in (one, two):
            await player.until(lambda view: view["phase"] == "over")
            assert player.view["sides"][1]["home"] == 1


async def test_a_tab_that_is_open_here_outweighs_one_closed_at_another_process(both: Both, race: Race) -> None:
    async with both(race) as (one, _):
        await behind_the_back(race, 2, "closed")
        await services.refresh(race.pk)  # as a nudge has it done
        await one.ping()
        assert one.view["sides"][1]["presence"] == "here"
        assert await presences_of(race, 2) == ["here", "closed", "here"]


async def test_a_room_is_forgotten_when_nobody_is_there(both: Both, race: Race) -> None:
    async with both(race):
        assert rooms.find(race.pk)
    assert rooms.find(race.pk) is None


async def test_a_clock_set_back_takes_nobodys_time(both: Both, race: Race, monkeypatch: pytest.MonkeyPatch) -> None:
    async with both(race) as (one, _):
        await one.do("bed1")
        monkeypatch.setattr(services, "now", lambda: datetime.now(UTC) - timedelta(hours=1))
        await asyncio.sleep(0.2)  # as a hand takes
        assert (await one.do("bed2"))["type"] == "race"
        assert one.me["hasty"] == 0


async def test_the_servers_own_entries_do_not_depend_on_the_page_that_came_first(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    page: ContextVar[str] = ContextVar("page", default="none")
    seen: asyncio.Queue[str] = asyncio.Queue()

    async def look(race_id: int) -> None:
        seen.put_nowait(page.get())

    monkeypatch.setattr(services, "_on_time", look)
    page.set("one whose thread has ended")
    services._tick(1)
    assert await seen.get() == "none"
