"""What those who run the site see: whether it lives and is ready, what it has counted, and no more."""

import asyncio
import json
import re
from pathlib import Path

import pytest
from asgiref.sync import async_to_sync
from asgiref.testing import ApplicationCommunicator
from channels.db import database_sync_to_async
from django.contrib.sessions.models import Session
from django.db.utils import ConnectionHandler, OperationalError
from django.test import AsyncClient, Client
from hypothesis import HealthCheck, given, settings, strategies as st
from prometheus_client import REGISTRY
from pytest_django import Settings

from accounts.models import User
from config import health, sight
from config.asgi import application
from games import services, sockets
from games.live import hub, tables
from games.models import Attempt
from games.race import rooms, seats
from tests.games.conftest import Player, wire_for
from tests.games.race.conftest import Racer

pytestmark = pytest.mark.django_db(transaction=True)
ROOT = Path(__file__).parents[1]


@pytest.fixture(autouse=True)
def nothing_open() -> None:
    """What another test's process memory held is of no concern here."""
    for held in (tables._open, rooms._open, hub._listeners):
        held.clear()


@pytest.fixture
def attempt(owner: User) -> Attempt:
    return services.start(player=owner, game="frog", kind="shuffled")


async def ask(
    path: str, *headers: tuple[bytes, bytes], method: str = "GET", query: bytes = b"", body: bytes = b""
) -> tuple[int, bytes]:
    """The answer of the server itself, outside Django; it asks for no host name and no TLS."""
    scope = {"type": "http", "method": method, "path": path, "query_string": query, "headers": [*headers]}
    wire = ApplicationCommunicator(application, scope)
    await wire.send_input({"type": "http.request", "body": body})
    start = await wire.receive_output(timeout=20)
    body = await wire.receive_output(timeout=20)
    return start["status"], body["body"]


NAMES = st.sampled_from([b"authorization", b"host", b"cookie", b"content-length", b"x-forwarded-for", b""])
TOKENS = st.sampled_from([b"Bearer", b"Bearer ", b"bearer tell", b"Bearer \xff", b"Basic dGVsbA==", b"\0"])


@settings(max_examples=120, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    method=st.sampled_from(["GET", "POST", "HEAD", "FROG"]),
    query=st.binary(max_size=20),
    headers=st.lists(st.tuples(NAMES | st.binary(max_size=9), st.binary(max_size=20)), max_size=3),
    token=TOKENS | st.binary(max_size=9),
    body=st.binary(max_size=50),
)
def test_nonsense_changes_none_of_the_answers_and_tells_nobody_the_figures(
    settings: Settings, method: str, query: bytes, headers: list[tuple[bytes, bytes]], token: bytes, body: bytes
) -> None:
    settings.METRICS_TOKEN = "tell me"

    async def answers() -> list[tuple[int, bytes]]:
        paths = ("/healthz", "/readyz", "/metrics")
        return [
            await ask(path, *headers, (b"authorization", token), method=method, query=query, body=body)
            for path in paths
        ]

    (lives, _), (ready, told), (refused, nothing) = async_to_sync(answers)()
    assert (lives, ready, refused, nothing) == (200, 200, 401, b"{}")
    assert json.loads(told)["ready"] is True


def figure(name: str, **labels: str) -> float:
    return REGISTRY.get_sample_value(name, labels) or 0.0


async def test_a_process_that_lives_says_so_without_the_database(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sight, "_select", lambda: pytest.fail("asked the database"))
    assert await ask("/healthz") == (200, b'{"alive": true}')


async def test_a_process_is_ready_until_it_drains(monkeypatch: pytest.MonkeyPatch) -> None:
    status, body = await ask("/readyz")
    assert (status, json.loads(body)["ready"]) == (200, True)
    health.draining.set()
    try:
        status, body = await ask("/readyz")
    finally:
        health.draining.clear()
    assert status == 503
    assert json.loads(body) == {"ready": False, "database": True, "writes": True, "layer": True, "draining": True}


def test_a_database_without_tables_is_not_ready(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    handler = ConnectionHandler({"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": tmp_path / "gone"}})
    sight._select()
    monkeypatch.setattr(sight, "connection", handler["default"])
    with pytest.raises(OperationalError):
        sight._select()
    handler["default"].close()


