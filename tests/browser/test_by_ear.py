"""Each of the eight games won by somebody who has keys and ears only: what lies where is known from the names that the
browser tells a screen reader, what happened from the one sentence that is spoken after each move."""

from collections import deque
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Page, expect

from games.engine.cards import parse_cards
from games.engine.catalogue import GAMES
from games.engine.game import Game
from games.engine.play import play
from games.engine.table import Move, Table, parse_move
from tests.browser.conftest import Site
from tests.browser.speech import Position, Speech, group
from tests.browser.tables import new_deal, sit_at
from tests.browser.test_whole_games import won_game

# Down from a top card leads out of its pile, up would lead into it.
WAYS = ("ArrowRight", "ArrowLeft", "ArrowDown", "Home", "End", "Control+Home")
# Every sentence that is spoken is kept until it is heard.
LISTEN = """() => {
    const status = document.querySelector("#status");
    window.said = [];
    const keep = () => status.textContent && said.push(status.textContent);
    new MutationObserver(keep).observe(status, { childList: true });
}"""
HEAR = """async () => {
    for (let waited = 0; !said.length && waited < 2000; waited++) await new Promise((wake) => setTimeout(wake, 5));
    return said.splice(0);
}"""


class Ear:
    """One who plays by keys, and knows of the table what is spoken and where each key has led before."""

    def __init__(self, page: Page, speech: Speech, position: Position) -> None:
        self.page, self.speech, self.position = page, speech, position
        self.here = ""  # the pile where the keyboard was last heard to be
        self.ways: dict[str, dict[str, str]] = {}
        page.evaluate(LISTEN)

    def press(self, *keys: str) -> None:
        for key in keys:
            self.page.keyboard.press(key)

    def name(self) -> str:
        """What a screen reader calls the element that has focus."""
        return self.page.locator(":focus").aria_snapshot().split('"')[1]

    def names(self) -> set[str]:
        """What the browser itself tells screen readers of: every button on the page."""
        tree = self.page.context.new_cdp_session(self.page).send("Accessibility.getFullAXTree")
        told = (node for node in tree["nodes"] if not node["ignored"] and node["role"]["value"] == "button")
        return {node["name"]["value"] for node in told}

    def heard(self) -> list[str]:
        """The sentences spoken since, one at least."""
        said: list[str] = self.page.evaluate(HEAR)
        return said

    def enter(self) -> None:
        """Come to the table with Tab, and hear where."""
        self.page.locator("[data-deal]").focus()
        self.press("Tab")
        self.here = self._pile()

    def explore(self) -> None:
        """Try every way at every pile once."""
        self.enter()
        while True:
            known = self.ways.setdefault(self.here, {})
            if new := [key for key in WAYS if key not in known]:
                self.press(new[0])
                known[new[0]] = self.here = self._pile()
            elif path := self._path(lambda pile: len(self.ways.get(pile, ())) < len(WAYS)):
                self.press(*path)
                self.here = self._pile()
            else:
                return

    def go(self, goal: str) -> None:
        """By the fewest keys, and hear that it is the right place."""
        self.press(*self._path(lambda pile: pile == goal))
        self.here = goal
        assert self.name() == self.speech.top(goal, self.position.piles[goal])

    def _pile(self) -> str:
        """The pile whose top card has focus, going by its name."""
        tops = {self.speech.top(pile, faces): pile for pile, faces in self.position.piles.items()}
        return tops[self.name()]

    def _path(self, is_goal: Callable[[str], bool]) -> list[str]:
        """The fewest keys from here to any such pile; none if there is no way, or one is there."""
        paths: dict[str, list[str]] = {self.here: []}
        queue = deque([self.here])
        while queue and not is_goal(queue[0]):
            here = queue.popleft()
            for key, pile in self.ways.get(here, {}).items():
                if pile not in paths:
                    paths[pile] = [*paths[here], key]
                    queue.append(pile)
        return paths[queue[0]] if queue else []

    def play(self, move: Move, after: Position, goals: list[str], number: int) -> None:
        """Make a move, every second one in the short way where there is one, and hear what it did."""
        if "stock" in (move.source, move.target):
            self.go("stock")
            self.press("Enter")
        elif number % 2 and is_obvious(move, goals):
            self.go(move.source)
            self.press("Shift+Enter")
        elif number % 2 and move.source == "turned":
            self.go(move.target)
            self.press("Enter")
        else:
            self.take(move, goals)
            self.go(move.target)
            self.press("Enter")
        assert self.heard() == [self.speech.told(self.position, after, move)]
        self.position = after

    def take(self, move: Move, goals: list[str]) -> None:
        """The top card, or the lowest that goes along."""
        faces = self.position.piles[move.source]
        self.go(move.source)
        if move.size > 1:
            self.press(*["ArrowUp"] * (move.size - 1))
            assert self.name() == self.speech.covered(move.source, faces, move.size)
        self.press("Enter")
        assert self.heard() == [self.speech.taken(faces[-move.size :], goals)]
        self.press(*["ArrowDown"] * (move.size - 1))


def is_obvious(move: Move, goals: list[str]) -> bool:
    """Whether there is only one thing to do with a card. Nothing leaves a foundation unless it is taken from there."""
    choices = {"" if group(goal) == "foundation" else goal for goal in goals}
    return move.size == 1 and len(choices) == 1 and group(move.source) != "foundation"


def followed(game: Game, table: Table, moves: list[str]) -> Iterator[tuple[Move, Position, list[str]]]:
    """Each move, what lies where after it, and where the cards might have gone."""
    for move in map(parse_move, moves):
        goals = [goal for source, goal, size in game.legal_moves(table) if (source, size) == (move.source, move.size)]
        table = play(game, table, move)
        yield move, Position.of(game, table), goals


@pytest.mark.parametrize(
    ("slug", "language"),
    [
        ("american-toad", "en"),
        ("fanny", "ru"),
        ("frog", "en"),
        ("dicks-frog", "de"),
        ("le-crapaud", "en"),
        ("fly", "en"),
        ("flower-garden", "de"),
        ("flower-garden-redeal", "ru"),
    ],
)
def test_a_game_is_won_by_ear(page: Page, site: Site, slug: str, language: str) -> None:
    case, game = won_game(slug), GAMES[slug]
    table = game.setup(parse_cards(case["deck"]), parse_cards(case.get("second_deck", "")))
    sit_at(page, site, new_deal(site, case))
    page.context.add_cookies([{"name": "django_language", "value": language, "url": site.url}])
    page.reload()
    expect(page.locator("html")).to_have_attribute("lang", language)
    expect(page.locator("#board .card").first).to_be_visible()
    ear = Ear(page, Speech(language, slug), Position.of(game, table))
    assert ear.names() >= {ear.speech.top(*pile) for pile in ear.position.piles.items()}
    ear.explore()
    moves = [step["move"] for step in case["steps"]]
    for number, step in enumerate(followed(game, table, moves)):
        ear.play(*step, number)
    box = page.locator("dialog[data-outcome=won]")
    expect(box.locator(":focus")).to_have_count(1)
    page.keyboard.press("Escape")
    expect(box).to_be_hidden()
    expect(page.locator("#board :focus")).to_have_count(1)
