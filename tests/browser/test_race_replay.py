"""The replay of a race in a browser: one clock for both gardens, by scrubber, keys, buttons and by itself."""

from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import Site

# The owner sends five cards up, one each second; the rival picks wrongly, then sends three up and gives up.
RUN = """
from accounts.models import User
from tests.games.race.runs import between, picks, run, together, wrong
one, two = (User.objects.get_or_create(username=name)[0] for name in ("ann", "ben"))
race = between(one, two)
run(race, together(picks(race, 1, 1.0, count=5), [wrong(race, 2, 0.2)], picks(race, 2, 1.7, count=3)))
print(race.code)
"""
MATCHES = "import('{module}').then(({{tables}}) => tables.every((table) => table.matches()))"


@pytest.fixture(scope="session")
def code(site: Site) -> str:
    """A race whose first round is over."""
    return site.manage("shell", "-c", RUN).split()[-1]


@pytest.fixture
def replay(page: Page, code: str) -> Page:
    page.emulate_media(reduced_motion="reduce")
    page.goto(f"/race/{code}/1/")
    expect(page.locator("#clock")).to_have_text("0:00 / 0:06")
    return page


def home(page: Page) -> list[str]:
    return page.locator(".garden [data-fill=home]").all_inner_texts()


def status(page: Page) -> Locator:
    return page.locator("#status")


def drawn_as_told(page: Page) -> Any:
    module = page.locator("script[type=module]").last.get_attribute("src") or ""
    return page.evaluate(MATCHES.format(module=module))


def test_keys_step_from_pick_to_pick_and_say_each(replay: Page) -> None:
    replay.keyboard.press("ArrowRight")
    expect(status(replay)).to_contain_text("ben: wrong pick,")
    expect(replay.locator("[data-side='2'] .pile.wrong")).to_have_count(1)
    expect(replay.locator("[data-side='2'] [data-fill=note]")).to_have_text("1 wrong pick")
    replay.keyboard.press("ArrowRight")
    expect(status(replay)).to_contain_text("ann: ")
    expect(status(replay)).to_contain_text("1 card home.")
    assert home(replay) == ["1", "0"]
    replay.keyboard.press("ArrowLeft")
    replay.keyboard.press("ArrowLeft")
    assert home(replay) == ["0", "0"]
    expect(replay.locator(".pile.wrong")).to_have_count(0)
    assert drawn_as_told(replay)


def test_the_scrubber_goes_by_seconds(replay: Page) -> None:
    replay.locator("#scrubber").fill("3.5")
    assert home(replay) == ["3", "2"]
    expect(replay.locator("#scrubber")).to_have_attribute("aria-valuetext", "0:03: ann 3, ben 2.")
    replay.keyboard.press("End")
    assert home(replay) == ["5", "3"]
    expect(status(replay)).to_contain_text("ben gave up, so ann wins.")
    expect(replay.locator(".garden.winner h2")).to_have_text("ann")
    assert drawn_as_told(replay)


def test_it_runs_by_itself_to_its_end_and_can_be_halted(replay: Page) -> None:
    replay.get_by_label("Pace").select_option("10")
    replay.get_by_role("button", name="Play").click()
    expect(replay.locator("#clock")).to_have_text("0:06 / 0:06")
    expect(replay.get_by_role("button", name="Play")).to_be_visible()
    assert home(replay) == ["5", "3"]
    replay.get_by_label("Pace").select_option("1")
    replay.get_by_role("button", name="Play").click()
    replay.get_by_role("button", name="Pause").click()
    stood = replay.locator("#scrubber").input_value()
    replay.wait_for_timeout(300)
    assert replay.locator("#scrubber").input_value() == stood


@pytest.mark.parametrize("size", [(320, 568), (360, 740), (740, 360), (768, 1024), (1440, 900)])
def test_both_gardens_are_in_sight_at_every_size(replay: Page, size: tuple[int, int]) -> None:
    replay.set_viewport_size({"width": size[0], "height": size[1]})
    for locator in (*replay.locator(".board .card").all(), *replay.locator(".strip .button, .controls .action").all()):
        box = locator.bounding_box()
        assert box
        assert 0 <= box["x"] <= box["x"] + box["width"] <= size[0]
        assert 0 <= box["y"] <= box["y"] + box["height"] <= size[1]


def test_whoever_watches_may_race_the_ghost(replay: Page) -> None:
    replay.locator("[data-side='2']").get_by_role("button", name="Race this ghost").click()
    expect(replay.locator("h1")).to_contain_text("ben")


def test_frames_that_do_not_come_are_told(page: Page, code: str) -> None:
    page.route("**/frames/", lambda route: route.abort())
    page.goto(f"/race/{code}/1/")
    expect(page.locator(".banner")).to_contain_text("could not be loaded")
