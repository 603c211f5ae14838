"""Moves through the whole path: how many a second, and how long one takes at a pace that people could play at."""

import asyncio
import random
import time
from collections.abc import Sequence
from statistics import median, quantiles
from typing import NamedTuple

from bench.players import Loader, Seat
from bench.site import Guest

PATHS = ("echo", "naive", "play")
WARM_UP = 1.0  # seconds
CROWD = 50  # sockets that come at once
SETTLE = 1.0  # seconds for a server to be done with sockets that have gone


class Rate(NamedTuple):
    """Acknowledged moves a second, and how busy the client was with it (1: its whole core)."""

    moves: float
    client: float


class Run(NamedTuple):
    """One measurement. With a pace each socket's move is due so many seconds after the one before."""

    path: str
    port: int
    guests: Sequence[Guest]
    seconds: float
    pace: float = 0


class Played(NamedTuple):
    """What came of it: the wait for each acknowledgement, how long all took, and the client's share of its core."""

    waits: list[float]
    seconds: float
    client: float


async def _play(run: Run) -> Played:
    """Play at a site or one of the rivals that its process holds."""
    waits: list[float] = []
    step = 0 if run.path == "echo" else 1
    return await play([Loader(_seat(run, guest), waits, step, run.pace) for guest in run.guests], run.seconds, run.pace)


async def play(loaders: Sequence[Loader], at_least: float, pace: float) -> Played:
    """Play for so many seconds at least, after a warm-up. The loaders share one list of waits.

    A slow server answers in waves, so all is measured in whole rounds: as many acknowledgements as there are sockets.
    """
    waits = loaders[0].waits
    for first in range(0, len(loaders), CROWD):  # not one by one: whoever sat first would be taken for gone
        await asyncio.gather(*(loader.sit_down() for loader in loaders[first : first + CROWD]))
    for loader in loaders:
        loader.play_at(loader.loop.time() + random.uniform(0, pace))
    await _rounds(loaders, WARM_UP)
    waits.clear()
    began, busy = time.perf_counter(), time.process_time()
    await _rounds(loaders, at_least)
    seconds = time.perf_counter() - began
    played = Played(waits.copy(), seconds, (time.process_time() - busy) / seconds)
    for loader in loaders:
        loader.leaving = True
    await _rounds(loaders, 0)
    for loader in loaders:
        loader.transport.abort()
    await asyncio.sleep(SETTLE)
    return played


async def _rounds(loaders: Sequence[Loader], seconds: float) -> None:
    """Wait for whole rounds, one at least, until so much time is over."""
    waits, end = loaders[0].waits, time.perf_counter() + seconds
    while True:
        goal = len(waits) + len(loaders)
        while len(waits) < goal:
            await asyncio.sleep(0.005)
            if any(loader.gone.done() for loader in loaders):
                raise ConnectionError("a socket was closed")
        if time.perf_counter() >= end:
            return


def _seat(run: Run, guest: Guest) -> Seat:
    return Seat(run.port, f"/ws/{run.path}/{guest.code}/", guest.cookie, (*guest.game.moves, "restart"))


def rate(run: Run) -> Rate:
    """What one measurement found."""
    played = asyncio.run(_play(run))
    return Rate(len(played.waits) / played.seconds, played.client)


def rates(port: int, guests: Sequence[Guest], seconds: float, rounds: int) -> dict[str, Rate]:
    """The middle of several rounds for each path, the paths in turn so that a busy minute hits all of them."""
    measured: dict[str, list[Rate]] = {path: [] for path in PATHS}
    for _ in range(rounds):
        for path, rates in measured.items():
            rates.append(rate(Run(path, port, guests, seconds)))
    return {path: sorted(rates)[rounds // 2] for path, rates in measured.items()}


def latencies(
    port: int,
    guests: Sequence[Guest],
    seconds: float,
    rounds: int,
    a_second: float,
    paths: Sequence[str] = ("echo", "play"),
) -> dict[str, list[float]]:
    """The 50th, 95th and 99th percentile of the milliseconds to an acknowledgement, all sockets playing evenly."""
    measured: dict[str, list[list[float]]] = {path: [] for path in paths}
    for _ in range(rounds):
        for path, marks in measured.items():
            played = asyncio.run(_play(Run(path, port, guests, seconds, len(guests) / a_second)))
            hundred = quantiles(played.waits, n=100)
            marks.append([1000 * hundred[percent - 1] for percent in (50, 95, 99)])
    return {path: [median(found) for found in zip(*marks, strict=True)] for path, marks in measured.items()}