@pytest.mark.parametrize(("part", "told"), [("database", 503), ("writes", 200), ("layer", 200)])
async def test_what_fails_or_does_not_answer_in_time_is_told(
    part: str, told: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = 0

    async def never() -> None:
        nonlocal asked
        asked += 1
        await asyncio.sleep(60)

    async def fails() -> None:
        raise OperationalError("no route to the secret host")

    monkeypatch.setattr(sight, "LIMIT", 0.2)
    for away in (fails, never, never):
        monkeypatch.setattr(sight, f"_{part}", away)
        status, body = await ask("/readyz")
        assert status == told
        assert json.loads(body)[part] is False
        assert b"secret" not in body
    assert asked == 1, "one look at a time, however often it is asked for"
    sight._looking.pop(part).cancel()


async def test_figures_are_for_whoever_has_the_token(settings: Settings) -> None:
    right = (b"authorization", b"Bearer let me see")
    assert (await ask("/metrics", right))[0] == 404, "none is set"
    settings.METRICS_TOKEN = "let me see"
    for wrong in (b"", b"Bearer", b"Bearer ", b"Bearer let me", b"let me see", b"Basic let me see"):
        assert (await ask("/metrics", (b"authorization", wrong)))[0] == 401, wrong
    assert (await ask("/metrics", (b"cookie", b"a=b")))[0] == 401
    for scheme in (b"Bearer", b"bearer"):
        status, body = await ask("/metrics", (b"authorization", scheme + b" let me see"))
        assert status == 200
        assert b"lilypad_moves_total" in body


async def test_moves_refusals_and_sockets_are_counted(owner: User, attempt: Attempt) -> None:
    wire = await wire_for(owner, attempt.code)
    before = [
        figure("lilypad_moves_total", game="frog"),
        figure("lilypad_refusals_total", game="frog", reason="illegal"),
        figure("lilypad_sockets"),
        figure("lilypad_commit_seconds_count"),
        figure("lilypad_batch_entries_sum"),
        figure("lilypad_sockets_closed_total", code="4413"),
    ]
    await wire.connect()
    player = Player(wire, {})
    await player.hear()
    assert figure("lilypad_sockets") == before[2] + 1
    await player.do("stock>turned")
    await player.do("finish")
    await wire.send_to(text_data="x" * 2000)
    await wire.receive_output()
    await wire.wait()
    assert [
        figure("lilypad_moves_total", game="frog"),
        figure("lilypad_refusals_total", game="frog", reason="illegal"),
        figure("lilypad_sockets"),
        figure("lilypad_commit_seconds_count"),
        figure("lilypad_batch_entries_sum"),
        figure("lilypad_sockets_closed_total", code="4413"),
    ] == [count + more for count, more in zip(before, (1, 1, 0, 1, 1, 1), strict=True)]


@pytest.mark.parametrize(
    ("fails", "code"), [(OperationalError("away"), "4503"), (Attempt.DoesNotExist(), "4404"), (None, "4401")]
)
async def test_sockets_that_the_server_ends_are_counted_by_why(
    owner: User, attempt: Attempt, monkeypatch: pytest.MonkeyPatch, fails: Exception | None, code: str
) -> None:
    async def fail(**arguments: object) -> None:
        if fails:
            raise fails

    monkeypatch.setattr(services, "catch_up", fail)
    wire = await wire_for(owner, attempt.code)
    before = figure("lilypad_sockets_closed_total", code=code)
    await wire.connect()
    if fails is None:
        await wire.receive_from()
        await database_sync_to_async(Session.objects.all().delete)()
        await sockets.session_ended(owner.pk)
    assert await wire.receive_output() == {"type": "websocket.close", "code": int(code)}
    if fails is None:
        await wire.disconnect()
    assert figure("lilypad_sockets_closed_total", code=code) == before + 1


async def test_races_are_counted_by_how_they_end(owner: User, rival: User) -> None:
    race = await database_sync_to_async(seats.invite)(host=owner, terms=seats.Terms())
    await database_sync_to_async(seats.join)(player=rival, race=race)
    before = figure("lilypad_races_started_total"), figure("lilypad_races_ended_total", reason="gave-up")
    racers = [Racer(await wire_for(user, race.code, path="race"), {}, []) for user in (owner, rival)]
    for racer in racers:
        await racer.wire.connect()
        await racer.hear()
    for racer in racers:
        await racer.do("ready")
    await racers[0].until(lambda view: bool(view["phase"] == "running"))
    assert figure("lilypad_races_going_on") == 1
    await racers[0].do("give-up")
    assert figure("lilypad_races_going_on") == 0
    for racer in racers:
        await racer.wire.disconnect()
    after = figure("lilypad_races_started_total"), figure("lilypad_races_ended_total", reason="gave-up")
    assert after == (before[0] + 1, before[1] + 1)


async def test_requests_are_counted_by_view_whatever_is_asked_for(owner: User) -> None:
    def count(view: str, method: str, status: str) -> float:
        return figure("lilypad_http_requests_total", view=view, method=method, status=status)

    before = count("lobby", "GET", "200"), count("", "other", "404")
    client = AsyncClient()
    assert (await client.get("/")).status_code == 200
    await client.generic("SPOIL-THE-FIGURES", "/nowhere-at-all/")
    assert (count("lobby", "GET", "200"), count("", "other", "404")) == (before[0] + 1, before[1] + 1)


def test_the_dashboard_shows_figures_that_there_are(client: Client) -> None:
    client.get("/")
    board = json.loads((ROOT / "deploy/grafana.json").read_text())
    asked = " ".join(target["expr"] for panel in board["panels"] for target in panel["targets"])
    named = set(re.findall(r"\b(?:lilypad|process)_\w+", asked))
    families = [family for family in REGISTRY.collect() if family.name.startswith(("lilypad", "process"))]
    assert named
    assert named <= {
        family.name + end
        for family in families
        for end in {"counter": ["_total"], "histogram": ["_bucket", "_sum", "_count"]}.get(family.type, [""])
    }
    shown = {name for name in named if name.startswith("lilypad")}
    assert all(any(name.startswith(family.name) for name in shown) for family in families if "lilypad" in family.name)
    labels = set(re.findall(r"by \(([\w, ]+)\)", asked))
    known = {"le", "instance", "game", "reason", "status", "view", "code"}
    assert {label for one in labels for label in one.split(", ")} <= known
