"""The load client: sockets that play recorded games over and over. As lean as can be, so that the server is measured.

A websocket client of our own (RFC 6455, messages of up to 64 KiB) for that reason: of a message it reads the version.
"""

import asyncio
import base64
import os
import re
from typing import NamedTuple

VERSION = re.compile(rb'"version":(\d+)')
TEXT, CLOSE, PING, PONG = 1, 8, 9, 10
NO_MASK = b"\0\0\0\0"  # clients must mask; a mask of zeros is one, and costs this side nothing


class Seat(NamedTuple):
    """Where a socket connects, as whom, and what it plays there: a whole game with `restart` at its end."""

    port: int
    path: str
    cookie: str
    game: tuple[str, ...]


def frame(opcode: int, payload: bytes) -> bytes:
    """A message in one frame."""
    size = bytes([0x80 | len(payload)]) if len(payload) < 126 else b"\xfe" + len(payload).to_bytes(2, "big")
    return bytes([0x80 | opcode]) + size + NO_MASK + payload


class Player(asyncio.Protocol):
    """One socket of a player."""

    def __init__(self, seat: Seat) -> None:
        self.seat = seat
        self.version = 0
        self.buffer = b""
        self.loop = asyncio.get_running_loop()
        self.seated: asyncio.Future[None] = self.loop.create_future()  # the first message has come
        self.gone: asyncio.Future[None] = self.loop.create_future()

    async def sit_down(self) -> None:
        """Connect, and hear the first message."""
        await self.loop.create_connection(lambda: self, "127.0.0.1", self.seat.port)
        await self.seated

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport
        lines = (
            f"GET {self.seat.path} HTTP/1.1",
            "Host: localhost",
            "Origin: http://localhost",
            "Upgrade: websocket",
            "Connection: Upgrade",
            "Sec-WebSocket-Version: 13",
            f"Sec-WebSocket-Key: {base64.b64encode(os.urandom(16)).decode()}",
            f"Cookie: {self.seat.cookie}",
        )
        transport.write("\r\n".join([*lines, "", ""]).encode())

    def connection_lost(self, error: Exception | None) -> None:
        if not self.seated.done():
            self.seated.set_exception(error or ConnectionError(f"not let in at {self.seat.path}"))
        elif self.gone.done():
            return  # nobody waits any more
        elif error:
            self.gone.set_exception(error)
        else:
            self.gone.set_result(None)

    def data_received(self, data: bytes) -> None:
        self.buffer += data
        if self.buffer.startswith(b"HTTP"):
            _, end, rest = self.buffer.partition(b"\r\n\r\n")
            if not end:
                return
            if not self.buffer.startswith(b"HTTP/1.1 101"):  # a proxy would keep the connection for another question
                self.transport.abort()
                return
            self.buffer = rest
        while self._frame():
            pass

    def _frame(self) -> bool:
        """Take the first message out of what has come. False if it is not complete."""
        buffer = self.buffer
        if len(buffer) < 4:
            return False
        size, start = buffer[1], 2
        if size == 126:
            size, start = int.from_bytes(buffer[2:4], "big"), 4
        end = start + size
        if len(buffer) < end:
            return False
        self.buffer = buffer[end:]
        self._message(buffer[0] & 15, buffer[start:end])
        return True

    def _message(self, opcode: int, payload: bytes) -> None:
        if opcode == TEXT:
            found = VERSION.search(payload)
            assert found is not None
            self.hear(int(found[1]), payload)
        elif opcode == PING:
            self.transport.write(frame(PONG, payload))
        elif opcode == CLOSE:
            self.transport.close()

    def hear(self, version: int, payload: bytes) -> None:
        """A message has come."""
        self.version = version
        if not self.seated.done():
            self.seated.set_result(None)

    def ask(self, version: int, entry: str) -> None:
        """Send a request."""
        self.transport.write(frame(TEXT, b'{"type":"do","version":%d,"entry":"%s"}' % (version, entry.encode())))


class Loader(Player):
    """Plays at once when a move is acknowledged, or with a `pace` so many seconds after the last was due.

    Which move of its game is the next follows from the version that the server names.
    """

    def __init__(self, seat: Seat, waits: list[float], step: int, pace: float) -> None:
        super().__init__(seat)
        self.waits = waits  # seconds from the moment a move was due to its acknowledgement, of all sockets
        self.step = step  # how much higher an answer's version is than its request's; an echo's is the same
        self.pace = pace
        self.due = 0.0
        self.leaving = False  # after the next acknowledgement no other move follows

    def hear(self, version: int, payload: bytes) -> None:
        if self.seated.done():
            if version != self.version + self.step:
                raise ValueError(f"no acknowledgement of {self.version}: {payload[:200]!r}")
            self.waits.append(self.loop.time() - self.due)
            super().hear(version, payload)
            if not self.leaving:
                self.play_at(self.due + self.pace if self.pace else self.loop.time())
        else:
            super().hear(version, payload)

    def play_at(self, due: float) -> None:
        """Send the next move when it is due; if that is past, at once, and the delay counts."""
        self.due = due
        if due > self.loop.time():
            self.loop.call_at(due, self.move)
        else:
            self.move()

    def move(self) -> None:
        self.ask(self.version, self.seat.game[self.version % len(self.seat.game)])
