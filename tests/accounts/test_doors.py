"""Every way in for a guest: codes, passkeys, other providers, links in mails. None loses the guest's account."""

import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from allauth.account.models import EmailAddress, get_emailconfirmation_model
from allauth.core import context
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from allauth.mfa.totp.internal.auth import (
    TOTP,
    format_hotp_value,
    generate_totp_secret,
    hotp_value,
    yield_hotp_counters_from_time,
)
from allauth.socialaccount.helpers import complete_social_login
from allauth.socialaccount.models import SocialAccount, SocialLogin
from django.contrib.auth import get_user
from django.contrib.messages.middleware import MessageMiddleware
from django.contrib.sessions.backends.db import SessionStore
from django.core import mail
from django.db import connection
from django.http import HttpRequest
from django.test import Client, RequestFactory

from accounts.middleware import GuestsAtTheDoor
from accounts.models import User
from accounts.services import claim
from accounts.signals import guest_claimed

pytestmark = pytest.mark.django_db
PASSWORD = "lily pad on water"
SIGN_UP = {"username": "ada", "password1": PASSWORD, "password2": PASSWORD}


@pytest.fixture
def guest(client: Client) -> User:
    """A guest, to whom the client's session belongs."""
    guest = User.objects.create_user("guest-0", is_guest=True)
    client.force_login(guest)
    return guest


@pytest.fixture
def ada() -> User:
    """A member who has a password."""
    return User.objects.create_user("ada", password=PASSWORD)


@pytest.fixture
def claims() -> Iterator[list[tuple[str, str]]]:
    """Who was claimed by whom."""
    heard: list[tuple[str, str]] = []

    def hear(guest: User, member: User, **kwargs: object) -> None:
        heard.append((guest.username, member.username))

    guest_claimed.connect(hear)
    yield heard
    guest_claimed.disconnect(hear)


def test_logging_in_with_a_one_time_code_claims_the_guest(
    client: Client, guest: User, ada: User, claims: list[tuple[str, str]]
) -> None:
    secret = generate_totp_secret()
    TOTP.activate(ada, secret)
    response = client.post("/accounts/login/", {"login": "ada", "password": PASSWORD})
    assert response.headers["Location"] == "/accounts/2fa/authenticate/"
    assert get_user(client) == guest, "the password alone lets nobody in"
    page = client.get("/accounts/2fa/authenticate/").text
    assert "logout" not in page.partition("<main")[2], "cancelling must not log the guest out"
    client.post("/accounts/2fa/authenticate/", {"code": "000000"})
    assert (get_user(client), claims) == (guest, [])
    code = format_hotp_value(hotp_value(secret, next(yield_hotp_counters_from_time())))
    client.post("/accounts/2fa/authenticate/", {"code": code})
    assert get_user(client) == ada
    assert claims == [("guest-0", "ada")]
    assert list(User.objects.all()) == [ada]


def test_a_recovery_code_does_as_well_but_once(client: Client, guest: User, ada: User) -> None:
    TOTP.activate(ada, generate_totp_secret())
    code = RecoveryCodes.activate(ada).get_unused_codes()[0]
    for expected in (ada, None):
        client.post("/accounts/login/", {"login": "ada", "password": PASSWORD})
        client.post("/accounts/2fa/authenticate/", {"code": code})
        assert (get_user(client) == ada) == bool(expected)
        client.post("/accounts/logout/")
    assert list(User.objects.all()) == [ada]


def test_logging_in_twice_at_once_claims_once(
    client: Client, guest: User, ada: User, claims: list[tuple[str, str]]
) -> None:
    second = Client(headers={"cookie": f"sessionid={client.cookies['sessionid'].value}"})
    for browser in (client, second):  # the second click still carries the session of the guest
        browser.post("/accounts/login/", {"login": "ada", "password": PASSWORD})
    assert claims == [("guest-0", "ada")]
    assert list(User.objects.all()) == [ada]


def test_signing_up_twice_makes_one_member(client: Client, guest: User) -> None:
    second = Client(headers={"cookie": f"sessionid={client.cookies['sessionid'].value}"})
    for browser in (client, second):
        browser.post("/accounts/signup/", SIGN_UP)
    assert [(user.pk, user.username) for user in User.objects.all()] == [(guest.pk, "ada")]
    assert get_user(client).is_authenticated


@pytest.mark.django_db(transaction=True)
def test_three_clicks_at_the_very_same_time_make_one_member(client: Client, guest: User) -> None:
    answers = []

    def click() -> None:
        browser = Client(headers={"cookie": f"sessionid={client.cookies['sessionid'].value}"})
        answers.append(browser.post("/accounts/signup/", SIGN_UP | {"email": "ada@lilypad.example"}).status_code)
        connection.close()

    clicks = [threading.Thread(target=click) for _ in range(3)]
    for thread in clicks:
        thread.start()
    for thread in clicks:
        thread.join()
    assert set(answers) <= {200, 302}, "200 says that the name is taken"
    assert [(user.pk, user.username, user.is_guest) for user in User.objects.all()] == [(guest.pk, "ada", False)]
    assert EmailAddress.objects.get().user_id == guest.pk


def test_a_guest_who_has_become_a_member_meanwhile_is_not_claimed(ada: User, claims: list[tuple[str, str]]) -> None:
    guest = User.objects.create_user("guest-0", is_guest=True)
    User.objects.filter(pk=guest.pk).update(username="bob", is_guest=False)
    claim(guest=guest, member=ada)
    assert claims == []
    assert User.objects.filter(username="bob").exists()


