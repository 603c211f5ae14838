"""Which language a page is in, and that the choice is remembered."""

import re

import pytest
from django.conf import settings
from django.contrib.auth import get_user
from django.test import Client

from accounts.models import User

pytestmark = pytest.mark.django_db
PASSWORD = "lily pad on water"
COOKIE = settings.LANGUAGE_COOKIE_NAME


def language_of(client: Client, address: str = "/", wished: str = "") -> str:
    page = client.get(address, headers={"accept-language": wished})
    found = re.search(r'<html lang="(\w+)"', page.content.decode())
    assert found
    return found[1]


def switch(client: Client, language: str) -> str:
    return client.post("/language/", {"language": language, "next": "/race/"}).headers["Location"]


@pytest.mark.parametrize(
    ("wished", "language"),
    [
        ("", "en"),
        ("de", "de"),
        ("de-AT,de;q=0.9,en;q=0.8", "de"),
        ("ru-RU,ru;q=0.9,en-US;q=0.8", "ru"),
        ("fr,ru;q=0.5,de;q=0.7", "de"),
        ("fr", "en"),
        ("en-GB,de;q=0.9", "en"),
    ],
)
def test_the_browser_s_wish_is_honoured(client: Client, wished: str, language: str) -> None:
    assert language_of(client, wished=wished) == language


def test_the_switch_leads_back_and_is_remembered_by_a_cookie(client: Client) -> None:
    assert switch(client, "ru") == "/race/"
    cookie = client.cookies[COOKIE]
    assert (cookie["samesite"], cookie["max-age"]) == ("Lax", settings.SESSION_COOKIE_AGE)
    assert language_of(client, wished="de") == "ru"
    switch(client, "en")
    assert language_of(client, wished="de") == "en"
    assert not User.objects.exists()  # switching makes no guest


def test_nothing_but_a_language_of_ours_is_taken(client: Client) -> None:
    for wrong in ("fr", "", "de; path=/", "../de"):
        assert client.post("/language/", {"language": wrong}).status_code == 400
        assert COOKIE not in client.cookies
    assert client.get("/language/").status_code == 405
    elsewhere = client.post("/language/", {"language": "de", "next": "https://elsewhere.example/"})
    assert elsewhere.headers["Location"] == "/"


@pytest.mark.parametrize("address", ["/", "/rules/frog/", "/accounts/login/", "/nowhere/", "/settings/"])
def test_every_page_has_the_switch_with_each_language_by_its_own_name(client: Client, address: str) -> None:
    page = client.get(address).content.decode()
    for code, name in [("en", "English"), ("de", "Deutsch"), ("ru", "Русский")]:
        assert re.search(rf'<button[^>]*value="{code}"[^>]*lang="{code}"[^>]*>{name}</button>', page)
    assert re.findall(r'value="(\w+)"[^>]*aria-current="true"', page) == ["en"]


def test_a_member_finds_the_language_again_on_another_device(client: Client) -> None:
    member = User.objects.create_user("ada", password=PASSWORD)
    client.force_login(member, backend="django.contrib.auth.backends.ModelBackend")
    switch(client, "de")
    member.refresh_from_db()
    assert member.language == "de"
    phone = Client()
    phone.cookies[COOKIE] = "ru"
    phone.post("/accounts/login/", {"login": "ada", "password": PASSWORD})
    assert get_user(phone) == member
    assert language_of(phone) == "de"


def test_an_account_without_a_language_learns_what_the_browser_remembers(client: Client) -> None:
    switch(client, "ru")
    client.post("/accounts/signup/", {"username": "ada", "password1": PASSWORD, "password2": PASSWORD})
    assert User.objects.get().language == "ru"
    plain = Client()
    plain.post("/accounts/signup/", {"username": "bob", "password1": PASSWORD, "password2": PASSWORD})
    assert User.objects.get(username="bob").language == ""


def test_a_link_may_name_a_language_for_its_page_alone(client: Client) -> None:
    assert language_of(client, "/?lang=ru", wished="de") == "ru"
    assert language_of(client, wished="de") == "de"
    assert language_of(client, "/?lang=fr", wished="de") == "de"
    switch(client, "de")
    assert language_of(client, "/?lang=ru") == "ru"
    assert language_of(client) == "de"


@pytest.mark.parametrize(("query", "canonical"), [("", ""), ("?lang=de", "?lang=de"), ("?lang=fr", ""), ("?x=1", "")])
def test_search_engines_are_told_of_the_page_in_each_language(client: Client, query: str, canonical: str) -> None:
    page = client.get(f"/rules/frog/{query}").content.decode()
    base = "http://testserver/rules/frog/"
    links = dict(re.findall(r'hreflang="([\w-]+)"\s+href="([^"]+)"', page))
    assert links == {"x-default": base, "en": f"{base}?lang=en", "de": f"{base}?lang=de", "ru": f"{base}?lang=ru"}
    assert re.findall(r'rel="canonical"\s+href="([^"]+)"', page) == [base + canonical]


def test_no_page_is_kept_by_caches_for_readers_of_another_language(client: Client) -> None:
    assert "Accept-Language" in client.get("/").headers["Vary"]
    assert "Cookie" in client.get("/").headers["Vary"]
