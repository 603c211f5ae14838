"""Every kind of page in the narrowest windows and the longest languages: nothing sideways, nothing that jumps about."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Site
from tests.browser.pages import OWN_PAGES, PAGES
from tests.browser.tables import sit

# How far a page is wider than its window, and how much of it moved while it came.
SIDEWAYS = "document.documentElement.scrollWidth - innerWidth"
SHIFTED = """() => new Promise((resolve) => {
    let sum = 0;
    new PerformanceObserver((list) => list.getEntries().forEach(({ value }) => (sum += value)))
        .observe({ type: "layout-shift", buffered: true });
    setTimeout(() => resolve(sum), 120);
})"""


@pytest.mark.parametrize("language", ["de", "ru"])
def test_narrow_windows_hold_every_page(page: Page, site: Site, language: str) -> None:
    page.set_viewport_size({"width": 320, "height": 568})
    sit(page, site, "american-toad", 0, moves=2)
    table = page.url.removeprefix(site.url)
    deal = str(page.locator("[data-deal]").get_attribute("href"))
    for address in (*PAGES, *OWN_PAGES, table, f"{table}replay/", f"{table}proof/", deal):
        page.set_viewport_size({"width": 320, "height": 568})
        page.goto(f"{address}?lang={language}")
        assert page.evaluate(SHIFTED) < 0.05, address
        assert page.evaluate(SIDEWAYS) <= 0, address
        page.set_viewport_size({"width": 360, "height": 740})
        assert page.evaluate(SIDEWAYS) <= 0, address


def test_a_telephone_says_in_short_that_nobody_has_come_and_where_to_sign_up(page: Page) -> None:
    page.set_viewport_size({"width": 360, "height": 740})
    page.goto("/race/")
    page.get_by_role("button", name="Make the room").click()
    missing = page.locator(".strip.rival .name")
    expect(missing).to_have_text("nobody yet")
    assert (missing.bounding_box() or {})["width"] > 50  # to be seen, not only heard
    page.goto("/race/")
    expect(page.get_by_role("link", name="Sign up", exact=True)).to_be_visible()
