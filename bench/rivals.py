"""What the site is compared with: a bare echo, and moves as one would write them first. Both are Channels consumers."""

from datetime import UTC, datetime
from typing import cast

from channels.db import database_sync_to_async
from channels.generic.websocket import AsyncWebsocketConsumer
from django.conf import settings
from django.db import transaction

from accounts.models import User
from games import selectors
from games.engine.line import Line
from games.engine.play import Outcome
from games.engine.player_view import PlayerView, player_view
from games.models import Attempt
from games.protocol import Do, encode, parse, view_of

# The layer that the documentation of Channels names first, where the site has chosen another.
settings.CHANNEL_LAYERS["naive"] = (
    # Each socket waits by a connection of its own; left alone the library opens a hundred, and gives up after 5 s.
    {
        "BACKEND": "channels_redis.core.RedisChannelLayer",
        "CONFIG": {"hosts": [{"address": settings.REDIS_URL, "max_connections": 2000, "socket_timeout": None}]},
    }
    if settings.REDIS_URL
    else {"BACKEND": "channels.layers.InMemoryChannelLayer"}
)


class Echo(AsyncWebsocketConsumer):
    """Answers a request with itself, as the Channels documentation shows it."""

    async def connect(self) -> None:
        await self.accept()
        await self.send(text_data='{"version":0}')  # where the others send a table

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None) -> None:
        await self.send(text_data=text_data)


class Naive(AsyncWebsocketConsumer):
    """The same rules and the same messages; a transaction a move through the ORM, views through the channel layer.

    The game's line is kept in the consumer. To replay it from the log for every move would be slower still.
    """

    channel_layer_alias = "naive"
    code: str
    attempt_id: int
    line: Line
    seconds: float
    last_at: datetime | None

    async def connect(self) -> None:
        self.code = self.scope["url_route"]["kwargs"]["code"]
        await self.channel_layer.group_add(self.code, self.channel_name)
        await self.load()
        await self.accept()
        await self.send(text_data=self.message(player_view(self.line.game, self.line.at.table)))

    async def disconnect(self, code: int) -> None:
        await self.channel_layer.group_discard(self.code, self.channel_name)

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None) -> None:
        request = parse(text_data or "")
        assert isinstance(request, Do)
        line = self.line.after(request.entry)
        seen = player_view(line.game, line.at.table)
        await self.store(request, line, seen)
        self.line = line
        await self.channel_layer.group_send(self.code, {"type": "show", "message": self.message(seen)})

    async def show(self, event: dict[str, str]) -> None:
        await self.send(text_data=event["message"])

    def message(self, seen: PlayerView) -> str:
        return encode(view_of(self.code, self.line, seen, self.seconds))

    @database_sync_to_async
    def load(self) -> None:
        attempt = selectors.own_attempt(cast(User, self.scope["user"]), self.code)
        assert attempt is not None
        log = selectors.read_log(attempt)
        self.attempt_id, self.line, self.seconds, self.last_at = attempt.pk, log.line, log.seconds, log.last_at

    @database_sync_to_async
    def store(self, request: Do, line: Line, seen: PlayerView) -> None:
        now = datetime.now(UTC)
        with transaction.atomic():
            attempt = Attempt.objects.get(pk=self.attempt_id)
            assert attempt.version == request.version
            attempt.entries.create(number=line.version, text=request.entry, at=now)
            attempt.version, attempt.outcome, attempt.closed = line.version, seen.outcome.value, line.closed
            attempt.moves, attempt.home, attempt.restarts = line.at.count, seen.home, line.restarts
            attempt.seconds = selectors.played_seconds(attempt.seconds, self.last_at, now)
            attempt.started_at, attempt.touched_at = attempt.started_at or now, now
            attempt.ended_at = None if seen.outcome is Outcome.PLAYING else now
            attempt.save()
        self.seconds, self.last_at = attempt.seconds, now
