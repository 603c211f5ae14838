"""Nudges between processes: no move waits for them, and no failure ends them."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import pytest
from pytest_django import Settings

from games.live import hub


class Layer:
    """A channel layer of which the test holds both ends."""

    def __init__(self) -> None:
        self.open = asyncio.Event()
        self.open.set()
        self.sent: list[list[int]] = []
        self.incoming: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        self.failures = 0

    async def new_channel(self) -> str:
        return "channel"

    async def group_add(self, group: str, channel: str) -> None: ...

    async def group_send(self, group: str, message: dict[str, Any]) -> None:
        await self.open.wait()
        if self.failures:
            self.failures -= 1
            raise ConnectionError
        self.sent.append(sorted(number for _, number, _ in message["topics"]))

    async def receive(self, channel: str) -> dict[str, Any]:
        return await self.incoming.get()

    async def bring(self, *attempts: int, process: str = "another") -> None:
        await self.incoming.put(
            {"type": "nudge", "topics": [["attempt", number, 2] for number in attempts], "process": process}
        )
        await asyncio.sleep(0.01)


@pytest.fixture
async def layer(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Layer]:
    layer = Layer()
    settings.REDIS_URL = "redis://nowhere"
    monkeypatch.setattr(hub, "get_channel_layer", lambda: layer)
    monkeypatch.setattr(hub, "_wires", {})
    monkeypatch.setattr(hub, "_on_nudge", {})
    yield layer
    for wire in hub._wires.values():
        for task in wire._tasks:
            task.cancel()


async def test_what_changes_while_the_layer_hangs_goes_out_together(layer: Layer) -> None:
    layer.open.clear()
    for attempt_id in (1, 2, 2, 3):
        hub.nudge(hub.Topic("attempt", attempt_id))
        await asyncio.sleep(0.001)
    layer.open.set()
    await asyncio.sleep(0.01)
    assert layer.sent == [[1], [2, 3]]


async def test_a_nudge_that_fails_is_lost_alone(layer: Layer) -> None:
    layer.failures = 1
    for attempt_id in (1, 2):
        hub.nudge(hub.Topic("attempt", attempt_id))
        await asyncio.sleep(0.01)
    assert layer.sent == [[2]]


async def test_only_what_is_listened_to_and_comes_from_elsewhere_is_looked_up(layer: Layer) -> None:
    looked_up = []

    async def refresh(attempt_id: int) -> None:
        looked_up.append(attempt_id)
        if len(looked_up) == 1:
            raise LookupError

    async def send(message: dict[str, Any]) -> None: ...

    hub.on_nudge("attempt", refresh)
    outbox = hub.Outbox(send)
    hub.listen(hub.Topic("attempt", 7), outbox)
    await layer.bring(7, 8)
    await layer.bring(7, process=hub.PROCESS)
    await layer.bring(7)
    assert looked_up == [7, 7]
    hub.leave(hub.Topic("attempt", 7), outbox)
    await layer.bring(7)
    assert looked_up == [7, 7]


async def test_what_changes_again_before_its_turn_is_looked_up_once(layer: Layer) -> None:
    looked_up = []
    turn = asyncio.Semaphore(0)

    async def refresh(attempt_id: int) -> None:
        looked_up.append(attempt_id)
        await turn.acquire()

    async def send(message: dict[str, Any]) -> None: ...

    hub.on_nudge("attempt", refresh)
    outbox = hub.Outbox(send)
    for number in (7, 8):
        hub.listen(hub.Topic("attempt", number), outbox)
    for numbers in ((7,), (8,), (7, 8), (7,)):
        await layer.bring(*numbers)
    assert looked_up == [7]
    for _ in range(4):
        turn.release()
    await asyncio.sleep(0.01)
    assert looked_up == [7, 8, 7]
    for number in (7, 8):
        hub.leave(hub.Topic("attempt", number), outbox)


async def test_those_who_watch_in_another_process_are_counted_until_it_is_silent(
    layer: Layer, monkeypatch: pytest.MonkeyPatch
) -> None:
    topic = hub.Topic("attempt", 7)

    async def nothing(_number: int) -> None: ...

    async def send(message: dict[str, Any]) -> None: ...

    hub.on_nudge("attempt", nothing)
    outbox = hub.Outbox(send)
    hub.listen(topic, outbox, 1)
    await layer.bring(7)
    await layer.bring(7)
    assert hub.watching(topic) == 2
    assert layer.sent == [[7]]  # the other process was told of ours, once
    monkeypatch.setattr(hub, "TRUST", 0)
    assert hub.watching(topic) == 0
    hub.leave(topic, outbox)
    assert topic not in hub._elsewhere
