"""The whole story in one go: a guest wins, joins and challenges a friend on a phone, then takes everything along."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import Site
from tests.browser.tables import new_deal, sit_at
from tests.browser.test_whole_games import Finger, click, play, see_the_win, won_game

NAME, PASSWORD = "orchid", "lily pad on water"
TRIED = 3  # moves that the friend makes


@pytest.fixture
def friend(browser: Browser) -> Iterator[Page]:
    context = browser.new_context(viewport={"width": 360, "height": 740}, has_touch=True, is_mobile=True)
    yield context.new_page()
    context.close()


def complaints_about(*pages: Page) -> list[str]:
    """What the browser's console holds against these pages, from now on."""
    said: list[str] = []
    for page in pages:
        page.on("console", lambda message: said.append(message.text) if message.type == "error" else None)
        page.on("pageerror", lambda error: said.append(str(error)))
    return said


def sign_up_from_the_table(page: Page) -> None:
    page.get_by_role("button", name="Look at the table").click()
    page.get_by_role("link", name="Sign up to keep your games").click()
    page.get_by_label("Username").fill(NAME)
    page.get_by_label("Password", exact=False).first.fill(PASSWORD)
    page.get_by_label("Password (again)").fill(PASSWORD)
    page.locator("main").get_by_role("button", name="Sign up").click()
    expect(page).to_have_url("/mine/")


def find_the_win_and_its_replay(page: Page, moves: int) -> None:
    line = page.locator(".games-list tbody tr")
    expect(line).to_contain_text("won clean")
    line.get_by_role("link", name="Flower Garden").click()
    scrubber = page.get_by_role("slider", name="Place in the game")
    expect(scrubber).to_have_attribute("max", str(moves))
    page.keyboard.press("End")
    expect(page.locator(".tally-line [data-fill=home]")).to_have_text("52")


def copy_the_link_of_the_deal(page: Page) -> str:
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.locator(".deal-line a").click()
    page.get_by_role("button", name="Share").click()
    expect(page.locator("#shared")).to_have_text("The link to this deal is copied.")
    copied: str = page.evaluate("navigator.clipboard.readText()")
    return copied


def try_and_give_up(phone: Page, moves: list[str]) -> None:
    play(phone, moves, Finger())
    phone.get_by_role("button", name="Menu").tap()
    phone.get_by_role("button", name="Give up").tap()
    phone.locator("#confirm-give-up").get_by_role("button", name="Give up").tap()
    box = phone.locator('dialog[data-outcome="given-up"]')
    expect(box).to_be_visible()  # the server has it; until then nobody may leave
    expect(box.locator("[data-fill=count]")).to_have_text(str(len(moves)))


def see_the_results(page: Page, link: str, *lines: str) -> None:
    page.goto(link)
    table = page.locator(".results tbody tr")
    expect(table).to_have_count(len(lines))
    expect(table).to_contain_text(lines)


def see_the_statistics(page: Page) -> None:
    page.goto("/mine/")
    page.get_by_role("link", name="My statistics").click()
    for name in ("Played", "Won", "Clean wins"):
        expect(page.locator(f'.figures-list tfoot [data-name="{name}"]')).to_have_text("1")


def take_a_copy(page: Page, link: str, moves: list[str]) -> None:
    page.get_by_role("link", name="Your data").click()
    with page.expect_download() as download:
        page.get_by_role("button", name="Download JSON").click()
    copy = json.loads(Path(download.value.path()).read_text())
    assert copy["player"]["name"] == NAME
    [attempt] = copy["attempts"]
    assert attempt["outcome"] == "won"
    assert attempt["deal"]["code"] in link
    assert [line["entry"] for line in attempt["log"]] == moves


def delete_the_account(page: Page) -> None:
    page.get_by_role("link", name="Delete my account …").click()
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Delete my account for good").click()
    expect(page.get_by_text("Your account is deleted.")).to_be_visible()


def fail_to_log_in(page: Page) -> None:
    page.goto("/accounts/login/")
    page.get_by_label("Login").fill(NAME)
    page.get_by_label("Password").fill(PASSWORD)
    page.locator("main").get_by_role("button", name="Log in", exact=True).click()
    expect(page.locator(".errorlist")).to_contain_text("not correct")


def test_from_a_guest_to_a_name_and_back_to_nobody(page: Page, friend: Page, site: Site) -> None:
    case = won_game("flower-garden")
    moves = [step["move"] for step in case["steps"]]
    won, given_up = "won clean 52/52 52", f"2 Guest given up {TRIED}/52 {TRIED}"
    code, complaints = new_deal(site, case, kind="winnable"), complaints_about(page, friend)
    link = f"{site.url}/deals/{code}/"

    sit_at(page, site, code)
    play(page, moves, click)
    see_the_win(page, case)
    sign_up_from_the_table(page)
    find_the_win_and_its_replay(page, len(moves))
    assert copy_the_link_of_the_deal(page) == link

    sit_at(friend, site, code)
    try_and_give_up(friend, moves[:TRIED])
    see_the_results(friend, link, f"1 {NAME} {won}", given_up.replace("Guest", "Guest you"))
    see_the_results(page, link, f"1 {NAME} you {won}", given_up)

    see_the_statistics(page)
    take_a_copy(page, link, moves)
    delete_the_account(page)
    see_the_results(page, link, f"1 somebody {won}", given_up)
    fail_to_log_in(page)
    assert complaints == []
