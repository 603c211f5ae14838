"""The server process: Daphne with what it lacks, bounds on what a client can make it keep and an end that loses nobody.

What is served stands in asgi.py, with which options in bin/serve. Why it is so: docs/decisions/0031.
"""

import asyncio
import resource
from contextlib import suppress
from functools import partial
from typing import Any

from autobahn.exception import Disconnected
from daphne import cli, http_protocol, server, ws_protocol

from config import health

UNREAD = 200  # messages of one socket that wait to be read; who sends more meanwhile is no player
GRACE = 8.0  # seconds that sockets and requests may take to end; after 30 in all the process is killed (deploy/)
BACKLOG = 1024  # clients that may wait to be taken in, as when all come back after a restart
WHOLE_TEXT, MASKED = 0x81, 0x80  # a frame's first byte, and what is added to the length in its second one
HEAD, SHORT = 6, 125  # bytes before a text whose length is told there, and the longest such
A_SECOND = 250  # sockets sent away in one second, so that those who take them in can keep up


class Inbox:
    """What a client has said and the application has not read yet. An asyncio.Queue takes 3 KiB while it is empty."""

    def __init__(self) -> None:
        self._messages: list[dict[str, Any]] = []
        self._reader: asyncio.Future[None] | None = None  # there while the application waits

    def qsize(self) -> int:
        """How many messages wait."""
        return len(self._messages)

    def put_nowait(self, message: dict[str, Any]) -> None:
        """Say one more thing to the application."""
        self._messages.append(message)
        if self._reader and not self._reader.done():
            self._reader.set_result(None)

    async def get(self) -> dict[str, Any]:
        """The next thing that was said, as soon as there is one."""
        while not self._messages:
            self._reader = asyncio.get_running_loop().create_future()
            await self._reader
        return self._messages.pop(0)


class Waits:
    """Has the application wait for a slow reader. The transport says when to stop writing and when to go on."""

    written: asyncio.Event | None = None  # there while more waits to be sent than the transport cares to keep

    def pauseProducing(self) -> None:
        self.written = asyncio.Event()

    def resumeProducing(self) -> None:
        if self.written:
            self.written.set()
            self.written = None

    stopProducing = resumeProducing


class Answer(Waits, http_protocol.WebRequest):
    """An answer to a request for a page; a long file is made only as fast as it is read."""

    def handle_reply(self, message: dict[str, Any]) -> None:
        if message["type"] == "http.response.start" and self.channel and not self.producer:
            self.registerProducer(self, streaming=True)
            self.notifyFinish().addBoth(lambda _: self.resumeProducing())  # if nobody is there to read any more
        super().handle_reply(message)

    def finish(self) -> None:
        if self.producer:
            self.unregisterProducer()
        super().finish()


