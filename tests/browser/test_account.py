"""Signing up, out and in again, in a real browser."""

import pytest
from playwright.sync_api import ConsoleMessage, Page, WebSocketRoute, expect

from tests.browser.tables import TALLY

PASSWORD = "lily pad on water"


@pytest.fixture
def complaints(page: Page) -> list[str]:
    """What the browser's console holds against the site, such as breaches of the Content-Security-Policy."""
    said: list[str] = []

    def note(message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            said.append(message.text)

    page.on("console", note)
    return said


def sign_up(page: Page, name: str) -> None:
    page.goto("/accounts/signup/")
    page.get_by_label("Username").fill(name)
    page.get_by_label("Password", exact=False).first.fill(PASSWORD)
    page.get_by_label("Password (again)").fill(PASSWORD)
    page.locator("main").get_by_role("button", name="Sign up").click()
    expect(page).to_have_url("/mine/")


def test_sign_up_out_and_in(page: Page, complaints: list[str]) -> None:
    sign_up(page, "ada")
    page.goto("/accounts/logout/")
    page.locator("main").get_by_role("button", name="Log out").click()
    expect(page).to_have_url("/")

    page.goto("/accounts/login/")
    page.get_by_label("Login").fill("ADA")
    page.get_by_label("Password").fill(PASSWORD)
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


def test_a_new_password_ends_no_table_of_whoever_chose_it(page: Page) -> None:
    sign_up(page, "grace")
    opened = []

    def join(route: WebSocketRoute) -> None:
        opened.append(route)
        if len(opened) == 2:
            route.close(code=4403)  # as when the answer with the new session's cookie is not there yet
        else:
            route.connect_to_server()

    page.route_web_socket("**/ws/play/**", join)
    page.goto("/")
    page.get_by_role("button", name="Play", exact=True).first.click()
    expect(page.locator("#board .card").first).to_be_visible()
    other = page.context.new_page()
    other.goto("/accounts/password/change/")
    for field, password in (("oldpassword", PASSWORD), ("password1", PASSWORD + "!"), ("password2", PASSWORD + "!")):
        other.locator(f"[name={field}]").fill(password)
    other.locator("main form button").first.click()
    expect(page.locator(".banner")).to_contain_text("You are logged out")
    expect(page.locator(".banner")).to_be_empty()
    page.locator('[data-pile="stock"] .card').last.click()
    expect(page.locator(TALLY)).to_have_text("1")
    other.close()
