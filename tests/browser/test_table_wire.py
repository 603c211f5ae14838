"""The table and its connection: moves drawn before the answer, held back, sent again, taken back; several tabs."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, WebSocketRoute, expect

from tests.browser.conftest import Site
from tests.browser.tables import TALLY, pile, settled, sit, state, top

Message = dict[str, Any]


class Line:
    """Stands in the line between the page and the server, and passes on what it is told to."""

    def __init__(self, page: Page) -> None:
        self.pages: list[WebSocketRoute] = []
        self.asked: list[Message] = []
        self.kept: list[Callable[[], None]] = []
        self.keeping = False
        page.route_web_socket("**/ws/play/**", self._join)

    def _join(self, route: WebSocketRoute) -> None:
        server = route.connect_to_server()
        self.pages.append(route)

        def ask(text: str | bytes) -> None:
            if json.loads(text)["type"] == "do":
                self.asked.append(json.loads(text))
            server.send(text)

        def answer(text: str | bytes) -> None:
            if self.keeping:
                self.kept.append(lambda: route.send(text))
            else:
                route.send(text)

        route.on_message(ask)
        server.on_message(answer)

    def pass_on(self) -> None:
        """Let through what was kept, and everything from now on."""
        self.keeping = False
        for answer in self.kept:
            answer()
        self.kept.clear()

    def cut(self, page: Page) -> None:
        """Lose the connection and all answers under way."""
        self.kept.clear()
        self.keeping = False
        self.pages[-1].close(code=1012)
        page.wait_for_timeout(50)


def listen_in(page: Page, site: Site, moves: int) -> Line:
    """Sit down at a game of Frog, and stand in its line."""
    sit(page, site, "frog", 0, moves)
    line = Line(page)
    page.reload()
    arrived(page)
    return line


def arrived(page: Page) -> None:
    expect(page.locator("#board .card").first).to_be_visible()


def answered(page: Page, line: Line, requests: int = 1) -> None:
    """Wait until the page has asked and the server's answer is being kept."""
    for _ in range(100):
        if len(line.asked) >= requests and line.kept:
            return
        page.wait_for_timeout(20)
    pytest.fail("the server never answered")


def test_a_listed_move_is_drawn_before_the_answer(page: Page, site: Site) -> None:
    line = listen_in(page, site, 1)
    line.keeping = True
    top(page, "waste2").click()
    expect(pile(page, "waste2").locator(".card")).to_have_count(1)
    assert state(page)["sure"] is False
    expect(page.locator(TALLY)).to_have_text("1")
    answered(page, line)
    line.pass_on()
    assert settled(page, 2)["sure"]


def test_a_card_turned_is_drawn_with_the_answer(page: Page, site: Site) -> None:
    line = listen_in(page, site, 0)
    line.keeping = True
    top(page, "stock").click()
    answered(page, line)
    expect(pile(page, "turned").locator(".card")).to_have_count(0)
    line.pass_on()
    expect(pile(page, "turned").locator(".card")).to_have_count(1)
    settled(page, 1)


def test_one_further_gesture_waits_for_the_answer(page: Page, site: Site) -> None:
    line = listen_in(page, site, 0)
    line.keeping = True
    top(page, "stock").click()
    answered(page, line)
    top(page, "waste4").click()
    top(page, "waste5").click()  # one too many
    line.pass_on()
    assert settled(page, 2)["last"] == "turned>waste4"
    page.wait_for_timeout(200)
    assert state(page)["version"] == 2


def test_a_drop_waits_where_it_fell(page: Page, site: Site) -> None:
    line = listen_in(page, site, 1)
    line.keeping = True
    top(page, "waste1").click()
    top(page, "stock").hover()
    box, goal = top(page, "reserve").bounding_box(), top(page, "waste3").bounding_box()
    assert box
    assert goal
    page.mouse.move(box["x"] + 20, box["y"] + 20)
    page.mouse.down()
    page.mouse.move(goal["x"] + 20, goal["y"] + 20, steps=3)
    page.mouse.up()
    now = top(page, "reserve").bounding_box()
    assert now
    assert now["x"] == pytest.approx(goal["x"], abs=2)
    answered(page, line)
    line.pass_on()
    expect(page.locator("#status")).to_contain_text("No card ever goes from")
    assert settled(page, 2)["version"] == 2
    assert top(page, "reserve").bounding_box() == box


