"""The proof of a fair shuffle, as a player asks for it: from the end of a game to the browser's own verdict."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Site
from tests.browser.tables import moves_of, sit

FIT = "✓ It fits."


@pytest.fixture
def stuck(page: Page, site: Site) -> Page:
    """A garden in which nothing goes any more."""
    moves = moves_of("flower-garden", 0)
    sit(page, site, "flower-garden", 0, len(moves))
    expect(page.locator('dialog[data-outcome="stuck"]')).to_be_visible()
    return page


def test_a_stuck_game_shows_its_deck_when_asked_and_the_browser_checks_it(stuck: Page) -> None:
    table = stuck.url
    stuck.get_by_role("link", name="Show me the deck").click()
    expect(stuck.locator("#seal")).to_be_visible()
    expect(stuck.locator("#sealed-text")).to_have_count(0)
    stuck.get_by_role("button", name="Show me the deck and close the game").click()
    expect(stuck.locator("#verdict")).to_contain_text(FIT)
    stuck.goto(table)
    expect(stuck.locator('[data-entry="undo"]').first).to_have_attribute("aria-disabled", "true")


def test_another_deck_than_the_sealed_one_is_found_out(stuck: Page) -> None:
    stuck.get_by_role("link", name="Show me the deck").click()
    stuck.get_by_role("button", name="Show me the deck and close the game").click()
    expect(stuck.locator("#verdict")).to_contain_text(FIT)
    stuck.evaluate("document.getElementById('sealed-text').firstChild.data += ' '")
    stuck.get_by_role("button", name="Check again").click()
    expect(stuck.locator("#verdict")).to_contain_text("It does not fit")


def test_the_deck_of_a_won_game_is_asked_for_in_the_same_way(page: Page, site: Site) -> None:
    sit(page, site, "flower-garden", 1, 52)
    page.get_by_role("link", name="Check the shuffle").click()
    page.get_by_role("button", name="Show me the deck and close the game").click()
    expect(page.locator("#verdict")).to_contain_text(FIT)
