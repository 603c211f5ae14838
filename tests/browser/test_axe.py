"""Nothing shuts anybody out: an audit of each kind of page, in each language and theme, and the keyboard's ring."""

from itertools import cycle
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

from tests.browser.conftest import Site
from tests.browser.pages import OWN_PAGES, PAGES
from tests.browser.racers import NewContext, pair, start
from tests.browser.tables import sit

# Each kind of page is opened in each language, and seen once in each of these themes, on felt and paper in turn.
THEMES: dict[str, list[dict[str, Any]]] = {
    "ru": [{"color_scheme": "light", "contrast": "more"}, {"color_scheme": "dark", "contrast": "more"}],
    "de": [{"color_scheme": "dark"}],
    "en": [{"color_scheme": "light"}],
}
OF_COLOURS_AND_WORDS = [
    *("color-contrast", "link-in-text-block", "html-has-lang", "html-lang-valid", "valid-lang"),
    *("aria-command-name", "button-name", "document-title", "image-alt", "label", "link-name", "select-name"),
]
FELT_AND_PAPER = cycle(["felt", "paper", "paper", "felt", "paper", "felt", "felt", "paper"])


def audit(page: Page, rules: list[str]) -> None:
    found = Axe().run(page, options={"resultTypes": ["violations"]} | ({"runOnly": rules} if rules else {})).response
    assert found["passes"]
    assert [(one["id"], one["nodes"][0]["html"]) for one in found["violations"]] == [], page.url


def audit_in_all(page: Page, address: str, ready: str = "main") -> None:
    """Open a page in each language, and audit it in the themes: wholly at first, then what they can change."""
    rules: list[str] = []
    for language, themes in THEMES.items():
        page.goto(f"{address}?lang={language}")
        page.locator(ready).first.wait_for()
        for theme in themes:
            page.emulate_media(reduced_motion="reduce", **{"contrast": "no-preference", **theme})
            page.locator("html").evaluate("(html, table) => { html.dataset.table = table; }", next(FELT_AND_PAPER))
            audit(page, rules)
            rules = OF_COLOURS_AND_WORDS


# How well two colours of the design are told apart, as WCAG counts it.
RATIO = """(names) => {
    const probe = document.body.appendChild(document.createElement("i"));
    const light = (name) => {
        probe.style.color = `var(${name})`;
        const part = (value) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4);
        const [r, g, b] = getComputedStyle(probe).color.match(/[0-9.]+/g).map((value) => part(value / 255));
        return 0.2126 * r + 0.7152 * g + 0.0722 * b + 0.05;
    };
    const [one, other] = names.map(light);
    probe.remove();
    return Math.max(one, other) / Math.min(one, other);
}"""


@pytest.mark.parametrize("part", [PAGES[::2], PAGES[1::2]], ids=["even", "odd"])
def test_pages_shut_nobody_out(page: Page, site: Site, part: tuple[str, ...]) -> None:
    for address in part:
        audit_in_all(page, address)


@pytest.mark.parametrize("game", ["frog", "flower-garden", "american-toad"])
def test_tables_shut_nobody_out(page: Page, site: Site, game: str) -> None:
    sit(page, site, game, 0, moves=3)
    audit_in_all(page, page.url, "#board .card")


def test_pages_of_ones_own_shut_nobody_out(page: Page, site: Site) -> None:
    sit(page, site, "frog", 0, moves=1)
    for address in OWN_PAGES:
        audit_in_all(page, address)


def test_a_race_shuts_nobody_out(new_context: NewContext, site: Site) -> None:
    host, guest = pair(new_context, site, "Own shuffles")
    room = host.url
    audit_in_all(host, room, ".readiness button")
    start(host, guest)
    audit_in_all(host, room, "#board .card")
    guest.get_by_role("button", name="Give up").click()
    guest.locator("#confirm-give-up").get_by_role("button", name="Give up").click()
    audit_in_all(host, room, "#end")
    audit_in_all(host, f"{room}1/", "#board .card, .garden .card")


@pytest.mark.parametrize("look", ["table:felt", "table:paper", "contrast:high"])
def test_who_plays_by_keys_sees_where_they_are_on_any_table(page: Page, site: Site, look: str) -> None:
    page.context.add_cookies([{"name": "look", "value": look, "url": site.url}])
    sit(page, site, "frog", 0)
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        rings = [page.evaluate(RATIO, [ring, "--felt"]) for ring in ("--focus", "--focus-edge")]
        assert max(rings) >= 3, (scheme, rings)
    page.locator("[data-deal]").focus()
    page.keyboard.press("Tab")
    assert page.locator(":focus-visible").evaluate("(card) => getComputedStyle(card).boxShadow").endswith("6px")
