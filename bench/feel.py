"""How it feels in a browser on a slow processor, read from the browser's own trace: a tap, a drag, a first visit.

The browser slows the page's own thread: it has it stand still for three times as long as it ran before, and so makes
what is noted of it dearer as well. So no more is noted than is read. And the browser may use all cores: were the thread
to share one with others, their time would be taken for its own, four times over. The server has next to nothing to do.
What a server or its network needs is measured elsewhere.
"""

import json
import os
import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple

from playwright.sync_api import Browser, BrowserContext, CDPSession, Page, sync_playwright

from bench.site import Guest

SLOWER = 4  # times: about a cheap telephone beside this machine
# Lighthouse's slow 4G: 1.6 Mbit/s down, 750 kbit/s up, 150 ms there and back.
NETWORK = {"offline": False, "latency": 150, "downloadThroughput": 200_000, "uploadThroughput": 93_750}
QUIET = ("no-sandbox", "disable-gpu", "no-first-run", "disable-background-networking", "disable-sync")
PHONE: dict[str, Any] = {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True}
EVENTS, TASKS = "devtools.timeline", "disabled-by-default-devtools.timeline"  # what a trace can tell of
STEPS = 120
FRAME = 1000 / 60  # ms

LANDED = "() => Promise.allSettled(document.getAnimations().map(({ finished }) => finished)).then(() => {})"
# Where a card lies that can go. The tap itself has to bring it home, or the paint after it means nothing.
ARM = """async () => {
    const { table } = await import([...document.querySelectorAll('script[type="module"]')].at(-1).src);
    const source = table.view.moves.map((move) => move.split(/[>:]/)[0]).find((pile) => /bed|bouquet/.test(pile));
    const { left, top } = table.pile(source).top.element.getBoundingClientRect();
    const home = table.view.home;
    window.drawn_ = new Promise((resolve) =>
        addEventListener("pointerup", () => resolve(table.view.home > home), { once: true }));
    window.settled_ = async () => { while (!table.sure) await new Promise(requestAnimationFrame); };
    return [left + 12, top + 12];
}"""
# Largest contentful paint in ms, and the sum of layout shifts.
VISIT = """() => new Promise((resolve) => {
    const seen = { paint: 0, shift: 0 };
    new PerformanceObserver((list) => list.getEntries().forEach((one) => (seen.paint = one.startTime)))
        .observe({ type: "largest-contentful-paint", buffered: true });
    new PerformanceObserver((list) => list.getEntries().forEach((one) => (seen.shift += one.value)))
        .observe({ type: "layout-shift", buffered: true });
    setTimeout(() => resolve(seen), 1500);
})"""


class Feel(NamedTuple):
    """Milliseconds, but `shift`, which is a share of the window."""

    tap: float  # from the finger's leaving a card to the paint that shows it at home; half are quicker
    frame: float  # what the page's own thread does in a 60th of a second after a drag's move; 95 of 100 need no longer
    paint: float
    shift: float


