"""Nonsense at every address and through every websocket: an answer below 500, and no row of any kind.

LILYPAD_FUZZ=5000 tries so many of each; what is found is tried again in every run, as Hypothesis keeps it.
"""

import json
import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import timedelta
from typing import Any
from urllib.parse import quote, urlencode

import pytest
from asgiref.sync import async_to_sync
from django.conf import settings as live
from django.core.cache import cache
from django.core.signals import request_finished
from django.db import close_old_connections, models, transaction
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver
from hypothesis import HealthCheck, Phase, given, settings, strategies as st
from pytest_django import Settings

from accounts.models import User
from config.asgi import application
from games import doors, routing, services
from games.live import hub, tables
from games.live.journal import journal
from games.models import Attempt, Entry
from games.race import models as race_models, rooms, routing as race_routing, seats
from games.race.record import RoundRecord
from games.race.standing import PRESENCE
from tests.games.conftest import ORIGIN, _session
from tests.wires import Wire

pytestmark = pytest.mark.django_db
TRIES = int(os.environ.get("LILYPAD_FUZZ", "120"))
quick = settings(
    max_examples=TRIES,
    deadline=timedelta(seconds=20),
    phases=[Phase.reuse, Phase.generate, Phase.shrink],
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
ROWS: tuple[type[models.Model], ...] = (
    User, Attempt, Entry, race_models.Race, race_models.Seat, race_models.Round, race_models.Entry,
)  # fmt: skip


def routes(resolver: Any, before: str = "") -> Iterator[str]:
    """All addresses there are."""
    for one in resolver.url_patterns:
        route = before + str(one.pattern).lstrip("^")
        if isinstance(one, URLResolver):
            yield from routes(one, route)
        elif isinstance(one, URLPattern):
            yield route.rstrip("$").replace("\\", "")


ROUTES = sorted({*routes(get_resolver()), "nowhere/", "static/<path>", "healthz"})
ADMINS = [route for route in ROUTES if route.startswith("admin/")]
ARGUMENT = re.compile(r"<(?:\w+:)?(\w+)>|\(\?P<(\w+)>[^)]*\)")
FIELDS = [
    "game", "kind", "code", "round", "side", "number", "text", "deck", "sharing", "redeal", "best_of", "language",
    "next", "login", "username", "email", "password", "password1", "password2", "oldpassword", "action", "credential",
    "key", "order", "page", "version", "move", "play", "day", "theme", "lang",
]  # fmt: skip
LOOKED_UP = [
    "q", "p", "o", "e", "all", "id__exact", "deal__id__exact", "race__id__exact", "is_guest__exact", "game__exact",
    "user__id__exact", "_to_field", "_popup", "_changelist_filters",
]  # fmt: skip
STAFFS_FIELDS = [
    *LOOKED_UP, "app_label", "model_name", "field_name", "term", "_selected_action", "index", "select_across", "post",
    "usable_password", "object_id",
]  # fmt: skip
HEADERS = [
    "Accept", "Accept-Encoding", "Accept-Language", "Authorization", "Host", "If-Modified-Since", "If-None-Match",
    "Origin", "Range", "Referer", "X-Forwarded-For", "X-Request-ID", "X-Requested-With",
]  # fmt: skip
COOKIES = ["sessionid", "csrftoken", "messages", "look", "django_language", "first-minute"]
KINDS = ["application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "application/json", "\0", ""]
METHODS = ["GET", "POST", "HEAD", "PUT", "DELETE", "OPTIONS", "FROG"]

odd = st.one_of(
    st.sampled_from(["", "0", "-1", "99999999999999999999", "\0", "a\0b", "frog", "flower-garden", "%", "..", "🐸"]),
    st.text(max_size=20),
)


@dataclass
class Cast:
    """Who asks, and the codes of what the owner has."""

    clients: list[Client]  # the second one's posts are checked as those of a browser
    sessions: dict[str, str]
    staff: User
    codes: list[str]
    attempt: Attempt
    race: race_models.Race


@pytest.fixture
def cast(owner: User, settings: Settings, monkeypatch: pytest.MonkeyPatch) -> Cast:
    monkeypatch.setattr("channels.db.close_old_connections", lambda: None)  # the test's transaction is in it
    for held in (tables._open, rooms._open, hub._listeners):
        held.clear()
    settings.TRUSTED_PROXIES = 1
    guest = User.objects.create_user("guest-1", is_guest=True)
    staff = User.objects.create_superuser("staff")
    attempt = services.start(player=owner, game="frog", kind="shuffled")
    race = seats.invite(host=owner, terms=seats.Terms())
    clients = [Client(raise_request_exception=False, enforce_csrf_checks=checked) for checked in (False, True)]
    sessions = {"stranger": "", "guest": _session(guest), "owner": _session(owner), "staff": _session(staff)}
    codes = [attempt.code, race.code, attempt.deal.code, "1", "frog", "flower-garden", "2026-01-01"]
    return Cast(clients, sessions, staff, codes, attempt, race)


def count() -> list[int]:
    return [model._default_manager.count() for model in ROWS]


@quick
@given(
    who=st.sampled_from(["stranger", "guest", "owner", "staff"]),
    method=st.sampled_from(METHODS),
    route=st.sampled_from(ROUTES),
    arguments=st.lists(st.one_of(st.integers(0, 6), odd), min_size=2, max_size=2),
    query=st.dictionaries(st.sampled_from(FIELDS + STAFFS_FIELDS), odd, max_size=3),
    more=st.sampled_from(["", "&%", "&%00=%00", "&a[]=1&a[]=2", "&page=%FF"]),
    headers=st.dictionaries(st.sampled_from(HEADERS), odd, max_size=2),
    cookies=st.dictionaries(st.sampled_from(COOKIES), odd, max_size=1),
    body=st.one_of(st.dictionaries(st.sampled_from(FIELDS + STAFFS_FIELDS), odd, max_size=4), st.binary(max_size=50)),
    kind=st.sampled_from(KINDS),
    checked=st.booleans(),
)
def test_no_request_breaks_the_site(
    cast: Cast,
    who: str,
    method: str,
    route: str,
    arguments: list[int | str],
    query: dict[str, str],
    more: str,
    headers: dict[str, str],
    cookies: dict[str, str],
    body: dict[str, str] | bytes,
    kind: str,
    checked: bool,
) -> None:
    given = iter([cast.codes[one] if isinstance(one, int) else one for one in arguments])
    path = ARGUMENT.sub(lambda _: quote(next(given, "x"), safe="-:."), route)
    client = cast.clients[checked]
    client.cookies.clear()
    sent = body if isinstance(body, bytes) else urlencode(body).encode()
    held = [f"{live.SESSION_COOKIE_NAME}={cast.sessions[who]}", *(f"{name}={value}" for name, value in cookies.items())]
    cache.clear()
    with transaction.atomic():
        before = count()
        told = {name: one.encode().decode("latin-1") for name, one in (headers | {"Cookie": "; ".join(held)}).items()}
        answer = client.generic(method, f"/{path}?{urlencode(query)}{more}", sent, kind, headers=told)
        close(answer)
        assert answer.status_code < 500
        if checked or method != "POST":
            assert count() == before
        assert count()[ROWS.index(Entry)] == before[ROWS.index(Entry)], "no page plays"
        transaction.set_rollback(True)


nonsense = pytest.mark.parametrize("value", ["\0", "9" * 30], ids=["nul", "huge"])


def broken_by(cast: Cast, who: str, path: str, fields: dict[str, str], *, only_looks: bool = False) -> list[str]:
    """The requests that fail, of those with the fields in the query, in a form, and without any; all are undone."""
    text = urlencode(fields)
    requests = [("GET", f"{path}?{text}", ""), ("POST", path, text), ("GET", path, "")]
    broken = []
    for method, address, sent in requests[:1] if only_looks else requests:
        cache.clear()
        with transaction.atomic():
            told = {"Cookie": f"{live.SESSION_COOKIE_NAME}={cast.sessions[who]}"}
            answer = cast.clients[False].generic(method, address, sent, KINDS[0], headers=told)
            close(answer)
            transaction.set_rollback(True)
        if answer.status_code >= 500:
            broken.append(f"{method} {address}"[:99])
    return broken


def filled(route: str, arguments: list[str]) -> str:
    given = iter(arguments)
    return "/" + ARGUMENT.sub(lambda _: quote(next(given), safe=""), route)


@nonsense
def test_every_address_takes_nonsense_in_every_field(cast: Cast, value: str) -> None:
    broken = []
    for route in {*ROUTES} - {*ADMINS} | {"admin/", "admin/login/"}:
        own = cast.race.code if "race" in route else cast.attempt.code
        for arguments in ([value] * 2, [own, "1"], ["frog", "1"]) if "<" in route else ([],):
            broken += broken_by(cast, "owner", filled(route, arguments), dict.fromkeys(FIELDS, value))
    assert not broken


@nonsense
def test_every_page_of_the_staff_takes_nonsense(cast: Cast, value: str) -> None:
    broken = []
    rows = {"user": cast.staff, "attempt": cast.attempt, "deal": cast.attempt.deal, "race": cast.race}
    for route in ADMINS:
        model = route.split("/")[2] if route.count("/") > 2 else ""
        for arguments in ([value] * 2, [str(rows[model].pk)] if model in rows else []):
            if len(ARGUMENT.findall(route)) <= len(arguments):
                broken += broken_by(
                    cast, "staff", filled(route, arguments), dict.fromkeys(FIELDS + STAFFS_FIELDS, value)
                )
        if re.fullmatch(r"admin/\w+/\w+/", route):
            for field in LOOKED_UP:  # one at a time: a list looks no further than the first that it does not know
                broken += broken_by(cast, "staff", f"/{route}", {field: value}, only_looks=True)
    assert not broken


def close(answer: Any) -> None:
    """Have it give back its file, and spare the connection, as Django's client does with all that is not streamed."""
    request_finished.disconnect(close_old_connections)
    answer.close()
    request_finished.connect(close_old_connections)


SOCKETS = [str(one.pattern) for one in [*routing.websocket_urlpatterns, *race_routing.websocket_urlpatterns]]
number = st.one_of(st.integers(-5, 5), st.integers(), st.floats(), st.text(max_size=3), st.none())
entry = st.one_of(
    st.text(max_size=40),
    st.from_regex(r"(turned|waste[0-9]|bed[0-9]|nowhere)>(reserve|waste[0-9]|stock)(:[0-9]{1,3})?", fullmatch=True),
    st.sampled_from(["reveal", "finish", "redo", "undo", "redeal", "miss bed3", "start", "time", "lost", "say 99"]),
)
leaf = st.one_of(number, entry, st.booleans())
thing = st.recursive(leaf, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(entry, inner, max_size=3))
request = st.fixed_dictionaries(
    {"type": st.sampled_from(["do", "ping", "nothing"])},
    optional={"version": number, "entry": entry, "round": number, "sent": number, "more": thing},
)
message = st.one_of(st.binary(max_size=200), st.text(max_size=200), request, thing)


@quick
@given(
    route=st.sampled_from(SOCKETS),
    code=st.sampled_from(["own", "own", "own", "nowhere", "AAAAAA", "%00"]),
    query=st.sampled_from(["", "lang=de", "lang=%FF", "lang", "&&=%00"]),
    who=st.sampled_from(["owner", "owner", "guest", "stranger", "\0", "nonsense" * 4]),
    messages=st.lists(message, max_size=8),
)
def test_no_message_breaks_a_socket(
    cast: Cast,
    monkeypatch: pytest.MonkeyPatch,
    route: str,
    code: str,
    query: str,
    who: str,
    messages: list[Any],
) -> None:
    taken: list[Any] = []

    async def submit(record: Any) -> None:
        taken.append(record)

    monkeypatch.setattr(journal, "submit", submit)
    own = cast.race.code if "race" in route else cast.attempt.code
    path = "/" + route.replace("<slug:code>", own if code == "own" else code)
    cookie = cast.sessions.get(who, who)
    headers = [*ORIGIN, (b"cookie", f"{live.SESSION_COOKIE_NAME}={cookie}".encode())]
    doors.bucket.cache_clear()
    before = count()
    async_to_sync(converse)(path + "?" + query, headers, messages)
    assert count() == before
    assert all(isinstance(record, RoundRecord) and record.text in PRESENCE for record in taken)
    rooms._open.clear()


async def converse(path: str, headers: list[tuple[bytes, bytes]], messages: list[Any]) -> None:
    """Say it all; the application must not fail, and whatever it says itself is well-formed."""
    wire = Wire(application, path, headers=headers)
    connected, _ = await wire.connect()
    for one in messages if connected else []:
        said = one if isinstance(one, bytes | str) else json.dumps(one)
        await wire.send_input({"type": "websocket.receive", "bytes" if isinstance(said, bytes) else "text": said})
    if connected:
        await wire.disconnect()
    while not wire.output_queue.empty():
        event = wire.output_queue.get_nowait()
        if event["type"] == "websocket.send":
            assert json.loads(event["text"])["type"] in ("table", "race", "refused", "pong")
        else:
            assert event["type"] == "websocket.close"
            assert event["code"] in range(4000, 5000)
