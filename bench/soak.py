"""A soak: people who play and race at an honest pace for a while, on PostgreSQL and Redis with two server processes.

It ends well when no acknowledged move is missing, every log replays, no log of a server tells of an error, and the
memory of the servers is flat. By itself: `bin/soak [minutes]`.
"""

import asyncio
import random
import re
import subprocess
import sys
from argparse import ArgumentParser
from collections.abc import Sequence
from math import ceil
from pathlib import Path
from statistics import quantiles
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import django

django.setup()

from bench import races, report, site  # noqa: E402  from here on models can be imported
from bench.idle import memory  # noqa: E402
from bench.players import Player, Seat  # noqa: E402
from bench.services import ROOT  # noqa: E402
from games import services  # noqa: E402
from games.live import hub, tables  # noqa: E402
from games.models import Attempt  # noqa: E402
from games.race.models import Entry  # noqa: E402

TABLES, RACES = 200, 50  # 300 players, two to a race
GAMES_EACH = 6  # that somebody at a table may come to, one after another
PACE = 2.5  # seconds from move to move at a table
ROUND = 95.0  # seconds that a round of a race may take with its countdown
ARRIVING = 20.0  # seconds in which the first of them come
LEAVES = 40.0  # seconds that somebody stays on a page, on average, before it is loaded again
LOOK = 5.0  # seconds between two looks at the servers' memory
SETTLED = 0.25  # of the time: what is loaded once and fills up at first is no leak
FLAT = 10 * 2**20  # bytes that a server's memory may grow by after that
TROUBLE = re.compile(r"error|warning|critical|traceback", re.IGNORECASE)


class Found(NamedTuple):
    """What a soak found."""

    minutes: float
    moves: int
    cards: int
    lost: list[str]
    trouble: list[str]
    memory: list[tuple[float, ...]]  # bytes of each server, look by look
    checked: str
    waits: list[float]  # seconds until an acknowledgement
    pushes: list[float]  # seconds until a rival's page heard of a card
    turned_away: list[str]  # tables whose handshake took too long


class Sitter(Player):
    """Plays a recorded game move by move to its end, thinking in between, from wherever the table stands."""

    def __init__(self, seat: Seat, waits: list[float]) -> None:
        super().__init__(seat)
        self.waits = waits
        self.asked_at = 0.0
        self.won: asyncio.Future[None] = self.loop.create_future()
        self.thinking = self.loop.call_later(0, int)

    def hear(self, version: int, payload: bytes) -> None:
        if (
            b'"refused"' in payload[:40] and b'"stale"' not in payload[:60]
        ):  # stale is what was asked before a page was left
            raise ValueError(payload[:200])
        if version > self.version and self.asked_at:
            self.waits.append(self.loop.time() - self.asked_at)
        super().hear(version, payload)
        self.thinking.cancel()
        if version < len(self.seat.game):
            self.thinking = self.loop.call_later(random.uniform(0.5, 1.5) * PACE, self.move)
        elif not self.won.done():
            self.won.set_result(None)

    def move(self) -> None:
        self.asked_at = self.loop.time()
        self.ask(self.version, self.seat.game[self.version])


async def begun(guests: Sequence[site.Guest]) -> None:
    """Bring each game to some place in its middle, as games are on any day: not all of them grow at once."""
    ids = dict(await asyncio.to_thread(lambda: list(Attempt.objects.values_list("code", "pk"))))

    async def play(guest: site.Guest) -> None:
        for version, entry in enumerate(guest.game.moves[: random.randrange(len(guest.game.moves))]):
            await services.enter(attempt_id=ids[guest.code], version=version, entry=entry)

    for guest in guests:
        hub.listen(tables.topic(ids[guest.code]), hub.Outbox(_nowhere))  # or it would be read anew for every entry
    await asyncio.gather(*map(play, guests))


async def _nowhere(event: dict[str, Any]) -> None: ...


