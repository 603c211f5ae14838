"""Many races at once: how long until the rival's page hears of a card, from the moment its pick was due."""

import asyncio
import random
import re
from collections.abc import Iterator, Sequence
from statistics import median, quantiles
from typing import NamedTuple

from django.db import transaction

from accounts.models import User
from bench.load import SETTLE, WARM_UP
from bench.players import TEXT, Player, Seat, frame
from bench.site import cookie
from games.engine.play import play
from games.race import seats, selectors
from games.race.models import Race

PACE = 1.5  # seconds from pick to pick of one player
HAND = 0.1  # seconds that a player takes at least, once the last pick is answered
IDLE = 2  # races on a server that has next to nothing to do
COUNTDOWN = 60.0  # seconds that a start may take, on a machine that is busy with other things too
STAYS = 8.0  # seconds without a word after which a page pings
PONG = b'{"type":"pong"'
OVER = b'"code":"over"'
HOME = re.compile(rb'"home":(\d+)')
PHASE = re.compile(rb'"phase":"(\w+)"')


class Racing(NamedTuple):
    """A race whose seats are taken, and picks that empty its beds."""

    code: str
    cookies: tuple[str, str]
    picks: tuple[str, ...]


def made(count: int, first: int = 0) -> list[Racing]:
    """So many races, nobody there yet; their players are numbered from `first` on."""
    with transaction.atomic():
        return [_race(number) for number in range(first, first + count)]


def _race(number: int) -> Racing:
    first, second = (User.objects.create_user(f"racer{number}-{side}") for side in (1, 2))
    race = seats.invite(host=first, terms=seats.Terms())
    race.seats.create(side=2, player=second)
    return Racing(race.code, (cookie(first), cookie(second)), tuple(_picks(race)))


def _picks(race: Race) -> Iterator[str]:
    standing = selectors.opening(selectors.newest_round(race.pk))
    table = standing.side(1).table
    while any(table.group("bed")):
        move = standing.game.legal_moves(table)[0]
        table = play(standing.game, table, move)
        yield move.source


class Racer(Player):
    """Plays one side at its pace, from wherever it stands, and takes the time until it hears of the rival's cards."""

    rival: "Racer"

    def __init__(self, port: int, race: Racing, side: int, waits: list[float]) -> None:
        super().__init__(Seat(port, f"/ws/race/{race.code}/", race.cookies[side - 1], race.picks))
        self.side, self.waits = side, waits
        self.phase = ""
        self.homes = (0, 0)
        self.due: dict[int, float] = {}  # when the pick that brings home so many cards was due
        self.pace = 0.0
        self.said_at = 0.0

    def hear(self, version: int, payload: bytes) -> None:
        if payload.startswith(PONG) or OVER in payload:  # the rival was first; the view that says so comes as well
            return
        phase = PHASE.search(payload)
        if not phase:
            raise ValueError(f"refused: {payload[:200]!r}")
        first, second = map(int, HOME.findall(payload))
        homes = (first, second) if self.side == 1 else (second, first)
        if self.seated.done() and homes[1] > self.homes[1]:
            self.waits.append(self.loop.time() - self.rival.due[homes[1]])
        up = homes[0] > self.homes[0] and self.seated.done()
        self.homes, self.phase = homes, phase[1].decode()
        super().hear(version, payload)
        if up and self.pace and homes[0] < len(self.seat.game):
            self.pick_at(max(self.due[homes[0]] + self.pace, self.loop.time() + HAND))

    def do(self, entry: str) -> None:
        """Send a request."""
        text = b'{"type":"do","round":1,"version":%d,"entry":"%s"}' % (self.version, entry.encode())
        self.said_at = self.loop.time()
        self.transport.write(frame(TEXT, text))

    def stay(self) -> None:
        """Say now and then that somebody is here, as a page does."""
        if self.gone.done():
            return
        if self.loop.time() >= self.said_at + STAYS:
            self.transport.write(frame(TEXT, b'{"type":"ping","round":1,"version":%d,"sent":0}' % self.version))
        self.loop.call_later(STAYS, self.stay)

    def pick_at(self, due: float) -> None:
        """Pick the next card when it is due."""
        self.due[self.homes[0] + 1] = due
        self.loop.call_at(due, self._pick)

    def _pick(self) -> None:
        if self.phase == "running" and not self.gone.done():
            self.do(self.seat.game[self.homes[0]])


def pair(ports: Sequence[int], race: Racing, waits: list[float]) -> list[Racer]:
    """The two of a race, each at a server."""
    first, second = (Racer(port, race, side, waits) for side, port in enumerate(ports, 1))
    first.rival, second.rival = second, first
    return [first, second]


async def begin(racers: Sequence[Racer], pace: float) -> None:
    """Have all of them sit down, be ready, and start to pick once the countdown is over."""
    await asyncio.gather(*(racer.sit_down() for racer in racers))  # one by one the first would be silent for too long
    for racer in racers:
        racer.stay()
        if racer.phase != "running":
            racer.do("ready")
    async with asyncio.timeout(COUNTDOWN):
        while any(racer.phase != "running" for racer in racers):
            await asyncio.sleep(0.05)
            if any(racer.gone.done() for racer in racers):
                raise ConnectionError("a socket was closed")
    for racer in racers:
        racer.pace = pace
        racer.pick_at(racer.loop.time() + random.uniform(0, pace))


async def _waits(port: int, races: Sequence[Racing], seconds: float, pace: float) -> list[float]:
    """The waits of all that is picked in so many seconds, after a warm-up."""
    waits: list[float] = []
    racers = [racer for race in races for racer in pair((port, port), race, waits)]
    await begin(racers, pace)
    await asyncio.sleep(WARM_UP)
    waits.clear()
    await asyncio.sleep(seconds)
    found = waits.copy()
    if any(racer.gone.done() for racer in racers):
        raise ConnectionError("a socket was closed")
    for racer in racers:
        racer.transport.abort()
    await asyncio.sleep(SETTLE)
    return found


def latencies(port: int, races: Sequence[Racing], seconds: float, rounds: int) -> dict[str, list[float]]:
    """The 50th, 95th and 99th percentile of the milliseconds, with next to no races and with all of them, in turns."""
    measured: dict[str, list[list[float]]] = {"idle": [], "all": []}
    for turn in range(rounds):
        few = races[IDLE * turn : IDLE * (turn + 1)]
        rest = races[IDLE * rounds :]
        for name, waits in (
            ("idle", asyncio.run(_waits(port, few, seconds, PACE / 3))),
            ("all", asyncio.run(_waits(port, rest, seconds, PACE))),
        ):
            hundred = quantiles(waits, n=100)
            measured[name].append([1000 * hundred[percent - 1] for percent in (50, 95, 99)])
    return {name: [median(found) for found in zip(*marks, strict=True)] for name, marks in measured.items()}
