"""The browser: how a picture is taken, and the race that is run before it. What there is to see is scenes.py's."""

import base64
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Literal, NamedTuple

from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

from bench.feel import QUIET
from bench.races import Racing
from pictures.scenes import Scene

Scheme = Literal["light", "dark"]

QUALITY = 80  # of WebP
PICKS = (17, 11)  # cards that the racers have home when they are photographed
STILL = """async () => {
    await document.fonts.ready;
    await Promise.all([...document.images].map((image) => image.decode().catch(() => {})));
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
}"""


class Size(NamedTuple):
    """A window, in CSS pixels."""

    width: int
    height: int


class Camera:
    """Somebody's browser, which sees scenes in any language, window and look."""

    def __init__(self, browser: Browser, site: str, session: str) -> None:
        self.site = site
        self.context = seated(browser, site, session)
        self.page = self.context.new_page()
        self.page.emulate_media(reduced_motion="reduce")
        self.session = self.context.new_cdp_session(self.page)

    def open(self, scene: Scene, language: str, look: str = "") -> None:
        """Go and see, in a language and with choices of the settings as their cookie has them."""
        cookies = {"django_language": language, "look": look}
        self.context.add_cookies([{"name": name, "value": text, "url": self.site} for name, text in cookies.items()])
        self.page.goto(self.site + scene.path)
        if scene.fills:
            self.page.locator(".board .card, .panel").first.wait_for()

    def take(self, size: Size, scheme: Scheme, file: Path, *, whole: bool) -> None:
        """Write what is open as a WebP file: what the window shows of it, or the whole page."""
        self.page.set_viewport_size({"width": size.width, "height": size.height})
        self.page.emulate_media(color_scheme=scheme)
        self.page.evaluate(STILL)
        asked = {"format": "webp", "quality": QUALITY, "captureBeyondViewport": whole}
        if whole:
            inside = self.session.send("Page.getLayoutMetrics")["cssContentSize"]
            asked["clip"] = {"x": 0, "y": 0, "width": size.width, "height": inside["height"], "scale": 1}
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(base64.b64decode(self.session.send("Page.captureScreenshot", asked)["data"]))


def seated(browser: Browser, site: str, session: str) -> BrowserContext:
    """A browser with a session of its own."""
    context = browser.new_context(reduced_motion="reduce", service_workers="block", timezone_id="UTC")
    name, _, value = session.partition("=")
    context.add_cookies([{"name": name, "value": value, "url": site}])
    return context


@contextmanager
def chromium() -> Iterator[Browser]:
    """Debian's Chromium. Raises RuntimeError where there is none."""
    path = shutil.which("chromium")
    if path is None:
        raise RuntimeError("Pictures need Chromium. On Debian: apt-get install chromium")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=[f"--{flag}" for flag in QUIET])
        yield browser
        browser.close()


def raced(browser: Browser, site: str, race: Racing) -> Iterator[Scene]:
    """A race from both being there to its replay. Each scene is to be seen before the next is asked for."""
    room = f"/race/{race.code}/"
    racers = [seated(browser, site, session).new_page() for session in race.cookies]
    for racer in racers:
        racer.goto(site + room)
    yield Scene("race-ready", room, fills=True)
    for racer in racers:
        racer.locator(".readiness [data-entry=ready]").click()
    for racer, picks in zip(racers, PICKS, strict=True):
        _pick(racer, race.picks[:picks])
    yield Scene("race-middle", room, fills=True)
    racers[1].locator("[data-entry=give-up]").click()
    racers[1].locator("#confirm-give-up [value=yes]").click()
    racers[0].locator("#end").wait_for()
    yield Scene("race-end", room, fills=True)
    yield Scene("race-replay", f"{room}1/", fills=True)
    for racer in racers:
        racer.context.close()


def _pick(racer: Page, picks: tuple[str, ...]) -> None:
    racer.locator("#board .card").first.wait_for()
    for count, pile in enumerate(picks, start=1):
        racer.locator(f'#board [data-pile="{pile}"] .card').last.click()
        racer.locator(".strip.own [data-fill=home]", has_text=str(count)).wait_for()