def measured(port: int, guest: Guest, deal: str, rounds: int) -> Feel | None:
    """What a person feels at a table of this player and at a deal's page; None where there is no Chromium."""
    chromium = shutil.which("chromium")
    if chromium is None:
        return None
    with _every_core(), sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=[f"--{flag}" for flag in QUIET])
        with _table(browser, f"http://localhost:{port}/play/{guest.code}/", guest.cookie) as (page, session):
            taps = [_tap(page, session) for _ in range(3 * rounds)]
            frames = _drag(page, session)
        visits = [_visit(browser, deal) for _ in range(rounds)]
        browser.close()
    middle = sorted(visits, key=lambda seen: float(seen["paint"]))[len(visits) // 2]
    return Feel(_quantile(taps, 0.5), _quantile(frames, 0.95), middle["paint"], max(seen["shift"] for seen in visits))


@contextmanager
def _every_core() -> Iterator[None]:
    """What this process starts may run on all cores, where a server that was measured has left it only one."""
    if not hasattr(os, "sched_setaffinity"):  # macOS
        yield
        return
    ours = os.sched_getaffinity(0)
    os.sched_setaffinity(0, range(os.cpu_count() or 1))
    yield
    os.sched_setaffinity(0, ours)


@contextmanager
def _table(browser: Browser, address: str, cookie: str) -> Iterator[tuple[Page, CDPSession]]:
    """A phone at this player's table."""
    context = browser.new_context(**PHONE)
    name, _, value = cookie.partition("=")
    context.add_cookies([{"name": name, "value": value, "domain": "localhost", "path": "/"}])
    page, session = _slowed(context)
    page.goto(address)
    page.wait_for_selector("#board .card")
    yield page, session
    context.close()


def _tap(page: Page, session: CDPSession) -> float:
    """Tap a card that can go, and take the move back."""
    page.wait_for_timeout(400)  # two taps on one spot count once
    page.evaluate(LANDED)
    x, y = page.evaluate(ARM)
    with _trace(page, [EVENTS]) as events:
        _touch(session, "touchStart", (x, y))
        page.wait_for_timeout(80)
        _touch(session, "touchEnd")
        assert page.evaluate("window.drawn_"), "the move waited for the server"
        page.wait_for_timeout(200)
    page.evaluate("window.settled_()")
    page.locator(".action[data-entry=undo]").dispatch_event("click")
    page.evaluate("window.settled_()")
    timings = (event["args"]["data"] for event in events if event["name"] == "EventTiming" and event["ph"] == "b")
    return next(float(timing["duration"]) for timing in timings if timing["type"] == "pointerup")


def _drag(page: Page, session: CDPSession) -> list[float]:
    """What the page's thread did after each move until the next was due: its frame, and whatever else there was."""
    page.evaluate(LANDED)
    box = page.locator("#board .card.live").first.bounding_box()
    assert box
    x, y = box["x"] + box["width"] / 2, box["y"] + 10
    with _trace(page, [EVENTS, TASKS]) as events:
        _touch(session, "touchStart", (x, y))
        for step in range(STEPS):
            _touch(session, "touchMove", (x + 2 * step % 90, y + step))
            page.wait_for_timeout(FRAME)
        assert page.locator(".card.lifted").count() == 1
        _touch(session, "touchCancel")
    moves = [one for one in events if one["name"] == "EventDispatch" and one["args"]["data"]["type"] == "pointermove"]
    thread = moves[0]["pid"], moves[0]["tid"]
    tasks = [one for one in events if one["name"] == "RunTask" and (one["pid"], one["tid"]) == thread]
    starts = [task["ts"] for task in tasks if any(0 <= move["ts"] - task["ts"] < task["dur"] for move in moves)]
    return [
        sum(task["tdur"] for task in tasks if 0 <= task["ts"] - start < 1000 * FRAME) / 1000
        for start in sorted(starts)[5:]  # the first ones lift the card
    ]


def _visit(browser: Browser, address: str) -> dict[str, Any]:
    """A first visit, with nothing in the cache and a slow network."""
    page, session = _slowed(browser.new_context(**PHONE, service_workers="block"))
    session.send("Network.emulateNetworkConditions", NETWORK)
    page.goto(address)
    seen: dict[str, Any] = page.evaluate(VISIT)
    page.context.close()
    return seen


def _slowed(context: BrowserContext) -> tuple[Page, CDPSession]:
    page = context.new_page()
    session = context.new_cdp_session(page)
    session.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
    return page, session


def _touch(session: CDPSession, kind: str, *points: tuple[float, float]) -> None:
    touches = [{"x": x, "y": y} for x, y in points]
    session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": touches})


@contextmanager
def _trace(page: Page, kinds: Sequence[str]) -> Iterator[list[dict[str, Any]]]:
    """A list that holds, in the end, what the browser noted meanwhile."""
    browser = page.context.browser
    assert browser
    events: list[dict[str, Any]] = []
    browser.start_tracing(page=page, categories=kinds)
    yield events
    events.extend(json.loads(browser.stop_tracing())["traceEvents"])


def _quantile(values: list[float], share: float) -> float:
    return sorted(values)[int(share * (len(values) - 1))]


def table_of(guests: list[Guest]) -> Guest:
    """A player at a garden, where every card that can go may be drawn at once."""
    return next(guest for guest in guests if guest.game.slug == "flower-garden")
