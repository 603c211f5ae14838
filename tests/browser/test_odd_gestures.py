"""What hands do that nobody means: none of it loses or doubles a card, and what lies there is what the server has."""

from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import Site
from tests.browser.tables import AHEAD, Pointer, middle, settled, sit, state, top

# What the server has: what it tells a second tab first.
SERVED = """() => new Promise((resolve) => {
    const socket = new WebSocket(`/ws${location.pathname}`);
    socket.onmessage = ({ data }) => (socket.close(), resolve(JSON.parse(data)));
})"""
# Cards that are not where their pile is, and what a hand or a flight may have left behind.
ASTRAY = """() => {
    const board = document.querySelector("#board");
    const moved = [...board.querySelectorAll(".card")].filter((card) => getComputedStyle(card).transform !== "none");
    const left = board.querySelectorAll(":scope > .card, .lifted, .peek, .other-side");
    return moved.length + left.length + board.classList.contains("dragging");
}"""


def nothing_is_lost(page: Page, count: int, packs: int = 2) -> dict[str, Any]:
    """Every card is shown once and in its place, just as the server has it after so many moves; give what it has."""
    now, served = settled(page, count), page.evaluate(SERVED)
    assert now["sure"]
    assert {name: now[name] for name in ("version", "piles")} == {name: served[name] for name in ("version", "piles")}
    assert page.evaluate(ASTRAY) == 0
    cards = [face for pile in now["piles"].values() for face in pile]
    assert len(cards) == 52 * packs
    assert max(Counter(filter(None, cards)).values()) <= packs
    return now


def drag(page: Page, name: str, goal: str) -> None:
    """Carry the top card of a pile over another, and hold it there."""
    page.mouse.move(*middle(page, name))
    page.mouse.down()
    page.mouse.move(*middle(page, goal), steps=3)
    expect(page.locator(".lifted")).to_have_count(1)


def resize(page: Page, width: int, height: int) -> None:
    """Give the page another size, and wait until its next frame, with which a browser tells of it."""
    page.set_viewport_size({"width": width, "height": height})
    expect(page.locator(".lifted")).to_have_count(0)


def test_whatever_interrupts_a_drag_the_card_goes_home(page: Page, site: Site) -> None:
    sit(page, site, "frog", 0, 1)
    start = top(page, "turned").bounding_box()
    interruptions: list[Callable[[], object]] = [
        lambda: page.mouse.move(-200, -200),  # and let go outside
        lambda: page.keyboard.press("Escape"),
        lambda: page.evaluate("dispatchEvent(new Event('blur'))"),  # another window comes to the front
        lambda: page.evaluate("document.querySelector('#board').releasePointerCapture(1)"),
        lambda: resize(page, 700, 900),
        lambda: resize(page, 1280, 720),
    ]
    for interrupt in interruptions:
        drag(page, "turned", "waste2")
        interrupt()
        page.mouse.up()
        nothing_is_lost(page, 1)
    assert top(page, "turned").bounding_box() == start
    drag(page, "turned", "waste2")
    page.mouse.up()
    assert nothing_is_lost(page, 2)["last"] == "turned>waste2"


def test_a_card_that_another_tab_lays_leaves_the_hand(page: Page, site: Site) -> None:
    sit(page, site, "frog", 0, 1)
    drag(page, "turned", "waste2")
    page.evaluate(AHEAD, ["turned>waste4"])
    expect(page.locator(".lifted")).to_have_count(0)
    page.mouse.up()
    assert nothing_is_lost(page, 2)["piles"]["waste2"] == []


def test_buttons_and_clicks_that_nobody_means(page: Page, site: Site) -> None:
    sit(page, site, "frog", 0)
    x, y = middle(page, "stock")
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 3, y - 3)  # a tiny drag is a tap
    page.mouse.up()
    nothing_is_lost(page, 1)
    top(page, "turned").click(button="right")
    top(page, "turned").click(button="middle")
    nothing_is_lost(page, 1)
    drag(page, "turned", "waste2")
    page.mouse.down(button="right")
    page.mouse.up(button="right")
    page.mouse.wheel(0, 300)
    page.mouse.up()
    assert nothing_is_lost(page, 2)["last"] == "turned>waste2"


def test_clicks_too_fast_for_a_hand(page: Page, site: Site) -> None:
    sit(page, site, "american-toad", 0)
    pointer = Pointer(page)
    for count, clicks in enumerate((2, 3), 1):  # a double and a triple click are one
        stock = middle(page, "stock")
        for nth in range(clicks):
            pointer.click(*stock, nth + 1)
        settled(page, count)
        page.wait_for_timeout(300)
        assert len(nothing_is_lost(page, count)["piles"]["waste"]) == count
    sit(page, site, "frog", 0, 1)
    for card in (middle(page, "waste3"), middle(page, "stock")):  # two cards are two
        pointer.click(*card, 1)
    piles = nothing_is_lost(page, 3)["piles"]
    assert (len(piles["waste3"]), len(piles["turned"])) == (1, 1)


def test_undo_while_cards_fly(page: Page, site: Site) -> None:
    sit(page, site, "frog", 0, 1)
    page.emulate_media(reduced_motion="no-preference")
    for name in ("waste3", "waste1"):
        top(page, name).click(no_wait_after=True)
        assert page.evaluate("document.getAnimations().length") > 0
        page.keyboard.press("u")
        assert state(page)["drawn"]
        expect(page.locator("#status")).to_contain_text("Undone")
        nothing_is_lost(page, 1)


@pytest.fixture
def phone(browser: Browser) -> Iterator[Page]:
    context = browser.new_context(viewport={"width": 360, "height": 740}, has_touch=True, is_mobile=True)
    yield context.new_page()
    context.close()


def test_fingers_that_nobody_means(phone: Page, site: Site) -> None:
    sit(phone, site, "frog", 0, 1)
    finger = Pointer(phone)
    card, other, goal = middle(phone, "turned"), middle(phone, "stock"), middle(phone, "waste2")
    lifted = phone.locator(".lifted")
    finger.touch("touchStart", card)
    finger.touch("touchMove", goal)
    expect(lifted).to_have_count(1)
    finger.touch("touchCancel")  # the system takes the touch away
    expect(lifted).to_have_count(0)
    nothing_is_lost(phone, 1)
    finger.touch("touchStart", card, other)  # two fingers at once
    finger.touch("touchMove", (card[0] - 20, card[1]), (other[0] + 20, other[1]))
    finger.touch("touchEnd")
    nothing_is_lost(phone, 1)
    finger.touch("touchStart", card)
    finger.touch("touchMove", (card[0] - 40, card[1] + 40))
    finger.touch("touchStart", (card[0] - 40, card[1] + 40), other)  # a second finger in mid-drag
    finger.touch("touchMove", goal, (other[0], other[1] + 50))
    expect(lifted).to_have_count(1)
    finger.touch("touchEnd")
    assert nothing_is_lost(phone, 2)["last"] == "turned>waste2"
    assert phone.evaluate("scrollY") == 0


def test_taps_that_nobody_means(phone: Page, site: Site) -> None:
    sit(phone, site, "american-toad", 0)
    finger, stock = Pointer(phone), middle(phone, "stock")
    for _ in range(2):  # two quick taps are one
        finger.touch("touchStart", stock)
        finger.touch("touchEnd")
    settled(phone, 1)
    phone.wait_for_timeout(300)
    nothing_is_lost(phone, 1)
    finger.time += 1
    finger.touch("touchStart", stock)  # a slow one is one too
    phone.wait_for_timeout(800)
    finger.touch("touchEnd")
    nothing_is_lost(phone, 2)
