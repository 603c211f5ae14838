"""Moves through the whole path: how many a second, and how long one takes at a pace that people could play at."""

import asyncio
import random
import time
from collections.abc import Sequence
from statistics import quantiles
from typing import NamedTuple

from bench.players import Loader, Seat
from bench.site import Guest

PATHS = ("echo", "naive", "play")
WARM_UP = 1.0  # seconds
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


async def _play(run: Run) -> tuple[list[float], float]:
    """The waits of all moves acknowledged after a warm-up, and the client's share of its core."""
    waits: list[float] = []
    step = 0 if run.path == "echo" else 1
    loaders = [Loader(_seat(run, guest), waits, step, run.pace) for guest in run.guests]
    for loader in loaders:
        await loader.sit_down()
    for loader in loaders:
        loader.play_at(loader.loop.time() + random.uniform(0, run.pace))
    await asyncio.sleep(WARM_UP)
    waits.clear()
    began, busy = time.perf_counter(), time.process_time()
    await asyncio.sleep(run.seconds)
    share = (time.process_time() - busy) / (time.perf_counter() - began)
    measured = waits.copy()
    if any(loader.gone.done() for loader in loaders):
        raise ConnectionError(f"sockets of {run.path} were closed")
    for loader in loaders:
        loader.transport.abort()
    await asyncio.sleep(SETTLE)
    return measured, share


def _seat(run: Run, guest: Guest) -> Seat:
    return Seat(run.port, f"/ws/{run.path}/{guest.code}/", guest.cookie, (*guest.game.moves, "restart"))


def rates(port: int, guests: Sequence[Guest], seconds: float, rounds: int) -> dict[str, Rate]:
    """The middle of several rounds for each path, the paths in turn so that a busy minute hits all of them."""
    measured: dict[str, list[Rate]] = {path: [] for path in PATHS}
    for _ in range(rounds):
        for path in PATHS:
            waits, share = asyncio.run(_play(Run(path, port, guests, seconds)))
            measured[path].append(Rate(len(waits) / seconds, share))
    return {path: sorted(found)[len(found) // 2] for path, found in measured.items()}


def latency(path: str, port: int, guests: Sequence[Guest], seconds: float, a_second: float) -> list[float]:
    """The 50th, 95th and 99th percentile of the milliseconds to an acknowledgement, all sockets playing evenly."""
    waits, _ = asyncio.run(_play(Run(path, port, guests, seconds, len(guests) / a_second)))
    marks = quantiles(waits, n=100)
    return [1000 * marks[percent - 1] for percent in (50, 95, 99)]
