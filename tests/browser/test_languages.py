"""The table in the reader's language: corners and names of cards, and two viewers of one race with their own each."""

from collections.abc import Callable

from playwright.sync_api import BrowserContext, Page, expect

from tests.browser.conftest import Site
from tests.browser.racers import invited, newcomer
from tests.browser.tables import case, new_deal, sit, top

NewContext = Callable[..., BrowserContext]
CORNERS = """() => [...document.querySelectorAll('#board .card-index > :first-child')]
    .map((piece) => piece.dataset.piece.split('rank-')[1])"""
LETTERS = {"en": set("A23456789JQK") | {"10"}, "de": set("A23456789BDK") | {"10"}, "ru": set("Т23456789ВДК") | {"10"}}


def corners(page: Page) -> set[str]:
    expect(page.locator("#board .card").first).to_be_visible()
    return set(page.evaluate(CORNERS))


def test_corners_and_names_of_cards_are_the_reader_s(new_context: NewContext, site: Site) -> None:
    code = new_deal(site, case("flower-garden", 0))  # where every card lies open
    for language, play, name in [
        ("en", "Play this deal", "of "),
        ("de", "Dieses Blatt spielen", "Strauß"),
        ("ru", "Сыграть этот расклад", "букет"),
    ]:
        page = newcomer(new_context, locale=language)
        page.goto(f"{site.url}/deals/{code}/")
        page.get_by_role("button", name=play).click()
        assert corners(page) == LETTERS[language]
        assert name in (top(page, "bouquet3").get_attribute("aria-label") or "")


def test_the_switch_turns_a_table_and_its_game_goes_on(page: Page, site: Site) -> None:
    sit(page, site, "frog", 0)
    top(page, "stock").click()
    expect(page.locator("#status")).to_contain_text("turned")
    address = page.url
    page.locator("[data-settings]:visible").first.click()
    page.locator("#settings").get_by_role("button", name="Русский").click()
    expect(page.locator("html")).to_have_attribute("lang", "ru")
    assert page.url == address
    page.locator("#board .card").first.wait_for()
    page.get_by_role("button", name="Отменить", exact=True).click()
    expect(page.locator("#status")).to_contain_text("Ход отменён")


def test_two_viewers_of_one_race_see_their_own_letters(new_context: NewContext, site: Site) -> None:
    host, guest = newcomer(new_context), newcomer(new_context, locale="ru")
    guest.goto(invited(host, site))
    for page in (host, guest):
        page.locator(".readiness button").click()
    for page, language in ((host, "en"), (guest, "ru")):
        page.locator("#board .card").first.wait_for(timeout=15_000)
        assert corners(page) == LETTERS[language]
