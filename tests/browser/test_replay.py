"""A replay in the browser: by keys, scrubber and by itself, what is said, taking over, and a friend with the link."""

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.browser.conftest import Site
from tests.browser.tables import AHEAD, moves_of, sit, state

MOVES = 12
SIZES = [(320, 568), (360, 740), (740, 360), (1440, 900)]


@pytest.fixture
def replay(page: Page, site: Site) -> Page:
    """The replay of a Frog that was given up after some moves."""
    sit(page, site, "frog", 0)
    page.evaluate(AHEAD, [*moves_of("frog", 0)[:MOVES], "undo", "give-up"])
    page.goto(f"{site.url}/mine/")
    page.get_by_role("link", name="Frog", exact=True).click()
    expect(scrubber(page)).to_have_attribute("max", str(MOVES + 2))
    return page


def scrubber(page: Page) -> Locator:
    return page.get_by_role("slider", name="Place in the game")


def at(page: Page, step: int) -> None:
    """The replay is at this step, and the table shows just its view."""
    expect(scrubber(page)).to_have_value(str(step))
    now = state(page)
    assert now["drawn"]
    assert now["version"] == step


def test_it_is_walked_through_by_keys_and_each_move_is_spoken(replay: Page) -> None:
    status = replay.locator("#status")
    at(replay, 0)
    expect(status).to_have_text("Before the first move.")
    for step in range(1, MOVES + 1):
        replay.keyboard.press("ArrowRight")
        at(replay, step)
        expect(status).not_to_have_text("Before the first move.")
        expect(status).not_to_contain_text("Step")
    replay.keyboard.press("ArrowRight")
    expect(status).to_contain_text("Undone")
    replay.keyboard.press("End")
    at(replay, MOVES + 2)
    replay.keyboard.press("ArrowLeft")
    at(replay, MOVES + 1)
    expect(status).to_have_text(f"Step {MOVES + 1} of {MOVES + 2}.")
    replay.keyboard.press("Home")
    at(replay, 0)


def test_the_scrubber_goes_anywhere_and_says_where(replay: Page) -> None:
    scrubber(replay).fill("7")
    at(replay, 7)
    expect(scrubber(replay)).to_have_attribute("aria-valuetext", f"Step 7 of {MOVES + 2}.")
    scrubber(replay).focus()
    replay.keyboard.press("ArrowRight")
    at(replay, 8)  # one step, not one by the slider and one by the page


def test_it_plays_by_itself_and_stops_at_the_end(replay: Page) -> None:
    replay.get_by_label("Pace").select_option("10 ×")
    replay.locator("h1").click()
    replay.keyboard.press("Space")
    expect(replay.get_by_role("button", name="Pause")).to_be_visible()
    expect(scrubber(replay)).to_have_value(str(MOVES + 2), timeout=20_000)
    expect(replay.get_by_role("button", name="Play", exact=True)).to_be_visible()


def test_one_takes_over_as_practice(replay: Page) -> None:
    scrubber(replay).fill("5")
    replay.get_by_role("button", name="Take over from here").click()
    expect(replay.locator(".tally-line [data-fill=count]")).to_have_text("5")
    assert state(replay)["version"] == 5
    replay.goto(replay.url.split("/play/")[0] + "/mine/")
    expect(replay.get_by_text("practice", exact=True)).to_have_count(1)


def test_after_giving_up_there_is_nothing_to_take_over(replay: Page) -> None:
    replay.keyboard.press("End")
    expect(replay.get_by_role("button", name="Take over from here")).to_be_disabled()


def test_where_it_was_lost_is_shown(page: Page, site: Site) -> None:
    sit(page, site, "fanny", 1)
    page.evaluate(AHEAD, [*moves_of("fanny", 1)[:MOVES], "give-up"])
    page.goto(page.url.split("#")[0] + "replay/")
    page.get_by_role("button", name="Where was it lost?").click()
    expect(page.locator("#status")).to_contain_text("From here a simple program still wins")
    at(page, 8)
    expect(page.get_by_role("button", name="Take over from here")).to_be_enabled()


def test_where_no_win_was_found_that_is_said(replay: Page) -> None:
    replay.get_by_role("button", name="Where was it lost?").click()
    expect(replay.locator("#status")).to_contain_text("found no way to win")


def test_the_deck_that_was_shown_is_spoken_of(page: Page, site: Site) -> None:
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    sit(page, site, "flower-garden", 0)
    moves = moves_of("flower-garden", 0)
    page.evaluate(AHEAD, [*moves, "reveal"])
    page.goto(page.url + "replay/")
    expect(scrubber(page)).to_have_attribute("max", str(len(moves) + 1))
    page.keyboard.press("End")
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowRight")
    expect(page.locator("#status")).to_contain_text("The deck is shown")
    assert not errors


def test_a_friend_sees_it_by_its_link(replay: Page, browser: Browser) -> None:
    replay.get_by_role("button", name="Share", exact=True).click()
    replay.get_by_role("button", name="Make a link").click()
    replay.get_by_role("button", name="Share", exact=True).click()
    link = replay.locator("#link").get_attribute("href")
    assert link
    friend = browser.new_context(viewport={"width": 360, "height": 740}).new_page()
    friend.goto(link)
    expect(scrubber(friend)).to_have_attribute("max", str(MOVES + 2))
    friend.keyboard.press("ArrowRight")
    at(friend, 1)
    expect(friend.get_by_role("button", name="Take over from here")).to_have_count(0)
    replay.get_by_role("button", name="Stop sharing").click()
    expect(replay.get_by_role("button", name="Share", exact=True)).to_be_visible()
    answer = friend.goto(link)
    assert answer
    assert answer.status == 404
    friend.context.close()


def test_it_fits_every_window(replay: Page) -> None:
    for width, height in SIZES:
        replay.set_viewport_size({"width": width, "height": height})
        replay.wait_for_timeout(100)
        over = "() => [document.body.scrollWidth - innerWidth, document.body.scrollHeight - innerHeight]"
        assert max(replay.evaluate(over)) <= 0, (width, height)
        board = "() => document.querySelector('.felt').getBoundingClientRect().height"
        assert replay.evaluate(board) > 140, (width, height)
