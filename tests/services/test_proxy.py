"""Three processes behind nginx, by the very files of deploy/nginx: what it serves itself, and that nobody is lost."""

import asyncio
import gzip
import json
import random
import re
import shutil
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing
from http.client import HTTPConnection
from pathlib import Path

import pytest

from bench.players import Player, Seat
from tests.browser.conftest import ROOT, Site
from tests.services.people import check_at_rest, guest, guests, log_of, playing, under_way, until
from tests.services.proxy import FILES, Nginx, behind
from tests.services.racers import get_on, over, picking, racing, resting, two


@pytest.fixture(scope="module")
def sites(
    tmp_path_factory: pytest.TempPathFactory, new_database: Callable[[], str], redis: str
) -> Iterator[list[Site]]:
    """Three processes of a real site."""
    shared = {"HTTPS": "1", "DATABASE_URL": new_database(), "REDIS_URL": redis, "SECRET_KEY": "of all three, " * 4}
    shared |= {"REQUESTS_PER_SECOND": "1000", "REQUEST_BURST": "1000", "DRAIN_SECONDS": "0.5"}
    three = [Site(tmp_path_factory.mktemp("site"), **shared) for _ in range(3)]
    for site in three:
        site.start()
    yield three
    for site in three:
        site.kill()


@pytest.fixture(scope="module")
def nginx(sites: list[Site]) -> Iterator[Nginx]:
    with tempfile.TemporaryDirectory(prefix="nginx-") as name:
        folder = Path(name)
        (folder / "conf.d").mkdir()
        shutil.copy(FILES / "nginx.conf", folder)
        shutil.copy(FILES / "lilypad.conf", folder / "conf.d")
        (folder / "conf.d" / "upstream.conf").write_text(upstream([site.port for site in sites]))
        proxy = Nginx(folder, ROOT / "var")
        with proxy.running():
            yield proxy


def upstream(ports: list[int]) -> str:
    """The processes of upstream.conf at other ports, and as many as there are."""
    text = (FILES / "upstream.conf").read_text()
    line = re.search(r"    server 127.0.0.1:8002 .*\n", text)
    assert line
    first, *others = map(str, ports)
    return text.replace("8001", first).replace(line[0], "".join(line[0].replace("8002", other) for other in others))


def test_static_files_come_compressed_from_the_disk_and_may_be_kept_for_ever(nginx: Nginx) -> None:
    names = json.loads((ROOT / "var/static/staticfiles.json").read_text())["paths"]
    script = nginx.get(f"/static/{names['js/play.js']}", **{"Accept-Encoding": "gzip"})
    assert script.status == 200
    assert gzip.decompress(script.body) == (ROOT / "var/static" / names["js/play.js"]).read_bytes()
    assert "javascript" in script.headers["Content-Type"]
    assert script.headers["Cache-Control"] == "public, max-age=315360000, immutable"
    assert script.headers["Vary"] == "Accept-Encoding"
    assert script.headers["X-Content-Type-Options"] == "nosniff"
    assert not script.headers["X-Request-Id"]  # no process of ours was asked
    assert nginx.get("/static/js/play.js").headers["Cache-Control"] == "no-cache"
    missing = nginx.get("/static/js/nowhere.js")
    assert (missing.status, bool(missing.headers["X-Request-Id"])) == (404, True)


def test_pages_come_with_tls_and_nothing_of_those_who_run_the_site(nginx: Nginx) -> None:
    lobby = nginx.get("/")
    assert lobby.status == 200
    assert b"Lilypad" in lobby.body
    assert "max-age=31536000" in lobby.headers["Strict-Transport-Security"]
    assert "Secure" in lobby.headers["Set-Cookie"]
    assert {nginx.get(path).status for path in ("/metrics", "/readyz", "/healthz")} == {404}
    plain = nginx.get("/rules/", port=nginx.redirects)
    assert (plain.status, plain.headers["Location"]) == (301, "https://localhost/rules/")


