"""What a socket costs in memory while nobody plays: a table's, opened and left alone."""

import asyncio
from collections.abc import Sequence
from pathlib import Path

from bench.players import Player, Seat
from bench.site import Guest

FIRST = 100  # sockets that are there before, so that what is loaded once is not counted


def memory(pid: int) -> int:
    """Bytes of memory that a process has in use."""
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    return next(int(line.split()[1]) * 1024 for line in lines if line.startswith("VmRSS:"))


def socket_bytes(port: int, pid: int, guests: Sequence[Guest]) -> float:
    """Bytes a socket, each at a table of its own."""
    return asyncio.run(_opened(port, pid, guests))


async def _opened(port: int, pid: int, guests: Sequence[Guest]) -> float:
    players = [Player(Seat(port, f"/ws/play/{guest.code}/", guest.cookie, ())) for guest in guests]
    for player in players[:FIRST]:
        await player.sit_down()
    before = memory(pid)
    for player in players[FIRST:]:
        await player.sit_down()
    each = (memory(pid) - before) / (len(players) - FIRST)
    for player in players:
        player.transport.abort()
    return each
