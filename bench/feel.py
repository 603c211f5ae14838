"""How it feels in a browser on a slowed-down processor: from a tap to what is drawn, a card dragged, a first visit."""

import shutil
from typing import Any, NamedTuple

from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

from bench.site import Guest

SLOWER = 4  # times: about a cheap telephone beside this machine
# Lighthouse's slow 4G: 1.6 Mbit/s down, 750 kbit/s up, 150 ms there and back.
NETWORK = {"offline": False, "latency": 150, "downloadThroughput": 200_000, "uploadThroughput": 93_750}
QUIET = ("no-sandbox", "disable-gpu", "no-first-run", "disable-background-networking", "disable-sync")
STEPS = 60

# Where a card lies that can go, and a clock that runs from the finger's leaving it until it is drawn at home.
ARM = """async () => {
    const { table } = await import([...document.querySelectorAll('script[type="module"]')].at(-1).src);
    const source = table.view.moves.map((move) => move.split(/[>:]/)[0]).find((pile) => /bed|bouquet/.test(pile));
    const { left, top } = table.pile(source).top.element.getBoundingClientRect();
    const home = table.view.home;
    const painted = () => new Promise((resolve) => requestAnimationFrame(() => {
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = resolve;
        port2.postMessage(0);
    }));
    window.took_ = new Promise((resolve) => addEventListener("pointerup", async ({ timeStamp }) => {
        while (table.view.home === home) await painted();
        await painted();
        const took = performance.now() - timeStamp;
        while (!table.sure) await painted();
        document.querySelector("[data-entry=undo]").click();
        while (!table.sure || table.view.home !== home) await painted();
        resolve(took);
    }, { once: true, capture: true }));
    return [left + 12, top + 12];
}"""
# Notes how long each frame takes, while something else moves the pointer.
FRAMES = """() => {
    window.frames_ = [];
    let before = performance.now();
    const next = (now) => { window.frames_.push(now - before); before = now; requestAnimationFrame(next); };
    requestAnimationFrame(next);
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

    tap: float
    frame: float  # 95 of 100 frames of a drag take no longer
    paint: float
    shift: float


def measured(port: int, guest: Guest, deal: str, rounds: int) -> Feel | None:
    """What a person feels at a table of this player and at a deal's page; None where there is no Chromium."""
    chromium = shutil.which("chromium")
    if chromium is None:
        return None
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=[f"--{flag}" for flag in QUIET])
        table = f"http://localhost:{port}/play/{guest.code}/"
        taps, frames = _at_table(browser, table, guest.cookie, rounds)
        visits = [_visit(browser, deal) for _ in range(rounds)]
        browser.close()
    middle = sorted(visits, key=lambda seen: float(seen["paint"]))[len(visits) // 2]
    return Feel(_quantile(taps, 0.5), _quantile(frames, 0.95), middle["paint"], max(seen["shift"] for seen in visits))


def _at_table(browser: Browser, address: str, cookie: str, rounds: int) -> tuple[list[float], list[float]]:
    context = browser.new_context(viewport={"width": 360, "height": 740})
    name, _, value = cookie.partition("=")
    context.add_cookies([{"name": name, "value": value, "domain": "localhost", "path": "/"}])
    page = _slowed(context)
    page.goto(address)
    page.wait_for_selector("#board .card")
    taps = [_tap(page) for _ in range(3 * rounds)]
    frames = _drag(page)
    context.close()
    return taps, frames


def _tap(page: Page) -> float:
    page.wait_for_timeout(400)  # two taps on one spot count once
    page.mouse.click(*page.evaluate(ARM))
    took: float = page.evaluate("window.took_")
    return took


def _drag(page: Page) -> list[float]:
    box = page.locator("#board .card.live").first.bounding_box()
    assert box
    x, y = box["x"] + box["width"] / 2, box["y"] + 10
    page.mouse.move(x, y)
    page.mouse.down()
    page.evaluate(FRAMES)
    for step in range(STEPS):
        page.mouse.move(x + 2 * step % 90, y - step)
    frames: list[float] = page.evaluate("window.frames_")
    page.mouse.move(x, y)
    page.mouse.up()
    return frames


def _visit(browser: Browser, address: str) -> dict[str, Any]:
    """A first visit, with nothing in the cache and a slow network."""
    context = browser.new_context(viewport={"width": 360, "height": 740}, service_workers="block")
    page = _slowed(context)
    page.context.new_cdp_session(page).send("Network.emulateNetworkConditions", NETWORK)
    page.goto(address)
    seen: dict[str, Any] = page.evaluate(VISIT)
    context.close()
    return seen


def _slowed(context: BrowserContext) -> Page:
    page = context.new_page()
    context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
    return page


def _quantile(values: list[float], share: float) -> float:
    return sorted(values)[int(share * (len(values) - 1))]


def table_of(guests: list[Guest]) -> Guest:
    """A player at a garden, where every card that can go may be drawn at once."""
    return next(guest for guest in guests if guest.game.slug == "flower-garden")
