"""Leaving a table and coming back by the browser's own button, with the page kept in memory as people's browsers do."""

import shutil
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import BrowserType, Page, expect

from tests.browser.conftest import Site
from tests.browser.tables import TALLY, settled, sit, top

ELSEWHERE = """(table) => new Promise((resolve) => {
    const socket = new WebSocket(`/ws${table}`);
    socket.onmessage = ({ data }) => {
        const { version } = JSON.parse(data);
        if (version === 4) resolve(socket.close());
        else socket.send(JSON.stringify({ type: "do", version, entry: "turned>waste1" }));
    };
})"""


@pytest.fixture
def keeping(browser_type: BrowserType, browser_type_launch_args: dict[str, Any], base_url: str) -> Iterator[Page]:
    """A page of a browser that keeps pages in memory; Playwright forbids it, and the shell without windows cannot."""
    chromium = shutil.which("chromium")
    if chromium is None:
        pytest.fail("needs Chromium with its windows; bin/test installs it on Debian, as root")
    whole = browser_type_launch_args | {"executable_path": chromium}
    browser = browser_type.launch(**whole, ignore_default_args=["--disable-back-forward-cache"])
    yield browser.new_context(base_url=base_url).new_page()
    browser.close()


def test_a_table_taken_from_memory_is_alive_and_up_to_date(keeping: Page, site: Site) -> None:
    page = keeping
    page.goto("/offline/")
    page.evaluate("navigator.serviceWorker.ready.then(() => true)")  # a page that it takes over later is not kept
    sit(page, site, "frog", 0, 3)
    page.evaluate("window.isTheSame = true")
    table = page.url
    page.goto(page.locator("a[href^='/deals/']").first.get_attribute("href") or "")
    page.evaluate(ELSEWHERE, table.removeprefix(site.url))
    page.evaluate("history.back()")  # what Playwright has for it waits for a page to load
    expect(page).to_have_url(table)
    expect(page.locator(TALLY)).to_have_text("4")
    assert page.evaluate("window.isTheSame")
    top(page, "stock").click()
    settled(page, 5)
    expect(page.locator(".banner")).to_be_empty()
