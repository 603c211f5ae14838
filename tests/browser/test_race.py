"""Two headless browsers race to each kind of end; a third watches; one of them plays by keys and ear alone."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser import racers
from tests.browser.conftest import Site
from tests.browser.racers import NewContext, fitting, home, newcomer, pair, play_up, ready, start

RECONNECTED = 15_000  # ms; a server takes its time to start, a page comes back within three seconds of that


def told(page: Page, outcome: str, reason: str) -> None:
    """The box at the end says so."""
    box = page.locator("#end")
    expect(box).to_be_visible(timeout=RECONNECTED)
    expect(box.locator("h2")).to_have_text(outcome)
    expect(box).to_contain_text(reason)


def again(first: Page, second: Page, wish: str) -> None:
    """One wants another round, the other is told and is ready too."""
    first.locator("#end").get_by_role("button", name=wish).click()
    expect(second.locator(".readiness")).to_contain_text("ready")
    ready(second).click()
    for page in (first, second):
        expect(page.locator("#board .card")).to_have_count(52, timeout=RECONNECTED)
        expect(home(page)).to_have_text("0")


def test_whoever_first_empties_the_beds_wins_and_both_race_again(new_context: NewContext, site: Site) -> None:
    host, guest = pair(new_context, site)
    start(host, guest)
    play_up(guest, 2)
    expect(home(host, "rival")).to_have_text("2")
    expect(host.locator("#rival-board .card")).to_have_count(0)
    play_up(host)
    told(host, "You won the round", "You emptied your six beds first.")
    told(guest, "Guest won the round", "Guest emptied all six beds first.")
    expect(guest.locator("#rival-board .card").first).to_be_attached()
    again(host, guest, "Rematch")


# Picks a card that does not fit and, as soon as that is told, one that does.
TWO_PICKS = """async ([wrong, right]) => {
    const top = (place) => [...document.querySelectorAll(`#board [data-pile="${place}"] .card`)].at(-1);
    const told = new Promise((resolve) =>
        new MutationObserver(resolve).observe(document.querySelector("#status"), { childList: true }));
    top(wrong).click();
    await told;
    top(right).click();
}"""


def test_a_wrong_pick_locks_and_no_card_moves(new_context: NewContext, site: Site) -> None:
    host, guest = pair(new_context, site)
    start(host, guest)
    right = next(fitting(host))
    host.evaluate(TWO_PICKS, [racers.wrong(host), right])
    expect(host.locator("#status")).to_contain_text("does not fit yet. Locked for a moment.")
    host.wait_for_timeout(750)
    expect(home(host)).to_have_text("0")
    assert play_up(host, 1) == 1


def test_who_gives_up_loses_the_round_and_the_match_goes_on(new_context: NewContext, site: Site) -> None:
    host, guest = pair(new_context, site, "Best of three")
    start(host, guest)
    guest.get_by_role("button", name="Give up").click()
    guest.locator("#confirm-give-up").get_by_role("button", name="Give up").click()
    told(guest, "Guest won the round", "You gave up.")
    told(host, "You won the round", "Guest gave up.")
    expect(host.locator("#end")).to_contain_text("1 : 0")
    again(host, guest, "Next round")
    expect(host.locator(".score")).to_have_text("1 : 0")


def test_both_stuck_with_own_shuffles_more_cards_win(new_context: NewContext, site: Site) -> None:
    host, guest = pair(new_context, site, "Own shuffles")
    start(host, guest)
    expect(host.locator("#rival-board .card").first).to_be_attached()
    ours, theirs = play_up(host), play_up(guest)
    if ours == theirs:
        told(host, "A draw", "both came equally far")
    else:
        winner, loser = (host, guest) if ours > theirs else (guest, host)
        told(winner, "You won the round", f"you had more cards home: {max(ours, theirs)} to {min(ours, theirs)}")
        told(loser, "Guest won the round", f"{max(ours, theirs)} to {min(ours, theirs)}")


def test_the_one_who_stayed_claims_the_round(new_context: NewContext, site: Site) -> None:
    host, guest = pair(new_context, site)
    start(host, guest)
    guest.close(run_before_unload=True)
    claim = host.locator("[data-entry=claim]")
    expect(claim).to_be_visible()
    expect(claim).to_have_attribute("aria-disabled", "true")
    expect(claim).not_to_have_attribute("aria-disabled", "true", timeout=12_000)
    claim.click()
    told(host, "You won the round", "had left, and you claimed the round.")


def test_time_is_called_and_runs_out(new_context: NewContext, site: Site) -> None:
    host, guest = pair(new_context, site)
    start(host, guest)
    call = host.get_by_role("button", name="Call time")
    expect(call).to_have_attribute("aria-disabled", "true")
    racers.let_pass(site, 61)
    expect(call).not_to_have_attribute("aria-disabled", "true", timeout=RECONNECTED)
    call.click()
    expect(guest.locator("#news")).to_contain_text("has called time: send a card up, or the round is lost.")
    racers.let_pass(site, 21)
    told(host, "You won the round", "You called time")
    told(guest, "Guest won the round", "you sent no card up within it.")


def test_a_card_in_time_meets_the_call(new_context: NewContext, site: Site) -> None:
    host, guest = pair(new_context, site)
    start(host, guest)
    racers.let_pass(site, 61)
    call = host.get_by_role("button", name="Call time")
    expect(call).not_to_have_attribute("aria-disabled", "true", timeout=RECONNECTED)
    call.click()
    expect(guest.locator("#news")).to_contain_text("has called time")
    play_up(guest, 1)
    expect(host.locator("#news")).to_contain_text("The call for time is met.")


def test_reload_second_tab_and_a_killed_server_change_nothing(new_context: NewContext, site: Site) -> None:
    host, guest = pair(new_context, site)
    start(host, guest)
    went = play_up(host, 3)
    host.reload()
    expect(home(host)).to_have_text(str(went), timeout=3_000)
    tab = host.context.new_page()
    tab.goto(host.url)
    expect(home(tab)).to_have_text(str(went))
    went += play_up(tab, 2)
    expect(home(host)).to_have_text(str(went))
    tab.close()
    site.kill()
    site.start()
    went += play_up(host, 1)
    expect(home(guest, "rival")).to_have_text(str(went), timeout=RECONNECTED)
    expect(guest.locator("#end")).to_be_hidden()


def test_later_visitors_watch_counts_and_then_both_gardens(new_context: NewContext, site: Site) -> None:
    host, guest = pair(new_context, site)
    watcher = newcomer(new_context)
    watcher.goto(host.url)
    expect(host.locator("[data-fill=watchers]")).to_have_text("1")
    start(host, guest)
    play_up(host, 2)
    expect(home(watcher)).to_have_text("2")
    expect(watcher.locator("#board .card, #rival-board .card")).to_have_count(0)
    expect(watcher.locator("[data-entry]")).to_have_count(0)
    guest.get_by_role("button", name="Give up").click()
    guest.locator("#confirm-give-up").get_by_role("button", name="Give up").click()
    told(watcher, "Guest 1 wins the round", "gave up.")
    for garden in ("#board", "#rival-board"):
        expect(watcher.locator(f"{garden} [data-pile=bed1] .card").first).to_be_visible()


def test_whoever_waits_for_anyone_is_found(new_context: NewContext, site: Site) -> None:
    one, two = newcomer(new_context), newcomer(new_context)
    for page in (one, two):
        page.goto(f"{site.url}/race/")
        page.get_by_role("button", name="Find a rival").click()
        page.wait_for_url(re.compile(r"/race/[A-Z]{6}/"))
        expect(page.locator("#news, #status").first).to_be_attached()
        page.wait_for_timeout(300)
    assert one.url == two.url
    start(one, two)


def test_two_who_look_for_anyone_at_the_same_moment_meet(new_context: NewContext, site: Site) -> None:
    first, second = newcomer(new_context), newcomer(new_context)
    for page in (first, second):
        page.goto(f"{site.url}/race/")
        page.add_init_script("WebSocket = class extends EventTarget {}")  # no host is there when the next one asks
        page.get_by_role("button", name="Find a rival").click()
        expect(page.get_by_role("heading", name="Waiting for a rival")).to_be_visible()
    assert first.url != second.url
    tabs = [page.context.new_page() for page in (first, second)]
    for page, tab in zip((first, second), tabs, strict=True):
        tab.goto(page.url)
    tabs[1].wait_for_url(first.url, timeout=RECONNECTED)
    for tab in tabs:
        expect(tab.get_by_text("Waiting for a rival")).to_be_hidden()
        expect(ready(tab)).to_be_visible()
    assert tabs[0].url == first.url


def test_a_page_of_somebody_who_lost_the_seat_is_one_to_watch(new_context: NewContext, site: Site) -> None:
    host, guest = pair(new_context, site)
    guest.context.clear_cookies()  # as when one logs out in another tab
    site.kill()
    site.start()
    expect(guest.get_by_text("Both seats are taken: you are watching.")).to_be_visible(timeout=RECONNECTED)
    expect(ready(guest)).to_have_count(0)
    expect(ready(host)).to_be_visible()


def test_a_double_click_is_one_wish(new_context: NewContext, site: Site) -> None:
    host, guest = pair(new_context, site)
    box = ready(guest).bounding_box()
    assert box
    guest.mouse.move(box["x"] + 20, box["y"] + 20)
    for count in (1, 2):
        guest.mouse.down(click_count=count)
        guest.mouse.up(click_count=count)
        expect(ready(guest)).to_have_attribute("aria-pressed", "true")
    guest.wait_for_timeout(300)
    expect(ready(guest)).to_have_attribute("aria-pressed", "true")
    ready(guest).click()
    expect(ready(guest)).to_have_attribute("aria-pressed", "false")
    expect(host.locator(".readiness")).to_contain_text("not ready yet")


def test_a_code_is_typed_on_a_phone_and_cards_are_tapped(new_context: NewContext, site: Site) -> None:
    host = newcomer(new_context)
    code = racers.invited(host, site).rstrip("/").rpartition("/")[2]
    phone = newcomer(new_context, viewport={"width": 360, "height": 740}, has_touch=True, is_mobile=True)
    phone.goto(f"{site.url}/race/")
    phone.get_by_label("Six letters").fill(f"{code[:3].lower()} {code[3:].lower()}")
    phone.get_by_role("button", name="Go to the race").tap()
    expect(ready(phone)).to_be_visible()
    start(host, phone)
    place = next(fitting(phone))
    phone.locator(f'#board [data-pile="{place}"] .card').last.tap()
    expect(home(phone)).to_have_text("1")
    assert phone.evaluate("document.documentElement.scrollWidth") <= 360


@pytest.fixture
def blind(new_context: NewContext, site: Site) -> Page:
    """A player who has only keys and what is read out, against somebody who only looks on."""
    host, guest = pair(new_context, site)
    start(host, guest)
    host.locator("#board .card").last.focus()
    return host


def test_the_race_is_won_by_keys_and_ear(blind: Page) -> None:
    for _ in range(52):
        places = heard_beds(blind) | heard_bouquet(blind)
        up = heard_foundations(blind)
        key = next(key for key, card in places.items() if "A23456789TJQK".index(card[0]) == up.get(card[1], 0))
        before = home(blind).inner_text()
        blind.keyboard.press(key)
        expect(home(blind)).not_to_have_text(before)
        if blind.locator("#end").is_visible():
            break
    told(blind, "You won the round", "You emptied your six beds first.")
    expect(blind.locator("#status")).to_contain_text("You won the round.")


def read(page: Page, key: str) -> str:
    """Press a key that reads out; give what is said."""
    page.evaluate("document.querySelector('#reading').textContent = ''")
    page.keyboard.press(key)
    expect(page.locator("#reading")).not_to_be_empty()
    return page.locator("#reading").inner_text()


def heard_beds(page: Page) -> dict[str, str]:
    """Which key picks which card, from the beds as they are read out."""
    return {f"Digit{bed}": racers.face(card) for bed, card in re.findall(r"(\d): (\w+ of \w+)", read(page, "KeyZ"))}


def heard_bouquet(page: Page) -> dict[str, str]:
    found = {}
    for suit, cards in re.findall(r"(clubs|diamonds|hearts|spades): ([^;.]*)", read(page, "KeyX").lower()):
        for rank, key in re.findall(r"(\w+) on (\w)", cards):
            found[f"Key{key.upper()}"] = racers.face(f"{rank} of {suit}")
    return found


def heard_foundations(page: Page) -> dict[str, int]:
    cards = [racers.face(card) for card in re.findall(r"\w+ of \w+", read(page, "KeyC"))]
    return {card[1]: "A23456789TJQK".index(card[0]) + 1 for card in cards}


def test_a_phrase_reaches_the_rival_and_a_ghost_is_raced_afterwards(new_context: NewContext, site: Site) -> None:
    host, guest = pair(new_context, site)
    start(host, guest)
    guest.get_by_role("button", name="Good luck!").click()
    expect(host.locator("#news")).to_contain_text("Good luck!")
    play_up(host, 2)
    guest.get_by_role("button", name="Give up").click()
    guest.locator("#confirm-give-up").get_by_role("button", name="Give up").click()
    told(host, "You won the round", "Guest gave up.")
    host.locator("#end").get_by_role("link", name="Watch both replays").click()
    host.get_by_role("button", name="Race this ghost").first.click()
    start(host)
    expect(home(host, "rival")).to_have_text("2", timeout=RECONNECTED)
