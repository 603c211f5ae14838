"""What keeps strangers, scripts and other sites out: headers, cookies, throttles, sockets of who has left."""

import os
import re
import subprocess
import sys
from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_loader
from pathlib import Path
from typing import Any

import pytest
from channels.db import database_sync_to_async
from channels.testing import WebsocketCommunicator
from django.conf import settings as live
from django.core.cache import caches
from django.db import OperationalError
from django.test import AsyncClient, Client, RequestFactory
from pytest_django import Settings

from accounts.limits import address, address_of
from accounts.models import User
from accounts.sessions import SessionStore
from config.asgi import application
from games import doors, services, sockets
from games.live import hub, tables
from games.models import Attempt
from games.race import rooms, seats
from games.race.models import Race
from tests.games.conftest import ORIGIN, Player, wire_for

pytestmark = pytest.mark.django_db(transaction=True)
ROOT = Path(__file__).parents[1]
PASSWORD = "lily pad on water"


@pytest.fixture(autouse=True)
def nothing_open() -> None:
    """What another test's process memory held is of no concern here."""
    for held in (tables._open, rooms._open, hub._listeners, sockets._sockets):
        held.clear()


@pytest.fixture
def attempt(owner: User) -> Attempt:
    return services.start(player=owner, game="frog", kind="shuffled")


# What browsers are told


@pytest.mark.parametrize("path", ["/", "/accounts/login/", "/nowhere/", "/static/css/tokens.css", "/jsi18n/"])
def test_every_answer_carries_the_headers(client: Client, path: str) -> None:
    answer = client.get(path)
    answer.close()
    headers = answer.headers
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Referrer-Policy"] == "same-origin"
    assert headers["Cross-Origin-Opener-Policy"] == "same-origin"
    assert headers["Cross-Origin-Resource-Policy"] == "same-origin"
    assert "camera=()" in headers["Permissions-Policy"]
    policy = dict(part.strip().split(" ", 1) for part in headers["Content-Security-Policy"].split(";"))
    assert policy["default-src"] == "'self'"
    assert policy["object-src"] == policy["base-uri"] == policy["frame-ancestors"] == "'none'"
    assert "unsafe" not in headers["Content-Security-Policy"]


def test_cookies_are_not_for_scripts_nor_for_other_sites(client: Client) -> None:
    client.post("/new/", {"game": "frog"})
    session = client.cookies[live.SESSION_COOKIE_NAME]
    assert session["httponly"]
    assert session["samesite"] == "Lax"


def test_a_form_of_another_site_does_nothing(owner: User) -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(owner, backend="django.contrib.auth.backends.ModelBackend")
    for path in ("/new/", "/race/new/", "/accounts/logout/", "/settings/", "/language/"):
        assert client.post(path, {"game": "frog"}).status_code == 403
    assert not Attempt.objects.exists()


TLS = """
from django.test import Client
from django.conf import settings
plain = Client().get("/", headers={"host": "lilypad.example"})
secure = Client(headers={"host": "lilypad.example", "x-forwarded-proto": "https"}).get("/jsi18n/")
assert plain.status_code == 301 and plain.headers["Location"] == "https://lilypad.example/"
assert "max-age=31536000; includeSubDomains" in secure.headers["Strict-Transport-Security"]
assert settings.SESSION_COOKIE_SECURE and settings.CSRF_COOKIE_SECURE and settings.LANGUAGE_COOKIE_SECURE
"""


