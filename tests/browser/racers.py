"""Two people at their own browsers, and the room between them."""

import re
from collections.abc import Callable, Iterator
from datetime import timedelta
from typing import Any

from django.db.models import F
from playwright.sync_api import BrowserContext, Locator, Page, expect

from games.race.models import Entry, Round
from tests.browser.conftest import Site

NewContext = Callable[..., BrowserContext]

RANKS = "A23456789TJQK"
# The name of the top card of each place that has cards.
TOPS = """() => Object.fromEntries(
    [...document.querySelectorAll("#board [data-pile]")]
        .map((pile) => [pile.dataset.pile, [...pile.querySelectorAll(".card")].at(-1)?.ariaLabel])
        .filter(([, label]) => label)
)"""


def newcomer(new_context: NewContext, **options: Any) -> Page:
    """Somebody unknown, at a browser of their own, which is closed when the test is over."""
    page = new_context(**options).new_page()
    page.emulate_media(reduced_motion="reduce")
    return page


def invited(host: Page, site: Site, *choices: str) -> str:
    """Make a room with these choices; give its link."""
    host.goto(f"{site.url}/race/")
    for choice in choices:
        host.locator("label", has_text=choice).click()
    host.get_by_role("button", name="Make the room").click()
    return host.get_by_label("Link", exact=True).input_value()


def pair(new_context: NewContext, site: Site, *choices: str) -> tuple[Page, Page]:
    """A host, and a guest who has opened the link."""
    host, guest = newcomer(new_context), newcomer(new_context)
    guest.goto(invited(host, site, *choices))
    for page in (host, guest):
        expect(ready(page)).to_be_enabled()
    return host, guest


def ready(page: Page) -> Locator:
    return page.locator(".readiness").get_by_role("button", name="Ready")


def start(*players: Page) -> None:
    """All press ready, and wait until the cards are there."""
    for page in players:
        ready(page).click()
    for page in players:
        expect(page.locator("#board .card").first).to_be_visible(timeout=15_000)


def home(page: Page, whose: str = "own") -> Locator:
    """How many cards a side has home, as the page shows it."""
    return page.locator(f".strip.{whose} [data-fill=home]")


def fitting(page: Page) -> Iterator[str]:
    """The places whose top card fits now, as one sees when looking at the board."""
    tops: dict[str, str] = page.evaluate(TOPS)
    cards = {place: face(label) for place, label in tops.items()}
    next_up = dict.fromkeys("CDHS", 0)
    for place, card in cards.items():
        if place.startswith("foundation"):
            next_up[card[1]] = RANKS.index(card[0]) + 1
    for place, card in cards.items():
        if not place.startswith("foundation") and RANKS.index(card[0]) == next_up[card[1]]:
            yield place


def face(label: str) -> str:
    """`10 of clubs, top of bed 3, …` → TC."""
    found = re.match(r"(\w+) of (\w)", label)
    assert found, label
    rank, suit = found.groups()
    return ("T" if rank == "10" else rank[0].upper()) + suit.upper()


def tap(page: Page, place: str) -> None:
    page.locator(f'#board [data-pile="{place}"] .card').last.click()


def play_up(page: Page, most: int = 52) -> int:
    """Send up cards as long as one fits, but not more than this; give how many went."""
    for count in range(most):
        place = next(fitting(page), None)
        if place is None or page.locator("#end").is_visible():
            return count
        before = int(home(page).inner_text())
        tap(page, place)
        expect(home(page)).to_have_text(str(before + 1))
    return most


def wrong(page: Page) -> str:
    """A bed whose top card does not fit."""
    fits = set(fitting(page))
    return next(f"bed{number}" for number in range(1, 7) if f"bed{number}" not in fits)


def let_pass(site: Site, seconds: int) -> None:
    """Kill the server, and start it again that much later as far as the newest round knows."""
    site.kill()
    with site.models():
        Entry.objects.filter(round=Round.objects.latest("pk")).update(at=F("at") - timedelta(seconds=seconds))
    site.start()
