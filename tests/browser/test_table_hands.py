"""Mouse, finger and keyboard at the table, against the real server: what a gesture means, what must never happen."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Site
from tests.browser.tables import AHEAD, TALLY, middle, moves_of, pile, settled, sit, state, top


def grab(page: Page, name: str) -> tuple[float, float]:
    """Lift the top card of a pile a little."""
    x, y = middle(page, name)
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 12, y + 9)
    return x, y


def test_a_dragged_card_keeps_its_place_under_the_pointer(page: Page, site: Site) -> None:
    sit(page, site, "frog", 0, 1)
    card = top(page, "turned")
    before = card.bounding_box()
    x, y = grab(page, "turned")
    page.mouse.move(x + 100, y + 80)
    after = card.bounding_box()
    assert before
    assert after
    assert after["x"] - before["x"] == pytest.approx(100, abs=1)
    assert after["y"] - before["y"] == pytest.approx(80, abs=1)
    expect(page.locator(".pile.lit")).to_have_count(5)
    page.mouse.move(*middle(page, "waste4"))
    page.mouse.up()
    assert len(settled(page, 2)["piles"]["waste4"]) == 1


def test_the_nearest_pile_that_takes_the_card_wins(page: Page, site: Site) -> None:
    sit(page, site, "frog", 0, 1)
    grab(page, "turned")
    x, y = middle(page, "waste2")
    page.mouse.move(x + 30, y + 150)  # beside it, and far below its place
    page.mouse.up()
    assert settled(page, 2)["last"] == "turned>waste2"


def test_an_illegal_drop_flies_back_with_the_reason(page: Page, site: Site) -> None:
    sit(page, site, "frog", 0, 1)
    start = top(page, "reserve").bounding_box()
    grab(page, "reserve")
    page.mouse.move(*middle(page, "waste1"))
    page.mouse.up()
    expect(page.locator("#status")).to_have_text("No card ever goes from Frog to waste 1.")
    assert settled(page, 1)["version"] == 1
    assert top(page, "reserve").bounding_box() == start


def test_a_drop_on_nothing_flies_back_in_silence(page: Page, site: Site) -> None:
    sit(page, site, "frog", 0, 1)
    said = page.locator("#status").inner_text()
    start = top(page, "turned").bounding_box()
    grab(page, "turned")
    page.mouse.move(5, 300)
    page.mouse.up()
    assert settled(page, 1)["version"] == 1
    assert top(page, "turned").bounding_box() == start
    assert page.locator("#status").inner_text() == said


def test_tap_and_tap_again(page: Page, site: Site) -> None:
    sit(page, site, "frog", 0, 1)
    top(page, "turned").click()
    expect(page.locator(".pile.lit")).to_have_count(5)
    expect(top(page, "turned")).to_have_attribute("aria-pressed", "true")
    page.wait_for_timeout(300)
    top(page, "turned").click()  # the same card again lets go
    expect(page.locator(".pile.lit")).to_have_count(0)
    page.wait_for_timeout(300)
    top(page, "turned").click()
    top(page, "waste3").click()
    assert settled(page, 2)["last"] == "turned>waste3"


def test_one_tap_on_a_waste_pile_lays_the_turned_card(page: Page, site: Site) -> None:
    sit(page, site, "frog", 0, 1)
    top(page, "waste5").click()
    assert settled(page, 2)["last"] == "turned>waste5"


def test_clicks_one_after_the_other_are_many(page: Page, site: Site) -> None:
    sit(page, site, "american-toad", 0)
    for count in range(1, 5):
        top(page, "stock").click()
        settled(page, count)


def test_part_of_a_run_goes_together(page: Page, site: Site) -> None:
    moves = moves_of("american-toad", 3)
    before = next(number for number, move in enumerate(moves) if ":3" in move)
    sit(page, site, "american-toad", 3, before)
    assert moves[before] == "tableau6>tableau5:3"
    cards = pile(page, "tableau6").locator(".card")
    lowest, target = cards.nth(cards.count() - 3).bounding_box(), top(page, "tableau5").bounding_box()
    assert lowest
    assert target
    page.mouse.move(lowest["x"] + 20, lowest["y"] + 8)
    page.mouse.down()
    page.mouse.move(target["x"] + 20, target["y"] + 20, steps=3)
    expect(page.locator(".lifted")).to_have_count(3)
    page.mouse.up()
    assert settled(page, before + 1)["last"] == moves[before]


def test_every_view_is_drawn_whole_while_cards_fly(page: Page, site: Site) -> None:
    sit(page, site, "american-toad", 0)
    page.emulate_media(reduced_motion="no-preference")
    moves = moves_of("american-toad", 0)
    page.evaluate(AHEAD, moves[:40])
    assert state(page)["drawn"]
    settled(page, 40)


def test_nothing_moves_where_motion_is_not_wanted(page: Page, site: Site) -> None:
    sit(page, site, "frog", 0)
    flights = "document.getAnimations().length"
    top(page, "stock").click()
    expect(page.locator(TALLY)).to_have_text("1")
    assert page.evaluate(flights) == 0
    page.emulate_media(reduced_motion="no-preference")
    top(page, "waste1").click()
    assert page.evaluate(flights) > 0


def focus(page: Page) -> str:
    name: str = page.evaluate("document.activeElement.closest('.pile')?.dataset.pile ?? ''")
    return name


def test_the_table_is_one_tab_stop_and_arrows_walk_it(page: Page, site: Site) -> None:
    sit(page, site, "frog", 0, 4)
    expect(page.locator("#board [tabindex='0']")).to_have_count(1)
    page.locator("[data-deal]").focus()
    page.keyboard.press("Tab")
    assert focus(page) == "foundation1"
    page.keyboard.press("ArrowRight")
    assert focus(page) == "foundation2"
    expect(page.locator(":focus")).to_have_accessible_name("ace of spades, foundation 2")
    page.keyboard.press("ArrowRight")
    expect(page.locator(":focus")).to_have_accessible_name("empty foundation 3")
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowDown")
    assert focus(page) == "reserve"
    for _ in range(7):
        page.keyboard.press("ArrowRight")
    assert focus(page) == "waste5"
    expect(page.locator(":focus")).to_have_accessible_name("5 of hearts, top of waste 5, 2 cards")
    page.keyboard.press("ArrowUp")
    expect(page.locator(":focus")).to_have_accessible_name("7 of diamonds, waste 5, card 1 of 2")
    page.keyboard.press("ArrowUp")
    assert focus(page).startswith("foundation")
    ends = {"End": "foundation8", "Control+End": "waste5", "Home": "reserve", "Control+Home": "foundation1"}
    for key, there in ends.items():
        page.keyboard.press(key)
        assert focus(page) == there
    page.keyboard.press("Tab")
    assert focus(page) == ""


def test_enter_takes_and_lays_down_and_escape_lets_go(page: Page, site: Site) -> None:
    sit(page, site, "frog", 0, 1)
    top(page, "turned").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#status")).to_contain_text("It can go to: waste 1, waste 2, waste 3, waste 4, waste 5.")
    page.keyboard.press("Escape")
    expect(page.locator(".selected")).to_have_count(0)
    expect(page.locator("#status")).to_have_text("The 7 of diamonds stays where it is.")
    page.keyboard.press("Shift+Enter")  # five places: none is obvious, so it is taken
    expect(page.locator("#status")).to_contain_text("is taken. It can go to: ")
    page.keyboard.press("Escape")
    page.keyboard.press("Space")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    assert settled(page, 2)["last"] == "turned>waste1"
    expect(page.locator("#status")).to_contain_text("from turned card to waste 1")
    top(page, "reserve").focus()
    page.keyboard.press("Shift+Enter")
    expect(page.locator("#status")).to_contain_text("There is no place for")
    page.keyboard.press("u")
    settled(page, 1)
    page.keyboard.press("r")
    settled(page, 2)


def test_enter_on_a_wrong_pile_says_why(page: Page, site: Site) -> None:
    sit(page, site, "frog", 0, 1)
    top(page, "turned").focus()
    page.keyboard.press("Enter")
    top(page, "foundation3").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#status")).to_contain_text("cannot start a foundation")
    assert settled(page, 1)["version"] == 1


def test_plus_and_minus_change_how_many_cards_are_taken(page: Page, site: Site) -> None:
    moves = moves_of("american-toad", 3)
    before = next(number for number, move in enumerate(moves) if ":3" in move)
    sit(page, site, "american-toad", 3, before)
    counts = {int(move.partition(":")[2] or 1) for move in state(page)["moves"] if move.startswith("tableau6>")}
    assert len(counts) > 1
    top(page, "tableau6").focus()
    page.keyboard.press("Enter")
    taken = page.locator(".selected")
    expect(taken).to_have_count(min(counts))
    page.keyboard.press("+")
    expect(taken).to_have_count(sorted(counts)[1])
    expect(page.locator("#status")).to_contain_text(f"and what lies on it, {sorted(counts)[1]} cards, are taken.")
    page.keyboard.press("-")
    expect(taken).to_have_count(min(counts))
    page.keyboard.press("-")
    expect(page.locator("#status")).to_have_text("No fewer cards can be taken.")


def test_single_keys_work_only_at_the_table(page: Page, site: Site) -> None:
    sit(page, site, "frog", 0, 2)
    page.locator("[data-deal]").focus()
    page.keyboard.press("u")
    page.wait_for_timeout(200)
    assert state(page)["version"] == 2
    top(page, "stock").focus()
    cyrillic = {"type": "keyDown", "key": "г", "code": "KeyU"}  # where others have their U
    page.context.new_cdp_session(page).send("Input.dispatchKeyEvent", cyrillic)
    settled(page, 1)


def test_a_new_deal_by_keys_keeps_the_keyboard_at_the_table(page: Page, site: Site) -> None:
    sit(page, site, "frog", 0)
    before = page.url
    top(page, "waste2").focus()
    page.keyboard.press("n")
    page.wait_for_url(lambda address: "/play/" in address and address != before)
    expect(page.locator("#board :focus")).to_have_count(1)


def test_two_keys_are_enough_to_play(page: Page, site: Site) -> None:
    sit(page, site, "flower-garden", 0)
    status = page.locator("#status")
    top(page, "bed6").focus()
    for reached in ("bouquet7", "bed2", "bouquet7"):
        page.keyboard.press("j")
        assert focus(page) == reached
    page.keyboard.press("Enter")
    expect(status).to_contain_text("is taken")
    page.keyboard.press("j")
    assert focus(page) == "foundation1"
    page.keyboard.press("Enter")
    expect(status).to_have_text("Ace of clubs from bouquet 7 to foundation 1; 1 card home.")
