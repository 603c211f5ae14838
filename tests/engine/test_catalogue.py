"""What every game in the catalogue must have, whatever its rules."""

import json
from pathlib import Path

from games.engine.catalogue import GAMES
from games.engine.game import Game
from tests.engine.tables import each_game

ROOT = Path(__file__).parents[2]


def test_the_lobby_order() -> None:
    assert list(GAMES) == [
        "frog",
        "le-crapaud",
        "fly",
        "fanny",
        "dicks-frog",
        "flower-garden",
        "flower-garden-redeal",
        "american-toad",
    ]


@each_game
def test_a_game_has_cases_that_reach_its_ends(game: Game) -> None:
    cases = json.loads((ROOT / f"tests/engine/cases/{game.slug}.json").read_bytes())
    assert {case["game"] for case in cases} == {game.slug}
    assert "won" in {case["end"]["status"] for case in cases}


@each_game
def test_a_game_has_a_rules_page(game: Game) -> None:
    assert (ROOT / f"templates/games/rules/{game.slug}.html").is_file()


@each_game
def test_a_game_lays_out_each_of_its_groups_once(game: Game) -> None:
    shown = [group for row in game.layout for group in row.split()]
    assert sorted(shown) == sorted(place.group for place in game.places)
