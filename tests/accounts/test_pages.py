"""The plain account pages: they look right to whoever opens them, and do what their button says."""

import re

import pytest
from django.contrib.auth import get_user
from django.core import mail
from django.test import Client

from accounts.models import User

pytestmark = pytest.mark.django_db
PASSWORD = "lily pad on water"
FORM = {"username": "ada", "password1": PASSWORD, "password2": PASSWORD}
PAGES = [
    "/accounts/signup/",
    "/accounts/login/",
    "/accounts/logout/",
    "/accounts/inactive/",
    "/accounts/confirm-email/",
    "/accounts/confirm-email/nonsense/",
    "/accounts/password/reset/",
    "/accounts/password/reset/done/",
    "/accounts/password/reset/key/0-nonsense/",
    "/accounts/password/reset/key/done/",
]


@pytest.mark.parametrize("path", PAGES)
def test_pages_open_without_inline_script_or_style(client: Client, owner: User, path: str) -> None:
    client.force_login(owner)
    page = client.get(path)
    assert page.status_code == 200
    assert page.text.count("<h1") == 1
    assert "contact us" not in page.text, "nobody is there to be asked"
    assert not re.search(r"<style|style=|<script(?![^>]*\b(src=|application/json))|\son\w+=", page.text)


def test_sign_up_with_a_name_and_a_password_alone(client: Client) -> None:
    assert client.post("/accounts/signup/", FORM).headers["Location"] == "/mine/"
    assert get_user(client) == User.objects.get(username="ada")
    assert mail.outbox == []


def test_log_in_by_name_or_email_whatever_the_case(client: Client) -> None:
    client.post("/accounts/signup/", FORM | {"email": "ada@lilypad.example"})
    for login in ("ada", "Ada", "ada@lilypad.example"):
        client.logout()
        client.post("/accounts/login/", {"login": login, "password": PASSWORD})
        assert get_user(client).is_authenticated, login


def test_log_out_asks_first(client: Client, owner: User) -> None:
    client.force_login(owner)
    client.get("/accounts/logout/")
    assert get_user(client) == owner
    assert client.post("/accounts/logout/").headers["Location"] == "/"
    assert not get_user(client).is_authenticated


def test_a_guest_is_told_what_logging_out_means(client: Client) -> None:
    client.force_login(User.objects.create_user("guest-0", is_guest=True))
    assert "Sign up to keep your games" in client.get("/accounts/logout/").text


def test_guessing_passwords_is_throttled(client: Client, owner: User) -> None:
    owner.set_password(PASSWORD)
    owner.save()
    for _ in range(5):
        client.post("/accounts/login/", {"login": "owner", "password": "guess"})
    client.post("/accounts/login/", {"login": "owner", "password": PASSWORD})
    assert not get_user(client).is_authenticated


def test_signing_up_is_throttled(client: Client) -> None:
    pages = [client.post("/accounts/signup/", {"username": "x"}) for _ in range(21)]
    assert pages[-1].status_code == 429
    assert "Too many tries" in pages[-1].text


def test_the_staff_can_look_after_accounts(admin_client: Client, owner: User) -> None:
    assert admin_client.get("/admin/accounts/user/").status_code == 200
    assert admin_client.get(f"/admin/accounts/user/{owner.pk}/change/").status_code == 200
