"""Sitting down at a table in the browser: at which deal, what lies there, and a pointer that keeps its own time."""

import json
import time
from functools import cache
from pathlib import Path
from typing import Any

from playwright.sync_api import CDPSession, Locator, Page, expect

from games.engine.cards import parse_cards
from games.models import Deal
from games.shuffling import Shuffled, commitment, new_nonce
from tests.browser.conftest import Site

CASES = Path(__file__).parents[1] / "engine/cases"
# Plays moves by a socket of its own, as a second tab would.
AHEAD = """async (moves) => {
    const socket = new WebSocket(`/ws${location.pathname}`);
    await new Promise((resolve, reject) => {
        let next = 0;
        socket.onclose = ({ code }) => reject(new Error(`closed with ${code}`));
        socket.onmessage = ({ data }) => {
            const message = JSON.parse(data);
            if (next === moves.length) resolve();
            else socket.send(JSON.stringify({ type: "do", version: message.version, entry: moves[next++] }));
        };
    });
    socket.close();
}"""
STATE = """async () => {
    const { table } = await import([...document.querySelectorAll('script[type="module"]')].at(-1).src);
    return { ...table.view, sure: table.sure, drawn: table.matches() };
}"""
LANDED = """() => Promise.allSettled(
    document.getAnimations().filter(({ id }) => id === "flight").map(({ finished }) => finished)
)"""
TALLY = ".tally-line [data-fill=count]"


def case(slug: str, number: int) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((CASES / f"{slug}.json").read_text())[number]
    return found


def moves_of(slug: str, number: int) -> list[str]:
    return [step["move"] for step in case(slug, number)["steps"]]


def pile(page: Page, name: str) -> Locator:
    return page.locator(f'[data-pile="{name}"]')


def top(page: Page, name: str) -> Locator:
    """The top card of a pile, or its empty place."""
    return pile(page, name).locator(".card, .place:not([hidden])").last


def sit(page: Page, site: Site, slug: str, number: int, moves: int = 0) -> None:
    """Sit down at a recorded game, so many moves into it."""
    sit_at(page, site, recorded_deal(site, slug, number))
    if moves:
        page.evaluate(AHEAD, moves_of(slug, number)[:moves])
        expect(page.locator(TALLY)).to_have_text(str(moves))


@cache
def recorded_deal(site: Site, slug: str, number: int) -> str:
    """The code of the deal of a recorded game, made once: whoever plays it is somebody new."""
    return new_deal(site, case(slug, number))


def new_deal(site: Site, recorded: dict[str, Any], kind: str = "shuffled") -> str:
    """The code of a deal with the cards of a recorded game."""
    deck, spare = recorded["deck"], recorded.get("second_deck", "")
    nonce = new_nonce()
    seal = commitment(nonce, Shuffled(parse_cards(deck), parse_cards(spare)))
    with site.models():
        return Deal.objects.create(
            game=recorded["game"], kind=kind, deck=deck, spare=spare, nonce=nonce, commitment=seal
        ).code


def sit_at(page: Page, site: Site, code: str) -> None:
    """Open the link of a deal as somebody unknown, and play it."""
    page.emulate_media(reduced_motion="reduce")
    page.goto(f"{site.url}/deals/{code}/")
    page.get_by_role("button", name="Play this deal").click()
    expect(page.locator("#board .card").first).to_be_visible()


def state(page: Page) -> dict[str, Any]:
    """The view that the table shows; `drawn` if the elements on the page are just that."""
    found: dict[str, Any] = page.evaluate(STATE)
    return found


def settled(page: Page, count: int) -> dict[str, Any]:
    """The view once the server counts so many moves and nothing flies."""
    expect(page.locator(TALLY)).to_have_text(str(count))
    page.evaluate(LANDED)
    now = state(page)
    assert now["drawn"]
    assert now["count"] == count
    return now


def middle(page: Page, name: str) -> tuple[float, float]:
    box = top(page, name).bounding_box()
    assert box
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


class Pointer:
    """A mouse and fingers whose events come when we say, however busy this machine is."""

    def __init__(self, page: Page) -> None:
        self.session: CDPSession = page.context.new_cdp_session(page)
        self.time = time.time()

    def click(self, x: float, y: float, nth: int) -> None:
        for kind in ("mousePressed", "mouseReleased"):
            place = {"x": x, "y": y, "button": "left", "clickCount": nth}
            self._send("Input.dispatchMouseEvent", {"type": kind, **place})

    def touch(self, kind: str, *points: tuple[float, float]) -> None:
        touches = [{"x": x, "y": y, "id": number} for number, (x, y) in enumerate(points)]
        self._send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": touches})

    def _send(self, method: str, event: dict[str, Any]) -> None:
        self.time += 0.05
        self.session.send(method, {**event, "timestamp": self.time})