def test_a_refused_move_is_taken_back_with_the_reason(page: Page, site: Site) -> None:
    line = listen_in(page, site, 1)
    before = state(page)
    line.keeping = True
    top(page, "waste2").click()
    expect(pile(page, "waste2").locator(".card")).to_have_count(1)
    answered(page, line)
    line.kept.clear()  # as if another tab had been faster
    other = {
        "type": "refused",
        "code": "stale",
        "why": "The table had changed.",
        "version": 1,
        "entry": "turned>waste2",
    }
    table = {name: value for name, value in before.items() if name not in ("drawn", "sure")}
    for message in (other, table):
        line.pages[-1].send(json.dumps(message))
    expect(page.locator("#status")).to_have_text("The table had changed.")
    expect(pile(page, "waste2").locator(".card")).to_have_count(0)
    expect(pile(page, "turned").locator(".card")).to_have_count(1)
    assert state(page)["drawn"]


def test_a_move_whose_answer_was_lost_counts_once(page: Page, site: Site) -> None:
    line = listen_in(page, site, 1)
    line.keeping = True
    top(page, "waste2").click()
    answered(page, line)
    line.cut(page)
    now = settled(page, 2)
    assert now["version"] == 2
    assert line.asked == [{"type": "do", "version": 1, "entry": "turned>waste2"}] * 2
    assert len(now["piles"]["waste2"]) == 1


def test_a_move_made_without_a_connection_is_kept_and_sent(page: Page, site: Site) -> None:
    sit(page, site, "frog", 0, 1)
    banner = page.locator(".banner")
    page.context.set_offline(True)
    expect(banner).to_contain_text("Your game is safe")
    top(page, "waste3").click()
    expect(pile(page, "waste3").locator(".card")).to_have_count(1)
    expect(banner).to_contain_text("your last move is sent as soon as it is back")
    expect(page.locator(TALLY)).to_have_text("1")
    page.context.set_offline(False)
    assert settled(page, 2)["last"] == "turned>waste3"
    expect(banner).to_be_empty()


def test_a_reload_changes_nothing(page: Page, site: Site) -> None:
    sit(page, site, "american-toad", 0, 30)
    before = settled(page, 30)
    page.reload()
    after = settled(page, 30)
    assert after | {"seconds": 0} == before | {"seconds": 0}


def test_leaving_and_coming_back_changes_nothing(page: Page, site: Site) -> None:
    sit(page, site, "frog", 0, 3)
    page.goto("/")
    page.go_back()
    settled(page, 3)
    top(page, "turned").click()
    top(page, "waste1").click()
    settled(page, 4)


def test_two_tabs_stay_in_step(page: Page, site: Site) -> None:
    sit(page, site, "frog", 0)
    other = page.context.new_page()
    other.goto(page.url)
    arrived(other)
    top(other, "stock").click()
    settled(page, 1)
    top(page, "waste1").click()
    settled(other, 2)
    other.get_by_role("button", name="Undo").click()
    settled(page, 1)
    assert settled(page, 1)["piles"] == settled(other, 1)["piles"]


def test_both_tabs_move_at_once_and_one_is_told(page: Page, site: Site) -> None:
    line = listen_in(page, site, 1)
    other = page.context.new_page()
    other.goto(page.url)
    arrived(other)
    line.keeping = True
    top(other, "waste1").click()
    settled(other, 2)
    top(page, "waste5").click()
    answered(page, line)
    line.pass_on()
    expect(page.locator("#status")).to_contain_text("The table had changed before your move arrived")
    now = settled(page, 2)
    assert now["last"] == "turned>waste1"
    assert now["piles"]["waste5"] == []


def test_a_table_of_somebody_else_is_said_to_be_out_of_reach(page: Page, site: Site) -> None:
    sit(page, site, "frog", 0)
    page.route_web_socket("**/ws/play/**", lambda route: route.close(code=4404))
    page.reload()
    expect(page.locator(".banner")).to_contain_text("cannot be reached any more")


def test_a_line_that_has_gone_silent_is_given_up_and_the_move_is_sent_again(page: Page, site: Site) -> None:
    """Neither end is told, as when a telephone loses its network: the page must find out by itself."""
    sit(page, site, "frog", 0, 1)
    lines: list[WebSocketRoute] = []
    lost: list[str] = []
    has_network = True

    def join(route: WebSocketRoute) -> None:
        server = route.connect_to_server()
        lines.append(route)
        is_first = len(lines) == 1
        server.on_message(lambda text: None if is_first and not has_network else route.send(text))
        route.on_message(lambda text: lost.append(str(text)) if is_first and not has_network else server.send(text))

    page.route_web_socket("**/ws/play/**", join)
    page.clock.install()
    page.reload()
    arrived(page)
    has_network = False
    top(page, "waste2").click()
    assert state(page)["sure"] is False
    for _ in range(50):  # half seconds, if need be; no more, or the second line had no time to say anything either
        if len(lines) < 2:
            page.clock.run_for(500)
    expect(page.locator(TALLY)).to_have_text("2")
    assert {json.loads(text)["type"] for text in lost} == {"do", "ping"}
    assert len(lines) == 2
    assert settled(page, 2)["last"] == "turned>waste2"
