"""Guests: how one comes to be, becomes a member, or is taken over by one."""

from collections.abc import Iterator

import pytest
from django.contrib.auth import get_user
from django.contrib.auth.models import AnonymousUser
from django.contrib.sessions.backends.db import SessionStore
from django.http import HttpRequest
from django.test import Client, RequestFactory

from accounts.models import User
from accounts.services import guest_for
from accounts.signals import guest_claimed

pytestmark = pytest.mark.django_db
PASSWORD = "lily pad on water"
FORM = {"username": "ada", "password1": PASSWORD, "password2": PASSWORD}


@pytest.fixture
def guest(client: Client) -> User:
    """A guest, to whom the client's session belongs."""
    guest = User.objects.create_user("guest-0", is_guest=True)
    client.force_login(guest)
    return guest


@pytest.fixture
def claims() -> Iterator[list[tuple[int, int]]]:
    """Who was claimed by whom."""
    heard: list[tuple[int, int]] = []

    def hear(guest: User, member: User, **kwargs: object) -> None:
        heard.append((guest.pk, member.pk))

    guest_claimed.connect(hear)
    yield heard
    guest_claimed.disconnect(hear)


def request(method: str) -> HttpRequest:
    request = RequestFactory().generic(method, "/")
    request.session = SessionStore()
    request.user = AnonymousUser()
    return request


def test_a_post_makes_a_guest_bound_to_the_session() -> None:
    post = request("POST")
    guest = guest_for(post)
    assert guest.is_guest
    assert not guest.has_usable_password()
    assert str(guest.display_name) == "Guest"
    assert get_user(post) == guest


def test_the_same_guest_stays() -> None:
    post = request("POST")
    assert guest_for(post) == guest_for(post)
    assert User.objects.count() == 1


def test_a_member_is_no_guest(owner: User) -> None:
    post = request("POST")
    post.user = owner
    assert guest_for(post) == owner
    assert owner.display_name == "owner"


@pytest.mark.parametrize("method", ["GET", "HEAD", "OPTIONS"])
def test_looking_makes_no_guest(method: str) -> None:
    with pytest.raises(ValueError, match="must not make an account"):
        guest_for(request(method))
    assert not User.objects.exists()


@pytest.mark.parametrize("path", ["/", "/mine/", "/accounts/login/", "/accounts/signup/"])
def test_pages_make_no_guest(client: Client, path: str) -> None:
    client.get(path)
    assert not User.objects.exists()


def test_signing_up_turns_the_guest_into_a_member(client: Client, guest: User, claims: list[tuple[int, int]]) -> None:
    assert "Sign up to keep your games" in client.get("/accounts/signup/").text
    response = client.post("/accounts/signup/", FORM)
    assert response.headers["Location"] == "/mine/"
    member = User.objects.get()
    assert member.pk == guest.pk
    assert (member.username, member.is_guest) == ("ada", False)
    assert member.check_password(PASSWORD)
    assert get_user(client) == member
    assert claims == []


def test_a_refused_sign_up_leaves_the_guest_alone(client: Client, guest: User, owner: User) -> None:
    client.post("/accounts/signup/", FORM | {"username": "owner"})
    guest.refresh_from_db()
    assert guest.is_guest
    assert guest.username == "guest-0"


def test_logging_in_claims_the_guest(client: Client, guest: User, claims: list[tuple[int, int]]) -> None:
    ada = User.objects.create_user("ada", password=PASSWORD)
    was = guest.pk
    client.post("/accounts/login/", {"login": "ada", "password": PASSWORD})
    assert claims == [(was, ada.pk)]
    assert list(User.objects.all()) == [ada]
    assert get_user(client) == ada


def test_a_failed_login_claims_nothing(client: Client, guest: User, claims: list[tuple[int, int]]) -> None:
    User.objects.create_user("ada", password=PASSWORD)
    client.post("/accounts/login/", {"login": "ada", "password": "wrong"})
    assert claims == []
    assert get_user(client) == guest


def test_a_member_who_logs_in_as_another_claims_nothing(
    client: Client, owner: User, claims: list[tuple[int, int]]
) -> None:
    User.objects.create_user("ada", password=PASSWORD)
    client.force_login(owner)
    client.post("/accounts/login/", {"login": "ada", "password": PASSWORD})
    assert claims == []
    assert User.objects.count() == 2
