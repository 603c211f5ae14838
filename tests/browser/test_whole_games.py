"""Games to their end in Chromium against the real server, each with another hand; by keys all eight are in test_by_ear.

The recorded games of `tests/engine/cases` say what to play and how it ends; every card is moved as a person would.
"""

import json
import re
from collections.abc import Callable, Iterator
from itertools import groupby
from typing import Any

import pytest
from django.core.management import call_command
from playwright.sync_api import Browser, Locator, Page, expect

from tests.browser.conftest import Site
from tests.browser.tables import AHEAD, CASES, TALLY, new_deal, pile, sit_at


def won_game(slug: str) -> dict[str, Any]:
    """A recorded game that was won."""
    cases: list[dict[str, Any]] = json.loads((CASES / f"{slug}.json").read_text())
    return max((case for case in cases if case["end"]["status"] == "won"), key=lambda case: "second_deck" in case)


def stretches(moves: list[str], by_hand: int = 16, at_the_end: int = 25) -> Iterator[tuple[bool, list[int]]]:
    """Which moves to make by hand and which another tab may make, in turns: by hand so many from the first of each kind
    on, and so many at the end. What lies between is the same again, and takes long."""
    firsts = {re.sub(r"\d+", "", move): number for number, move in reversed(list(enumerate(moves)))}
    near = {number + more for number in firsts.values() for more in range(by_hand)}
    near |= set(range(len(moves) - at_the_end, len(moves)))
    for is_near, numbers in groupby(range(len(moves)), near.__contains__):
        yield is_near, list(numbers)


def top(page: Page, name: str, size: int = 1) -> Locator:
    """The card so far from the top of a pile, or its empty place."""
    cards = pile(page, name).locator(".card")
    return cards.nth(cards.count() - size) if cards.count() else pile(page, name).locator(".place")


def taken_apart(move: str) -> tuple[str, str, int]:
    source, _, rest = move.partition(">")
    target, _, size = rest.partition(":")
    return source, target, int(size or 1)


def drag(page: Page, move: str) -> None:
    """With the mouse, from the card taken to the middle of the card gone to."""
    source, target, size = taken_apart(move)
    if source == "stock" or target == "stock":
        top(page, "stock").click()
        return
    start, end = top(page, source, size).bounding_box(), top(page, target).bounding_box()
    assert start
    assert end
    page.mouse.move(start["x"] + start["width"] / 2, start["y"] + 8)
    page.mouse.down()
    page.mouse.move(end["x"] + end["width"] / 2, end["y"] + 12, steps=2)
    page.mouse.up()


def click(page: Page, move: str) -> None:
    """With single clicks: the card, and where it is to go if that is not plain."""
    point(page, move, lambda what: what.click())


class Finger:
    """With one finger, which does not tap one spot twice so fast that it would pass for a double tap."""

    def __init__(self) -> None:
        self.last = ""

    def __call__(self, page: Page, move: str) -> None:
        source = move.partition(">")[0]
        if source == self.last:
            page.wait_for_timeout(400)
        self.last = source
        point(page, move, lambda what: what.tap())


def point(page: Page, move: str, touch: Callable[[Locator], None]) -> None:
    source, target, size = taken_apart(move)
    if source == "redeal":
        touch(page.locator('[data-entry="redeal"]:visible'))
        return
    touch(top(page, "stock" if target == "stock" else source, size))
    lit = page.locator(".pile.lit")
    if lit.count():
        touch(top(page, target) if "foundation" not in target else lit.first.locator(".card, .place").last)


def play(page: Page, moves: list[str], hand: Callable[[Page, str], None], done: int = 0) -> None:
    """Make each move, and see it confirmed: the counter counts what the server has, then the next."""
    for number, move in enumerate(moves, done + 1):
        hand(page, move)
        expect(page.locator(TALLY)).to_have_text(str(number))


def let_play(page: Page, moves: list[str], count: int) -> None:
    """Another tab makes these moves, and then the server counts so many."""
    page.evaluate(AHEAD, moves)
    expect(page.locator(TALLY)).to_have_text(str(count))


def see_the_win(page: Page, case: dict[str, Any]) -> None:
    box = page.locator('dialog[data-outcome="won"]')
    expect(box).to_be_visible()
    expect(box.locator("[data-fill=count]")).to_have_text(str(len(case["steps"])))
    expect(box.locator("[data-clean]")).to_be_visible()


@pytest.fixture(autouse=True)
def logs_agree(site: Site) -> Iterator[None]:
    """Whatever a test did, every log replays to what is stored."""
    yield
    with site.models():
        call_command("check_logs")


@pytest.fixture
def complaints(page: Page) -> list[str]:
    """What the browser's console holds against the page."""
    said: list[str] = []
    page.on("console", lambda message: said.append(message.text) if message.type == "error" else None)
    page.on("pageerror", lambda error: said.append(str(error)))
    return said


@pytest.mark.parametrize(
    ("slug", "hand"),
    [("american-toad", drag), ("flower-garden-redeal", click)],
)
def test_a_game_to_its_end_with_the_mouse(
    page: Page, site: Site, complaints: list[str], slug: str, hand: Callable[[Page, str], None]
) -> None:
    case = won_game(slug)
    sit_at(page, site, new_deal(site, case))
    moves = [step["move"] for step in case["steps"]]
    for by_hand, numbers in stretches(moves):
        if by_hand:
            play(page, [moves[number] for number in numbers], hand, done=numbers[0])
        else:
            let_play(page, [moves[number] for number in numbers], numbers[-1] + 1)
    see_the_win(page, case)
    assert complaints == []


def test_a_whole_game_with_the_server_killed_in_the_middle(page: Page, site: Site) -> None:
    case = won_game("frog")
    moves = [step["move"] for step in case["steps"]]
    sit_at(page, site, new_deal(site, case))
    play(page, moves[:100], drag)
    site.kill()
    expect(page.locator(".banner")).not_to_be_empty()
    site.start()
    expect(page.locator(".banner")).to_be_empty(timeout=20_000)
    play(page, moves[100:180], drag, done=100)
    page.reload()
    expect(page.locator(TALLY)).to_have_text("180")
    play(page, moves[180:], drag, done=180)
    see_the_win(page, case)


def test_a_whole_game_in_two_tabs(page: Page, site: Site, complaints: list[str]) -> None:
    case = won_game("le-crapaud")
    sit_at(page, site, new_deal(site, case))
    tabs = [page, page.context.new_page()]
    tabs[1].emulate_media(reduced_motion="reduce")
    tabs[1].goto(page.url)
    expect(tabs[1].locator("[data-pile] .card").first).to_be_visible()
    moves = [step["move"] for step in case["steps"]]
    for turn, done in enumerate(range(0, len(moves), 20)):
        tab = tabs[turn % 2]
        tab.bring_to_front()
        expect(tab.locator(TALLY)).to_have_text(str(done))
        play(tab, moves[done : done + 20], click, done=done)
    for tab in tabs:
        see_the_win(tab, case)
    assert complaints == []


@pytest.fixture
def phone(browser: Browser) -> Iterator[Page]:
    context = browser.new_context(viewport={"width": 360, "height": 740}, has_touch=True, is_mobile=True)
    yield context.new_page()
    context.close()


def test_a_whole_game_by_touch(phone: Page, site: Site) -> None:
    case = won_game("fanny")
    sit_at(phone, site, new_deal(site, case))
    play(phone, [step["move"] for step in case["steps"]], Finger())
    see_the_win(phone, case)
