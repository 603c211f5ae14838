"""How the site looks: chosen by a stranger, a guest or a member, kept, read again, and never believed unread."""

import re

import pytest
from django.test import Client

from accounts.look import COOKIE, USUAL
from accounts.models import User

pytestmark = pytest.mark.django_db
ADDRESS = "/settings/"


def shown(client: Client, path: str = "/") -> dict[str, str]:
    """What the first element of a page says."""
    page = client.get(path).text
    element = re.search(r"<html[^>]*>", page)
    assert element
    found = dict(re.findall(r'data-(\w+)="(\w+)"', element[0]))
    return {name: value for name, value in found.items() if name in USUAL}


def test_nothing_chosen_is_the_usual_look(client: Client) -> None:
    assert shown(client) == USUAL
    assert COOKIE not in client.cookies


def test_a_stranger_chooses_some_and_the_browser_keeps_all(client: Client) -> None:
    client.post(ADDRESS, {"theme": "dark", "suits": "four"})
    assert client.post(ADDRESS, {"face": "large"}).headers["Location"] == ADDRESS
    assert shown(client) == USUAL | {"theme": "dark", "suits": "four", "face": "large"}
    assert client.cookies[COOKIE]["httponly"]


def test_looking_makes_no_account_and_neither_does_choosing(client: Client) -> None:
    client.post(ADDRESS, {"theme": "dark"})
    assert not User.objects.exists()


@pytest.mark.parametrize(
    "cookie", ["", "theme", "theme:pink", ":::", "theme:dark:light", "x" * 5000, "<script>:1", "look.theme:dark\x01"]
)
def test_a_cookie_that_is_nonsense_is_passed_over(client: Client, cookie: str) -> None:
    client.cookies[COOKIE] = cookie
    assert shown(client) == USUAL


def test_what_is_unknown_is_not_kept(client: Client, owner: User) -> None:
    client.force_login(owner)
    client.post(ADDRESS, {"theme": "pink", "colour": "red", "hand": "left"})
    owner.refresh_from_db()
    assert owner.look == USUAL | {"hand": "left"}


@pytest.mark.parametrize("kept", [[], "dark", 3, {"theme": ["dark"]}, {"theme": None}])
def test_an_account_that_holds_nonsense_has_the_usual_look(client: Client, owner: User, kept: object) -> None:
    User.objects.filter(pk=owner.pk).update(look=kept)
    client.force_login(owner)
    assert shown(client) == USUAL


def test_the_account_keeps_it_and_wins_at_log_in(client: Client, owner: User) -> None:
    client.force_login(owner)
    client.post(ADDRESS, {"theme": "dark"})
    elsewhere = Client()
    elsewhere.post(ADDRESS, {"theme": "light", "face": "large"})
    assert shown(elsewhere)["theme"] == "light"
    elsewhere.force_login(owner)
    assert shown(elsewhere) == USUAL | {"theme": "dark"}


def test_who_never_chose_keeps_what_the_browser_has(client: Client, owner: User) -> None:
    client.post(ADDRESS, {"table": "paper"})
    client.force_login(owner)
    assert shown(client)["table"] == "paper"


def test_a_guest_keeps_the_look_when_signing_up(client: Client) -> None:
    client.post(ADDRESS, {"hand": "left"})
    client.post("/new/", {"game": "frog"})
    client.post(ADDRESS, {"theme": "dark"})
    guest = User.objects.get()
    assert guest.look == USUAL | {"hand": "left", "theme": "dark"}
    secret = "lily pad on water"
    client.post("/accounts/signup/", {"username": "ada", "password1": secret, "password2": secret})
    assert User.objects.get().username == "ada"
    assert shown(client) == USUAL | {"hand": "left", "theme": "dark"}


def test_reset_takes_all_back(client: Client, owner: User) -> None:
    client.force_login(owner)
    client.post(ADDRESS, {"theme": "dark", "calm": "on"})
    client.post(ADDRESS, {"reset": "yes", "theme": "dark"})
    assert shown(client) == USUAL
    client.logout()
    assert shown(client) == USUAL


def test_the_panel_shows_what_is_chosen_and_works_without_scripts(client: Client) -> None:
    client.post(ADDRESS, {"motion": "none"})
    page = client.get(ADDRESS).text
    assert re.findall(r'name="motion"\s+value="(\w+)"\s+checked', page) == ["none"]
    assert len(re.findall(r"\schecked", page)) == len(USUAL)
    assert "<noscript>" in page


def test_sheets_count_from_the_first_paint(client: Client) -> None:
    assert 'media="(prefers-contrast: more)"' in client.get("/").text
    client.post(ADDRESS, {"contrast": "high", "motion": "full"})
    page = client.get("/").text
    assert re.search(r'id="look-contrast"\s+media="all"', page)
    assert re.search(r'id="look-motion"\s+media="not all"', page)


@pytest.mark.parametrize("path", ["/", ADDRESS, "/rules/frog/", "/race/", "/accounts/login/", "/nowhere/"])
def test_every_page_has_the_look_and_leads_to_the_settings(client: Client, path: str) -> None:
    client.post(ADDRESS, {"theme": "dark"})
    assert shown(client, path)["theme"] == "dark"
    assert f'href="{ADDRESS}"' in client.get(path).text
