"""How the table looks and what it says: every size of window, no shift while loading, the boxes at the end."""

import re

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.browser.conftest import Site
from tests.browser.tables import AHEAD, moves_of, new_deal, pile, settled, sit, sit_at, state, top

SIZES = [(320, 568), (360, 740), (740, 360), (844, 390), (768, 1024), (1440, 900), (2560, 1440)]
LONG = {"frog": (1, 160), "american-toad": (0, 160), "flower-garden-redeal": (0, 0)}
MEASURE = """() => {
    const inside = document.querySelector(".felt").getBoundingClientRect();
    const cards = [...document.querySelectorAll("#board .card")].map((card) => card.getBoundingClientRect());
    return {
        sideways: document.documentElement.scrollWidth - innerWidth,
        down: document.documentElement.scrollHeight - innerHeight,
        outside: cards.filter((card) => card.left < inside.left || card.right > inside.right + 0.5
            || card.top < inside.top || card.bottom > inside.bottom + 0.5).length,
        narrowest: Math.min(...cards.map((card) => card.width)),
    };
}"""
SHIFTS = """() => new Promise((resolve) => {
    new PerformanceObserver((list) => resolve(list.getEntries().map((entry) => entry.value)))
        .observe({ type: "layout-shift", buffered: true });
    setTimeout(() => resolve([]), 300);
})"""
CUT = """(sentence) => {
    const felt = document.querySelector(".felt");
    const before = felt.getBoundingClientRect();
    const status = document.querySelector("#status");
    status.textContent = sentence;
    const text = document.createRange();
    text.selectNodeContents(status);
    const [words, room, after] = [text, status, felt].map((part) => part.getBoundingClientRect());
    const heading = [...document.querySelectorAll(".heading :is(h1, .tally-line)")];
    return [
        ...heading.filter((line) => line.scrollWidth > line.clientWidth).map((line) => line.textContent),
        ...(words.top < room.top - 1 || words.bottom > room.bottom + 1 || room.bottom > innerHeight ? [sentence] : []),
        ...(before.top !== after.top || before.bottom !== after.bottom ? ["the felt moves"] : []),
    ];
}"""
LONGEST = "Карта «восьмёрка червей» не ложится на карту «семёрка бубён»: столбцы идут вниз с чередованием цветов."
FULL_BEDS = "AC 2D 3D 4D 5D 6D AD 2H 3H 4H 5H 6H AH 2S 3S 4S 5S 6S AS 2C 3C 4C 5C 6C"


@pytest.mark.parametrize("slug", LONG)
def test_it_fits_every_window(page: Page, site: Site, slug: str) -> None:
    number, moves = LONG[slug]
    sit(page, site, slug, number, moves)
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        page.wait_for_timeout(100)
        found = page.evaluate(MEASURE)
        assert found["sideways"] <= 0, (width, height)
        assert found["down"] <= 0, (width, height)
        assert found["outside"] == 0, (width, height)
        assert found["narrowest"] >= 33, (width, height)


def test_name_counts_and_the_longest_sentence_are_read_whole_in_every_window(page: Page, site: Site) -> None:
    sit(page, site, "american-toad", 0, 2)
    page.goto(f"{page.url}?lang=ru")
    settled(page, 2)
    for width, height in (*SIZES, (640, 320)):
        page.set_viewport_size({"width": width, "height": height})
        assert page.evaluate(CUT, LONGEST) == [], (width, height)


def test_nothing_shifts_while_the_table_loads(page: Page, site: Site) -> None:
    sit(page, site, "frog", 0, 20)
    page.reload()
    settled(page, 20)
    assert sum(page.evaluate(SHIFTS)) < 0.01


def test_the_places_are_there_without_a_script(browser: Browser, page: Page, site: Site) -> None:
    sit(page, site, "frog", 0)
    plain = browser.new_context(java_script_enabled=False, storage_state=page.context.storage_state()).new_page()
    plain.goto(page.url)
    expect(plain.locator(".pile")).to_have_count(16)
    expect(plain.locator("h1")).to_have_text("Frog")
    box, same = plain.locator('[data-pile="waste5"]').bounding_box(), pile(page, "waste5").bounding_box()
    assert box == same
    plain.context.close()


def test_reserve_and_stock_are_counted_and_the_last_move_is_marked(page: Page, site: Site) -> None:
    sit(page, site, "frog", 0)
    expect(pile(page, "reserve").locator(".tally")).to_have_text("13")
    stock = int(pile(page, "stock").locator(".tally").inner_text())
    top(page, "stock").click()
    expect(pile(page, "stock").locator(".tally")).to_have_text(str(stock - 1))
    expect(page.locator(".last-move")).to_have_count(1)
    expect(pile(page, "turned").locator(".last-move")).to_have_count(1)


def test_a_dead_end_is_told_with_ways_on(page: Page, site: Site) -> None:
    moves = moves_of("flower-garden", 0)
    sit(page, site, "flower-garden", 0, len(moves) - 1)
    box = page.locator('dialog[data-outcome="stuck"]')
    expect(box).not_to_be_visible()
    source = moves[-1].partition(">")[0]
    top(page, source).click()
    expect(box).to_be_visible()
    expect(box.locator("[data-fill=home]")).to_have_text(str(len(moves)))
    box.get_by_role("button", name="Look at the table").click()
    expect(box).not_to_be_visible()
    page.reload()
    box.get_by_role("button", name="Undo").click()
    expect(box).not_to_be_visible()
    assert settled(page, len(moves) - 1)["outcome"] == "playing"


