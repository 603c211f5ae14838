"""The wire from one end to the other: what is answered, what is refused, and what is in the log afterwards."""

import asyncio

import pytest
from channels.db import database_sync_to_async
from django.db import DatabaseError

from accounts.models import User
from games import services
from games.live import tables
from games.live.attempts import AttemptRecord
from games.models import Attempt, Entry
from tests.games.conftest import ORIGIN, Player, Sit, wire_for

pytestmark = pytest.mark.django_db(transaction=True)


@database_sync_to_async
def log_of(attempt: Attempt) -> list[str]:
    return list(Entry.objects.filter(attempt=attempt).order_by("number").values_list("text", flat=True))


@database_sync_to_async
def stored(attempt: Attempt) -> Attempt:
    return Attempt.objects.get(pk=attempt.pk)


async def test_a_move_is_answered_with_the_new_table_and_is_in_the_log(sit: Sit, owner: User, attempt: Attempt) -> None:
    async with sit(owner, attempt.code) as player:
        assert player.table["version"] == 0
        assert player.table["moves"] == ["stock>turned"]
        answer = await player.do("stock>turned")
    assert (answer["version"], answer["last"], answer["count"]) == (1, "stock>turned", 1)
    assert len(answer["piles"]["turned"]) == 1
    assert await log_of(attempt) == ["stock>turned"]
    kept = await stored(attempt)
    assert (kept.version, kept.moves, kept.outcome) == (1, 1, "playing")


@pytest.mark.parametrize(
    ("entry", "code"),
    [
        ("reserve>waste1", "illegal"),
        ("waste9>waste1", "illegal"),
        ("turned>waste1", "illegal"),
        ("undo", "illegal"),
        ("finish", "illegal"),
        ("reveal", "illegal"),
        ("nonsense!", "malformed"),
        ("stock>turned:1", "malformed"),
    ],
)
async def test_a_refusal_says_why_shows_the_table_and_changes_nothing(
    sit: Sit, owner: User, attempt: Attempt, entry: str, code: str
) -> None:
    async with sit(owner, attempt.code) as player:
        before = player.table
        answer = await player.do(entry)
        assert (answer["type"], answer["code"]) == ("refused", code)
        assert answer["why"]
        assert player.table == before
    assert await log_of(attempt) == []


@pytest.mark.parametrize(
    ("query", "why"),
    [
        ("", "There is nothing to undo."),
        ("?lang=de", "Es gibt nichts zurückzunehmen."),
        ("?lang=ru", "Отменять нечего."),
        ("?lang=fr", "There is nothing to undo."),
        ("?lang=%FF", "There is nothing to undo."),
    ],
)
async def test_a_refusal_speaks_the_language_of_the_page(owner: User, attempt: Attempt, query: str, why: str) -> None:
    wire = await wire_for(owner, attempt.code, query=query)
    await wire.connect()
    player = Player(wire, {})
    await player.hear()
    assert (await player.do("undo"))["why"] == why
    await wire.disconnect()


@pytest.mark.parametrize(
    "text",
    [
        " ",
        "[]",
        "{}",
        '{"type":"do"}',
        '{"type":"do","version":-1,"entry":"undo"}',
        '{"type":"do","version":0,"entry":"undo","more":1}',
        '{"type":"do","version":0.5,"entry":"undo"}',
        '{"type":"nothing"}',
        "\x00",
        "[" * 1000,
        '{"type":"do","version":0,"entry":"' + "x" * 500 + '"}',
    ],
)
async def test_what_is_no_request_is_malformed(sit: Sit, owner: User, attempt: Attempt, text: str) -> None:
    async with sit(owner, attempt.code) as player:
        await player.wire.send_to(text_data=text)
        assert (await player.hear())["code"] == "malformed"
        assert (await player.hear())["version"] == 0
        await player.wire.send_to(bytes_data=b"\xff\xfe")
        assert (await player.hear())["code"] == "malformed"


async def test_the_reason_is_in_the_readers_words(sit: Sit, owner: User, attempt: Attempt) -> None:
    async with sit(owner, attempt.code) as player:
        await player.do("stock>turned")
        answer = await player.do("stock>turned")
    assert answer["why"] == "First find a place for the card that is turned."