def test_an_address_is_throttled_at_all_processes_together_whatever_it_says_of_itself(nginx: Nginx) -> None:
    def looks_for_a_room(here: str, number: int) -> int:
        with closing(HTTPConnection("127.0.0.1", nginx.plain, source_address=(here, 0))) as asked:
            headers = {"Host": "localhost", "X-Forwarded-For": f"9.9.9.{number}, 127.0.0.3"}
            asked.request("GET", "/race/AAAAAA/", headers=headers)
            return asked.getresponse().status

    assert [looks_for_a_room("127.0.0.2", number) for number in range(121)] == [404] * 120 + [429]
    assert looks_for_a_room("127.0.0.3", 1) == 404


async def test_players_and_racers_go_on_while_every_process_is_replaced_and_one_dies(
    nginx: Nginx, sites: list[Site], monkeypatch: pytest.MonkeyPatch
) -> None:
    front = behind(nginx, sites[0], monkeypatch)
    clients = await guests(front, 6, pause=0.05)
    racers = await asyncio.to_thread(two, front, front)
    for racer in racers:
        racer.port = nginx.plain
    async with racing(*racers):
        async with playing(clients, lambda: nginx.plain):
            await picking(*racers)
            for site in sites:
                await asyncio.to_thread(site.stop)
                await under_way(clients)
                await get_on(*racers)
                with resting(*racers):
                    await asyncio.to_thread(site.start)
            assert min(racer.greeted for racer in racers) > 1
            sites[0].kill()
            await under_way(clients)
            await get_on(*racers)
            with resting(*racers):
                await asyncio.to_thread(sites[0].start)
        assert sum(client.closed[4307] for client in clients) >= len(clients)  # were sent on, not cut off
        await over(sites[1], *racers, others=len(clients))
    await check_at_rest(sites[1], clients, others=1)


class Tab(Player):
    """A page that asks at every new table, for entries that the other tab never asks for.

    It takes a moment for that: at full speed the tab that was first would be first for ever.
    """

    def __init__(self, seat: Seat, own: int) -> None:
        super().__init__(seat)
        self.own = own
        self.asked: dict[int, str] = {}  # by version, without what was refused
        self.refused: Counter[str] = Counter()
        self.has_played = False
        self.resting = False

    def hear(self, version: int, payload: bytes) -> None:
        message = json.loads(payload)
        if message["type"] == "refused":
            assert message["code"] in ("stale", "unavailable"), message
            self.refused[message["code"]] += 1
            assert self.asked.pop(version) == message["entry"]
            return
        super().hear(max(version, self.version), payload)
        self.has_played |= message["last"] != "" and self.asks_for(message["last"])
        words = [word for word in ("undo", "redo", "restart") if message[word]]
        entries = [text for text in [*message["moves"], *words] if self.asks_for(text)]
        if entries:
            self.loop.call_later(random.uniform(0, 0.02), self.choose, version, random.choice(entries))

    def choose(self, version: int, entry: str) -> None:
        if version == self.version and not self.resting and version not in self.asked:
            self.asked[version] = entry
            self.ask(version, entry)

    def asks_for(self, text: str) -> bool:
        return sum(text.encode()) % 2 == self.own


async def test_of_two_tabs_at_two_processes_one_has_each_number(
    nginx: Nginx, sites: list[Site], monkeypatch: pytest.MonkeyPatch
) -> None:
    client = await asyncio.to_thread(guest, behind(nginx, sites[0], monkeypatch), "flower-garden")
    tabs = [Tab(Seat(sites[own].port, f"/ws/play/{client.code}/", client.cookie, ()), own) for own in (0, 1)]
    await asyncio.gather(*(tab.sit_down() for tab in tabs))
    await until(
        lambda: (
            min(tab.version for tab in tabs) > 60
            and all(tab.has_played for tab in tabs)
            and any(tab.refused["stale"] for tab in tabs)
        )
    )
    for tab in tabs:
        tab.resting = True
    await asyncio.sleep(0.5)
    log = log_of(sites[2], client)
    kept = set(enumerate(log))
    asked = [set(tab.asked.items()) for tab in tabs]
    assert asked[0] | asked[1] == kept
    assert all(asked)
    assert {tab.version for tab in tabs} == {len(log)}
    for tab in tabs:
        tab.transport.abort()
        await tab.gone
