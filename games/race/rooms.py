"""Open rooms: races in memory while people are there, so that a pick costs one step. In doubt drop one."""

import asyncio
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from time import monotonic

from channels.db import database_sync_to_async

from accounts.models import User
from games import metrics
from games.live.hub import Topic
from games.race import selectors
from games.race.models import Round
from games.race.standing import Line, Standing, replay

KIND = "race"  # of topic


def topic(race_id: int) -> Topic:
    """What the sockets of a race listen to: watchers as audience 0, players by their side."""
    return Topic(KIND, race_id)


@dataclass(slots=True)
class Room:
    """A race as the database told it when last looked at. Change it with its lock held only."""

    race_id: int
    round: Round
    standing: Standing
    lines: list[Line]
    players: dict[int, User | None]
    earlier: list[int | None]  # the winners of the match's rounds before this one
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    timer: asyncio.TimerHandle | None = None
    ahead: timedelta = timedelta(0)  # how far the room's time is ahead of this server's clock
    clock: datetime | None = None  # what that clock said when it was looked at last
    watch: float = 0  # and what time.monotonic() did

    @property
    def topic(self) -> Topic:
        """What its sockets listen to."""
        return topic(self.race_id)

    def time(self, clock: datetime) -> datetime:
        """The time, but never before the newest entry, and going on from there: clocks differ, and may be set back."""
        watch, at = monotonic(), self.standing.at
        if self.clock and clock < self.clock:
            self.ahead += self.clock - clock + timedelta(seconds=watch - self.watch)
        self.clock, self.watch = clock, watch
        if at and clock + self.ahead < at:
            self.ahead = at - clock
        return clock + self.ahead

    @property
    def winners(self) -> list[int | None]:
        """Who won the rounds of the match so far, this one included once it is over."""
        result = self.standing.result
        return [*self.earlier, result.winner] if result else self.earlier

    @property
    def decided(self) -> bool:
        """The match is over with this round."""
        return self.standing.result is not None and selectors.is_decided(self.round.race.best_of, self.winners)


_open: dict[int, Room] = {}
metrics.races_going_on.set_function(lambda: sum(room.standing.phase == "running" for room in _open.copy().values()))


def _load(race_id: int) -> Room:
    round_ = selectors.newest_round(race_id)
    lines = selectors.lines(round_.pk)
    return Room(
        race_id=race_id,
        round=round_,
        standing=replay(selectors.opening(round_), lines),
        lines=lines,
        players=selectors.players(round_.race),
        earlier=selectors.earlier_winners(round_),
    )


async def open_room(race_id: int) -> Room:
    """The room from memory, or from the database. Raises Round.DoesNotExist where there is no such race."""
    room = _open.get(race_id)
    if room is None:
        loaded = await database_sync_to_async(_load)(race_id)
        room = _open.setdefault(race_id, loaded)  # another task may have been faster
    return room


async def reload(room: Room) -> None:
    """Bring a room up to the database: its round may be another one. With its lock held."""
    fresh = await database_sync_to_async(_load)(room.race_id)
    for name in ("round", "standing", "lines", "players", "earlier"):
        setattr(room, name, getattr(fresh, name))


async def catch_up(room: Room) -> bool:
    """Read what is new in the database, as cheaply as may be; whether there was something. With its lock held."""
    newest, players, lines = await database_sync_to_async(_news)(room)
    if (newest, _called(players)) != (room.round.pk, _called(room.players)):
        await reload(room)
        return True
    _add(room, lines)
    return bool(lines)


async def read_on(room: Room) -> bool:
    """As `catch_up`, but while a round goes on its new entries are all that is read. With its lock held."""
    lines: list[Line] = []
    if room.standing.phase == "running":
        lines = await database_sync_to_async(selectors.lines)(room.round.pk, after=room.standing.version)
        _add(room, lines)
    if lines and room.standing.phase == "running":
        return True
    return await catch_up(room) or bool(lines)


def _add(room: Room, lines: list[Line]) -> None:
    room.standing = replay(room.standing, lines)
    room.lines += lines


def _called(players: dict[int, User | None]) -> dict[int, tuple[int, str, bool] | None]:
    """Who sits where under which name: a guest may sign up, and members change their names."""
    return {side: (player.pk, player.username, player.is_guest) if player else None for side, player in players.items()}


def _news(room: Room) -> tuple[int, dict[int, User | None], list[Line]]:
    newest = selectors.newest_round(room.race_id).pk
    lines = selectors.lines(room.round.pk, after=room.standing.version)
    return newest, selectors.players(room.round.race), lines


def find(race_id: int) -> Room | None:
    """The room if it is open in this process."""
    return _open.get(race_id)


def drop(race_id: int) -> None:
    """Forget a room: nobody is there, or memory and log may differ."""
    room = _open.pop(race_id, None)
    if room and room.timer:
        room.timer.cancel()