class Protocol(Waits, ws_protocol.WebSocketProtocol):
    """A websocket that waits for a slow reader, and that drops who sends without end."""

    let_in = False

    def onConnect(self, request: Any) -> Any:
        """Take a client in, unless the process is ending or full: then a proxy tries the next one."""
        self.server = self.factory.server_class
        if health.draining.is_set() or self.server.held >= self.server.most:
            raise ws_protocol.ConnectionDeny(503, "Service Unavailable")
        self.let_in = True
        self.server.held += 1
        return super().onConnect(request)

    def onOpen(self) -> None:
        """From now on the transport says when to stop writing and when to go on."""
        self.transport.producer.requests.clear()  # of the HTTP channel that it was before: a circle
        self._forget_the_handshake()
        self.unregisterProducer()
        self.registerProducer(self, streaming=True)
        super().onOpen()

    def _forget_the_handshake(self) -> None:
        """Drop what nobody asks for any more, 2 KiB of each socket for as long as it is open."""
        self.request.headers = self.request.params = None
        self.http_request_data = self.http_status_line = self.http_headers = self.http_request_params = None
        self.send_queue = ()  # of writes in pieces, which Daphne never asks for

    def dataReceived(self, data: bytes) -> None:
        """Read what players say past Autobahn, which takes 30 µs for each; all else is for it."""
        if text := self._short_text(data):
            self.onMessage(text, False)
        else:  # not its dataReceived, which describes each chunk in a log line first
            self._dataReceived(data)

    def _short_text(self, data: bytes) -> bytes | None:
        """The text, if these are one whole frame of few letters, between two messages of an open socket."""
        length = len(data) - HEAD
        if data[0] != WHOLE_TEXT or not 0 < length <= SHORT or data[1] != MASKED + length:
            return None
        if self.state != self.STATE_OPEN or self.data or self.current_frame or self.inside_message:
            return None
        if self.autoPingTimeoutCall:  # it is asked whether it is there, and any answer will do
            return None
        mask = (data[2:HEAD] * (length // 4 + 1))[:length]
        text = (int.from_bytes(data[HEAD:]) ^ int.from_bytes(mask)).to_bytes(length)
        return text if text.isascii() else None

    def sendData(self, data: bytes, sync: bool = False, chopsize: int | None = None) -> None:
        self.transport.write(data)  # it would be described in a log line as well

    def onMessage(self, payload: bytes, isBinary: bool) -> None:
        if self.application_queue.qsize() < UNREAD:
            super().onMessage(payload, isBinary)
        else:
            self.dropConnection(abort=True)

    def connectionLost(self, reason: Any) -> None:
        """Leave nothing behind that holds itself: it would wait for the collector, which comes seldom."""
        super().connectionLost(reason)
        self.is_closed = None

    def onClose(self, wasClean: bool, code: int | None, reason: str | None) -> None:
        if self.let_in:
            self.server.held -= 1
            super().onClose(wasClean, code, reason)


class Server(server.Server):
    """Sends back-pressure on to applications, and everybody to another process before it ends."""

    held = 0  # websockets

    def __init__(self, application: Any, endpoints: list[str], **options: Any) -> None:
        listening = [f"{one}:backlog={BACKLOG}" if one.startswith("tcp:") else one for one in endpoints]
        super().__init__(application, endpoints=listening, **options)
        from django.conf import settings  # the application is loaded by now

        self.most, self.linger = settings.MOST_CONNECTIONS, settings.DRAIN_SECONDS

    def create_application(self, protocol: Any, scope: dict[str, Any]) -> Inbox:
        """As Daphne's own, with an inbox."""
        inbox = Inbox()
        scope["asgi"] = {"version": "3.0"}
        run = self.application(scope=scope, receive=inbox.get, send=partial(self.handle_reply, protocol))
        self.connections[protocol]["application_instance"] = asyncio.ensure_future(run)
        return inbox

    async def handle_reply(self, protocol: Any, message: dict[str, Any]) -> None:
        try:
            await super().handle_reply(protocol, message)
        except Disconnected:  # the other end has gone; the application is about to hear of it
            return
        if written := getattr(protocol, "written", None):
            await written.wait()

    def kill_all_applications(self) -> Any:
        """Daphne's last act on SIGTERM; the reactor goes on until it is over."""
        return server.defer.Deferred.fromFuture(asyncio.ensure_future(self._drain()))

    async def _drain(self) -> None:
        health.draining.set()
        with suppress(TimeoutError):
            async with asyncio.timeout(self.linger + GRACE):
                await self._send_away()
                await asyncio.sleep(self.linger)  # a proxy takes its time to notice; it is told 503 meanwhile
                while any("disconnected" not in details for details in self.connections.values()):
                    await asyncio.sleep(0.05)
        await self._kill()

    async def _send_away(self) -> None:
        """Have each socket finish what it is about, then close, with a word to come back."""
        sockets = [one for one in self.connections if isinstance(one, Protocol) and hasattr(one, "application_queue")]
        for socket in sockets:
            socket.application_queue.put_nowait({"type": "websocket.drain"})
            await asyncio.sleep(min(1 / A_SECOND, GRACE / 2 / len(sockets)))

    async def _kill(self) -> None:
        left = [details["application_instance"] for details in self.connections.values() if len(details) > 1]
        for application in left:
            application.cancel()
        await asyncio.gather(*left, return_exceptions=True)


class CommandLineInterface(cli.CommandLineInterface):
    """Daphne's own, with this server."""

    server_class = Server


def main() -> None:
    """Serve, with as many open sockets as the system lets this process have."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    ws_protocol.WebSocketFactory.protocol = Protocol
    http_protocol.WebRequest = Answer
    CommandLineInterface.entrypoint()


if __name__ == "__main__":
    main()
