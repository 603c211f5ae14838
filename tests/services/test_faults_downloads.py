"""A file that is taken at a snail's pace: the server makes no more of it than is read, and answers others meanwhile."""

import asyncio
import re
import socket
import sqlite3
from contextlib import closing
from urllib.parse import urlencode
from urllib.request import Request, urlopen

from tests.browser.conftest import Site
from tests.services.people import check_at_rest, guests, playing, under_way
from tests.services.test_faults_clients import memory

GAMES = 24_000
MORE = """
INSERT INTO games_attempt (code, deal_id, game, player_id, number, version, outcome, closed, moves, home, undos,
    restarts, seconds, practice, created_at, touched_at)
WITH RECURSIVE row (n) AS (SELECT 2 UNION ALL SELECT n + 1 FROM row WHERE n < ?)
SELECT 'b' || printf('%011d', n), deal_id, game, player_id, n, 0, 'playing', 0, 0, 0, 0, 0, 0, 1, created_at, touched_at
FROM games_attempt, row WHERE games_attempt.code = ?
"""


async def test_a_file_that_nobody_reads_is_not_made(site: Site) -> None:
    player, host = await guests(site, 2, pause=0.05)
    form = urlencode({"csrfmiddlewaretoken": host.cookie.partition("csrftoken=")[2].partition(";")[0]}).encode()

    def take() -> bytes:
        with urlopen(Request(f"{site.url}/data/lilypad.json", form, {"Cookie": host.cookie})) as file:
            return bytes(file.read())

    await asyncio.to_thread(take)
    with closing(sqlite3.connect(site.file)) as database, database:
        database.execute(MORE, [GAMES, host.code])
    slow = socket.socket()
    slow.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    slow.connect(("127.0.0.1", site.port))
    before = memory(site)
    head = [
        "POST /data/lilypad.json HTTP/1.1", "Host: localhost", f"Cookie: {host.cookie}", f"Content-Length: {len(form)}",
        "Content-Type: application/x-www-form-urlencoded", "Connection: close", "", "",
    ]  # fmt: skip
    slow.sendall("\r\n".join(head).encode() + form)
    async with playing([player], lambda: site.port):
        for _ in range(10):
            await under_way([player])
            await asyncio.sleep(0.2)
    assert memory(site) - before < 6_000_000  # and the file is twice as long
    slow.settimeout(20)
    read = bytearray()
    while piece := await asyncio.to_thread(slow.recv, 1_000_000):
        read += piece
    slow.close()
    assert read.startswith(b"HTTP/1.1 200 OK")
    assert len(read) > 12_000_000
    assert len(re.findall(rb'"code": "b\d{11}"', read)) == GAMES - 1
    assert "Traceback" not in site.log.read_text()
    with closing(sqlite3.connect(site.file)) as database, database:
        database.execute("DELETE FROM games_attempt WHERE number > 1")  # it takes long to look through them all
    await check_at_rest(site, [player, host])
