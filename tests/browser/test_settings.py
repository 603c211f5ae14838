"""The settings in a browser: each choice shows at once, is still there after a reload and on other pages, and fits
every window; devices that ask for contrast, for their own colours or for no motion get them without choosing."""

import re
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from games.engine.catalogue import GAMES
from tests.browser.conftest import Site
from tests.browser.tables import LANDED, moves_of, pile, settled, sit, top

SIDEWAYS = "document.documentElement.scrollWidth - innerWidth"
COLOUR = "(element, name) => getComputedStyle(element).getPropertyValue(name)"
LOOK = "face:large.suits:four.hand:left.contrast:high"
START = """(slug) => {
    const form = document.querySelector("main form[action='/new/'], form[action='/new/']");
    form.querySelector("[name=game]").value = slug;
    form.submit();
}"""

# Lays copies of the top card on the first fan until it has so many.
CROWD = """(count) => {
    const pile = document.querySelector(".fanned .pile");
    while (pile.querySelectorAll(".card").length < count) {
        const card = [...pile.querySelectorAll(".card")].at(-1);
        card.after(card.cloneNode(true));
    }
    const cards = [...pile.querySelectorAll(".card")];
    cards.forEach((card, index) => {
        card.style.setProperty("--i", index);
    });
    pile.style.setProperty("--n", cards.length);
}"""


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


def test_a_stranger_s_choice_shows_at_once_after_a_reload_and_elsewhere(page: Page) -> None:
    page.emulate_media(color_scheme="light")
    page.goto("/settings/")
    day = style(page, "body", "background-color")
    choose(page, "Colours", "Dark")
    night = style(page, "body", "background-color")
    assert night != day
    for path in ("/settings/", "/", "/race/"):
        page.goto(path)
        assert style(page, "body", "background-color") == night
    page.goto("/settings/")
    expect(page.get_by_role("group", name="Colours").get_by_label("Dark")).to_be_checked()
    page.get_by_role("button", name="Reset all").click()
    expect(page.get_by_role("group", name="Colours").get_by_label("As the device")).to_be_checked()
    assert style(page, "body", "background-color") == day
    page.wait_for_load_state("networkidle")
    page.reload()
    assert style(page, "body", "background-color") == day


def test_a_page_that_back_brings_from_memory_takes_what_was_chosen_since(page: Page) -> None:
    page.goto("/")
    elsewhere = page.context.new_page()
    elsewhere.goto("/settings/")
    choose(elsewhere, "Colours", "Dark")
    expect(page.locator("html")).to_have_attribute("data-theme", "device")
    page.evaluate("dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))")
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")


def test_the_panel_works_without_scripts(browser: Browser, site: Site) -> None:
    plain = browser.new_context(java_script_enabled=False)
    page = plain.new_page()
    page.goto(f"{site.url}/settings/")
    page.get_by_role("group", name="Table", exact=True).get_by_label("Paper").check()
    page.get_by_role("button", name="Keep").click()
    expect(page.locator("html")).to_have_attribute("data-table", "paper")
    page.get_by_role("button", name="Reset all").click()
    expect(page.locator("html")).to_have_attribute("data-table", "felt")
    plain.close()


def test_at_the_table_each_choice_shows_on_the_game_that_goes_on(page: Page, site: Site) -> None:
    sit(page, site, "american-toad", 0, 4)
    address = page.url
    open_box(page)
    felt, pips = style(page, ".felt", "background-image"), page.locator("#board .card-middle").first
    expect(pips).to_be_visible()
    choose(page, "Table", "Paper")
    assert style(page, ".felt", "background-image") != felt
    choose(page, "Cards", "Large print")
    expect(pips).not_to_be_visible()
    choose(page, "Calm table, without counts and clock", "On")
    expect(page.locator(".tally-line")).not_to_be_visible()
    expect(page.locator("#board .tally").first).not_to_be_visible()
    close_box(page)
    assert page.url == address
    page.reload()
    expect(page.locator("#board .card").first).to_be_visible()
    expect(pips).not_to_be_visible()
    expect(page.locator(".tally-line")).not_to_be_visible()


