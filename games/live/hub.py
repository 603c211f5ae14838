"""Who listens to which attempt, and nudges between processes. What is said to whom is decided elsewhere."""

import asyncio
import logging
import secrets
from collections.abc import Awaitable, Callable
from typing import Any

from channels.layers import get_channel_layer
from django.conf import settings

logger = logging.getLogger(__name__)
GROUP = "nudges"
PROCESS = secrets.token_hex(8)
NOTES = 50  # said to one socket and not sent yet; a client that reads nothing gets no more

Send = Callable[[dict[str, Any]], Awaitable[None]]


class Outbox:
    """What one socket is still to be sent: of each board only the newest view, so a slow reader delays nobody."""

    def __init__(self, send: Send) -> None:
        self._send = send
        self._boards: dict[str, str] = {}
        self._notes: list[str] = []
        self._waiting = asyncio.Event()

    def show(self, board: str, text: str) -> None:
        """Send a view, unless a newer one of the same board comes first."""
        self._boards[board] = text
        self._waiting.set()

    def say(self, text: str) -> None:
        """Send a note, before any view that is waiting."""
        if len(self._notes) < NOTES:
            self._notes.append(text)
            self._waiting.set()

    async def run(self) -> None:
        """Send what comes in, until cancelled."""
        while True:
            await self._waiting.wait()
            self._waiting.clear()
            texts = [*self._notes, *self._boards.values()]
            self._notes.clear()
            self._boards.clear()
            for text in texts:
                await self._send({"type": "websocket.send", "text": text})


_listeners: dict[int, set[Outbox]] = {}
_on_nudge: list[Callable[[int], Awaitable[None]]] = []


def listen(attempt_id: int, outbox: Outbox) -> None:
    """Let a socket get every new view of an attempt."""
    _listeners.setdefault(attempt_id, set()).add(outbox)
    if settings.REDIS_URL:
        _wire()


def leave(attempt_id: int, outbox: Outbox) -> bool:
    """The end of `listen`. True if nobody listens to the attempt any more."""
    listeners = _listeners.get(attempt_id, set())
    listeners.discard(outbox)
    if not listeners:
        _listeners.pop(attempt_id, None)
    return not listeners


def show(attempt_id: int, board: str, text: str) -> bool:
    """Show a view to all who listen in this process. False if nobody does."""
    listeners = _listeners.get(attempt_id, set())
    for outbox in listeners:
        outbox.show(board, text)
    return bool(listeners)


def on_nudge(refresh: Callable[[int], Awaitable[None]]) -> None:
    """Have `refresh` called with the id of an attempt that another process has changed."""
    _on_nudge.append(refresh)


def nudge(attempt_id: int) -> None:
    """Tell the other processes, soon, that an attempt has changed; no card leaves."""
    if settings.REDIS_URL:
        _wire().tell(attempt_id)


class Wire:
    """This process's end of what goes between processes. A lost nudge does no harm: sockets catch up by their pings.

    Moves do not wait for it, however slow Redis is: what has changed meanwhile goes out together.
    """

    def __init__(self) -> None:
        self._layer: Any = get_channel_layer()
        self._changed: set[int] = set()
        self._waiting = asyncio.Event()
        self._tasks = [asyncio.create_task(self._talk()), asyncio.create_task(self._hear())]

    def tell(self, attempt_id: int) -> None:
        """Put an attempt on the next message."""
        self._changed.add(attempt_id)
        self._waiting.set()

    async def _talk(self) -> None:
        while True:
            await self._waiting.wait()
            self._waiting.clear()
            message = {"type": "nudge", "attempts": list(self._changed), "process": PROCESS}
            self._changed.clear()
            try:
                await self._layer.group_send(GROUP, message)
            except Exception as error:
                logger.warning("no nudge could be sent: %s", error)

    async def _hear(self) -> None:
        channel = await self._joined()
        while True:
            message = await self._layer.receive(channel)
            if message["process"] != PROCESS:
                for attempt_id in _listeners.keys() & set(message["attempts"]):
                    await _refresh(attempt_id)

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


async def _refresh(attempt_id: int) -> None:
    try:
        for refresh in _on_nudge:
            await refresh(attempt_id)
    except Exception as error:  # the database may be away; the next nudge or ping tells again
        logger.warning("a nudge led nowhere: %s", error)
