"""Clients that do not read, do not stop or say nothing at all: the server keeps little for them, and others play on."""

import asyncio
import os
import re
import resource
import socket
from contextlib import suppress
from pathlib import Path
from urllib.request import Request, urlopen

from bench.players import CLOSE, TEXT, Player, Seat, frame
from tests.browser.conftest import Site
from tests.services.people import Client, check_at_rest, guests, playing, running, turned_away, under_way, until

PACE = 0.05  # seconds from an answer of a player to the next entry
DEEP = bool(os.environ.get("FAULTS_DEEP"))
SILENT = 10_000
SHAKEN = SILENT if DEEP else 1_000  # so many of them are websockets, the others never finish the handshake
PATIENCE = 45  # seconds; the server's own is 30
BURST = 60  # pings at once: their answers fill what a process keeps for a socket, and are too few to be dropped for
PING = b'{"type":"ping","version":999}'  # answered by a pong and the whole table
TOKEN = "let me see"
ALIVE = b'{"type":"ping","version":0}'  # answered by a pong


class Odd(Player):
    """A client that remembers how it was closed."""

    closed = 0

    def _message(self, opcode: int, payload: bytes) -> None:
        if opcode == CLOSE:
            self.closed = int.from_bytes(payload[:2], "big")
            self.transport.write(frame(CLOSE, payload[:2]))
        super()._message(opcode, payload)

    def hear(self, version: int, payload: bytes) -> None:
        if not self.seated.done():
            self.seated.set_result(None)


class Deaf(Odd):
    """Once it sits it reads no more, and its system takes little in its place."""

    async def sit_down(self) -> None:
        own = socket.socket()
        own.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        own.connect(("127.0.0.1", self.seat.port))
        await self.loop.create_connection(lambda: self, sock=own)
        await self.seated
        self.transport.pause_reading()


def memory(site: Site) -> int:
    """Bytes that the server's process has in use."""
    pages = int(Path(f"/proc/{site.process.pid}/statm").read_text().split()[1])
    return pages * resource.getpagesize()


def sockets(site: Site) -> int:
    """How many the server's process has open."""
    found = 0
    for one in Path(f"/proc/{site.process.pid}/fd").iterdir():
        with suppress(FileNotFoundError):  # closed meanwhile
            found += str(one.readlink()).startswith("socket:")
    return found


def collected(site: Site) -> int:
    """Objects of the server's process that waited for the collector of circles, all told."""
    figures = urlopen(Request(f"{site.url}/metrics", headers={"Authorization": f"Bearer {TOKEN}"})).read().decode()
    return sum(
        int(float(found)) for found in re.findall(r"^python_gc_objects_collected_total\S+ (\S+)", figures, re.MULTILINE)
    )


def seat(site: Site, client: Client) -> Seat:
    return Seat(site.port, f"/ws/play/{client.code}/", client.cookie, ())


async def sat_down(one: Odd) -> Odd:
    await one.sit_down()
    return one


async def keep_alive(silent: list[Odd]) -> None:
    """Say so much for each that the server does not take it for gone."""
    while True:
        await asyncio.sleep(10)
        for one in silent:
            one.transport.write(frame(TEXT, ALIVE))


def kept(site: Site, one: Deaf) -> int:
    """Bytes that the system keeps for a client that does not take them."""
    client, server = one.transport.get_extra_info("sockname")[1], f":{site.port:04X}"
    for line in Path("/proc/net/tcp").read_text().splitlines():
        _, local, remote, _, waiting, *_ = line.split()
        if local.endswith(server) and remote.endswith(f":{client:04X}"):
            return int(waiting.split(":")[0], 16)
    raise AssertionError("not connected")


async def fill(site: Site, deaf: list[Deaf], players: list[Client]) -> None:
    """Have each asked for more than the system keeps for it, in turns with players, so that nothing piles up unread."""
    growing = dict.fromkeys(deaf, -1)  # what is kept for whom
    while growing:
        growing = {one: now for one, before in growing.items() if (now := kept(site, one)) > before}
        for one in growing:
            one.transport.write(frame(TEXT, PING) * BURST)
        await under_way(players, 1)


async def test_a_client_that_does_not_read_is_waited_for_and_then_counts_as_gone(site: Site) -> None:
    site.stop()
    site.env |= {"REQUESTS_PER_SECOND": "1000000", "REQUEST_BURST": "1000000"}
    site.start()
    *players, host = await guests(site, 3, PACE)
    async with playing(players, lambda: site.port):
        await under_way(players)
        free = sockets(site)
        deaf = [Deaf(seat(site, host)) for _ in range(6)]
        for one in deaf:
            await one.sit_down()
        before = memory(site)
        await fill(site, deaf, players)
        assert min(kept(site, one) for one in deaf) > 1_000_000
        patient, greedy = deaf[:3], deaf[3:]
        for _ in range(5):
            for one in greedy:  # it is not heard any more, and what it says is not kept either
                one.transport.write(frame(TEXT, PING) * BURST)
            await under_way(players, 1)
        assert all(isinstance(one.gone.exception(), ConnectionError) for one in greedy)
        assert memory(site) - before < 3_000_000
        assert sockets(site) == free + len(patient)
        await until(lambda: sockets(site) == free, PATIENCE)
        assert all(client.closed.total() == 0 for client in players)
    for one in patient:
        one.transport.abort()
    assert site.log.read_text().count("code=4408") == len(patient)
    assert "Traceback" not in site.log.read_text()
    await check_at_rest(site, [*players, host])


