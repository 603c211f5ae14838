"""A database that is away, takes nothing, or has no room: what was acknowledged stays, and play goes on by itself."""

import asyncio
import os
import resource
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.request import Request, urlopen

from tests.browser.conftest import Site
from tests.services.own import Own, own
from tests.services.people import Client, check, check_at_rest, guests, playing, readiness, under_way, until
from tests.services.racers import get_on, over, picking, racing, two

PACE = 0.05  # seconds from an answer to the next entry


async def troubled(clients: list[Client]) -> None:
    """Wait until each has been refused or sent away once more."""
    before = [client.refused.total() + client.closed.total() for client in clients]
    await until(
        lambda: all(one.refused.total() + one.closed.total() > old for one, old in zip(clients, before, strict=True))
    )


@contextmanager
def small_disk(megabytes: int) -> Iterator[Path]:
    """A disk of so many; where this user may not mount one, just a folder."""
    with TemporaryDirectory(prefix="disk-") as disk:
        Path(disk).chmod(0o755)  # PostgreSQL runs as somebody else than root
        mount = ["mount", "-t", "tmpfs", "-o", f"size={megabytes}m,mode=755", "none", disk]
        mounted = not subprocess.run(mount, capture_output=True).returncode
        assert mounted or "CI" not in os.environ, "a disk cannot be mounted here, so nothing is shown of a full one"
        try:
            yield Path(disk)
        finally:
            if mounted:
                subprocess.run(["umount", "--lazy", disk], check=True)


@contextmanager
def full(disk: Path, site: Site) -> Iterator[None]:
    """No byte more for the database: the disk is full, or where it is no disk of its own, its files may not grow."""
    if os.path.ismount(disk):
        ballast = disk / "ballast"
        subprocess.run(["dd", "if=/dev/zero", f"of={ballast}", "bs=4096"], capture_output=True)
        yield
        ballast.unlink()
    else:
        limits = resource.prlimit(site.process.pid, resource.RLIMIT_FSIZE, (4096, resource.RLIM_INFINITY))
        yield
        resource.prlimit(site.process.pid, resource.RLIMIT_FSIZE, limits)


async def test_postgresql_crashes_restarts_and_takes_nothing_for_a_while(tmp_path: Path) -> None:
    with small_disk(256) as disk, own("postgres", disk) as server:
        site = Site(tmp_path, DATABASE_URL=server.address)
        site.start()
        try:
            clients = await guests(site, 4, PACE)
            racers = await asyncio.to_thread(two, site, site)

            async def all_get_on() -> None:
                await asyncio.gather(under_way(clients), get_on(*racers))

            async with racing(*racers):
                async with playing(clients, lambda: site.port):
                    await picking(*racers)
                    server.crash()
                    await troubled(clients)
                    await asyncio.to_thread(server.start)
                    await all_get_on()

                    await asyncio.to_thread(server.stop)
                    await asyncio.to_thread(server.start)
                    await all_get_on()

                    with read_only(server):
                        await troubled(clients)
                        check(site, clients)
                        assert (await asyncio.to_thread(readiness, site))["writes"] is False
                    await all_get_on()

                    if os.path.ismount(disk):  # of a server's files that may not grow PostgreSQL would soon die
                        with full(disk, site):
                            await troubled(clients)
                            check(site, clients)
                        assert "No space left on device" in site.log.read_text()
                        await all_get_on()
                await over(site, *racers, others=len(clients))
            await check_at_rest(site, clients, others=1)
        finally:
            site.kill()


@contextmanager
def read_only(server: Own) -> Iterator[None]:
    """No transaction of others may write."""
    server.order("ALTER SYSTEM SET default_transaction_read_only = on", "SELECT pg_reload_conf()")
    yield
    server.order(
        "SET default_transaction_read_only = off",
        "ALTER SYSTEM RESET default_transaction_read_only",
        "SELECT pg_reload_conf()",
    )


async def test_a_full_disk_takes_no_entry_and_loses_none(tmp_path: Path) -> None:
    with small_disk(24) as disk:
        site = Site(tmp_path, DATABASE_URL=f"sqlite:///{disk / 'site.sqlite3'}")
        site.start()
        try:
            clients = await guests(site, 4, PACE)
            async with playing(clients, lambda: site.port):
                await under_way(clients)
                with full(disk, site):
                    await troubled(clients)
                    check(site, clients)
                await under_way(clients)
            await check_at_rest(site, clients)
        finally:
            site.kill()


async def opened_anew(site: Site, address: str) -> None:
    """The site at the same port, but with its database at this address."""
    await asyncio.to_thread(site.stop)
    site.env["DATABASE_URL"] = address
    await asyncio.to_thread(site.start)


async def test_a_database_that_can_only_be_read_shows_all_and_takes_nothing(tmp_path: Path) -> None:
    site = Site(tmp_path)
    usual = site.env["DATABASE_URL"]
    site.start()
    try:
        clients = await guests(site, 4, PACE)
        async with playing(clients, lambda: site.port):
            await under_way(clients)
            await opened_anew(site, f"sqlite:///file:{tmp_path}/site.sqlite3%3Fmode=ro")
            await until(lambda: all(client.refused for client in clients))
            check(site, clients)
            told = await asyncio.to_thread(readiness, site)
            assert told == {"ready": True, "database": True, "writes": False, "layer": True, "draining": False}
            for path in ("/", "/mine/", f"/play/{clients[0].code}/", "/daily/", "/mine/statistics/", "/rules/frog/"):
                page = Request(f"{site.url}{path}", headers={"Cookie": clients[0].cookie})
                assert (await asyncio.to_thread(urlopen, page)).status == 200
            await opened_anew(site, usual)
            await under_way(clients)
        assert {code for client in clients for code in client.refused} == {"unavailable"}
        assert {code for client in clients for code in client.closed} <= {4307}
        assert (await asyncio.to_thread(readiness, site))["writes"] is True
        await check_at_rest(site, clients)
    finally:
        site.kill()
