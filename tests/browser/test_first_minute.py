"""A newcomer's first Frog is taught by one line that points at what to do, and is gone once it is skipped."""

from playwright.sync_api import Page, expect

from tests.browser.conftest import Site
from tests.browser.tables import settled, sit, top


def test_the_first_table_teaches_by_doing(page: Page, site: Site) -> None:
    sit(page, site, "frog", 0)
    hint = page.locator("#first")
    count = 0
    for _ in range(4):
        view = settled(page, count)
        moves = view["moves"]
        home = [move for move in moves if ">foundation" in move]
        if home:
            expect(hint).to_contain_text("fits a foundation")
            top(page, home[0].split(">")[0]).click()
        elif "stock>turned" in moves:
            expect(hint).to_contain_text("Tap the stock")
            top(page, "stock").click()
        else:
            expect(hint).to_contain_text("waits on a waste pile")
            top(page, "turned").click()
            top(page, moves[0].split(">")[1]).click()
        count += 1
    settled(page, count)


def test_skipped_hints_never_come_back(page: Page, site: Site) -> None:
    sit(page, site, "frog", 0)
    expect(page.locator("#first")).to_be_visible()
    page.get_by_role("button", name="Skip the hints").click()
    expect(page.locator("#first")).to_be_hidden()
    page.reload()
    expect(page.locator("#board .card").first).to_be_visible()
    expect(page.locator("#first")).to_be_hidden()


def test_only_the_first_frog_is_taught(page: Page, site: Site) -> None:
    sit(page, site, "frog", 0)
    sit(page, site, "frog", 1)
    expect(page.locator("#first")).to_have_count(0)
    sit(page, site, "fly", 0)
    expect(page.locator("#first")).to_have_count(0)