@pytest.mark.parametrize("face", ["classic", "large"])
def test_rank_and_suit_stay_inside_the_strip_of_a_fan_however_long(page: Page, site: Site, face: str) -> None:
    page.context.add_cookies([{"name": "look", "value": f"face:{face}", "url": site.url}])
    sit(page, site, "american-toad", 0, 60)
    for count, size in ((0, (360, 740)), (0, (1440, 900)), (22, (1440, 900)), (18, (360, 740))):
        page.set_viewport_size({"width": size[0], "height": size[1]})
        page.evaluate(CROWD, count)
        page.wait_for_timeout(100)
        clipped = page.evaluate("""() => [...document.querySelectorAll(".fanned .card")].filter((card) => {
            const next = card.nextElementSibling;
            const corner = card.querySelector(".card-index").getBoundingClientRect();
            return next?.matches(".card") && corner.bottom > next.getBoundingClientRect().top + 1;
        }).length""")
        assert clipped == 0, (count, size)


def test_four_colours_come_and_go_by_one_key_and_keep_red_and_black_in_american_toad(page: Page, site: Site) -> None:
    sit(page, site, "american-toad", 0)
    colours = """() => [..."CDHS"].map((suit) => {
        const card = document.querySelector(`#board .card-art[data-suit="${suit}"]`);
        return card && getComputedStyle(card).color;
    }).filter(Boolean)"""
    mark = "(suit) => getComputedStyle(document.querySelector(`#board [data-suit='${suit}']`), '::after').content"
    assert len(set(page.evaluate(colours))) <= 2
    suit = page.locator("#board .card-art[data-suit]").first.get_attribute("data-suit")
    assert page.evaluate(mark, suit) == "none"
    page.locator("body").press("4")
    expect(page.locator("html")).to_have_attribute("data-suits", "two")
    top(page, "tableau1").focus()
    with page.expect_response("**/settings/"):
        page.keyboard.press("4")
    found = page.evaluate(colours)
    assert len(set(found)) == len(found)
    assert page.evaluate(mark, suit) != "none"
    page.reload()
    expect(page.locator("html")).to_have_attribute("data-suits", "four")
    page.locator("[data-pile=tableau1] .card").last.focus()  # once there are cards, keys are heard
    page.keyboard.press("4")
    expect(page.locator("html")).to_have_attribute("data-suits", "two")


def test_single_keys_can_be_switched_off(page: Page, site: Site) -> None:
    sit(page, site, "frog", 0, 3)
    open_box(page)
    choose(page, "Single-key shortcuts", "Off")
    close_box(page)
    top(page, "stock").focus()
    page.keyboard.press("u")
    page.keyboard.press("4")
    expect(page.locator("html")).to_have_attribute("data-suits", "two")
    settled(page, 3)
    open_box(page)
    choose(page, "Single-key shortcuts", "On")
    close_box(page)
    top(page, "stock").focus()
    page.keyboard.press("u")
    settled(page, 2)


@pytest.mark.parametrize("size", [(1440, 900), (360, 740), (740, 360)])
def test_for_the_left_hand_board_and_buttons_are_mirrored_and_cards_are_not(
    page: Page, site: Site, size: tuple[int, int]
) -> None:
    page.set_viewport_size({"width": size[0], "height": size[1]})
    sit(page, site, "frog", 0, 3)
    places = """() => [...document.querySelectorAll(".pile, .actions > .action:not([hidden])")]
        .map((place) => place.getBoundingClientRect()).filter(({ width }) => width)
        .map(({ left, right, top }) => ({ left, right, top }))"""
    before = page.evaluate(places)
    page.locator("html").evaluate("(html) => (html.dataset.hand = 'left')")
    after = page.evaluate(places)
    for one, other in zip(before, after, strict=True):
        assert abs(one["top"] - other["top"]) < 1
        assert abs(one["left"] + other["right"] - before[0]["left"] - after[0]["right"]) < 1
    assert page.evaluate(SIDEWAYS) <= 0
    top(page, "waste1").click()
    assert style(page, ".card", "direction") == style(page, ".status", "direction") == "ltr"


def test_a_device_s_wish_for_contrast_is_met_and_so_is_the_player_s(page: Page) -> None:
    page.goto("/settings/")
    usual = style(page, "body", "background-color")
    page.emulate_media(contrast="more")
    high = style(page, "body", "background-color")
    assert high != usual
    page.emulate_media(contrast="no-preference")
    choose(page, "Contrast", "High")
    assert style(page, "body", "background-color") == high


