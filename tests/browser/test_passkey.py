"""A passkey, made and used in a real browser; one-time codes by the way."""

import json
import re
from pathlib import Path

import pytest
from playwright.sync_api import ConsoleMessage, Page, expect

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


@pytest.fixture
def key(page: Page) -> None:
    """A security key that the browser makes up, always touched and unlocked."""
    devtools = page.context.new_cdp_session(page)
    devtools.send("WebAuthn.enable")
    options = {
        "protocol": "ctap2",
        "transport": "internal",
        "hasResidentKey": True,
        "hasUserVerification": True,
        "isUserVerified": True,
    }
    devtools.send("WebAuthn.addVirtualAuthenticator", {"options": options})


def press(page: Page, name: str) -> None:
    page.locator("main").get_by_role("button", name=name, exact=True).click()


@pytest.mark.usefixtures("key")
def test_a_guest_with_a_passkey_elsewhere_gets_in_by_it_with_the_games(page: Page, complaints: list[str]) -> None:
    page.goto("/accounts/signup/")
    page.get_by_label("Username").fill("hopper")
    page.get_by_label("Password", exact=False).first.fill(PASSWORD)
    page.get_by_label("Password (again)").fill(PASSWORD)
    press(page, "Sign up")

    page.get_by_role("link", name="hopper").click()
    page.get_by_role("link", name="Passkeys and one-time codes").click()
    page.locator("section", has_text="Security Keys").get_by_role("link", name="Add").last.click()
    page.get_by_label("Password").fill(PASSWORD)
    press(page, "Confirm")
    page.get_by_label("Name").fill("My phone")
    page.get_by_label("Passwordless").check()
    press(page, "Add")
    expect(page).to_have_url("/accounts/2fa/recovery-codes/")
    page.goto("/accounts/logout/")
    press(page, "Log out")

    page.locator("main form[action='/new/'] button").first.click()
    expect(page).to_have_url(re.compile("/play/"))
    table = page.url
    page.goto("/accounts/login/")
    expect(page.get_by_text("will move to your account")).to_be_visible()
    press(page, "Log in with a passkey")
    expect(page).to_have_url("/mine/")
    expect(page.get_by_role("link", name="hopper")).to_be_visible()
    page.goto(table)
    expect(page.locator("[data-place=stock], .pile").first).to_be_visible()

    with page.expect_download() as download:
        page.goto("/data/")
        press(page, "Download JSON")
    told = json.loads(Path(download.value.path()).read_text())
    assert [game["code"] for game in told["attempts"]] == [table.rstrip("/").rpartition("/")[2]]

    page.get_by_role("link", name="Delete my account").click()
    page.get_by_label("Password").fill(PASSWORD)
    press(page, "Delete my account for good")
    expect(page.get_by_text("Your account is deleted.")).to_be_visible()
    assert page.goto(table).status == 404  # type: ignore[union-attr]
    assert [said for said in complaints if "404" not in said] == []
