"""Whatever was chosen fits every window, and devices that ask for contrast, for their own colours or for no motion get
them without choosing. The panel itself is in test_settings.py."""

import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from games.engine.catalogue import GAMES
from tests.browser.conftest import Site
from tests.browser.look import choose, close_box, open_box, style
from tests.browser.tables import LANDED, settled, sit, top

SIDEWAYS = "document.documentElement.scrollWidth - innerWidth"
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
