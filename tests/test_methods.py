"""Other methods than those of browsers, at every address: HEAD as GET, OPTIONS with what there is, else a page."""

import re
from typing import Any
from urllib.parse import quote

import pytest
from django.core.cache import cache
from django.test import Client
from django.utils.translation import gettext, override

from accounts.models import User
from games import services
from games.race import seats
from tests.test_fuzz import ADMINS, ARGUMENT, ROUTES, close


@pytest.fixture
def ask(owner: User, client: Client) -> Any:
    """Have the owner, who has a game and a race, send a request of any method."""
    attempt = services.start(player=owner, game="frog", kind="shuffled")
    race = seats.invite(host=owner, terms=seats.Terms())
    client.raise_request_exception = False

    def ask(method: str, route: str) -> Any:
        client.force_login(owner, backend="django.contrib.auth.backends.ModelBackend")
        cache.clear()
        code = race.code if "race" in route else attempt.deal.code if "deals/" in route else attempt.code
        given = iter(["frog" if re.search("<(slug|str):(game|slug)>", route) else code, "1"])
        answer = client.generic(method, "/" + ARGUMENT.sub(lambda _: quote(next(given)), route))
        close(answer)
        return answer

    return ask


@pytest.mark.django_db
def test_every_address_answers_head_as_get_and_tells_its_methods(ask: Any) -> None:
    odd = []
    for route in {*ROUTES} - {*ADMINS}:
        looked, head, options, frog = (ask(method, route) for method in ("GET", "HEAD", "OPTIONS", "FROG"))
        if head.status_code != looked.status_code or (not head.streaming and head.content):
            odd.append(("HEAD", route, looked.status_code, head.status_code))
        if options.status_code == 405 or options.status_code >= 500:
            odd.append(("OPTIONS", route, looked.status_code, options.status_code))
        if frog.status_code >= 500 or (frog.status_code == 405 and not (frog.headers["Allow"] and frog.content)):
            odd.append(("FROG", route, looked.status_code, frog.status_code))
    assert not odd


@pytest.mark.django_db
@pytest.mark.parametrize("language", ["en", "de", "ru"])
@pytest.mark.parametrize(
    ("method", "path", "allow"), [("GET", "/new/", "POST"), ("PUT", "/settings/", "GET, HEAD, POST")]
)
def test_a_wrong_method_is_told_so_in_the_sites_look(
    client: Client, method: str, path: str, allow: str, language: str
) -> None:
    client.cookies["look"] = "theme:dark"
    page = client.generic(method, path, headers={"accept-language": language})
    assert (page.status_code, page.headers["Allow"]) == (405, allow)
    with override(language):
        heading = gettext("Not like this")
    assert language == "en" or heading != "Not like this"
    assert f"<h1>{heading}</h1>" in page.text
    assert 'data-theme="dark"' in page.text
    options = client.options(path)
    assert (options.status_code, options.headers["Allow"], options.content) == (200, allow, b"")
