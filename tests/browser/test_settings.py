"""The settings in a browser: each choice shows at once, and is still there after a reload and on other pages. How it
fits windows, and what devices ask for, is in test_settings_fit.py."""

from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import Site
from tests.browser.look import choose, close_box, open_box, style
from tests.browser.tables import moves_of, pile, settled, sit, top


def test_a_stranger_s_choice_shows_at_once_after_a_reload_and_elsewhere(page: Page) -> None:
    page.emulate_media(color_scheme="light")
    page.goto("/settings/")
    day = style(page, "body", "background-color")
    choose(page, "Colours", "Dark")
    night = style(page, "body", "background-color")
    assert night != day
    for path in ("/settings/", "/", "/race/"):
        page.goto(path)
        assert style(page, "body", "background-color") == night
    page.goto("/settings/")
    expect(page.get_by_role("group", name="Colours").get_by_label("Dark")).to_be_checked()
    page.get_by_role("button", name="Reset all").click()
    expect(page.get_by_role("group", name="Colours").get_by_label("As the device")).to_be_checked()
    assert style(page, "body", "background-color") == day
    page.wait_for_load_state("networkidle")
    page.reload()
    assert style(page, "body", "background-color") == day


def test_a_page_that_back_brings_from_memory_takes_what_was_chosen_since(page: Page) -> None:
    page.goto("/")
    elsewhere = page.context.new_page()
    elsewhere.goto("/settings/")
    choose(elsewhere, "Colours", "Dark")
    expect(page.locator("html")).to_have_attribute("data-theme", "device")
    page.evaluate("dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))")
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")


def test_the_panel_works_without_scripts(browser: Browser, site: Site) -> None:
    plain = browser.new_context(java_script_enabled=False)
    page = plain.new_page()
    page.goto(f"{site.url}/settings/")
    page.get_by_role("group", name="Table", exact=True).get_by_label("Paper").check()
    page.get_by_role("button", name="Keep").click()
    expect(page.locator("html")).to_have_attribute("data-table", "paper")
    page.get_by_role("button", name="Reset all").click()
    expect(page.locator("html")).to_have_attribute("data-table", "felt")
    plain.close()


def test_at_the_table_each_choice_shows_on_the_game_that_goes_on(page: Page, site: Site) -> None:
    sit(page, site, "american-toad", 0, 4)
    address = page.url
    open_box(page)
    felt, pips = style(page, ".felt", "background-image"), page.locator("#board .card-middle").first
    expect(pips).to_be_visible()
    choose(page, "Table", "Paper")
    assert style(page, ".felt", "background-image") != felt
    choose(page, "Cards", "Large print")
    expect(pips).not_to_be_visible()
    choose(page, "Calm table, without counts and clock", "On")
    expect(page.locator(".tally-line")).not_to_be_visible()
    expect(page.locator("#board .tally").first).not_to_be_visible()
    close_box(page)
    assert page.url == address
    page.reload()
    expect(page.locator("#board .card").first).to_be_visible()
    expect(pips).not_to_be_visible()
    expect(page.locator(".tally-line")).not_to_be_visible()


def test_four_colours_come_and_go_by_one_key_and_keep_red_and_black_in_american_toad(page: Page, site: Site) -> None:
    sit(page, site, "american-toad", 0)
    colours = """() => [..."CDHS"].map((suit) => {
        const card = document.querySelector(`#board .card-art[data-suit="${suit}"]`);
        return card && getComputedStyle(card).color;
    }).filter(Boolean)"""
    mark = "(suit) => getComputedStyle(document.querySelector(`#board [data-suit='${suit}']`), '::after').content"
    assert len(set(page.evaluate(colours))) <= 2
    suit = page.locator("#board .card-art[data-suit]").first.get_attribute("data-suit")
    assert page.evaluate(mark, suit) == "none"
    page.locator("body").press("4")
    expect(page.locator("html")).to_have_attribute("data-suits", "two")
    top(page, "tableau1").focus()
    with page.expect_response("**/settings/"):
        page.keyboard.press("4")
    found = page.evaluate(colours)
    assert len(set(found)) == len(found)
    assert page.evaluate(mark, suit) != "none"
    page.reload()
    expect(page.locator("html")).to_have_attribute("data-suits", "four")
    page.locator("[data-pile=tableau1] .card").last.focus()  # once there are cards, keys are heard
    page.keyboard.press("4")
    expect(page.locator("html")).to_have_attribute("data-suits", "two")


def test_single_keys_can_be_switched_off(page: Page, site: Site) -> None:
    sit(page, site, "frog", 0, 3)
    open_box(page)
    choose(page, "Single-key shortcuts", "Off")
    close_box(page)
    top(page, "stock").focus()
    page.keyboard.press("u")
    page.keyboard.press("4")
    expect(page.locator("html")).to_have_attribute("data-suits", "two")
    settled(page, 3)
    open_box(page)
    choose(page, "Single-key shortcuts", "On")
    close_box(page)
    top(page, "stock").focus()
    page.keyboard.press("u")
    settled(page, 2)


def test_a_win_is_celebrated_until_a_key_is_pressed(page: Page, site: Site) -> None:
    moves = moves_of("frog", 3)
    sit(page, site, "frog", 3, len(moves) - 1)
    page.emulate_media(reduced_motion="no-preference")
    top(page, moves[-1].partition(">")[0]).focus()
    page.keyboard.press("Shift+Enter")
    expect(page.locator(".blossoms")).to_have_count(1)
    expect(page.locator('dialog[data-outcome="won"]')).to_be_visible()
    page.keyboard.press("Shift")
    expect(page.locator(".blossoms")).to_have_count(0)


def test_sounds_are_one_setting_for_the_race_s_button_and_the_panel(page: Page, site: Site) -> None:
    page.goto(f"{site.url}/race/")
    page.get_by_role("button", name="Make the room").click()
    expect(page.locator(".strip.own .name")).not_to_be_empty()
    button = page.locator("#sound")
    expect(button).to_have_attribute("aria-pressed", "true")
    with page.expect_response("**/settings/"):
        button.click()
    expect(button).to_have_attribute("aria-pressed", "false")
    open_box(page)
    group = page.get_by_role("group", name="Sounds", exact=True)
    expect(group.get_by_label("None")).to_be_checked()
    choose(page, "Sounds", "In all games")
    close_box(page)
    expect(button).to_have_attribute("aria-pressed", "true")


def test_a_covered_card_is_read_by_hovering_or_holding_and_holding_is_no_tap(page: Page, site: Site) -> None:
    sit(page, site, "flower-garden", 0)
    card = pile(page, "bed1").locator(".card").first
    box = card.bounding_box()
    assert box
    page.mouse.move(box["x"] + 10, box["y"] + 5)
    expect(page.locator(".peek")).to_have_count(1)
    page.mouse.move(2, 2)
    expect(page.locator(".peek")).to_have_count(0)
    page.mouse.move(box["x"] + 10, box["y"] + 5)
    page.mouse.down()
    expect(page.locator(".peek")).to_have_count(1)
    page.mouse.up()
    expect(page.locator(".peek")).to_have_count(0)
    expect(page.locator(".selected")).to_have_count(0)
    assert page.locator("#status").inner_text() == ""
