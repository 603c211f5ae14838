"""Who listens to what, and nudges between processes. What is said to whom is decided elsewhere."""

import asyncio
import logging
import secrets
import time
from collections.abc import Awaitable, Callable
from contextvars import Context
from typing import Any, NamedTuple

from channels.layers import get_channel_layer
from django.conf import settings

logger = logging.getLogger(__name__)
GROUP = "nudges"
PROCESS = secrets.token_hex(8)
NOTES = 50  # said to one socket and not sent yet; a client that reads nothing gets no more

Send = Callable[[dict[str, Any]], Awaitable[None]]


class Topic(NamedTuple):
    """What can be listened to: an attempt, a race."""

    kind: str
    id: int


class Outbox:
    """What one socket is still to be sent: of each board only the newest view, so a slow reader delays nobody.

    A socket that has answered sends what it said by `flush`; for what others say a task comes by itself.
    """

    def __init__(self, send: Send) -> None:
        self._send = send
        self._boards: dict[str, str] = {}
        self._notes: list[str] = []
        self._end = 0
        self._soon: asyncio.Handle | None = None  # there while a writer is to be called
        self._writer: asyncio.Task[None] | None = None
        self._writing = False  # the writer or the socket itself is about it

    def show(self, board: str, text: str) -> None:
        """Send a view, unless a newer one of the same board comes first."""
        self._boards[board] = text
        self._wake()

    def say(self, text: str) -> None:
        """Send a note, before any view that is waiting."""
        if len(self._notes) < NOTES:
            self._notes.append(text)
            self._wake()

    def close(self, code: int) -> None:
        """Send what is waiting, then close the socket."""
        self._end = code
        self._wake()

    async def flush(self) -> None:
        """Send what is waiting, unless the writer is about it."""
        if not self._writing:
            self._writing = True
            await self._write()

    def stop(self) -> None:
        """Send nothing more by itself."""
        for one in (self._soon, self._writer):
            if one:
                one.cancel()
        self._soon = self._writer = None
        self._writing = False

    def _wake(self) -> None:
        if not (self._writing or self._soon):
            self._soon = asyncio.get_running_loop().call_soon(self._call_writer)

    def _call_writer(self) -> None:
        self._soon = None
        if not self._writing and (self._notes or self._boards or self._end):  # or the socket has sent it meanwhile
            self._writing = True
            self._writer = asyncio.create_task(self._write())

    async def _write(self) -> None:
        """Send what is waiting, and what is said meanwhile."""
        try:
            while texts := [*self._notes, *self._boards.values()]:
                self._notes.clear()
                self._boards.clear()
                for text in texts:
                    await self._send({"type": "websocket.send", "text": text})
            if self._end:
                await self._send({"type": "websocket.close", "code": self._end})
        finally:
            self._writing = False


WATCHING = 0  # the audience of those who only look on
TRUST = 90.0  # seconds that a number told by another process is believed; it may have died since

_listeners: dict[Topic, dict[Outbox, int]] = {}
_told: dict[Topic, float] = {}  # when this process last reminded the others of a topic
_elsewhere: dict[Topic, dict[str, tuple[int, float]]] = {}  # by process: how many watch there, and when it said so
_on_nudge: dict[str, Callable[[int], Awaitable[None]]] = {}


def listen(topic: Topic, outbox: Outbox, audience: int = WATCHING) -> None:
    """Let a socket get every new view of a topic, as it is made for this audience."""
    _listeners.setdefault(topic, {})[outbox] = audience
    if settings.REDIS_URL:
        _wire()


def leave(topic: Topic, outbox: Outbox) -> bool:
    """The end of `listen`. True if nobody listens to the topic any more."""
    listeners = _listeners.get(topic, {})
    listeners.pop(outbox, None)
    if not listeners:
        _listeners.pop(topic, None)
        _elsewhere.pop(topic, None)
        _told.pop(topic, None)
    return not listeners


def show(topic: Topic, board: str, *texts: str) -> bool:
    """Show each audience its view, to all who listen in this process. False if nobody does."""
    listeners = _listeners.get(topic, {})
    for outbox, audience in listeners.items():
        outbox.show(board, texts[audience])
    return bool(listeners)


