"""What is refused through a race's socket, and leaves nothing in the log."""

import asyncio
from datetime import timedelta
from typing import Any

import pytest

from accounts.models import User
from games.race import standing
from games.race.models import Race
from tests.games.race.conftest import Both, Enter, start
from tests.games.race.logs import entries_of, log_of

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("in_a_hurry")]


@pytest.fixture
def a_long_lock(monkeypatch: pytest.MonkeyPatch) -> None:
    """It does not end before the test has asked, however busy the machine is."""
    monkeypatch.setattr(standing, "LOCK", timedelta(minutes=1))


@pytest.mark.usefixtures("a_long_lock")
async def test_what_is_refused_leaves_nothing_in_the_log(enter: Enter, owner: User, rival: User, race: Race) -> None:
    async with enter(owner, race) as one, enter(rival, race) as two:

        async def refused(entry: str, code: str, **seen: int) -> None:
            before = await entries_of(race)
            answer = await one.do(entry, **seen)
            assert (answer["type"], answer.get("code"), answer["entry"]) == ("refused", code, entry)
            assert answer["why"]
            assert await entries_of(race) == before

        for entry in ("bed1", "redeal", "give-up", "call", "claim"):
            await refused(entry, "early")
        await refused("ready", "stale", version=one.view["version"] + 1)
        await refused("ready", "stale", round=2)
        await start(one, two)
        await two.do("bed1")
        await one.until(lambda view: view["version"] == two.view["version"])
        for entry in ("bed7", "foundation1", "x", "start", "time", "hasty", "miss bed1", "bed1>foundation1", "redeal"):
            await refused(entry, "illegal")
        for entry in ("call", "claim", "ready", "unready"):
            await refused(entry, "illegal")
        await one.do("luck")
        await refused("played", "too-fast")
        seen = one.view["version"]
        await one.do("bed2")
        assert (one.me["misses"], one.me["last"]) == (1, "miss bed2")
        for entry in ("bed1", "bed2", "redeal"):
            await refused(entry, "locked")
        await refused("bed1", "stale", version=seen)
        await one.do("give-up")
        for entry in ("bed1", "give-up", "call", "claim", "unready"):
            await refused(entry, "over")


async def test_what_is_no_request_is_malformed(enter: Enter, owner: User, race: Race) -> None:
    async with enter(owner, race) as one:
        before = await entries_of(race)
        for text in (
            " ",
            "[]",
            "{}",
            '{"type":"do","version":1,"entry":"ready"}',
            '{"type":"do","round":-1,"version":1,"entry":"ready"}',
            '{"type":"do","round":1,"version":1,"entry":""}',
            '{"type":"do","round":1,"version":1,"entry":"' + "x" * 17 + '"}',
            '{"type":"do","round":1,"version":1,"entry":"ready","more":1}',
            '{"type":"ping","round":1,"version":1}',
            '{"type":"ping","round":1,"version":1,"sent":"x"}',
            "[" * 1000,
            "\x00",
        ):
            await one.wire.send_to(text_data=text)
            assert (await one.hear())["code"] == "malformed"
            assert (await one.hear())["type"] == "race"
        await one.wire.send_to(bytes_data=b"\xff\xfe")
        assert (await one.hear())["code"] == "malformed"
        assert await entries_of(race) == before


async def test_a_request_sent_again_counts_once(both: Both, race: Race) -> None:
    async with both(race) as (one, two):
        seen = one.view["version"]
        await one.do("bed1")
        await two.do("luck")
        for _ in range(3):
            assert (await one.do("bed1", version=seen))["type"] == "race"
        missed = one.view["version"]
        await asyncio.sleep(0.07)  # as a hand must
        await one.do("bed2")
        for _ in range(3):
            assert (await one.do("bed2", version=missed))["type"] == "race"
        assert (one.me["home"], one.me["misses"]) == (1, 1)
    assert [text for side, text in await log_of(race) if side == 1] == ["ready", "bed1>foundation1", "miss bed2"]


@pytest.mark.usefixtures("a_long_lock")
async def test_a_hand_faster_than_a_hand_is_refused_and_counted(both: Both, race: Race) -> None:
    async with both(race) as (one, _):
        await one.do("bed1")
        answer = await one.do("bed2")
        assert (answer["type"], answer["code"]) == ("refused", "too-fast")
        await one.until(lambda view: view["sides"][0]["hasty"] == 1)
        assert (one.me["home"], one.me["misses"]) == (1, 0)
        assert one.me["locked_until"] > one.view["now"]
        assert (await one.do("bed2"))["code"] == "locked"


async def test_a_lock_ends(both: Both, race: Race, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(standing, "LOCK", timedelta(seconds=0.2))
    async with both(race) as (one, _):
        await one.do("bed2")
        assert (await one.do("bed1"))["code"] == "locked"
        await asyncio.sleep(0.2)
        await one.do("bed1", version=one.view["version"])
        await one.until(lambda view: view["sides"][0]["home"] == 1)


async def test_a_flood_is_refused(enter: Enter, owner: User, race: Race, settings: Any) -> None:
    settings.REQUESTS_PER_SECOND, settings.REQUEST_BURST = 0.001, 5
    async with enter(owner, race) as one:
        seen = one.view["version"]
        for version, entry in enumerate(["ready", "unready", "ready", "unready", "ready", "luck"], seen):
            await one.say(type="do", round=1, version=version, entry=entry)
        while (answer := await one.hear())["type"] == "race":
            pass
        assert (answer["type"], answer["code"]) == ("refused", "too-fast")
        await one.until(lambda view: view["version"] == seen + 5)
    assert [text for _, text in await log_of(race)] == ["ready", "unready", "ready", "unready", "ready"]


async def test_a_silent_player_is_lost_and_can_come_back(
    enter: Enter, both: Both, rival: User, race: Race, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with both(race) as (one, two):
        with monkeypatch.context() as patch:
            patch.setattr("games.sockets.SILENCE", 0.1)
            await two.say(type="ping", round=1, version=two.view["version"], sent=0)
            await two.hear()
            while (end := await two.wire.receive_output())["type"] != "websocket.close":
                pass
        assert end["code"] == 4408
        view = await one.until(lambda view: view["sides"][1]["presence"] == "lost")
        assert view["sides"][1]["claim_from"] == view["sides"][1]["since"] + 120_000
        async with enter(rival, race):
            await one.until(lambda view: view["sides"][1]["claim_from"] is None)