def test_a_garden_without_a_first_move_counts_for_nothing(page: Page, site: Site) -> None:
    beds = FULL_BEDS.split()
    others = [rank + suit for suit in "CDHS" for rank in "A23456789TJQK" if rank + suit not in beds]
    sit_at(page, site, new_deal(site, {"game": "flower-garden", "deck": " ".join(beds + others)}))
    box = page.locator('dialog[data-outcome="barren"]')
    expect(box).to_contain_text("no first move")
    assert state(page)["outcome"] == "stuck"
    address = page.url
    box.get_by_role("button", name="Give me another").click()
    expect(page).not_to_have_url(address)
    expect(page.locator("#board .card").first).to_be_visible()


def test_cards_have_faces_where_their_pieces_could_not_be_fetched(page: Page, site: Site) -> None:
    page.add_init_script("window.fetch = () => Promise.reject(new TypeError('no network'))")
    sit(page, site, "frog", 0, 2)
    expect(page.locator("#board .card-middle").first).to_have_attribute("href", re.compile("#face-"))


def test_giving_up_is_asked_first_and_final(page: Page, site: Site) -> None:
    sit(page, site, "frog", 0, 2)
    page.get_by_role("button", name="Give up").click()
    question = page.locator("#confirm-give-up")
    expect(question.get_by_role("button", name="Play on")).to_be_focused()  # whose hand slips twice loses nothing
    page.keyboard.press("Enter")
    assert settled(page, 2)["outcome"] == "playing"
    page.get_by_role("button", name="Give up").click()
    question.get_by_role("button", name="Give up").click()
    expect(page.locator('dialog[data-outcome="given-up"]')).to_be_visible()
    assert state(page)["closed"]


def test_a_box_is_answered_as_often_and_as_fast_as_it_asks(page: Page, site: Site) -> None:
    sit(page, site, "frog", 0, 2)
    answered = page.evaluate(
        """async () => {
          const box = document.querySelector("#confirm-give-up");
          const answer = (value) => {
            document.querySelector("[data-entry=give-up]").click();
            box.querySelector(`button[value="${value}"]`).click();
            return !box.open;
          };
          return [answer(""), answer(""), answer("yes")];
        }"""
    )
    assert answered == [True, True, True]
    expect(page.locator('dialog[data-outcome="given-up"]')).to_be_visible()
    assert state(page)["closed"]


def test_a_restart_is_asked_for_only_after_ten_moves(page: Page, site: Site) -> None:
    sit(page, site, "frog", 0, 10)
    page.get_by_role("button", name="Restart").click()
    settled(page, 0)
    page.get_by_role("button", name="Undo").click()
    settled(page, 10)
    top(page, "stock").click()
    settled(page, 11)
    page.get_by_role("button", name="Restart").click()
    page.locator("#confirm-restart").get_by_role("button", name="Restart").click()
    settled(page, 0)


def test_finish_plays_the_rest_and_one_undo_takes_it_back(page: Page, site: Site) -> None:
    moves = moves_of("frog", 3)
    sit(page, site, "frog", 3)
    finish = page.get_by_role("button", name="Finish")
    expect(finish).not_to_be_visible()
    page.evaluate(AHEAD, moves[:-4])
    finish.click()
    expect(page.locator('dialog[data-outcome="won"]')).to_be_visible()
    assert settled(page, len(moves))["home"] == 104
    page.get_by_role("button", name="Undo").click()
    settled(page, len(moves) - 4)


def test_the_clock_is_hidden_until_asked_for_and_remembered(page: Page, site: Site) -> None:
    sit(page, site, "frog", 0, 1)
    expect(page.locator(".clock")).not_to_be_visible()
    with page.expect_response(lambda answer: answer.url.endswith("/settings/")):
        page.get_by_role("button", name="Clock").click()
    expect(page.locator(".clock time")).not_to_be_empty()
    page.reload()
    expect(page.locator(".clock")).to_be_visible()


def test_the_clock_stands_still_when_nobody_looks_or_plays(page: Page, site: Site) -> None:
    page.clock.install()
    sit(page, site, "frog", 0, 1)
    page.get_by_role("button", name="Clock").click()
    top(page, "waste5").click()
    settled(page, 2)
    shown = page.locator(".clock time")
    began = seconds(shown)
    page.clock.run_for(10_000)
    ran = seconds(shown)
    assert 8 <= ran - began <= 20
    page.evaluate("Object.defineProperty(document, 'hidden', {value: true, configurable: true})")
    page.clock.run_for(20_000)
    assert seconds(shown) - ran <= 1
    page.evaluate("Object.defineProperty(document, 'hidden', {value: false, configurable: true})")
    page.clock.run_for(180_000)
    assert 50 <= seconds(shown) - began <= 61  # a minute's pause is the longest that counts


def seconds(shown: Locator) -> int:
    """What the clock shows."""
    minutes, rest = shown.inner_text().split(":")
    return 60 * int(minutes) + int(rest)


def test_the_deal_has_a_link_to_copy(page: Page, site: Site) -> None:
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    sit(page, site, "frog", 0)
    link = page.locator("[data-deal]")
    expect(link).to_be_visible()
    page.get_by_role("button", name="Share", exact=True).click()
    expect(page.locator("#status")).to_have_text("The link to this deal is copied.")
    assert page.evaluate("navigator.clipboard.readText()") == f"{site.url}{link.get_attribute('href')}"


def test_a_redeal_is_offered_when_nothing_else_is_left(page: Page, site: Site) -> None:
    sit(page, site, "flower-garden-redeal", 2)
    expect(page.locator("#status")).to_contain_text("You may deal the rest again, once.")
    page.get_by_role("button", name="Deal again").click()
    settled(page, 1)
    expect(page.locator("#status")).to_have_text("The cards that are left are dealt again.")
    expect(page.get_by_role("button", name="Deal again")).not_to_be_visible()