async def at_tables(
    ports: Sequence[int], games: Sequence[site.Guest], end: float, waits: list[float], turned_away: list[str]
) -> dict[str, int]:
    """Play game after game until the end; the versions that were acknowledged last."""
    versions = {}
    await asyncio.sleep(random.uniform(0, ARRIVING))
    for guest in games:
        versions[guest.code] = await at_a_table(ports, guest, end, waits, turned_away)
    return versions


async def at_a_table(
    ports: Sequence[int], guest: site.Guest, end: float, waits: list[float], turned_away: list[str]
) -> int:
    """Play until the end of the game or of all, on either server in turns; the version that was acknowledged last."""
    version, loop = 0, asyncio.get_running_loop()
    while version < len(guest.game.moves) and loop.time() < end:
        sitter = Sitter(Seat(random.choice(ports), f"/ws/play/{guest.code}/", guest.cookie, guest.game.moves), waits)
        try:
            await sitter.sit_down()
        except ConnectionError:  # a browser comes back as well
            turned_away.append(guest.code)
            await asyncio.sleep(1)
            continue
        if sitter.version < version:
            raise ValueError(f"{guest.code}: at {sitter.version} after {version} was acknowledged")
        stay = min(random.expovariate(1 / LEAVES), max(end - loop.time(), 0))
        await asyncio.wait((sitter.won, sitter.gone), timeout=stay, return_when=asyncio.FIRST_COMPLETED)
        sitter.thinking.cancel()
        version = sitter.version
        if sitter.gone.done():
            raise ConnectionError(f"{guest.code}: {sitter.gone.exception() or 'a socket was closed'}")
        sitter.transport.close()
    return version


async def in_rooms(
    ports: Sequence[int], made: Sequence[races.Racing], end: float, waits: list[float]
) -> dict[str, list[int]]:
    """Race after race until the end; the cards that each side of each race was told are home."""
    homes: dict[str, list[int]] = {}
    loop = asyncio.get_running_loop()
    await asyncio.sleep(random.uniform(0, ARRIVING))
    for race in made:
        racers = races.pair(ports, race, waits)
        await races.begin(racers, races.PACE)
        await asyncio.sleep(min(ROUND, max(end - loop.time(), 0)))
        for racer in racers:
            if racer.gone.done():
                raise ConnectionError(f"{racer.seat.path}: {racer.gone.exception() or 'a socket was closed'}")
            racer.transport.close()
        homes[race.code] = [racer.homes[0] for racer in racers]
    return homes


async def watched(pids: Sequence[int], end: float) -> list[tuple[float, ...]]:
    """The servers' memory, look by look."""
    looks, loop = [], asyncio.get_running_loop()
    while loop.time() < end:
        looks.append(tuple(float(memory(pid)) for pid in pids))
        await asyncio.sleep(LOOK)
    return looks


async def soak(
    minutes: float, servers: Sequence[site.Server], guests: Sequence[site.Guest], logs: Sequence[Path]
) -> Found:
    """Everybody for so many minutes, then a look at what is left of it."""
    await begun(guests[:TABLES])
    made = await asyncio.to_thread(races.made, RACES * ceil(60 * minutes / ROUND))
    end = asyncio.get_running_loop().time() + 60 * minutes
    ports = [server.port for server in servers]
    waits: list[float] = []
    pushes: list[float] = []
    turned_away: list[str] = []
    versions, rooms, looks = await asyncio.gather(
        asyncio.gather(*(at_tables(ports, guests[seat::TABLES], end, waits, turned_away) for seat in range(TABLES))),
        asyncio.gather(*(in_rooms(ports, made[room::RACES], end, pushes) for room in range(RACES))),
        watched([server.pid for server in servers], end),
    )
    await asyncio.sleep(1)  # what is on its way still arrives
    seen = {code: version for player in versions for code, version in player.items()}
    homes = {code: sides for room in rooms for code, sides in room.items()}
    lost = await asyncio.to_thread(_lost, seen, homes)
    check = [sys.executable, "manage.py", "check_logs"]
    checked = subprocess.run(check, cwd=ROOT, capture_output=True, text=True)
    said = checked.stdout.strip() or checked.stderr.strip()
    cards = sum(map(sum, homes.values()))
    return Found(minutes, len(waits), cards, lost, _trouble(logs), looks, said, waits, pushes, turned_away)