def test_a_real_site_speaks_tls_alone(tmp_path: Path) -> None:
    real = {"HTTPS": "1", "SECRET_KEY": PASSWORD * 3, "ALLOWED_HOSTS": "lilypad.example"}
    env = os.environ | real | {"DATABASE_URL": f"sqlite:///{tmp_path / 'tls.sqlite3'}"}
    command = [sys.executable, "manage.py", "shell", "--verbosity", "0", "-c", TLS]
    done = subprocess.run(command, cwd=ROOT, env=env, check=False, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_a_name_that_is_not_the_sites_is_refused(client: Client) -> None:
    client.raise_request_exception = False
    for host in ("elsewhere.example", "localhost:x", "a b", "\0"):
        answer = client.get("/", headers={"host": host})
        assert answer.status_code == 400
        assert "<h1" in answer.text


# Addresses


@pytest.mark.parametrize(
    ("trusted", "forwarded", "seen"),
    [
        (0, "1.2.3.4", "127.0.0.1"),
        (1, "", "127.0.0.1"),
        (1, "1.2.3.4", "1.2.3.4"),
        (1, "6.6.6.6, 1.2.3.4", "1.2.3.4"),
        (2, "6.6.6.6, 1.2.3.4, 10.0.0.1", "1.2.3.4"),
        (2, "1.2.3.4", "127.0.0.1"),
        (1, "1.2.3.4, nonsense", ""),
        (1, "2001:db8:1:2:aaaa::1", "2001:db8:1:2::"),
        (1, "2001:db8:1:2:bbbb::2", "2001:db8:1:2::"),
        (1, "::ffff:1.2.3.4", "1.2.3.4"),
    ],
)
def test_only_our_own_proxies_say_where_somebody_comes_from(
    settings: Settings, trusted: int, forwarded: str, seen: str
) -> None:
    settings.TRUSTED_PROXIES = trusted
    request = RequestFactory().get("/", headers={"X-Forwarded-For": forwarded})
    assert address(request) == address_of(forwarded, "127.0.0.1") == seen
    scope = {"headers": [(b"x-forwarded-for", forwarded.encode())], "client": ["127.0.0.1", 1]}
    assert doors.address(scope) == seen


# Throttles


def test_an_invented_address_does_not_get_round_a_throttle(client: Client, settings: Settings) -> None:
    settings.ACCOUNT_RATE_LIMITS = {"login": "3/m/ip"}
    for trusted in (0, 1):
        settings.TRUSTED_PROXIES = settings.ALLAUTH_TRUSTED_PROXY_COUNT = trusted
        statuses = [
            client.post(
                "/accounts/login/",
                {"login": f"nobody{number}", "password": "wrong"},
                headers={"X-Forwarded-For": f"9.9.9.{number}, 1.2.3.4"},
            ).status_code
            for number in range(4)
        ]
        assert statuses == [200, 200, 200, 429]


@pytest.mark.parametrize(
    ("path", "form"), [("/new/", {"game": "frog"}), ("/race/new/", {}), ("/data/lilypad.json", {})]
)
def test_one_account_is_throttled_wherever_it_comes_from(
    client: Client, owner: User, settings: Settings, path: str, form: dict[str, str]
) -> None:
    settings.TRUSTED_PROXIES = 1
    settings.ACCOUNT_RATE_LIMITS = {
        name: rate.replace("60/m/key", "3/m/key").replace("30/m/key", "3/m/key").replace("10/h/user", "3/h/user")
        for name, rate in live.ACCOUNT_RATE_LIMITS.items()
    }
    client.force_login(owner)
    statuses = [
        client.post(path, form, headers={"X-Forwarded-For": f"1.2.3.{number}"}).status_code for number in range(4)
    ]
    assert [status == 429 for status in statuses] == [False, False, False, True]


def test_one_address_is_throttled_under_however_many_names(settings: Settings) -> None:
    settings.ACCOUNT_RATE_LIMITS = {"new_game": "3/m/ip,60/m/key", "new_race": "3/m/ip,30/m/key"}
    for path, form in (("/new/", {"game": "frog"}), ("/race/new/", {})):
        assert [Client().post(path, form).status_code for _ in range(4)] == [302, 302, 302, 429]


def test_without_redis_nobody_is_throttled_and_nobody_kept_out(
    client: Client, settings: Settings, caplog: pytest.LogCaptureFixture
) -> None:
    settings.CACHES = {"default": {"BACKEND": "config.cache.RedisWhileThere", "LOCATION": "redis://127.0.0.1:1/0"}}
    assert client.post("/new/", {"game": "frog"}).status_code == 302
    assert client.post("/accounts/login/", {"login": "nobody", "password": "wrong"}).status_code == 200
    assert caches["default"].get("anything", "usual") == "usual"
    assert "nothing is throttled" in caplog.text


# Sockets


def wire_from(where: str, path: str = "/ws/race/AAAAAA/") -> WebsocketCommunicator:
    return WebsocketCommunicator(application, path, headers=[*ORIGIN, (b"x-forwarded-for", where.encode())])


async def code_of(wire: WebsocketCommunicator) -> int:
    """What a socket is closed with."""
    assert (await wire.connect(timeout=5))[0]
    while (event := await wire.receive_output(timeout=5))["type"] != "websocket.close":
        pass
    return int(event["code"])


async def test_who_guesses_rooms_by_websocket_finds_none_any_more(settings: Settings, owner: User) -> None:
    settings.TRUSTED_PROXIES = 1
    settings.ACCOUNT_RATE_LIMITS = {"find_race": "5/m/ip,5/m/key"}
    race: Race = await database_sync_to_async(seats.invite)(host=owner, terms=seats.Terms())
    assert [await code_of(wire_from(f"9.9.9.{count}, 1.2.3.4")) for count in range(6)] == [4404] * 5 + [4429]
    assert await code_of(wire_from("1.2.3.4", f"/ws/race/{race.code}/")) == 4429
    wire = wire_from("1.2.3.5", f"/ws/race/{race.code}/")
    assert (await wire.connect(timeout=5))[0]
    shown = await wire.receive_output(timeout=5)
    assert shown["type"] == "websocket.send", shown
    await wire.disconnect()
    for path in ("", "qr.svg", "1/", "1/frames/"):
        page = await AsyncClient().get(f"/race/{race.code}/{path}", headers={"X-Forwarded-For": "1.2.3.4"})
        assert page.status_code == 429, "pages and sockets count together"


async def test_a_socket_whose_session_cannot_be_read_is_told_to_come_back(
    owner: User, attempt: Attempt, monkeypatch: pytest.MonkeyPatch
) -> None:
    def away(session: SessionStore) -> None:
        raise OperationalError("no route to the database")

    wire = await wire_for(owner, attempt.code)
    monkeypatch.setattr(SessionStore, "load", away)
    assert await code_of(wire) == sockets.AWAY


async def test_one_address_opens_only_so_many_sockets(settings: Settings) -> None:
    settings.TRUSTED_PROXIES, settings.SOCKETS_PER_ADDRESS = 1, 3
    settings.ACCOUNT_RATE_LIMITS = {}

    async def lets_in(where: str) -> bool:
        wire = wire_from(where)
        connected, _ = await wire.connect(timeout=5)
        await wire.wait(timeout=5)
        return connected

    assert [await lets_in("1.2.3.4") for _ in range(4)] == [True, True, True, False], "new ones in a minute"
    assert await lets_in("9.9.9.9, 1.2.3.4") is False
    assert await lets_in("1.2.3.5")
    assert [await lets_in("127.0.0.1") for _ in range(9)] == [True] * 9


async def test_one_address_holds_only_so_many_sockets(settings: Settings) -> None:
    settings.TRUSTED_PROXIES, settings.SOCKETS_PER_ADDRESS = 1, 3
    door, scope = doors.Door(None), {"headers": [(b"x-forwarded-for", b"1.2.3.4")]}
    for held, lets_in in ((2, True), (3, False)):
        door.open["1.2.3.4"] = held
        assert door._lets_in(doors.address(scope)) is lets_in


async def test_two_sockets_of_an_account_have_one_limit(owner: User, attempt: Attempt, settings: Settings) -> None:
    settings.REQUESTS_PER_SECOND, settings.REQUEST_BURST = 0.001, 4
    players = [await sit(owner, attempt) for _ in range(2)]
    for player in players * 2:
        await player.say(type="ping", version=0)
        assert (await player.hear())["type"] == "pong"
    assert (await players[0].do("stock>turned"))["code"] == "too-fast"
    for player in players:
        await player.wire.disconnect()


async def sit(user: User, attempt: Attempt) -> Player:
    player = Player(await wire_for(user, attempt.code), {})
    assert (await player.wire.connect(timeout=5))[0]
    await player.hear()
    return player


async def test_logging_out_closes_the_sockets_of_this_browser_alone(owner: User, attempt: Attempt) -> None:
    client = AsyncClient()
    await client.aforce_login(owner, backend="django.contrib.auth.backends.ModelBackend")
    cookie = f"{live.SESSION_COOKIE_NAME}={client.cookies[live.SESSION_COOKIE_NAME].value}".encode()
    here = await wire_for(None, attempt.code, [*ORIGIN, (b"cookie", cookie)])
    elsewhere = await sit(owner, attempt)
    await here.connect(timeout=5)
    await here.receive_from(timeout=5)
    await client.post("/accounts/logout/")
    assert await here.receive_output(timeout=5) == {"type": "websocket.close", "code": 4401}
    await here.send_to(text_data='{"type":"do","version":0,"entry":"stock>turned"}')  # as if it had not heard
    await here.wait(timeout=5)
    assert await code_of(await wire_for(None, attempt.code, [*ORIGIN, (b"cookie", cookie)])) == 4403
    assert (await elsewhere.do("stock>turned"))["version"] == 1, "the other device plays on, and nothing was done here"
    await elsewhere.wire.disconnect()


FORMS = {  # what ends all other sessions of an account: who does it, where, by which form
    "one's own new password": ("owner", "/accounts/password/change/", {"oldpassword": PASSWORD}),
    "one's own first password": ("owner", "/accounts/password/set/", {}),
    "the staff's new password": ("staff", "/admin/accounts/user/{}/password/", {"usable_password": "true"}),
    "made inactive": ("staff", "/admin/accounts/user/{}/change/", {"username": "owner"}),
}


@pytest.mark.parametrize("what", FORMS)
async def test_sockets_are_closed_whose_sessions_hold_no_more(owner: User, attempt: Attempt, what: str) -> None:
    who, path, fields = FORMS[what]
    await database_sync_to_async(owner.set_password)(None if "first" in what else PASSWORD)
    await owner.asave()
    staff = await User.objects.acreate(username="staff", is_staff=True, is_superuser=True)
    thief = await sit(owner, attempt)
    client = AsyncClient()
    await client.aforce_login(owner if who == "owner" else staff, backend="django.contrib.auth.backends.ModelBackend")
    form = fields | {"password1": PASSWORD + "!", "password2": PASSWORD + "!"}
    answer = await client.post(path.format(owner.pk), form)
    assert answer.status_code == 302, answer.content
    assert await thief.wire.receive_output(timeout=5) == {"type": "websocket.close", "code": 4401}
    await thief.wire.disconnect()


# What comes in


@pytest.mark.parametrize("value", ["\x00" * 32, "a" * 31 + "\x00", "' or 1=1 --", "a" * 33, "ä" * 32, ""])
def test_what_no_session_is_called_is_not_looked_for(value: str, django_assert_num_queries: Any) -> None:
    with django_assert_num_queries(0):
        assert SessionStore(value).session_key is None
    client = Client()
    client.cookies[live.SESSION_COOKIE_NAME] = value
    assert client.get("/mine/").status_code in (200, 302)


# What is written about it


def test_what_the_page_of_threats_names_is_tested() -> None:
    rows = [line for line in (ROOT / "docs/security.md").read_text().splitlines() if line.startswith("| ")]
    for row in rows:
        if "---" in row or row.startswith("| threat"):
            continue
        named = re.findall(r"`(tests/[\w/]+\.py)::(\w+)`", row)
        assert named, f"nothing stands for: {row}"
        for file, name in named:
            assert re.search(rf"def {name}\(", (ROOT / file).read_text()), f"{file}::{name}"


@pytest.mark.parametrize(
    ("licence", "refused"),
    [
        *[
            (licence, True)
            for licence in ("GPL-3.0-or-later", "AGPL-3.0", "GNU General Public License v3", "SSPL-1.0", "")
        ],
        *[(licence, False) for licence in ("MIT", "LGPL-3.0-only", "GNU LGPL v3+", "MPL-2.0", "BSD")],
    ],
)
def test_a_licence_that_binds_us_is_refused(licence: str, refused: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    loader = SourceFileLoader("bill", str(ROOT / "bin/bill"))
    spec = spec_from_loader("bill", loader)
    assert spec
    bill = module_from_spec(spec)
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    loader.exec_module(bill)
    monkeypatch.setattr(bill, "licence", lambda package: licence)
    assert bool(bill.refused()) is refused
