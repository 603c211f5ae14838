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
_ears: dict[asyncio.AbstractEventLoop, asyncio.Task[None]] = {}
_on_nudge: list[Callable[[int], Awaitable[None]]] = []


def listen(attempt_id: int, outbox: Outbox) -> None:
    """Let a socket get every new view of an attempt."""
    _listeners.setdefault(attempt_id, set()).add(outbox)
    loop = asyncio.get_running_loop()
    if settings.REDIS_URL and loop not in _ears:
        _ears[loop] = loop.create_task(_hear())


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


async def nudge(attempt_id: int, version: int) -> None:
    """Tell the other processes that an attempt is at a new version; no card leaves. A lost nudge does no harm."""
    if settings.REDIS_URL:
        message = {"type": "nudge", "attempt": attempt_id, "version": version, "process": PROCESS}
        try:
            await _layer().group_send(GROUP, message)
        except Exception as error:  # Redis may be away; sockets elsewhere catch up with their next ping
            logger.warning("no nudge could be sent: %s", error)


def _layer() -> Any:
    return get_channel_layer()


async def _hear() -> None:
    """Follow the other processes' nudges for ever, whatever becomes of Redis meanwhile."""
    layer = _layer()
    while True:
        try:
            channel = await layer.new_channel()
            await layer.group_add(GROUP, channel)
            while True:
                await _heard(await layer.receive(channel))
        except Exception as error:
            logger.warning("nudges cannot be heard: %s", error)
            await asyncio.sleep(1)


async def _heard(message: dict[str, Any]) -> None:
    if message["process"] != PROCESS and message["attempt"] in _listeners:
        for refresh in _on_nudge:
            await refresh(message["attempt"])
