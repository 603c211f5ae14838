"""Servers of a race, each a log, the judge, and what `services` does with them: they crash, and their clocks step.

The players' side is in world.py.
"""

import random
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

from games.engine.play import Refused
from games.race.services import answered
from games.race.standing import Line, Standing, replay
from games.services import Denied

EPOCH = datetime(2026, 5, 1, tzinfo=UTC)


class Conflict(Exception):
    """The log has grown unseen."""


@dataclass(frozen=True)
class Request:
    version: int
    entry: str


@dataclass(frozen=True)
class Refusal:
    request: Request
    code: str


Message = Standing | Refusal


@dataclass
class Network:
    """What all see: true time, the log that is the database, and for each line which request made it."""

    rng: random.Random
    seconds: float = 0
    log: list[Line] = field(default_factory=list)
    causes: list[tuple[int, Request]] = field(default_factory=list)


@dataclass
class Server:
    """One process. Its memory may be behind the log, never before it."""

    network: Network
    opening: Standing
    offset: float = 0
    standing: Standing = field(init=False)

    def __post_init__(self) -> None:
        self.crash()

    def crash(self) -> None:
        self.standing = self.opening

    def catch_up(self) -> None:
        self.standing = replay(self.standing, self.network.log[self.standing.version :])

    def time(self) -> datetime:
        now = EPOCH + timedelta(seconds=self.network.seconds + self.offset)
        return max(now, self.standing.at) if self.standing.at else now

    def append(self, line: Line) -> None:
        standing = self.standing.after(line)
        if len(self.network.log) != self.standing.version:
            raise Conflict
        self.network.log.append(line)
        self.standing = standing

    def now(self) -> datetime:
        """Write what is due, then tell the time."""
        while line := self.standing.due(at := self.time()):
            self.append(line._replace(at=max(line.at, self.standing.at or line.at)))
        return at

    def enter(self, side: int, request: Request) -> None:
        """Raises Denied, as services.enter does."""
        while True:
            try:
                return self._enter(side, request)
            except Conflict:
                self.catch_up()
            except Refused as refused:
                raise Denied(refused.refusal.code) from None

    def _enter(self, side: int, request: Request) -> None:
        at = self.now()
        if request.version > self.standing.version:
            self.catch_up()
            at = self.now()
        if request.version > self.standing.version:
            raise Denied("stale")
        if answered(self.network.log[request.version : self.standing.version], side, request.entry):
            return
        text = self.standing.read(side, request.entry, at)
        self.append(Line(side, text, at))
        self.network.causes.append((side, request))

    def present(self, side: int, text: str) -> None:
        self.catch_up()
        while True:
            try:
                at = self.now()
                if self.standing.side(side).presence != text:
                    self.append(Line(side, text, at))
                return
            except Conflict:
                self.catch_up()

    def tick(self) -> None:
        try:
            self.now()
        except Conflict:
            self.catch_up()
