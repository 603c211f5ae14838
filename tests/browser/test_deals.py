"""Deal pages in a browser: the link to share, times in the reader's zone, and nothing off the screen."""

import re

import pytest
from playwright.sync_api import Browser, Page, expect

PAGES = ("/daily/", "/deals/", "/frog/123456/", "/flower-garden-redeal/7/", "/american-toad/1/")


@pytest.mark.parametrize("width", [320, 1440])
def test_pages_of_deals_fit_and_ask_for_nothing_foreign(page: Page, width: int) -> None:
    complaints: list[str] = []
    page.on("console", lambda message: complaints.append(message.text))
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.set_viewport_size({"width": width, "height": 700})
    for address in PAGES:
        page.goto(address)
        page.wait_for_load_state("networkidle")
        assert page.evaluate("document.documentElement.scrollWidth") <= width, address
        broken = "Array.from(document.images).filter((image) => !image.naturalWidth).map((image) => image.src)"
        assert page.evaluate(broken) == [], address
    assert complaints == []


def test_a_friend_is_given_the_link(page: Page, base_url: str) -> None:
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.goto("/frog/123456/")
    page.get_by_role("button", name="Share").click()
    expect(page.locator("#shared")).to_have_text("The link to this deal is copied.")
    assert page.evaluate("navigator.clipboard.readText()") == f"{base_url}/frog/123456/"


def test_times_are_the_readers_own(browser: Browser, base_url: str) -> None:
    context = browser.new_context(base_url=base_url, timezone_id="Asia/Tokyo", locale="en")
    page = context.new_page()
    page.goto("/daily/")
    expect(page.locator("time[data-local]").first).to_have_text(re.compile("9:00 AM"))
    assert {cookie["name"]: cookie["value"] for cookie in context.cookies()}["timezone"] == "Asia/Tokyo"
    context.close()
