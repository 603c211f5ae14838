"""What a member may change, and what nobody learns about other people's accounts."""

import re

import pytest
from allauth.account.models import EmailAddress
from django.contrib.auth import get_user
from django.core import mail
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from accounts.models import User
from accounts.signals import account_closing

pytestmark = pytest.mark.django_db
PASSWORD = "lily pad on water"
MEMBERS_PAGES = ["", "name/", "delete/", "email/", "password/change/", "2fa/", "2fa/webauthn/", "reauthenticate/"]


@pytest.fixture
def ada(client: Client) -> User:
    """A member with a verified address, logged in through the page."""
    ada = User.objects.create_user("ada", "ada@lilypad.example", PASSWORD)
    EmailAddress.objects.create(user=ada, email=ada.email, primary=True, verified=True)
    client.post("/accounts/login/", {"login": "ada", "password": PASSWORD})
    assert get_user(client) == ada
    mail.outbox.clear()
    return ada


@pytest.mark.parametrize("path", [*MEMBERS_PAGES, "2fa/totp/activate/", "2fa/webauthn/add/"])
def test_pages_for_members_are_in_the_sites_look(client: Client, ada: User, path: str) -> None:
    client.post("/accounts/reauthenticate/", {"password": PASSWORD})  # as some of these pages ask for
    page = client.get(f"/accounts/{path}")
    assert page.status_code == 200
    assert page.text.count("<h1") == 1
    assert 'class="site-header"' in page.text
    assert not re.search(r"<style|style=|<script(?![^>]*\b(src=|application/json))|\son\w+=", page.text)


@pytest.mark.parametrize("path", MEMBERS_PAGES)
def test_strangers_are_asked_to_log_in(client: Client, path: str) -> None:
    for response in (client.get(f"/accounts/{path}"), client.post(f"/accounts/{path}")):
        assert response.status_code == 302
        assert response.headers["Location"].startswith("/accounts/login/")


