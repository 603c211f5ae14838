"""The outbox of a socket: the newest view, whatever its reader does, and no more memory than that takes."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

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
    writer = asyncio.create_task(outbox.run())
    yield outbox
    writer.cancel()


async def test_a_reader_that_sleeps_gets_the_newest_view_alone() -> None:
    reader = Reader()
    async with outbox_for(reader) as outbox:
        for version in range(1000):
            outbox.show("board", f"{version}")
            await asyncio.sleep(0)
        assert len(outbox._boards) == 1
        reader.awake.set()
        await asyncio.sleep(0.01)
    assert reader.got == ["0", "999"]  # the first was on its way when the others came


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