def test_the_slower_of_two_same_names_is_sent_to_log_in(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("accounts.adapter.GuestAdapter.clean_username", lambda adapter, name, shallow=False: name)
    User.objects.create_user("Ada")  # made after the form had been looked through
    assert client.post("/accounts/signup/", SIGN_UP).headers["Location"] == "/accounts/login/"


def test_confirming_an_address_elsewhere_leaves_the_guest_there_alone(client: Client, guest: User, ada: User) -> None:
    address = EmailAddress.objects.create(user=ada, email="ada@lilypad.example", primary=True)
    key = get_emailconfirmation_model().create(address).key
    assert "ada@lilypad.example" in client.get(f"/accounts/confirm-email/{key}/").text
    client.post(f"/accounts/confirm-email/{key}/")
    address.refresh_from_db()
    assert address.verified
    assert get_user(client) == guest


def test_resetting_a_password_leaves_the_guest_alone_until_logging_in(client: Client, guest: User, ada: User) -> None:
    EmailAddress.objects.create(user=ada, email="ada@lilypad.example", primary=True, verified=True)
    client.post("/accounts/password/reset/", {"email": "ada@lilypad.example"})
    link = next(word for word in mail.outbox[0].body.split() if "/password/reset/key/" in word)
    form = client.get("/" + link.split("/", 3)[3]).headers["Location"]
    new = "another lily pad"
    assert client.post(form, {"password1": new, "password2": new}).status_code == 302
    assert get_user(client) == guest
    client.post("/accounts/login/", {"login": "ada", "password": new})
    assert get_user(client) == ada


@pytest.mark.parametrize(
    "path",
    ["", "name/", "email/", "password/change/", "password/set/", "2fa/", "2fa/totp/activate/", "2fa/webauthn/add/"],
)
def test_a_guest_gets_no_password_but_by_signing_up(client: Client, guest: User, path: str) -> None:
    form = {"password1": PASSWORD, "password2": PASSWORD, "email": "guest@lilypad.example", "username": "eve"}
    for response in (client.get(f"/accounts/{path}"), client.post(f"/accounts/{path}", form)):
        assert response.status_code == 302
        assert response.headers["Location"].startswith(("/accounts/login/", "/accounts/signup/"))
    guest.refresh_from_db()
    assert not guest.has_usable_password()
    assert (guest.username, guest.is_guest) == ("guest-0", True)
    assert not EmailAddress.objects.exists()


def social_request(guest: User) -> HttpRequest:
    """A request from a guest's browser to a provider's page, as the middleware hands it on."""
    request = RequestFactory().get("/accounts/github/login/callback/")
    request.session = SessionStore()
    request.user = guest
    MessageMiddleware(lambda request: None).process_request(request)  # type: ignore[arg-type,return-value]
    GuestsAtTheDoor(lambda request: None).process_view(request, complete_social_login)  # type: ignore[arg-type,return-value]
    return request


def from_github(user: User) -> SocialLogin:
    return SocialLogin(user=user, account=SocialAccount(provider="github", uid="1"))


def test_another_provider_logs_in_and_claims_the_guest(ada: User, claims: list[tuple[str, str]]) -> None:
    guest = User.objects.create_user("guest-0", is_guest=True)
    SocialAccount.objects.create(user=ada, provider="github", uid="1")
    request = social_request(guest)
    with context.request_context(request):
        complete_social_login(request, from_github(User()))
    assert request.user == ada
    assert claims == [("guest-0", "ada")]


def test_signing_up_by_another_provider_turns_the_guest_into_the_member(claims: list[tuple[str, str]]) -> None:
    guest = User.objects.create_user("guest-0", is_guest=True)
    request = social_request(guest)
    with context.request_context(request):
        complete_social_login(request, from_github(User(username="ada")))
    member = User.objects.get()
    assert (member.pk, member.username, member.is_guest) == (guest.pk, "ada", False)
    assert request.user == member
    assert SocialAccount.objects.get().user == member
    assert claims == []


def test_other_providers_leave_no_trace_unless_switched_on(client: Client) -> None:
    page = client.get("/accounts/login/").text
    assert "github" not in page.lower()
    assert "by way of" not in page
    assert client.get("/accounts/3rdparty/").status_code == 404
    assert client.get("/accounts/github/login/").status_code == 404


def test_other_providers_can_be_switched_on() -> None:
    script = """
import django; django.setup()
from django.core.management import call_command
call_command("migrate", verbosity=0)
from django.test import Client
page = Client().get("/accounts/login/", headers={"host": "localhost"})
print(page.text, page.headers["Content-Security-Policy"])
print(Client().post("/accounts/github/login/", headers={"host": "localhost"}).headers["Location"])
"""
    switches = {
        "SIGN_IN_WITH": "github",
        "GITHUB_ID": "lily",
        "GITHUB_SECRET": "pad",
        "DATABASE_URL": "sqlite://:memory:",
    }
    env = os.environ | switches | {"DJANGO_SETTINGS_MODULE": "config.settings", "DEBUG": "1"}
    root = Path(__file__).parents[2]
    run = subprocess.run([sys.executable, "-c", script], cwd=root, env=env, check=True, capture_output=True, text=True)
    assert 'href="/accounts/github/login/' in run.stdout
    assert "form-action 'self' https://github.com" in run.stdout
    assert "https://github.com/login/oauth/authorize?client_id=lily" in run.stdout
