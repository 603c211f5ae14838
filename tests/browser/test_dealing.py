"""A new deal is seen dealt, card after card; a game that goes on lies there at once."""

from playwright.sync_api import Page, expect

from tests.browser.conftest import Site
from tests.browser.tables import LANDED, recorded_deal, settled, state

COUNT_FLIGHTS = """
    window.flights = 0;
    const animate = Element.prototype.animate;
    Element.prototype.animate = function (frames, timing) {
        window.flights += timing.id === "flight";
        return animate.call(this, frames, timing);
    };
"""


def test_a_deal_is_seen_dealt_once(page: Page, site: Site) -> None:
    page.add_init_script(COUNT_FLIGHTS)
    page.goto(f"/deals/{recorded_deal(site, 'flower-garden', 0)}/")
    page.get_by_role("button", name="Play this deal").click()
    expect(page.locator("#board .card")).to_have_count(52)
    assert page.evaluate("window.flights") == 52
    page.evaluate(LANDED)
    assert state(page)["drawn"]

    source = state(page)["moves"][0].split(">")[0]
    page.locator(f"[data-pile={source}] .card").last.click()
    settled(page, 1)
    page.reload()
    expect(page.locator("#board .card")).to_have_count(52)
    assert page.evaluate("window.flights") == 0


def test_two_quick_presses_deal_once(page: Page, site: Site) -> None:
    page.goto("/")
    with page.expect_navigation(url="**/play/*/"):
        page.locator("form", has=page.locator("input[value=frog]")).get_by_role("button").dblclick(no_wait_after=True)
    expect(page.locator("#board .card").first).to_be_visible()
    with page.expect_navigation(url="**/play/*/"):
        page.evaluate("() => [1, 2].forEach(() => document.querySelector('#new-deal button').click())")
    expect(page.locator("#board .card").first).to_be_visible()
    page.goto("/mine/")
    expect(page.locator("main a[href^='/play/']")).to_have_count(2)
