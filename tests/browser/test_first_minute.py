"""A newcomer's first Frog is taught by one line that points at what to do, and is gone once it is skipped."""

from playwright.sync_api import Page, expect

from tests.browser.conftest import Site
from tests.browser.tables import pile, settled, sit, top


def test_the_first_table_teaches_by_doing(page: Page, site: Site) -> None:
    sit(page, site, "frog", 0)
    hint = page.locator("#first")
    frog, nowhere = "The reserve of 13 cards is the Frog", "fits nowhere yet"
    lessons = ("Tap the stock", "fits no foundation", frog, nowhere, frog, nowhere, "Turn the next")
    for count, lesson in enumerate(lessons):
        settled(page, count)
        expect(hint).to_contain_text(lesson)
        top(page, f"waste{count}" if count % 2 else "stock").click()


def test_no_card_moves_however_long_a_hint_is_and_when_it_goes(page: Page, site: Site) -> None:
    sit(page, site, "frog", 0)
    hint, waste = page.locator("#first"), pile(page, "waste5")
    for width, height in ((320, 568), (360, 740), (740, 360), (768, 1024), (1440, 900)):
        page.set_viewport_size({"width": width, "height": height})
        before = waste.bounding_box()
        hint.locator("[role=status]").evaluate("(line) => (line.textContent = 'Turn the next card. '.repeat(10))")
        assert waste.bounding_box() == before
        covered, lowest = hint.bounding_box(), waste.locator(".place").bounding_box()
        assert covered
        assert lowest
        assert covered["y"] > lowest["y"] + lowest["height"]
        hint.evaluate("(line) => (line.hidden = true)")
        assert waste.bounding_box() == before
        hint.evaluate("(line) => (line.hidden = false)")


def test_a_card_that_fits_is_shown_where_it_may_go_and_why_not_elsewhere(page: Page, site: Site) -> None:
    sit(page, site, "frog", 4, 11)
    expect(page.locator("#first")).to_contain_text("fits a foundation: tap it")
    top(page, "turned").drag_to(top(page, "waste1"))
    expect(page.locator("#status")).to_contain_text("fits a foundation, so it may not go on a waste pile.")
    settled(page, 11)
    top(page, "turned").click()
    assert ">foundation" in settled(page, 12)["last"]


def test_by_keys_the_first_hint_says_which(page: Page, site: Site) -> None:
    sit(page, site, "frog", 0)
    expect(page.locator("#first")).not_to_contain_text("By keys")
    page.locator("[data-deal]").focus()
    page.keyboard.press("Tab")
    expect(page.locator("#first")).to_contain_text("By keys: the arrows lead there, Enter turns it.")


def test_skipped_hints_never_come_back(page: Page, site: Site) -> None:
    sit(page, site, "frog", 0)
    expect(page.locator("#first")).to_be_visible()
    page.get_by_role("button", name="Skip the hints").click()
    expect(page.locator("#first")).to_be_hidden()
    page.reload()
    expect(page.locator("#board .card").first).to_be_visible()
    expect(page.locator("#first")).to_be_hidden()


def test_whoever_plays_with_the_left_hand_need_not_look_for_it(page: Page, site: Site) -> None:
    sit(page, site, "frog", 0)
    button = page.get_by_role("button", name="Left-handed?")
    with page.expect_response("**/settings/"):
        button.click()
    expect(page.locator("html")).to_have_attribute("data-hand", "left")
    expect(button).to_be_hidden()
    page.reload()
    expect(page.locator("#first")).to_contain_text("Tap the stock")
    expect(page.locator("html")).to_have_attribute("data-hand", "left")
    expect(button).to_be_hidden()


def test_only_the_first_frog_is_taught(page: Page, site: Site) -> None:
    sit(page, site, "frog", 0)
    sit(page, site, "frog", 1)
    expect(page.locator("#first")).to_have_count(0)
    sit(page, site, "fly", 0)
    expect(page.locator("#first")).to_have_count(0)
