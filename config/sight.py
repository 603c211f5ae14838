"""What a process tells those who run it: that it lives, whether to send it people, and what it has counted.

Applications of their own before Django: they ask for no host name, no TLS and no thread. Pages are not here.
"""

import asyncio
import hmac
import json
from typing import Any

from channels.db import DatabaseSyncToAsync
from channels.layers import get_channel_layer
from django.conf import settings
from django.db import connection
from prometheus_client import CONTENT_TYPE_LATEST, generate_latest

from config.health import draining
from games.live.hub import Send

LIMIT = 2.0  # seconds until something that does not answer counts as away
CHANNEL = "ready"  # nobody listens there
_looking: dict[str, asyncio.Task[None]] = {}  # looks at what has not answered yet: asked anew, no second one is begun


async def healthz(scope: dict[str, Any], receive: Any, send: Send) -> None:
    """200 as long as the event loop turns."""
    await _answer(send, 200, b'{"alive": true}')


async def readyz(scope: dict[str, Any], receive: Any, send: Send) -> None:
    """200 if people may be sent here, else 503, and what is amiss. What leaves them something to do is only told."""
    database, writes, layer = await asyncio.gather(
        _answers("database", _database), _answers("writes", _writes), _answers("layer", _layer)
    )
    told = {"database": database, "writes": writes, "layer": layer, "draining": draining.is_set()}
    ready = database and not draining.is_set()
    await _answer(send, 200 if ready else 503, json.dumps({"ready": ready} | told).encode())


async def metrics(scope: dict[str, Any], receive: Any, send: Send) -> None:
    """All figures of this process, for whoever has the token; where there is none, nothing is here."""
    if not settings.METRICS_TOKEN:
        await _answer(send, 404, b"{}")
    elif not hmac.compare_digest(_bearer(scope), settings.METRICS_TOKEN.encode()):
        await _answer(send, 401, b"{}", (b"www-authenticate", b"Bearer"))
    else:
        await _answer(send, 200, generate_latest(), kind=CONTENT_TYPE_LATEST)


def _bearer(scope: dict[str, Any]) -> bytes:
    header: bytes = dict(scope["headers"]).get(b"authorization", b"")
    scheme, _, token = header.partition(b" ")
    return token if scheme.lower() == b"bearer" else b""


async def _answers(name: str, look: Any) -> bool:
    if name not in _looking or _looking[name].done():
        _looking[name] = asyncio.create_task(look())
    try:
        async with asyncio.timeout(LIMIT):
            await asyncio.shield(_looking[name])
    except Exception:  # whatever it is, people are better sent elsewhere
        return False
    return True


async def _database() -> None:
    await DatabaseSyncToAsync(_select, thread_sensitive=False)()  # behind no player's


def _select() -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1 FROM django_migrations LIMIT 1")  # a missing SQLite file would be made, and answer


async def _writes() -> None:
    await DatabaseSyncToAsync(_update, thread_sensitive=False)()


def _update() -> None:
    with connection.cursor() as cursor:
        cursor.execute("UPDATE django_migrations SET app = app WHERE 1 = 0")  # no row, but no reader may say so either


async def _layer() -> None:
    layer = get_channel_layer()
    if layer and settings.REDIS_URL:
        await layer.send(CHANNEL, {"type": "ready"})


async def _answer(send: Send, status: int, body: bytes, *headers: tuple[bytes, bytes], kind: str = "") -> None:
    told = [(b"content-type", (kind or "application/json").encode()), (b"cache-control", b"no-store"), *headers]
    await send({"type": "http.response.start", "status": status, "headers": told})
    await send({"type": "http.response.body", "body": body})
