"""The table read out: all of it, what can be played, and one pile; and nothing that is not seen."""

import re

from playwright.sync_api import Page, expect

from tests.browser.conftest import Site
from tests.browser.tables import sit, top


def test_the_table_is_read_out(page: Page, site: Site) -> None:
    sit(page, site, "flower-garden", 0)
    status = page.locator("#status")
    top(page, "bed2").focus()
    page.keyboard.press("l")
    expect(status).to_have_text(
        "bed 2, from the top: ace of diamonds, ace of spades, 9 of hearts, 8 of diamonds, 2 of diamonds, ace of hearts."
    )
    page.keyboard.press("p")
    expect(status).to_have_text(
        "ace of diamonds from bed 2 to foundation 1; ace of clubs from bouquet 7 to foundation 1."
    )
    page.keyboard.press("t")
    expect(status).to_contain_text("bed 1: queen of diamonds on top, 6 cards; bed 2: ace of diamonds on top, 6 cards")
    expect(status).to_contain_text("bouquet 16: 2 of spades. Empty: foundation 1–4.")


def test_what_is_hidden_is_counted_and_not_named(page: Page, site: Site) -> None:
    sit(page, site, "frog", 0)
    status = page.locator("#status")
    top(page, "reserve").focus()
    page.keyboard.press("l")
    expect(status).to_contain_text("12 cards face down")
    page.keyboard.press("p")
    expect(status).to_contain_text("the stock may be turned")
    page.keyboard.press("t")
    expect(status).to_have_text(re.compile(r"stock: \d+ cards face down"))


def test_a_hint_says_that_there_is_a_move_then_where_then_which(page: Page, site: Site) -> None:
    sit(page, site, "flower-garden", 0)
    status, button = page.locator("#status"), page.get_by_role("button", name="Hint")
    button.click()
    expect(status).to_have_text("A card fits a foundation.")
    button.click()
    expect(status).to_have_text("Look here: bed 2.")
    top(page, "bed2").focus()
    page.keyboard.press("i")
    expect(status).to_have_text("ace of diamonds from bed 2 to foundation 1.")
    page.keyboard.press("i")
    expect(status).to_have_text("ace of diamonds from bed 2 to foundation 1.")
    page.keyboard.press("Shift+Enter")
    expect(status).to_contain_text("1 card home")
    page.keyboard.press("i")
    expect(status).to_have_text("A card fits a foundation.")
