"""The outbox of a socket: the newest view, whatever its reader does, and no more memory than that takes."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest

from games.live import hub

TOPIC = hub.Topic("attempt", 1)


class Reader:
    """The far end of a socket, which takes a message only while it is awake."""

    def __init__(self) -> None:
        self.awake = asyncio.Event()
        self.got: list[str] = []

    async def take(self, message: dict[str, Any]) -> None:
        await self.awake.wait()
        self.got.append(message["text"])


@asynccontextmanager
async def outbox_for(reader: Reader) -> AsyncIterator[hub.Outbox]:
    outbox = hub.Outbox(reader.take)
    yield outbox
    outbox.stop()


async def test_a_reader_that_sleeps_gets_the_newest_view_alone() -> None:
    reader = Reader()
    async with outbox_for(reader) as outbox:
        for version in range(1000):
            outbox.show("board", f"{version}")
            await asyncio.sleep(0)
        assert len(outbox._boards) == 1
        reader.awake.set()
        await asyncio.sleep(0.01)
    (_on_its_way, newest) = reader.got
    assert newest == "999"


async def test_what_others_say_during_an_answer_follows_it() -> None:
    reader = Reader()
    async with outbox_for(reader) as outbox:

        async def answer() -> None:
            outbox.say("answer")
            outbox.show("board", "1")
            await outbox.flush()

        answering = asyncio.create_task(answer())
        for version in range(2, 5):
            await asyncio.sleep(0)
            outbox.show("board", f"{version}")
        await asyncio.sleep(0)
        reader.awake.set()
        await answering
        assert reader.got == ["answer", "1", "4"]
        outbox.show("board", "5")
        await asyncio.sleep(0.01)
    assert reader.got == ["answer", "1", "4", "5"]


@pytest.mark.parametrize("ticks", range(8))
async def test_what_comes_at_the_end_of_another_is_not_forgotten(ticks: int) -> None:
    reader = Reader()
    reader.awake.set()
    async with outbox_for(reader) as outbox:
        outbox.show("board", "1")
        for _ in range(ticks):
            await asyncio.sleep(0)
        outbox.show("board", "2")
        await asyncio.sleep(0.01)
        assert reader.got[-1] == "2"


async def test_who_is_called_off_leaves_the_rest_to_the_next() -> None:
    reader = Reader()
    async with outbox_for(reader) as outbox:
        for ticks in range(4):
            outbox.show("board", f"{ticks}")
            for _ in range(ticks):
                await asyncio.sleep(0)
            outbox.stop()
        reader.awake.set()
        outbox.show("board", "last")
        await outbox.flush()
        assert reader.got[-1] == "last"


async def test_a_socket_sends_its_answer_itself() -> None:
    reader = Reader()
    reader.awake.set()
    async with outbox_for(reader) as outbox:
        tasks = asyncio.all_tasks()
        outbox.show("board", "answer")
        await outbox.flush()
        assert reader.got == ["answer"]
        await asyncio.sleep(0)
        assert asyncio.all_tasks() == tasks, "nobody is called to send nothing"


async def test_a_socket_that_is_closed_hears_first_what_waited() -> None:
    sent: list[dict[str, Any]] = []

    async def send(message: dict[str, Any]) -> None:
        sent.append(message)

    outbox = hub.Outbox(send)
    outbox.close(4401)
    outbox.show("board", "view")
    await asyncio.sleep(0.01)
    assert sent == [{"type": "websocket.send", "text": "view"}, {"type": "websocket.close", "code": 4401}]


async def test_boards_do_not_hide_one_another() -> None:
    reader = Reader()
    async with outbox_for(reader) as outbox:
        for version in range(3):
            outbox.show("mine", f"mine {version}")
            outbox.show("rival's", f"rival's {version}")
        reader.awake.set()
        await asyncio.sleep(0.01)
    assert reader.got == ["mine 2", "rival's 2"]


async def test_a_note_comes_before_the_view_and_few_are_kept() -> None:
    reader = Reader()
    async with outbox_for(reader) as outbox:
        outbox.show("board", "view")
        for number in range(1000):
            outbox.say(f"note {number}")
        assert len(outbox._notes) == hub.NOTES
        reader.awake.set()
        await asyncio.sleep(0.01)
    assert reader.got == [*(f"note {number}" for number in range(hub.NOTES)), "view"]


async def test_a_sleeping_reader_delays_no_other() -> None:
    asleep, awake = Reader(), Reader()
    awake.awake.set()
    async with outbox_for(asleep) as one, outbox_for(awake) as two:
        hub.listen(TOPIC, one)
        hub.listen(TOPIC, two)
        hub.show(TOPIC, "board", "view")
        await asyncio.sleep(0.01)
        assert awake.got == ["view"]
        assert hub.leave(TOPIC, one) is False
        assert hub.leave(TOPIC, two) is True
    assert hub.show(TOPIC, "board", "view") is False


async def test_each_audience_is_shown_its_own_view() -> None:
    readers = [Reader() for _ in range(3)]
    async with outbox_for(readers[0]) as watcher, outbox_for(readers[1]) as one, outbox_for(readers[2]) as two:
        for number, outbox in enumerate((watcher, one, two)):
            readers[number].awake.set()
            hub.listen(TOPIC, outbox, number)
        assert [hub.audience(TOPIC, number) for number in range(3)] == [1, 1, 1]
        hub.show(TOPIC, "board", "for watchers", "for one", "for two")
        await asyncio.sleep(0.01)
        for outbox in (watcher, one, two):
            hub.leave(TOPIC, outbox)
    assert [reader.got for reader in readers] == [["for watchers"], ["for one"], ["for two"]]