async def test_of_two_tabs_one_wins_a_version_and_both_see_the_newest(sit: Sit, owner: User, attempt: Attempt) -> None:
    async with sit(owner, attempt.code) as one, sit(owner, attempt.code) as two:
        await one.do("stock>turned")
        assert (await two.hear())["version"] == 1
        moves = one.table["moves"]
        await one.do(moves[0])
        assert (await two.do("restart", version=1))["version"] in (2, 1)
        await asyncio.sleep(0.1)
    assert await log_of(attempt) == ["stock>turned", moves[0]]


async def test_a_rival_for_a_version_hears_stale(sit: Sit, owner: User, attempt: Attempt) -> None:
    async with sit(owner, attempt.code) as player:
        await player.do("stock>turned")
        await player.do("undo")
        answer = await player.do("give-up", version=1)
        assert (answer["code"], player.table["version"]) == ("stale", 2)
        assert (await player.do("stock>turned", version=7))["code"] == "stale"
    assert await log_of(attempt) == ["stock>turned", "undo"]


async def test_a_move_sent_again_counts_once(sit: Sit, owner: User, attempt: Attempt) -> None:
    async with sit(owner, attempt.code) as player:
        await player.do("stock>turned")
        for _ in range(3):
            answer = await player.do("stock>turned", version=0)
            assert (answer["type"], answer["version"]) == ("table", 1)
    assert await log_of(attempt) == ["stock>turned"]


async def test_moves_sent_at_once_are_taken_in_order(sit: Sit, owner: User, attempt: Attempt) -> None:
    async with sit(owner, attempt.code) as player:
        for version, entry in enumerate(["stock>turned", "undo", "redo", "undo", "redo"]):
            await player.say(type="do", version=version, entry=entry)
        while player.table["version"] < 5:
            assert (await player.hear())["type"] == "table"
    assert await log_of(attempt) == ["stock>turned", "undo", "redo", "undo", "redo"]


async def test_undo_redo_restart_give_up(sit: Sit, owner: User, attempt: Attempt) -> None:
    async with sit(owner, attempt.code) as player:
        start = player.table
        turned = await player.do("stock>turned")
        back = await player.do("undo")
        assert back["piles"] == start["piles"]
        assert (back["undo"], back["redo"], back["undos"]) == (False, True, 1)
        assert (await player.do("redo"))["piles"] == turned["piles"]
        again = await player.do("restart")
        assert (again["piles"], again["count"], again["undo"]) == (start["piles"], 0, True)
        assert (await player.do("undo"))["piles"] == turned["piles"]
        over = await player.do("give-up")
        assert (over["outcome"], over["closed"], over["moves"]) == ("given-up", True, [])
        for entry in ("undo", "stock>turned", "give-up", "restart"):
            assert (await player.do(entry))["code"] == "over"
    kept = await stored(attempt)
    assert (kept.outcome, kept.closed, kept.restarts, kept.undos) == ("given-up", True, 1, 2)
    assert kept.ended_at is not None


async def test_only_the_owner_sits_at_the_table(owner: User, stranger: User, attempt: Attempt) -> None:
    cases = ((stranger, attempt.code, 4404), (None, attempt.code, 4403), (owner, "nosuchcode22", 4404))
    for user, code, end in cases:
        wire = await wire_for(user, code)
        assert (await wire.connect())[0]
        assert await wire.receive_output() == {"type": "websocket.close", "code": end}
    assert await log_of(attempt) == []


async def test_another_sites_page_cannot_open_a_socket(owner: User, attempt: Attempt) -> None:
    for headers in ([(b"origin", b"http://elsewhere.example"), ORIGIN[1]], [ORIGIN[1]]):
        wire = await wire_for(owner, attempt.code, headers)
        assert not (await wire.connect())[0]


async def test_too_big_a_message_closes_the_socket(sit: Sit, owner: User, attempt: Attempt) -> None:
    wire = await wire_for(owner, attempt.code)
    await wire.connect()
    await wire.receive_from()
    await wire.send_to(text_data="x" * 2000)
    assert await wire.receive_output() == {"type": "websocket.close", "code": 4413}


async def test_a_flood_is_refused_and_honest_bursts_pass(
    sit: Sit, owner: User, attempt: Attempt, settings: object
) -> None:
    settings.REQUESTS_PER_SECOND, settings.REQUEST_BURST = 0.001, 12  # type: ignore[attr-defined]
    async with sit(owner, attempt.code) as player:
        for version, entry in enumerate(["stock>turned"] + ["undo", "redo"] * 5):
            assert (await player.do(entry))["version"] == version + 1
        await player.do("undo")
        assert (await player.do("redo"))["code"] == "too-fast"
        for _ in range(12):
            await player.say(type="ping", version=0)
        while (event := await player.wire.receive_output())["type"] != "websocket.close":
            pass
        assert event["code"] == 4429
    assert len(await log_of(attempt)) == 12


