"""Pages of rules in a browser: a paragraph's twin at a click or a key, whole pages side by side, the rules over a
table, and each page on one sheet of paper."""

import re

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Locator, Page, expect

from games.engine.catalogue import GAMES
from tests.browser.conftest import Site
from tests.browser.tables import AHEAD, TALLY, moves_of, sit, top

SIDEWAYS = "document.documentElement.scrollWidth - innerWidth"


def corner(element: Locator) -> tuple[float, float]:
    box = element.bounding_box()
    assert box
    return box["x"], box["y"]


def audit(page: Page) -> None:
    assert [(one["id"], one["nodes"][0]["html"]) for one in Axe().run(page).response["violations"]] == []


def test_a_paragraph_shows_its_twin_at_a_click_and_by_keys(page: Page) -> None:
    page.emulate_media(reduced_motion="reduce")
    page.set_viewport_size({"width": 1440, "height": 900})
    page.goto("/rules/frog/")
    first = page.locator(".overview .pair")
    button = first.get_by_role("button", name="Deutsch")
    button.click()
    twin = first.locator(".twin")
    expect(twin).to_have_attribute("lang", "de")
    expect(twin).to_contain_text("Frosch ist eine alte Patience")
    expect(button).to_have_attribute("aria-expanded", "true")
    assert corner(twin)[0] > corner(first)[0] + 200
    assert corner(twin)[1] == corner(first)[1]  # beside it
    page.set_viewport_size({"width": 360, "height": 740})
    assert corner(twin)[1] > corner(first)[1] + 100  # below it
    for key in ("ArrowDown", "ArrowDown", "ArrowRight"):  # over this paragraph's Russian to the Russian of the next
        page.keyboard.press(key)
    page.keyboard.press("Enter")
    expect(page.locator("#need .twin")).to_have_text("Один игрок.")
    assert page.locator(".more [tabindex='0']").count() == 1
    assert page.evaluate(SIDEWAYS) <= 0
    button.click()
    expect(twin).to_have_count(0)


def test_a_whole_page_is_read_side_by_side_without_scripts(browser: Browser, site: Site) -> None:
    context = browser.new_context(java_script_enabled=False, viewport={"width": 360, "height": 740}, locale="ru")
    page = context.new_page()
    page.goto(f"{site.url}/rules/american-toad/")
    page.get_by_role("navigation", name="Рядом").get_by_role("link", name="Deutsch").click()
    expect(page.locator("#tips h2 .twin")).to_have_text("Tipps")
    assert page.locator(".pair").count() == page.locator('.twin[lang="de"]').count()
    page.get_by_role("link", name="На одном языке").click()
    expect(page.locator(".twin")).to_have_count(0)
    context.close()


def test_side_by_side_fits_and_shuts_nobody_out(page: Page) -> None:
    page.set_viewport_size({"width": 320, "height": 800})
    page.emulate_media(reduced_motion="reduce")
    page.goto("/rules/flower-garden-redeal/?beside=ru")
    assert page.evaluate(SIDEWAYS) <= 0
    audit(page)


def test_the_rules_lie_over_a_table_that_goes_on(page: Page, site: Site) -> None:
    sit(page, site, "frog", 0, moves=2)
    here = page.url
    stock = top(page, "stock")
    stock.focus()
    page.keyboard.press("h")
    box = page.locator("#rules-box")
    expect(box.get_by_role("heading", name="Setting up")).to_be_visible()
    audit(page)
    box.locator("#words dd, dd").last.get_by_role("button", name="Deutsch").click()
    expect(box.locator(".twin")).to_have_text("So heißt eine Partie, die nicht gewonnen ist und keinen Zug mehr hat.")
    page.evaluate(AHEAD, moves_of("frog", 0)[2:4])  # the socket goes on: another tab plays
    expect(page.locator(TALLY)).to_have_text("4")
    page.keyboard.press("Escape")
    expect(box).not_to_be_visible()
    expect(page.locator("#board :focus")).to_have_count(1)
    assert (page.url, len(page.context.pages)) == (here, 1)


def test_rules_that_cannot_be_fetched_say_so(page: Page, site: Site) -> None:
    sit(page, site, "frog", 0)
    page.route("**/rules/**", lambda route: route.abort())
    top(page, "stock").focus()
    page.keyboard.press("h")
    expect(page.locator("#rules-box").get_by_role("alert")).to_have_text(re.compile("could not be loaded"))


@pytest.mark.parametrize("language", ["en", "de", "ru"])
def test_every_game_s_rules_print_on_one_sheet(page: Page, language: str) -> None:
    for slug in GAMES:
        page.goto(f"/rules/{slug}/?lang={language}")
        sheets = re.findall(rb"/Type\s*/Page\b(?!s)", page.pdf(prefer_css_page_size=True))
        assert len(sheets) == 1, slug
    page.emulate_media(media="print")
    for selector in (".site-header", ".site-footer", ".example", ".contents", ".beside", ".more"):
        assert not page.locator(selector).first.is_visible(), selector
    size = page.locator("#play li").first.evaluate("element => parseFloat(getComputedStyle(element).fontSize)")
    assert size >= 8 / 72 * 96  # eight points
