"""The log of a real site: what leads from a line to what it is about, what is told once, and what is never in it."""

import asyncio
import json
import logging
import re
from collections.abc import Iterator
from io import StringIO
from typing import Any

import pytest
from django.test import AsyncClient, Client, RequestFactory
from pytest_django import Settings
from structlog.stdlib import ProcessorFormatter

from accounts.models import User
from config import requests
from config.logs import RoutesForPaths, logging_for
from games import services
from games.engine.cards import TEXT
from games.live import hub, tables
from games.models import Attempt
from tests.games.conftest import Player, wire_for

pytestmark = pytest.mark.django_db(transaction=True)
PASSWORD = "lily pad on water"


@pytest.fixture(autouse=True)
def nothing_open() -> None:
    """What another test's process memory held is of no concern here."""
    for held in (tables._open, hub._listeners):
        held.clear()


@pytest.fixture
def attempt(owner: User) -> Attempt:
    return services.start(player=owner, game="frog", kind="shuffled")


@pytest.fixture
def log() -> Iterator[StringIO]:
    """The log of a real site."""
    written = StringIO()
    handler = logging.StreamHandler(written)
    line = dict(logging_for(json=True)["formatters"]["line"])
    formatter = line.pop("()")
    assert formatter is ProcessorFormatter
    handler.setFormatter(formatter(**line))
    handler.addFilter(RoutesForPaths())
    logging.getLogger().addHandler(handler)
    yield written
    logging.getLogger().removeHandler(handler)


def lines(log: StringIO) -> list[dict[str, Any]]:
    return [json.loads(line) for line in log.getvalue().splitlines()]


async def test_the_log_leads_from_a_request_and_a_socket_to_the_attempt(
    owner: User, attempt: Attempt, log: StringIO
) -> None:
    client = AsyncClient()
    await client.aforce_login(owner, backend="django.contrib.auth.backends.ModelBackend")
    answer = await client.get(f"/play/{attempt.code}/")
    told = next(line for line in lines(log) if line["event"] == "answered")
    assert (told["view"], told["status"], told["attempt"], told["player"]) == ("table", 200, attempt.pk, owner.pk)
    assert told["request"] == answer.headers["X-Request-ID"]
    wire = await wire_for(owner, attempt.code)
    await wire.connect()
    await wire.send_to(text_data="x" * 2000)
    await wire.wait()
    told = next(line for line in lines(log) if line["event"] == "a socket was closed")
    assert (told["attempt"], told["code"]) == (attempt.pk, 4413)
    assert told["socket"]


def test_no_card_and_no_secret_is_in_the_log(client: Client, log: StringIO) -> None:
    form = {"username": "ada", "password1": PASSWORD, "password2": PASSWORD, "email": "ada@lilypad.example"}
    client.post("/accounts/signup/", form)
    client.post("/accounts/login/", {"login": "ada", "password": "wrong " + PASSWORD})
    client.post("/accounts/password/reset/", {"email": "ada@lilypad.example"})
    client.post("/new/", {"game": "frog"})
    attempt = Attempt.objects.get()
    cookies = {name: morsel.value for name, morsel in client.cookies.items()}
    asyncio.run(_play(User.objects.get(), attempt))
    for path in (f"/play/{attempt.code}/proof/", f"/play/{attempt.code}/replay/", "/mine/", "/nowhere/?key=abcdefgh"):
        client.get(path)
    text = log.getvalue()
    assert len(lines(log)) > 8
    assert not re.findall(rf"\b({'|'.join(TEXT)})\b", text)
    for secret in (*cookies.values(), PASSWORD, "ada@", "abcdefgh", attempt.deal.nonce, attempt.code):
        assert not secret or secret not in text


async def _play(owner: User, attempt: Attempt) -> None:
    wire = await wire_for(owner, attempt.code)
    await wire.connect()
    player = Player(wire, {})
    await player.hear()
    for _ in range(12):
        await player.do(player.table["moves"][0])
        await player.do("nonsense")
    await player.do("give-up")
    await wire.send_to(text_data="x" * 2000)
    await wire.wait()


def test_a_page_that_fails_is_logged_by_its_route_without_the_key_in_its_path(
    client: Client, log: StringIO, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*arguments: object, **more: object) -> None:
        raise RuntimeError("broken on purpose")

    monkeypatch.setattr("allauth.account.views.ConfirmEmailView.get", fail)
    client.raise_request_exception = False
    assert client.get("/accounts/confirm-email/the-secret-key/").status_code == 500
    (told,) = [line for line in lines(log) if line["logger"] == "django.request"]
    assert told["event"] == "Internal Server Error: /accounts/confirm-email/(?P<key>[-:\\w]+)/$"
    assert "broken on purpose" in told["exception"]
    assert told["request"]
    assert "the-secret-key" not in log.getvalue()


MANY = "&".join(f"a{number}=1" for number in range(1500))
FORM = "application/x-www-form-urlencoded"
NO_SENSE: dict[str, tuple[str, tuple[str, bytes, str], dict[str, str]]] = {
    "TooManyFieldsSent": ("POST", ("/new/", MANY.encode(), FORM), {}),
    "RequestDataTooBig": ("POST", ("/new/", b"a=" + b"x" * 3_000_000, FORM), {}),
    "BadRequest": ("POST", ("/new/", b"a=1", f"{FORM}; charset=idna"), {}),
    "MultiPartParserError": ("POST", ("/new/", b"junk", "multipart/form-data; boundary=\xff"), {}),
    "TooManyFilesSent": ("POST", ("/new/", b"".join(
        b'--x\r\nContent-Disposition: form-data; name="a"; filename="b"\r\n\r\nc\r\n' for _ in range(200)
    ) + b"--x--", "multipart/form-data; boundary=x"), {}),
    "DisallowedHost": ("GET", ("/", b"", ""), {"host": "elsewhere.example"}),
}  # fmt: skip


@pytest.mark.parametrize("fault", [*NO_SENSE, "in a query"])
def test_what_makes_no_sense_is_one_line_without_a_trace_and_a_page_in_the_readers_language(
    client: Client, log: StringIO, fault: str
) -> None:
    client.raise_request_exception = False
    client.cookies["look"] = "theme:dark"
    if fault == "in a query":
        fault, method, sent, more = "TooManyFieldsSent", "GET", (f"/mine/?{MANY}", b"", ""), {}
        client.force_login(User.objects.create_user("ada"))
    else:
        method, sent, more = NO_SENSE[fault]
    answer = client.generic(method, *sent, headers={"accept-language": "de", **more})
    assert answer.status_code == 400
    assert 'lang="de"' in answer.text
    assert 'data-theme="dark"' in answer.text
    (told,) = lines(log)
    assert (told["event"], told["status"], told["fault"]) == ("answered", 400, fault)


def test_only_a_proxy_of_ours_may_name_a_request(client: Client, settings: Settings) -> None:
    for trusted, given, taken in ((0, "0123456789abcdef", False), (1, "0123456789abcdef", True), (1, "a\nb", False)):
        settings.ALLAUTH_TRUSTED_PROXY_COUNT = trusted
        request = RequestFactory().get("/", headers={"X-Request-ID": given})
        assert (requests._begin(request) == given) is taken


def test_what_people_try_out_is_readable(log: StringIO) -> None:
    line = dict(logging_for(json=False)["formatters"]["line"])
    text = line.pop("()")(**line).format(logging.makeLogRecord({"msg": "a frog", "name": "games", "levelname": "INFO"}))
    assert text.startswith("[")
    assert "a frog" in text
