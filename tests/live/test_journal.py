"""The journal by itself: what commits together, what fails alone, and a thread that nothing stops."""

import asyncio
from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest
from channels.db import database_sync_to_async
from django.db import OperationalError

from accounts.models import User
from games import services
from games.live import journal
from games.live.attempts import AttemptRecord
from games.live.journal import Away, Conflict, Unavailable
from games.models import Attempt, Entry

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def records(owner: User) -> list[AttemptRecord]:
    """The first entry of four attempts."""
    attempts = [services.start(player=owner, game="frog", kind="shuffled") for _ in range(4)]
    return [first_entry(attempt) for attempt in attempts]


def first_entry(attempt: Attempt) -> AttemptRecord:
    at = datetime.now(UTC)
    return AttemptRecord(attempt.pk, 1, "stock>turned", at, False, "playing", False, 1, 0, 0, 0, 0.0)


@database_sync_to_async
def logged() -> list[tuple[int, int]]:
    return list(Entry.objects.order_by("attempt_id").values_list("attempt_id", "attempt__version"))


def failing(error: Exception, on: Callable[[AttemptRecord], bool]) -> Callable[[list[AttemptRecord]], None]:
    """A write that fails wherever such a record is in the batch."""
    write = AttemptRecord.write

    def broken(batch: list[AttemptRecord]) -> None:
        if any(map(on, batch)):
            raise error
        write(batch)

    return broken


async def submitted(records: list[AttemptRecord]) -> list[object]:
    return await asyncio.gather(*map(journal.journal.submit, records), return_exceptions=True)


@pytest.fixture
def handed(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many entries were handed over to be committed, each time."""
    handed: list[int] = []
    hand_over = journal.Journal._hand_over

    def counted(self: journal.Journal, gathered: journal._Gathered) -> None:
        handed.append(len(gathered.records))
        hand_over(self, gathered)

    monkeypatch.setattr(journal.Journal, "_hand_over", counted)
    return handed


async def submitted_after(record: AttemptRecord, rounds: int) -> None:
    """Submit when the event loop has come round so often."""
    for _ in range(rounds):
        await asyncio.sleep(0)
    await journal.journal.submit(record)


async def test_what_comes_shortly_after_one_another_is_committed_together(
    records: list[AttemptRecord], handed: list[int]
) -> None:
    await asyncio.gather(*(submitted_after(record, 2 * nth) for nth, record in enumerate(records)))
    assert handed == [4]
    assert await logged() == [(record.attempt_id, 1) for record in records]


async def test_nobody_waits_for_what_does_not_come(records: list[AttemptRecord], handed: list[int]) -> None:
    await asyncio.gather(*(submitted_after(record, 4 * nth) for nth, record in enumerate(records)))
    assert handed == [1, 1, 1, 1]


async def test_nobody_waits_for_long(
    records: list[AttemptRecord], handed: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(journal, "ROUNDS", 2)
    await asyncio.gather(*(submitted_after(record, 2 * nth) for nth, record in enumerate(records)))
    assert handed == [2, 2]


def test_an_entry_that_does_not_follow_the_log_fails_alone(records: list[AttemptRecord]) -> None:
    gap = records[1]._replace(number=3)
    results = journal._commit([records[0], gap, *records[2:], records[2]])
    assert list(map(type, results)) == [type(None), Conflict, type(None), type(None), Conflict]
    assert list(Entry.objects.values_list("number", flat=True)) == [1, 1, 1]
    assert Attempt.objects.get(pk=gap.attempt_id).version == 0


def test_when_it_was_played_follows_the_log_once_a_minute_and_at_the_end(records: list[AttemptRecord]) -> None:
    attempt = Attempt.objects.filter(pk=records[0].attempt_id)
    begun = attempt.get().touched_at
    steps = [(1, 59, False, 0), (2, 61, False, 61), (3, 120, False, 61), (4, 121, True, 121), (5, 122, False, 121)]
    steps += [(6, -9, False, -9)]  # the clock was wrong before
    for number, seconds, ended, seen in steps:
        at = begun + timedelta(seconds=seconds)
        outcome = "stuck" if ended else "playing"
        journal._commit([records[0]._replace(number=number, at=at, ended=ended, outcome=outcome)])
        row = attempt.get()
        assert (row.version, row.touched_at) == (number, begun + timedelta(seconds=seen))
        assert row.ended_at == (at if ended else None)


async def test_an_entry_that_cannot_be_written_fails_alone(
    records: list[AttemptRecord], monkeypatch: pytest.MonkeyPatch
) -> None:
    bad = records[2]
    monkeypatch.setattr(AttemptRecord, "write", failing(ValueError("odd"), on=bad.__eq__))
    results = await submitted(records)
    assert list(map(type, results)) == [type(None), type(None), Unavailable, type(None)]
    assert [pk for pk, _ in await logged()] == [record.attempt_id for record in records if record is not bad]


async def test_a_database_that_is_away_is_waited_for_once_a_batch(
    records: list[AttemptRecord], monkeypatch: pytest.MonkeyPatch
) -> None:
    tried = []
    away = failing(OperationalError("gone"), on=lambda record: True)
    with monkeypatch.context() as patch:
        patch.setattr(AttemptRecord, "write", lambda batch: (tried.append(batch), away(batch)))
        results = await database_sync_to_async(journal._commit)(records)
        assert list(map(type, results)) == [Away] * 4
        assert len(tried) == 1
        assert all(isinstance(result, Away) for result in await submitted(records))
    assert await submitted(records) == [None] * 4


async def test_nothing_stops_the_thread(records: list[AttemptRecord], monkeypatch: pytest.MonkeyPatch) -> None:
    await journal.journal.submit(records[0])
    thread = journal.journal._thread
    for error in (ValueError(), KeyError(), OperationalError(), MemoryError(), RecursionError()):
        with monkeypatch.context() as patch:
            patch.setattr(AttemptRecord, "write", failing(error, on=lambda record: True))
            with pytest.raises(Unavailable):
                await journal.journal.submit(records[1])
    await journal.journal.submit(records[1])
    assert thread is journal.journal._thread
    assert thread is not None
    assert thread.is_alive()


async def test_an_entry_is_committed_although_nobody_waits_any_more(records: list[AttemptRecord]) -> None:
    waiting = asyncio.create_task(journal.journal.submit(records[0]))
    await asyncio.sleep(0)
    waiting.cancel()
    await submitted(records[1:])
    assert len(await logged()) == 4


def test_a_loop_that_has_closed_does_not_disturb_the_others(records: list[AttemptRecord]) -> None:
    async def leave() -> None:
        asyncio.ensure_future(journal.journal.submit(records[0])).cancel()

    asyncio.run(leave())
    asyncio.run(journal.journal.submit(records[1]))
