"""A race through its sockets: seats, the start, picks, refusals, each end, what follows it, and failures on the way."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from datetime import timedelta
from typing import Any

import pytest
from channels.db import database_sync_to_async
from django.db import DatabaseError
from django.db.models import F

from accounts import services as accounts
from accounts.models import User
from games.engine.cards import write_cards
from games.engine.catalogue import GAMES
from games.live import journal
from games.models import Deal
from games.race import rooms, seats, selectors, services, standing
from games.race.models import Entry, Race, Round
from games.race.seats import Terms
from games.race.standing import PRESENCE
from tests.engine.tables import deck
from tests.games.conftest import wire_for
from tests.games.race import runs
from tests.games.race.conftest import Enter, Racer

pytestmark = pytest.mark.django_db(transaction=True)

GARDEN = GAMES["flower-garden"]
STUCK = write_cards(deck(GARDEN, "AC AD AH AS KC KD"))  # all Aces lie below a King
ONE = write_cards(deck(GARDEN, "AD AH AS KC KD AC", "2C"))  # bed1 is the only move, and the last


@pytest.fixture(autouse=True)
def in_a_hurry(monkeypatch: pytest.MonkeyPatch, settings: Any) -> None:
    monkeypatch.setattr(standing, "COUNTDOWN", timedelta(seconds=0.2))
    settings.REQUEST_BURST = 10_000


@database_sync_to_async
def log_of(race: Race) -> list[tuple[int, str]]:
    """What stands in the log of the newest round, presences left out."""
    entries = Entry.objects.filter(round=selectors.newest_round(race.pk)).order_by("number")
    return [(entry.side, entry.text) for entry in entries if entry.text not in PRESENCE]


@database_sync_to_async
def entries_of(race: Race) -> int:
    return Entry.objects.filter(round__race=race).count()


@database_sync_to_async
def presences_of(race: Race, side: int) -> list[str]:
    entries = Entry.objects.filter(round__race=race, side=side, text__in=PRESENCE).order_by("number")
    return list(entries.values_list("text", flat=True))


@database_sync_to_async
def agrees(race: Race) -> bool:
    """What the row of the newest round says of its end is what its log says."""
    round_ = selectors.newest_round(race.pk)
    told = selectors.standing_of(round_)
    assert told.result
    homes = [side.home for side in told.sides]
    return (*told.result, told.go_at, told.ended_at, homes) == (
        round_.winner,
        round_.reason,
        round_.started_at,
        round_.ended_at,
        [round_.first_home, round_.second_home],
    )


@database_sync_to_async
def age(race: Race, seconds: float) -> None:
    """Let so much time pass: all that is in the log is so much longer ago."""
    Entry.objects.filter(round__race=race).update(at=F("at") - timedelta(seconds=seconds))
    rooms._open.pop(race.pk, None)


@database_sync_to_async
def behind_the_back(race: Race, side: int, text: str) -> None:
    """Another process adds to the log, and its nudge is lost."""
    round_ = selectors.newest_round(race.pk)
    number = Entry.objects.filter(round=round_).count() + 1
    at = Entry.objects.filter(round=round_).latest("number").at
    Entry.objects.create(round=round_, number=number, side=side, text=text, at=at)


def dealt(owner: User, rival: User, first: str, second: str = "", **terms: Any) -> Race:
    """A race at these decks: the same one for both unless there is a second."""
    race = seats.invite(host=owner, terms=Terms("own" if second else "same", **terms))
    seats.join(player=rival, race=race)
    round_ = race.rounds.get()
    Deal.objects.filter(pk=round_.second_deal_id).update(deck=second or first)
    Deal.objects.filter(pk=round_.first_deal_id).update(deck=first)
    return race


async def start(first: Racer, second: Racer) -> None:
    """Both press ready, and wait for the cards."""
    await first.do("ready")
    await second.do("ready")
    for racer in (first, second):
        await racer.until(lambda view: view["phase"] == "running")


Both = Callable[[Race], AbstractAsyncContextManager[tuple[Racer, Racer]]]


@pytest.fixture
def both(enter: Enter, owner: User, rival: User) -> Both:
    """Owner and rival, racing: `async with both(race) as (one, two)`."""

    @asynccontextmanager
    async def racing(race: Race) -> AsyncIterator[tuple[Racer, Racer]]:
        async with enter(owner, race) as one, enter(rival, race) as two:
            await start(one, two)
            yield one, two

    return racing


async def over(*racers: Racer) -> tuple[int, str]:
    """Wait for the end, the same one for all; who won and why."""
    views = [await racer.until(lambda view: view["phase"] == "over") for racer in racers]
    ends = {(view["winner"], view["reason"], view["ended_at"]) for view in views}
    ((winner, reason, _),) = ends
    return winner, reason


# Seats and the start.


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
            while (event := await two.wire.receive_output(timeout=5))["type"] != "websocket.close":
                pass
            assert event["code"] == 4401  # and come back as the member


async def test_a_seat_is_left_with_the_account(enter: Enter, both: Both, owner: User, rival: User, race: Race) -> None:
    async with both(race) as (one, two):
        await database_sync_to_async(accounts.close)(user=rival)
        await one.until(lambda view: view["sides"][1]["name"] == "")
        before = await log_of(race)
        await two.say(type="do", round=1, version=two.view["version"], entry="bed1")
        while (event := await two.wire.receive_output(timeout=5))["type"] != "websocket.close":
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
        assert (await wire.connect(timeout=5))[0]
        assert await wire.receive_output(timeout=5) == {"type": "websocket.close", "code": 4404}


# Refusals.


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
            while (end := await two.wire.receive_output(timeout=5))["type"] != "websocket.close":
                pass
        assert end["code"] == 4408
        view = await one.until(lambda view: view["sides"][1]["presence"] == "lost")
        assert view["sides"][1]["claim_from"] == view["sides"][1]["since"] + 120_000
        async with enter(rival, race):
            await one.until(lambda view: view["sides"][1]["claim_from"] is None)


# The ends.


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


# After the end.


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


# Failures on the way.


async def test_a_database_that_fails_loses_neither_the_race_nor_its_start(
    enter: Enter, owner: User, rival: User, race: Race, monkeypatch: pytest.MonkeyPatch
) -> None:
    def away(records: object) -> None:
        raise DatabaseError("gone")

    async with enter(owner, race) as one, enter(rival, race) as two:
        await one.do("ready")
        with monkeypatch.context() as patch:
            patch.setattr(journal, "_write", away)
            assert (await two.do("ready"))["code"] == "unavailable"
        await two.do("ready")
        with monkeypatch.context() as patch:
            patch.setattr(journal, "_write", away)
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