def test_the_overview_asks_little_of_the_database(
    client: Client, ada: User, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    with django_assert_max_num_queries(6):
        page = client.get("/accounts/").text
    assert "ada@lilypad.example" in page


def test_a_new_name_is_the_one_to_log_in_by(client: Client, ada: User) -> None:
    assert client.post("/accounts/name/", {"username": "lovelace"}).headers["Location"] == "/accounts/"
    client.logout()
    client.post("/accounts/login/", {"login": "Lovelace", "password": PASSWORD})
    assert get_user(client) == ada


def test_ones_own_name_may_change_its_capitals(client: Client, ada: User) -> None:
    client.post("/accounts/name/", {"username": "Ada"})
    ada.refresh_from_db()
    assert ada.username == "Ada"


@pytest.mark.parametrize("taken", ["owner", "OWNER", "", "x y", "a" * 151])
def test_a_name_that_is_taken_or_none_is_refused(client: Client, ada: User, owner: User, taken: str) -> None:
    assert client.post("/accounts/name/", {"username": taken}).status_code == 200
    ada.refresh_from_db()
    assert ada.username == "ada"


def test_changing_the_name_touches_nobody_else(client: Client, ada: User, owner: User) -> None:
    client.post("/accounts/name/", {"username": "lovelace", "id": owner.pk, "is_staff": "1"})
    assert set(User.objects.values_list("username", "is_staff")) == {("lovelace", False), ("owner", False)}


def test_a_new_address_counts_once_it_is_confirmed(client: Client, ada: User) -> None:
    client.post("/accounts/email/", {"email": "new@lilypad.example", "action_add": ""})
    ada.refresh_from_db()
    assert ada.email == "ada@lilypad.example"
    to_new = next(message for message in mail.outbox if message.to == ["new@lilypad.example"])
    assert to_new.subject.startswith("Lilypad: ")
    assert "Hello from Lilypad!" in to_new.body
    link = re.search(r"/accounts/confirm-email/\S+", to_new.body)
    assert link
    client.post(link[0])
    ada.refresh_from_db()
    assert ada.email == "new@lilypad.example"
    assert EmailAddress.objects.get(user=ada).email == "new@lilypad.example"


def test_the_password_is_changed_by_who_knows_it_and_the_owner_is_told(client: Client, ada: User) -> None:
    new = "another lily pad"
    client.post("/accounts/password/change/", {"oldpassword": "guess", "password1": new, "password2": new})
    ada.refresh_from_db()
    assert ada.check_password(PASSWORD)
    client.post("/accounts/password/change/", {"oldpassword": PASSWORD, "password1": new, "password2": new})
    ada.refresh_from_db()
    assert ada.check_password(new)
    assert get_user(client) == ada
    assert [message.to for message in mail.outbox] == [["ada@lilypad.example"]]


def answers(client: Client, path: str, *forms: dict[str, str]) -> set[tuple[int, str, str]]:
    """What a page answers to each form: it tells nothing apart if this is one answer."""
    told = set()
    for form in forms:
        response = client.post(path, form)
        text = re.sub(r'value="[^"]*"', "", response.text)  # what was typed, and tokens
        told.add((response.status_code, response.headers.get("Location", ""), text))
        client.logout()
    return told


def test_logging_in_does_not_tell_which_accounts_exist(client: Client, ada: User) -> None:
    client.logout()
    assert len(answers(client, "/accounts/login/", *({"login": name, "password": "x"} for name in ("ada", "eve")))) == 1
    mails = ("ada@lilypad.example", "eve@lilypad.example")
    assert len(answers(client, "/accounts/login/", *({"login": name, "password": "x"} for name in mails))) == 1


def test_a_reset_does_not_tell_which_accounts_exist(client: Client, ada: User) -> None:
    client.logout()
    mails = ("ada@lilypad.example", "eve@lilypad.example")
    assert len(answers(client, "/accounts/password/reset/", *({"email": address} for address in mails))) == 1
    assert sorted(message.to for message in mail.outbox) == [[address] for address in mails], "nor by the time it takes"


def test_signing_up_does_not_tell_which_addresses_are_known(client: Client, ada: User) -> None:
    client.logout()
    passwords = {"password1": PASSWORD, "password2": PASSWORD}
    forms = [
        {"username": "bob", "email": "ada@lilypad.example"} | passwords,
        {"username": "eve", "email": "eve@lilypad.example"} | passwords,
    ]
    assert len(answers(client, "/accounts/signup/", *forms)) == 1
    assert EmailAddress.objects.get(email="ada@lilypad.example", verified=True).user == ada


def test_resetting_is_throttled(client: Client) -> None:
    pages = [client.post("/accounts/password/reset/", {"email": "eve@lilypad.example"}) for _ in range(6)]
    assert pages[-1].status_code == 429
    assert len(mail.outbox) == 5


def test_the_account_goes_with_the_password_alone(client: Client, ada: User, owner: User) -> None:
    gone = []

    def hear(user: User, **kwargs: object) -> None:
        gone.append(user.username)

    account_closing.connect(hear)
    assert "What stays" in client.get("/accounts/delete/").text
    assert client.post("/accounts/delete/").status_code == 200
    assert client.post("/accounts/delete/", {"password": "guess"}).status_code == 200
    assert get_user(client) == ada
    response = client.post("/accounts/delete/", {"password": PASSWORD}, follow=True)
    assert "Your account is deleted." in response.text
    assert list(User.objects.all()) == [owner]
    assert not get_user(client).is_authenticated
    assert gone == ["ada"]
    assert not EmailAddress.objects.exists()
    account_closing.disconnect(hear)


def test_guessing_the_password_for_deletion_is_throttled(client: Client, ada: User) -> None:
    for _ in range(5):
        client.post("/accounts/delete/", {"password": "guess"})
    assert client.post("/accounts/delete/", {"password": PASSWORD}).status_code == 429
    assert User.objects.filter(pk=ada.pk).exists()


def test_a_guest_only_says_so(client: Client) -> None:
    client.force_login(User.objects.create_user("guest-0", is_guest=True))
    assert 'name="password"' not in client.get("/accounts/delete/").text
    client.post("/accounts/delete/")
    assert not User.objects.exists()


def test_a_member_without_a_password_proves_it_otherwise(client: Client, owner: User) -> None:
    client.force_login(owner)
    assert client.post("/accounts/delete/").status_code == 403, "there is nothing yet to prove it by"
    assert User.objects.filter(pk=owner.pk).exists()


def test_logging_into_the_admin_takes_the_same_door(client: Client, owner: User) -> None:
    assert client.get("/admin/login/?next=/admin/").headers["Location"] == "/accounts/login/?next=%2Fadmin%2F"
    client.force_login(owner)
    assert client.get("/admin/login/").status_code == 403
