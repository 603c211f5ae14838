"""Attempts of the cast, and sockets to play them through."""

import json
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass
from typing import Any

import pytest
from channels.db import database_sync_to_async
from django.conf import settings
from django.test import Client

from accounts.models import User
from config.asgi import application
from games import services
from games.live import hub, tables
from games.models import Attempt
from tests.wires import Wire

ORIGIN = [(b"origin", b"http://localhost"), (b"host", b"localhost")]


@pytest.fixture
def attempt(owner: User) -> Attempt:
    """The owner's new Frog."""
    return services.start(player=owner, game="frog", kind="shuffled")


@pytest.fixture(autouse=True)
def nothing_open() -> None:
    """What another test's process memory held is of no concern here."""
    tables._open.clear()
    hub._listeners.clear()


@dataclass
class Player:
    """One end of a socket, speaking the protocol."""

    wire: Wire
    table: dict[str, Any]

    async def hear(self) -> dict[str, Any]:
        message: dict[str, Any] = json.loads(await self.wire.receive_from())
        if message["type"] == "table":
            self.table = message
        return message

    async def say(self, **request: Any) -> None:
        await self.wire.send_to(text_data=json.dumps(request))

    async def do(self, entry: str, version: int | None = None) -> dict[str, Any]:
        """Ask for an entry; return the first answer, and have heard the newest table."""
        await self.say(type="do", version=self.table["version"] if version is None else version, entry=entry)
        answer = await self.hear()
        if answer["type"] == "refused":
            await self.hear()
        return answer


Sit = Callable[[User | None, str], AbstractAsyncContextManager[Player]]


def _session(user: User) -> str:
    client = Client()
    client.force_login(user, backend="django.contrib.auth.backends.ModelBackend")
    return client.cookies[settings.SESSION_COOKIE_NAME].value


async def wire_for(
    user: User | None, code: str, headers: list[tuple[bytes, bytes]] = ORIGIN, path: str = "play", query: str = ""
) -> Wire:
    """A socket, not connected yet, with the session of this user."""
    if user:
        session = await database_sync_to_async(_session)(user)
        headers = [*headers, (b"cookie", f"{settings.SESSION_COOKIE_NAME}={session}".encode())]
    return Wire(application, f"/ws/{path}/{code}/{query}", headers=headers)


@pytest.fixture
def sit() -> Sit:
    """Sit down at a table: `async with sit(owner, attempt.code) as player`."""

    @asynccontextmanager
    async def sitting(user: User | None, code: str) -> AsyncIterator[Player]:
        wire = await wire_for(user, code)
        connected, _ = await wire.connect()
        assert connected
        player = Player(wire, {})
        await player.hear()
        yield player
        await wire.disconnect()

    return sitting
