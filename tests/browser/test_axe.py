"""An audit of every kind of page, by day and by night, finds nothing that shuts anybody out."""

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from tests.browser.conftest import Site
from tests.browser.racers import NewContext, pair, start
from tests.browser.tables import sit

PAGES = (
    "/", "/daily/", "/deals/", "/race/", "/settings/", "/rules/frog/", "/rules/flower-garden/", "/rules/american-toad/",
    "/accounts/login/", "/accounts/signup/", "/offline/", "/nowhere/",
)  # fmt: skip
OWN_PAGES = ("/mine/", "/mine/races/", "/mine/statistics/", "/data/")


def audit(page: Page) -> None:
    found = Axe().run(page).response
    assert found["passes"]
    assert [(one["id"], one["nodes"][0]["html"]) for one in found["violations"]] == [], page.url


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_pages_shut_nobody_out(page: Page, site: Site, scheme: str) -> None:
    for address in PAGES:
        page.emulate_media(color_scheme=scheme, reduced_motion="reduce")  # type: ignore[arg-type]
        page.goto(address)
        audit(page)


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("game", ["frog", "flower-garden", "american-toad"])
def test_tables_shut_nobody_out(page: Page, site: Site, game: str, scheme: str) -> None:
    sit(page, site, game, 0, moves=3)
    page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
    audit(page)


def test_pages_of_ones_own_shut_nobody_out(page: Page, site: Site) -> None:
    sit(page, site, "frog", 0, moves=1)
    for address in OWN_PAGES:
        page.goto(address)
        audit(page)


def test_a_race_shuts_nobody_out(new_context: NewContext, site: Site) -> None:
    host, guest = pair(new_context, site, "Own shuffles")
    audit(host)
    start(host, guest)
    audit(host)
    guest.get_by_role("button", name="Give up").click()
    guest.locator("#confirm-give-up").get_by_role("button", name="Give up").click()
    expect(host.locator("#end")).to_be_visible()
    audit(host)
    host.goto(f"{host.url}1/")
    expect(host.locator("#board .card, .garden .card").first).to_be_visible()
    audit(host)
