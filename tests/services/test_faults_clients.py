"""Clients that do not read, do not stop or say nothing at all: the server keeps little for them, and others play on."""

import asyncio
import os
import re
import resource
import socket
from pathlib import Path
from urllib.request import Request, urlopen

from bench.players import CLOSE, TEXT, Player, Seat, frame
from tests.browser.conftest import Site
from tests.services.people import Client, check_at_rest, guests, playing, running, under_way, until

PACE = 0.05  # seconds from an answer of a player to the next entry
DEEP = bool(os.environ.get("FAULTS_DEEP"))
SILENT = 10_000
SHAKEN = SILENT if DEEP else 1_000  # so many of them are websockets, the others never finish the handshake
PATIENCE = 45  # seconds; the server's own is 30
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


def memory(site: Site) -> int:
    """Bytes that the server's process has in use."""
    pages = int(Path(f"/proc/{site.process.pid}/statm").read_text().split()[1])
    return pages * resource.getpagesize()


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


async def test_a_client_that_does_not_read_is_not_kept_for(site: Site) -> None:
    site.stop()
    site.env |= {"REQUESTS_PER_SECOND": "1000000", "REQUEST_BURST": "1000000"}
    site.start()
    *players, host = await guests(site, 3, PACE)
    async with playing(players, lambda: site.port):
        await under_way(players)
        deaf = [await sat_down(Odd(seat(site, host))) for _ in range(8)]
        for one in deaf:
            one.transport.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            one.transport.pause_reading()
        before = memory(site)
        for _ in range(75):
            for one in deaf:
                one.transport.write(frame(TEXT, PING) * 20)
            await under_way(players, 1)  # in turns with them, so that nothing piles up unread
        assert memory(site) - before < 5_000_000  # 13 MB of tables were asked for
        assert not any(one.gone.done() for one in deaf)
        for one in deaf:
            one.transport.abort()
    await check_at_rest(site, [*players, host])


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
        for one in silent[::2]:
            one.transport.resume_reading()
        async with asyncio.timeout(PATIENCE):
            await asyncio.wait([one.gone for one in silent])
        for one in silent:
            one.gone.exception()
        for half in half_open:
            half.close()
        await under_way(players)
    assert site.log.read_text().count("code=4408") == SHAKEN
    assert "Traceback" not in site.log.read_text()
    await check_at_rest(site, [*players, host, newcomer])