async def test_a_ping_tells_the_version_and_heals_a_table_that_fell_behind(
    sit: Sit, owner: User, attempt: Attempt
) -> None:
    async with sit(owner, attempt.code) as player:
        await player.say(type="ping", version=0)
        assert await player.hear() == {"type": "pong", "version": 0}
        await player.do("stock>turned")
        await player.say(type="ping", version=0)
        assert await player.hear() == {"type": "pong", "version": 1}
        assert (await player.hear())["version"] == 1


async def test_a_database_that_fails_loses_nothing(
    sit: Sit, owner: User, attempt: Attempt, monkeypatch: pytest.MonkeyPatch
) -> None:
    def away(records: object) -> None:
        raise DatabaseError("gone")

    async with sit(owner, attempt.code) as player:
        await player.do("stock>turned")
        with monkeypatch.context() as patch:
            patch.setattr(AttemptRecord, "write", away)
            answer = await player.do(player.table["moves"][0])
            assert (answer["code"], player.table["version"]) == ("unavailable", 1)
        assert (await player.do(player.table["moves"][0]))["version"] == 2
    assert len(await log_of(attempt)) == 2


async def test_an_entry_from_another_process_is_found_out(sit: Sit, owner: User, attempt: Attempt) -> None:
    async with sit(owner, attempt.code) as player:
        table = await tables.open_table(attempt.pk)
        await services.enter(attempt_id=attempt.pk, version=0, entry="stock>turned")
        await player.hear()
        tables._open[attempt.pk] = await database_sync_to_async(tables._load)(attempt.pk)
        await services.enter(attempt_id=attempt.pk, version=1, entry="undo")
        await player.hear()
        tables._open[attempt.pk] = table  # this process did not hear of the undo
        answer = await player.do("give-up", version=1)
        assert (answer["code"], player.table["version"], player.table["last"]) == ("stale", 2, "undo")
    assert await log_of(attempt) == ["stock>turned", "undo"]


async def test_whoever_sits_down_again_sees_what_was_played_at_another_process(
    sit: Sit, owner: User, attempt: Attempt
) -> None:
    async with sit(owner, attempt.code):
        table = await tables.open_table(attempt.pk)
        await services.enter(attempt_id=attempt.pk, version=0, entry="stock>turned")
        tables._open[attempt.pk] = await database_sync_to_async(tables._load)(attempt.pk)
        await services.enter(attempt_id=attempt.pk, version=1, entry="undo")
        tables._open[attempt.pk] = table  # this process did not hear of the undo
        async with sit(owner, attempt.code) as again:
            assert again.table["version"] == 2


async def test_one_bad_entry_in_a_batch_fails_alone(owner: User, rival: User) -> None:
    attempts = [
        await database_sync_to_async(services.start)(player=user, game="frog", kind="shuffled")
        for user in (owner, rival, owner, rival)
    ]
    stale = await tables.open_table(attempts[1].pk)
    await services.enter(attempt_id=attempts[1].pk, version=0, entry="stock>turned")
    tables._open[attempts[1].pk] = await database_sync_to_async(tables._load)(attempts[1].pk)
    tables._open[attempts[1].pk].line = stale.line.begin(stale.line.game, stale.line.start)
    results = await asyncio.gather(
        *(services.enter(attempt_id=attempt.pk, version=0, entry="stock>turned") for attempt in attempts),
        return_exceptions=True,
    )
    assert [type(result) for result in results] == [type(None), services.Denied, type(None), type(None)]
    for attempt in attempts:
        assert await log_of(attempt) == ["stock>turned"]


async def test_other_addresses_have_no_socket(owner: User) -> None:
    wire = await wire_for(owner, "x/../../elsewhere")
    assert not (await wire.connect())[0]


async def test_a_silent_client_is_let_go(
    sit: Sit, owner: User, attempt: Attempt, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("games.sockets.SILENCE", 0.2)
    async with sit(owner, attempt.code) as player:
        assert await player.wire.receive_output() == {"type": "websocket.close", "code": 4408}
