"""What a socket leaves behind in memory once it is over: nothing, and without waiting for the collector of circles."""

import gc
import weakref
from typing import Any

import pytest
from channels.db import database_sync_to_async
from django.contrib.auth.models import AnonymousUser

from accounts.models import User
from games.sockets import Socket

pytestmark = pytest.mark.django_db(transaction=True)


class Asking(Socket):
    """A socket that asks the database whenever it may."""

    async def open(self) -> None:
        await database_sync_to_async(User.objects.count)()

    async def sit(self) -> None:
        await database_sync_to_async(User.objects.count)()

    async def rise(self, code: int) -> None:
        await database_sync_to_async(User.objects.count)()


@pytest.mark.parametrize("last", [{"type": "websocket.disconnect", "code": 1001}, {"type": "websocket.drain"}])
async def test_a_socket_that_is_over_is_gone(last: dict[str, Any]) -> None:
    events = iter([{"type": "websocket.connect"}, last])

    async def receive() -> dict[str, Any]:
        return next(events)

    async def send(event: dict[str, Any]) -> None: ...

    gc.disable()
    try:
        socket = Asking({"user": AnonymousUser(), "headers": [], "query_string": b""}, receive, send)
        gone = weakref.ref(socket)
        await socket.run()
        del socket
        assert gone() is None
    finally:
        gc.enable()
