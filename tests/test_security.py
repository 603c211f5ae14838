"""What keeps strangers, scripts and other sites out: headers, cookies, throttles. Sockets: test_security_sockets.py."""

import os
import re
import subprocess
import sys
from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_loader
from pathlib import Path
from typing import Any

import pytest
from allauth.account import app_settings
from django.conf import settings as live
from django.core.cache import caches
from django.test import Client, RequestFactory
from pytest_django import Settings

from accounts.limits import address, address_of
from accounts.models import User
from accounts.sessions import SessionStore
from games import doors
from games.models import Attempt

pytestmark = pytest.mark.django_db(transaction=True)
ROOT = Path(__file__).parents[1]
PASSWORD = "lily pad on water"


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
        (1, "::1", "::1"),
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


THROTTLED = {
    "login": ("/accounts/login/", {"login": "nobody", "password": "wrong"}),
    "signup": ("/accounts/signup/", {"username": "x"}),
    "new_game": ("/new/", {"game": "frog"}),
    "new_race": ("/race/new/", {}),
    "find_race": ("/race/AAAAAA/", None),
    "export": ("/data/lilypad.json", {}),
}


@pytest.mark.parametrize("trusted", [0, 1])
@pytest.mark.parametrize("action", THROTTLED)
def test_neither_an_invented_address_nor_another_name_gets_round_a_throttle(
    settings: Settings, action: str, trusted: int
) -> None:
    settings.TRUSTED_PROXIES = settings.ALLAUTH_TRUSTED_PROXY_COUNT = trusted
    settings.ACCOUNT_RATE_LIMITS = {action: re.sub(r"\d+(?=/\w/ip)", "3", app_settings.RATE_LIMITS[action])}
    path, form = THROTTLED[action]

    def is_refused(name: int, forwarded: str) -> bool:
        client = Client(headers={"X-Forwarded-For": forwarded})
        client.force_login(User.objects.create_user(f"{name}"), backend="django.contrib.auth.backends.ModelBackend")
        answer = client.get(path) if form is None else client.post(path, form)
        answer.close()
        return answer.status_code == 429

    assert [is_refused(name, f"9.9.9.{name}, 1.2.3.4") for name in range(4)] == [False, False, False, True]
    assert is_refused(5, "1.2.3.4, 1.2.3.5") is (trusted == 0)


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


def test_without_redis_nobody_is_throttled_and_nobody_kept_out(
    client: Client, settings: Settings, caplog: pytest.LogCaptureFixture
) -> None:
    settings.CACHES = {"default": {"BACKEND": "config.cache.RedisWhileThere", "LOCATION": "redis://127.0.0.1:1/0"}}
    assert client.post("/new/", {"game": "frog"}).status_code == 302
    assert client.post("/accounts/login/", {"login": "nobody", "password": "wrong"}).status_code == 200
    assert caches["default"].get("anything", "usual") == "usual"
    assert "nothing is throttled" in caplog.text


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
