"""The table read out: all of it, what can be played, and one pile; and nothing that is not seen."""

import re

from playwright.sync_api import Page, expect

from tests.browser.conftest import Site
from tests.browser.tables import settled, sit, top


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
    sorted_bouquet = (
        "Bouquet. clubs: ace, 8, 10, queen; diamonds: 5, 6, 10, king; hearts: 2, 3, 6, 8, 10; spades: 2, 10, jack."
    )
    expect(status).to_contain_text(f"; bed 6: 7 of hearts on top, 6 cards. {sorted_bouquet} Empty: foundation 1–4.")
    top(page, "bouquet7").focus()
    page.keyboard.press("l")
    expect(status).to_have_text(f"bouquet 7, from the top: ace of clubs. {sorted_bouquet}")


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


def test_the_end_tells_how_many_hints_were_asked_for(page: Page, site: Site) -> None:
    sit(page, site, "frog", 0)
    status, ends = page.locator("#status"), page.locator("dialog[open] [data-hints]")

    def ask() -> None:
        top(page, "reserve").focus()
        page.keyboard.press("i")
        expect(status).not_to_be_empty()

    def give_up() -> None:
        page.get_by_role("button", name="Give up").click()
        page.locator("#confirm-give-up").get_by_role("button", name="Give up").click()

    ask()
    ask()  # about the same table: more of the same hint
    top(page, "stock").click()
    settled(page, 1)
    page.reload()
    expect(page.locator("#board .card").first).to_be_visible()
    ask()
    give_up()
    expect(ends).to_have_text("2 hints were asked for.")
    page.reload()
    expect(ends).to_have_text("2 hints were asked for.")
