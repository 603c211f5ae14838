"""The server process that is measured, and the players and attempts in its database."""

import os
import secrets
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import cycle, islice
from pathlib import Path
from typing import NamedTuple

import msgspec
from django.conf import settings
from django.db import transaction
from django.test import Client

from accounts.models import User
from bench.services import ROOT, free_port
from games import selectors, shuffling
from games.cases import Case, Step, read_cases
from games.engine.cards import parse_cards
from games.engine.catalogue import GAMES
from games.engine.play import home
from games.models import Attempt, Deal

CASES = ROOT / "tests" / "engine" / "cases"


class Recorded(NamedTuple):
    """A whole game that somebody won."""

    slug: str
    deck: str
    spare: str
    moves: tuple[str, ...]


def recorded() -> list[Recorded]:
    """The longest winning game of the rule cases for each game."""
    return [max(_won(slug), key=lambda game: len(game.moves)) for slug in GAMES]


def _won(slug: str) -> Iterator[Recorded]:
    for raw in read_cases(CASES / f"{slug}.json"):
        case = msgspec.json.decode(raw, type=Case)
        if case.end and case.end.status == "won":
            steps = [msgspec.json.decode(step, type=Step) for step in case.steps or ()]
            yield Recorded(slug, case.deck, case.second_deck or "", tuple(step.move for step in steps if step.move))


def deal(game: Recorded) -> Deal:
    """The deal of a recorded game."""
    nonce = shuffling.new_nonce()
    seal = shuffling.commitment(nonce, shuffling.Shuffled(parse_cards(game.deck), parse_cards(game.spare)))
    return Deal.objects.create(
        game=game.slug, kind="shuffled", deck=game.deck, spare=game.spare, nonce=nonce, commitment=seal
    )


class Guest(NamedTuple):
    """A player with a session and an attempt at a recorded game."""

    code: str
    cookie: str
    game: Recorded


def guests(count: int) -> list[Guest]:
    """So many players, each at a table of their own, the games in turn."""
    deals = [(game, deal(game)) for game in recorded()]
    seats = list(islice(cycle(deals), count))
    users = User.objects.bulk_create(User(username=f"guest-{secrets.token_hex(6)}") for _ in range(count))
    laid = {deal: home(selectors.start_table(deal)) for _, deal in deals}
    attempts = Attempt.objects.bulk_create(
        Attempt(deal=deal, game=deal.game, player=user, home=laid[deal])
        for user, (_, deal) in zip(users, seats, strict=True)
    )
    with transaction.atomic():
        cookies = list(map(cookie, users))
    return [
        Guest(attempt.code, session, game) for attempt, session, (game, _) in zip(attempts, cookies, seats, strict=True)
    ]


def cookie(user: User) -> str:
    """The session of a user, as a browser sends it."""
    client = Client()
    client.force_login(user, settings.AUTHENTICATION_BACKENDS[0])
    return f"{settings.SESSION_COOKIE_NAME}={client.cookies[settings.SESSION_COOKIE_NAME].value}"


def addresses(port: int, guest: Guest) -> list[tuple[str, str, str]]:
    """Name, address and visitor's cookie of the pages that most people see first."""
    deal = Attempt.objects.select_related("deal").get(code=guest.code).deal
    paths = {"lobby": ("/", ""), "deal": (f"/deals/{deal.code}/", ""), "table": (f"/play/{guest.code}/", guest.cookie)}
    return [(name, f"http://localhost:{port}{path}", cookie) for name, (path, cookie) in paths.items()]


class Server(NamedTuple):
    """A server process that runs."""

    port: int
    pid: int


@contextmanager
def server(log: Path = Path(os.devnull)) -> Iterator[Server]:
    """A server process with bench.asgi, what it prints in a file. This process keeps to one core meanwhile."""
    port = free_port()
    limits = ["--websocket-max-message-size", "4096", "--websocket-max-frame-size", "4096", "--no-server-name"]
    limits += ["--websocket_connect_timeout", "20"]
    command = [sys.executable, "-m", "config.server", "--port", str(port), *limits, "bench.asgi:application"]
    with log.open("w") as output:
        process = subprocess.Popen(command, cwd=ROOT, stdout=output, stderr=output)
    try:
        with on_one_core(process.pid):
            while not answers(port):
                if process.poll() is not None:
                    raise RuntimeError("the server did not start")
                time.sleep(0.05)
            yield Server(port, process.pid)
    finally:
        process.terminate()
        process.wait()


@contextmanager
def on_one_core(server: int) -> Iterator[None]:
    """This process on one core meanwhile, where the system can; a server goes where it is put, as where people play."""
    if not hasattr(os, "sched_setaffinity"):  # macOS
        yield
        return
    ours = os.sched_getaffinity(0)
    os.sched_setaffinity(server, range(os.cpu_count() or 1))  # it began with ours, which may be one already
    os.sched_setaffinity(0, {max(ours)})
    try:
        yield
    finally:
        os.sched_setaffinity(0, ours)


def answers(port: int) -> bool:
    """Whether somebody listens there."""
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0
