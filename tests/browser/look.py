"""Choosing how the site looks in the panel that is open, and reading what that has changed. Judged elsewhere."""

from playwright.sync_api import Page, expect

COLOUR = "(element, name) => getComputedStyle(element).getPropertyValue(name)"


def choose(page: Page, label: str, value: str) -> None:
    """Choose in the panel that is open, and wait until the server has it."""
    with page.expect_response(lambda answer: answer.url.endswith("/settings/") and answer.request.method == "POST"):
        page.get_by_role("group", name=label, exact=True).get_by_label(value, exact=True).check()


def style(page: Page, selector: str, name: str) -> str:
    found: str = page.locator(selector).first.evaluate(COLOUR, name)
    return found


def open_box(page: Page) -> None:
    page.locator("[data-settings]:visible").last.click()
    expect(page.locator("#settings")).to_be_visible()


def close_box(page: Page) -> None:
    page.keyboard.press("Escape")
    expect(page.locator("#settings")).not_to_be_visible()