async def test_a_full_process_turns_one_more_away_and_takes_it_in_when_somebody_has_gone(site: Site) -> None:
    site.stop()
    site.env |= {"MOST_CONNECTIONS": "3"}
    site.start()
    late, host = await guests(site, 2, PACE)
    held = [await sat_down(Odd(seat(site, host))) for _ in range(3)]
    assert (await turned_away(seat(site, late))).startswith(b"HTTP/1.1 503 ")
    async with playing([late], lambda: site.port):
        for path in ("/", f"/play/{late.code}/", "/readyz"):
            with urlopen(Request(f"{site.url}{path}", headers={"Cookie": late.cookie})) as page:
                assert page.status == 200
        assert not late.acknowledged
        held.pop().transport.close()
        await under_way([late])
        assert not any(one.gone.done() for one in held)
        assert (await turned_away(seat(site, host))).startswith(b"HTTP/1.1 503 ")
    for one in held:
        one.transport.close()
    await check_at_rest(site, [late, host])


async def test_what_a_client_took_is_given_back_when_it_goes(site: Site) -> None:
    site.stop()
    site.env |= {"METRICS_TOKEN": TOKEN}
    site.start()
    (host,) = await guests(site, 1)
    before = await asyncio.to_thread(collected, site)
    for _ in range(14):
        crowd = await asyncio.gather(*(sat_down(Odd(seat(site, host))) for _ in range(50)))
        for one in crowd:
            one.transport.close()
        await asyncio.wait([one.gone for one in crowd])
    after = await asyncio.to_thread(collected, site)
    assert after - before < 7_000  # half of what 700 clients leave with a circle each; pages leave some


async def test_a_client_that_floods_is_cut_off_and_delays_nobody(site: Site) -> None:
    *players, host = await guests(site, 3, PACE)
    async with playing(players, lambda: site.port):
        await under_way(players)
        before = memory(site)
        for payload in (frame(TEXT, PING) * 20_000, os.urandom(2_000_000), frame(TEXT, b"x" * 125) * 10_000):
            flood = await sat_down(Odd(seat(site, host)))
            flood.transport.write(payload)
            await under_way(players)
            await until(flood.gone.done)
            flood.gone.exception()
        assert memory(site) - before < 20_000_000
        assert all(client.closed.total() == 0 for client in players)
    assert "Traceback" not in site.log.read_text()
    await check_at_rest(site, [*players, host])


async def test_ten_thousand_sockets_that_say_nothing_are_held_at_little_and_closed(site: Site) -> None:
    resource.setrlimit(resource.RLIMIT_NOFILE, (resource.getrlimit(resource.RLIMIT_NOFILE)[1],) * 2)
    site.stop()
    site.env |= {"REQUESTS_PER_SECOND": "1000000", "REQUEST_BURST": "1000000"}
    site.start()
    *players, host = await guests(site, 3, PACE)
    async with playing(players, lambda: site.port):
        await under_way(players)
        before = memory(site)
        free = sockets(site)
        half_open = [socket.create_connection(("127.0.0.1", site.port)) for _ in range(SILENT - SHAKEN)]
        for one in half_open:
            one.send(b"GET /ws/play/")  # and no more
        silent: list[Odd] = []
        async with running(keep_alive(silent)):  # until all are there, which takes longer than a server waits
            while len(silent) < SHAKEN:
                silent += await asyncio.gather(*(sat_down(Odd(seat(site, host))) for _ in range(50)))
        for one in silent[::2]:
            one.transport.pause_reading()  # as one whose machine has lost its network
        await under_way(players)
        assert not any(one.gone.done() for one in silent)
        assert memory(site) - before < 40_000 * SHAKEN + 20_000 * len(half_open)
        newcomer = (await guests(site, 1, PACE))[0]
        async with playing([newcomer], lambda: site.port):
            await under_way([newcomer])
        async with asyncio.timeout(PATIENCE):
            await asyncio.wait([one.gone for one in silent[1::2]])
        assert 4408 in {one.closed for one in silent[1::2]}  # of many at once some read it too late
        async with asyncio.timeout(PATIENCE):
            while sockets(site) > free:  # those who do not even answer to that are dropped too, and half a handshake
                await asyncio.sleep(1)
        for one in silent[::2]:
            one.transport.abort()
        for half in half_open:
            half.close()
        await under_way(players)
    assert site.log.read_text().count("code=4408") == SHAKEN
    assert "Traceback" not in site.log.read_text()
    await check_at_rest(site, [*players, host, newcomer])