def test_forced_colours_leave_cards_their_faces_an_edge_and_marks_with_a_line(page: Page, site: Site) -> None:
    sit(page, site, "frog", 0, 3)
    page.emulate_media(forced_colors="active")
    assert style(page, ".card-art[data-suit]", "background-color") == "rgb(255, 254, 250)"
    assert style(page, ".card:not(.last-move)", "outline-style") == "solid"
    assert style(page, ".card.last-move", "outline-style") == "dashed"
    top(page, "turned").click()
    assert style(page, ".card.selected", "outline-width") == "5px"


@pytest.mark.parametrize(("wish", "choice", "flies"), [("reduce", "Full", True), ("no-preference", "None", False)])
def test_motion_is_the_player_s_choice_before_the_device_s(
    page: Page, site: Site, wish: Any, choice: str, flies: bool
) -> None:
    sit(page, site, "frog", 0)
    page.emulate_media(reduced_motion=wish)
    open_box(page)
    choose(page, "Motion", choice)
    close_box(page)
    page.evaluate("""() => {
        const animate = Element.prototype.animate;
        window.flown = 0;
        Element.prototype.animate = function (...given) { window.flown += 1; return animate.apply(this, given); };
    }""")
    top(page, "stock").click()
    settled(page, 1)
    assert (page.evaluate("window.flown") > 0) is flies


def test_a_win_is_celebrated_until_a_key_is_pressed(page: Page, site: Site) -> None:
    moves = moves_of("frog", 3)
    sit(page, site, "frog", 3, len(moves) - 1)
    page.emulate_media(reduced_motion="no-preference")
    top(page, moves[-1].partition(">")[0]).focus()
    page.keyboard.press("Shift+Enter")
    expect(page.locator(".blossoms")).to_have_count(1)
    expect(page.locator('dialog[data-outcome="won"]')).to_be_visible()
    page.keyboard.press("Shift")
    expect(page.locator(".blossoms")).to_have_count(0)


def test_sounds_are_one_setting_for_the_race_s_button_and_the_panel(page: Page, site: Site) -> None:
    page.goto(f"{site.url}/race/")
    page.get_by_role("button", name="Make the room").click()
    expect(page.locator(".strip.own .name")).not_to_be_empty()
    button = page.locator("#sound")
    expect(button).to_have_attribute("aria-pressed", "true")
    with page.expect_response("**/settings/"):
        button.click()
    expect(button).to_have_attribute("aria-pressed", "false")
    open_box(page)
    group = page.get_by_role("group", name="Sounds", exact=True)
    expect(group.get_by_label("None")).to_be_checked()
    choose(page, "Sounds", "In all games")
    close_box(page)
    expect(button).to_have_attribute("aria-pressed", "true")


def test_a_covered_card_is_read_by_hovering_or_holding_and_holding_is_no_tap(page: Page, site: Site) -> None:
    sit(page, site, "flower-garden", 0)
    card = pile(page, "bed1").locator(".card").first
    box = card.bounding_box()
    assert box
    page.mouse.move(box["x"] + 10, box["y"] + 5)
    expect(page.locator(".peek")).to_have_count(1)
    page.mouse.move(2, 2)
    expect(page.locator(".peek")).to_have_count(0)
    page.mouse.move(box["x"] + 10, box["y"] + 5)
    page.mouse.down()
    expect(page.locator(".peek")).to_have_count(1)
    page.mouse.up()
    expect(page.locator(".peek")).to_have_count(0)
    expect(page.locator(".selected")).to_have_count(0)
    assert page.locator("#status").inner_text() == ""


# A window of 640 by 400 pixels is one of 1280 by 800 at 200 % zoom.
@pytest.mark.parametrize(("look", "sizes"), [("", [(320, 568)]), (LOOK, [(320, 568), (640, 400)])])
def test_nothing_scrolls_sideways(page: Page, site: Site, look: str, sizes: list[tuple[int, int]]) -> None:
    def fits(where: str) -> None:
        for width, height in sizes:
            page.set_viewport_size({"width": width, "height": height})
            page.evaluate(LANDED)
            assert page.evaluate(SIDEWAYS) <= 0, (where, width)

    if look:
        page.context.add_cookies([{"name": "look", "value": look, "url": site.url}])
    for path in ("/", "/race/", "/settings/", "/daily/"):
        page.goto(path)
        fits(path)
    for slug in GAMES:
        page.goto("/")
        page.evaluate(START, slug)
        page.wait_for_url(re.compile("/play/"))
        expect(page.locator("#board .card").first).to_be_visible()
        fits(slug)
    page.get_by_role("button", name="Menu").click()
    open_box(page)
    fits("settings")