def _lost(versions: dict[str, int], homes: dict[str, list[int]]) -> list[str]:
    """What was acknowledged and is not stored, and what is stored that nobody can have asked for."""
    stored = dict(Attempt.objects.values_list("code", "version"))
    pairs = [(code, stored[code], seen) for code, seen in versions.items()]
    for code, sides in homes.items():
        entries = Entry.objects.filter(round__race__code=code, text__contains=">")
        pairs += [(code, entries.filter(side=side).count(), seen) for side, seen in enumerate(sides, 1)]
    return [f"{code}: {kept} for {seen}" for code, kept, seen in pairs if not 0 <= kept - seen <= 1]


def _trouble(logs: Sequence[Path]) -> list[str]:
    return [line for log in logs for line in log.read_text().splitlines() if TROUBLE.search(line)]


def _marks(waits: list[float]) -> str:
    marks = quantiles(waits, n=20)
    return f"{1000 * marks[9]:.0f}, {1000 * marks[-1]:.0f}"


def settled(found: Found) -> list[tuple[float, float]]:
    """The memory of each server once what fills up at first is full, and at the end, in bytes."""
    looks = found.memory[int(len(found.memory) * SETTLED) :]
    return [(start, last) for start, *_, last in zip(*looks, strict=True)]


def is_well(found: Found) -> bool:
    """Whether nothing was lost, nobody complained and memory was flat."""
    flat = all(last - start < FLAT for start, last in settled(found))
    return flat and "agree" in found.checked and not (found.lost or found.trouble)


def told(found: Found) -> str:
    """The report."""
    rows = [
        ("players at tables, and in races", f"{TABLES}, {2 * RACES}"),
        ("moves acknowledged at tables, cards in races", f"{found.moves:,}, {found.cards:,}"),
        ("moves lost", f"**{len(found.lost)}**"),
        ("lines of trouble in the servers' logs", f"**{len(found.trouble)}**"),
        ("`check_logs`", found.checked),
        ("handshakes that took too long", f"{len(found.turned_away)}"),
        ("half and 95 of 100 acknowledged within, ms", _marks(found.waits)),
        ("half and 95 of 100 cards at the rival's page within, ms", _marks(found.pushes)),
    ]
    for number, (start, last) in enumerate(settled(found), 1):
        rows.append(
            (f"memory of server {number}, once settled and at the end, MiB", f"{start / 2**20:.0f}, {last / 2**20:.0f}")
        )
    title = f"A soak of {found.minutes:g} minutes, {report.today()}, PostgreSQL and Redis, two server processes"
    return report.table(title, ("", ""), rows)


def main() -> None:
    parser = ArgumentParser(
        prog="bin/soak", description="Let 300 people play for a while, and see that all is well after it."
    )
    parser.add_argument("minutes", nargs="?", type=float, default=10.0)
    parser.add_argument("--report", type=Path, metavar="PAGE", help="put the report into this Markdown page too")
    asked = parser.parse_args()
    guests = site.guests(TABLES * GAMES_EACH)
    with TemporaryDirectory() as folder:
        logs = [Path(folder) / f"server-{number}" for number in (1, 2)]
        with site.server(logs[0]) as first, site.server(logs[1]) as second:
            try:
                found = asyncio.run(soak(asked.minutes, (first, second), guests, logs))
            except Exception:
                sys.stdout.writelines(f"{line}\n" for line in _trouble(logs)[-20:])
                raise
    text = told(found)
    sys.stdout.write(text)
    sys.stdout.writelines(f"{line}\n" for line in (*found.lost[:20], *found.trouble[:20]))
    if asked.report:
        report.write_into(asked.report, {"soak": text})
    sys.exit(not is_well(found))


if __name__ == "__main__":
    main()
