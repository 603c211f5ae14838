"""Pages for what goes wrong: in the site's look, in the reader's language and colours, each with a way on."""

import re

import pytest
from django.core.exceptions import BadRequest, PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.test import Client
from django.urls import path
from django.utils.translation import gettext, override

from accounts.look import COOKIE
from config import urls
from config.urls import handler500 as handler500

RAISED = {400: BadRequest, 403: PermissionDenied, 404: Http404, 500: ZeroDivisionError}
HEADINGS = {
    400: "That did not work",
    403: "That is not open to you",
    404: "Nothing here",
    429: "Too many tries",
    500: "Something broke",
}


def fail(request: HttpRequest, code: int) -> HttpResponse:
    if code == 429:  # that allauth shows this page is seen in tests/accounts
        return render(request, "429.html", status=429)
    raise RAISED[code]


urlpatterns = [path("fail/<int:code>/", fail), *urls.urlpatterns]
pytestmark = pytest.mark.urls(__name__)


def reader(language: str) -> Client:
    """Somebody who reads this language, and likes the dark."""
    client = Client(enforce_csrf_checks=True, raise_request_exception=False, headers={"accept-language": language})
    client.cookies[COOKIE] = "theme:dark"
    return client


def check(page: HttpResponse, language: str, heading: str) -> None:
    text = page.content.decode()
    with override(language):
        said, way_on = gettext(heading), gettext("To the games")
    assert language == "en" or said != heading
    assert f'lang="{language}"' in text
    assert 'data-theme="dark"' in text
    assert re.findall(r"<h1>(.*?)</h1>", text) == [said]
    assert re.search(rf'<a class="button" href="/">{way_on}</a>', text)
    assert "Traceback" not in text


@pytest.mark.django_db
@pytest.mark.parametrize("language", ["en", "de", "ru"])
@pytest.mark.parametrize("code", HEADINGS)
def test_errors_speak_the_reader_s_language_and_show_a_way_on(code: int, language: str) -> None:
    page = reader(language).get(f"/fail/{code}/")
    assert page.status_code == code
    check(page, language, HEADINGS[code])


@pytest.mark.django_db
@pytest.mark.parametrize("language", ["en", "de", "ru"])
def test_a_form_that_is_not_ours_is_refused_in_the_same_way(language: str) -> None:
    page = reader(language).post("/new/", {"game": "frog"})
    assert page.status_code == 403
    check(page, language, "That took too long")


def test_the_page_of_a_fault_of_ours_needs_no_database() -> None:
    """The client is not let at the database here: asking it would raise once more."""
    page = reader("de").get("/fail/500/")
    assert page.status_code == 500
    check(page, "de", "Something broke")