def audience(topic: Topic, number: int) -> int:
    """How many sockets of this process listen in an audience."""
    return sum(one == number for one in _listeners.get(topic, {}).values())


def watching(topic: Topic) -> int:
    """How many watch a topic, in all processes, as far as known."""
    now = time.monotonic()
    others = sum(count for count, at in _elsewhere.get(topic, {}).values() if now - at < TRUST)
    return audience(topic, WATCHING) + others


def _heard(topic: Topic, process: str, count: int) -> None:
    """Another process says how many watch there; one that spoke for the first time is told of ours."""
    told = _elsewhere.setdefault(topic, {})
    if process not in told:
        nudge(topic)
    told[process] = (count, time.monotonic())


def on_nudge(kind: str, refresh: Callable[[int], Awaitable[None]]) -> None:
    """Have `refresh` called with the id of a topic of this kind that another process has changed."""
    _on_nudge[kind] = refresh


def nudge(topic: Topic) -> None:
    """Tell the other processes, soon, that a topic has changed; no card leaves."""
    if settings.REDIS_URL:
        _wire().tell(topic)


def remind(topic: Topic) -> None:
    """Tell them again how many watch here, before they stop believing it."""
    now = time.monotonic()
    if now - _told.get(topic, 0.0) > TRUST / 3:
        _told[topic] = now
        nudge(topic)


class Wire:
    """This process's end of what goes between processes. A lost nudge does no harm: sockets catch up by their pings.

    Moves do not wait for it, however slow Redis is: what has changed meanwhile goes out together.
    """

    def __init__(self) -> None:
        self._layer: Any = get_channel_layer()
        self._changed: set[Topic] = set()
        self._waiting = asyncio.Event()
        self._news: dict[Topic, None] = {}  # heard of and not looked at yet, the first one first
        self._heard = asyncio.Event()
        # In a context of their own: that of a page that came first would lead them to its thread, which has ended.
        tasks = (self._talk, self._hear, self._catch_up)
        self._tasks = [asyncio.create_task(task(), context=Context()) for task in tasks]

    def tell(self, topic: Topic) -> None:
        """Put a topic on the next message."""
        self._changed.add(topic)
        self._waiting.set()

    async def _talk(self) -> None:
        task = asyncio.current_task()
        while not (task and task.cancelling()):  # Redis's client may keep to itself that it was called off
            await self._waiting.wait()
            self._waiting.clear()
            topics = [(*topic, audience(topic, WATCHING)) for topic in self._changed]
            message = {"type": "nudge", "topics": topics, "process": PROCESS}
            self._changed.clear()
            try:
                await self._layer.group_send(GROUP, message)
            except Exception as error:
                logger.warning("no nudge could be sent: %s", error)

    async def _hear(self) -> None:
        channel = await self._joined()
        while True:
            message = await self._layer.receive(channel)
            if message["process"] == PROCESS:
                continue
            for kind, number, count in message["topics"]:
                topic = Topic(kind, number)
                if topic in _listeners:
                    _heard(topic, message["process"], count)
                    self._news[topic] = None
                    self._heard.set()

    async def _catch_up(self) -> None:
        """Look at what has changed. What changes again before its turn comes is looked at once."""
        while True:
            await self._heard.wait()
            self._heard.clear()
            while self._news:
                topic = next(iter(self._news))
                del self._news[topic]
                await _refresh(topic)

    async def _joined(self) -> str:
        """Join the other processes, however long Redis is away. Once joined, the layer finds back by itself."""
        while True:
            try:
                channel: str = await self._layer.new_channel()
                await self._layer.group_add(GROUP, channel)
                return channel
            except Exception as error:
                logger.warning("nudges cannot be heard: %s", error)
                await asyncio.sleep(1)


_wires: dict[asyncio.AbstractEventLoop, Wire] = {}


def _wire() -> Wire:
    """The wire of the running event loop; a server has one."""
    loop = asyncio.get_running_loop()
    if loop not in _wires:
        _wires[loop] = Wire()
    return _wires[loop]


async def _refresh(topic: Topic) -> None:
    try:
        await _on_nudge[topic.kind](topic.id)
    except Exception as error:  # the database may be away; the next nudge or ping tells again
        logger.warning("a nudge led nowhere: %s", error)
