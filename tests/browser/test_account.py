"""Signing up, out and in again, in a real browser."""

import pytest
from playwright.sync_api import ConsoleMessage, Page, expect


@pytest.fixture
def complaints(page: Page) -> list[str]:
    """What the browser's console holds against the site, such as breaches of the Content-Security-Policy."""
    said: list[str] = []

    def note(message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            said.append(message.text)

    page.on("console", note)
    return said


def test_sign_up_out_and_in(page: Page, complaints: list[str]) -> None:
    page.goto("/accounts/signup/")
    page.get_by_label("Username").fill("ada")
    page.get_by_label("Password", exact=False).first.fill("lily pad on water")
    page.get_by_label("Password (again)").fill("lily pad on water")
    page.locator("main").get_by_role("button", name="Sign up").click()
    expect(page).to_have_url("/mine/")

    page.goto("/accounts/logout/")
    page.locator("main").get_by_role("button", name="Log out").click()
    expect(page).to_have_url("/")

    page.goto("/accounts/login/")
    page.get_by_label("Login").fill("ADA")
    page.get_by_label("Password").fill("lily pad on water")
    page.locator("main").get_by_role("button", name="Log in", exact=True).click()
    expect(page).to_have_url("/mine/")
    assert complaints == []


def test_logging_out_in_one_tab_ends_the_table_in_the_other_and_says_so(page: Page) -> None:
    page.goto("/")
    page.get_by_role("button", name="Play", exact=True).first.click()
    expect(page.locator("#board .card").first).to_be_visible()
    other = page.context.new_page()
    other.goto("/accounts/logout/")
    other.locator("main").get_by_role("button", name="Log out").click()
    expect(other).to_have_url("/")
    page.bring_to_front()
    expect(page.locator(".banner")).to_have_text("You are logged out. Log in again to go on with this game.")
    other.close()
