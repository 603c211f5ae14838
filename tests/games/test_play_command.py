"""`manage.py play` plays a whole game through a pipe, and shows no more than the table does."""

import io
import json
import re
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from games.engine.catalogue import GAMES

GIVEN = Path(__file__).parents[1] / "engine/cases"


def played(monkeypatch: pytest.MonkeyPatch, game: str, typed: str, *options: str) -> str:
    monkeypatch.setattr("sys.stdin", io.StringIO(typed))
    out = StringIO()
    call_command("play", game, *options, stdout=out)
    return out.getvalue()


@pytest.mark.parametrize("slug", GAMES)
def test_the_given_games_can_be_played_to_their_ends(monkeypatch: pytest.MonkeyPatch, slug: str) -> None:
    for case in json.loads((GIVEN / f"{slug}.json").read_bytes()):
        moves = [step["move"] for step in case["steps"]]
        if "redeal" in moves:
            continue  # the second deck is the system's
        out = played(monkeypatch, slug, "\n".join(moves), "--deck", case["deck"])
        home = sum(len(cards.split()) for name, cards in case["end"]["piles"].items() if name.startswith("found"))
        assert out.splitlines()[-1].removeprefix("> ") == f"{case['end']['status']}: {home} cards are home."


def test_the_table_and_what_can_be_typed(monkeypatch: pytest.MonkeyPatch) -> None:
    deck = json.loads((GIVEN / "frog.json").read_bytes())[0]["deck"]
    typed = "help\nstock>turned\nundo\nredo\nturned>foundation1\nturned>foundation9\n\nfinish\ngive-up\nstock>turned\n"
    usage = "A move such as turned>waste2 or tableau3>tableau5:4; undo, redo, restart, finish, give-up, help, quit."
    start = "foundation   1:AS 2:AS\nreserve      [12] TH\nstock        [89]\nturned       -\nwaste        -\n"
    turned = start.replace("[89]", "[88]").replace("turned       -", "turned       7D")
    assert re.split("^> ", played(monkeypatch, "frog", typed, "--deck", deck), flags=re.MULTILINE) == [
        start,
        f"{usage}\nMoves now: stock>turned\n",
        turned,
        start,
        turned,
        "The 7 of diamonds does not go on the Ace of spades: foundations go up one rank at a time.\n",
        "That is not a move of this game.\n",
        f"Not understood. {usage}\n",
        "The rest cannot be played by itself yet.\n",
        f"{turned}given-up: 2 cards are home.\n",
    ]


def test_a_stuck_game_can_be_undone(monkeypatch: pytest.MonkeyPatch) -> None:
    case = json.loads((GIVEN / "flower-garden.json").read_bytes())[0]
    moves = [step["move"] for step in case["steps"]]
    out = played(monkeypatch, "flower-garden", "\n".join([*moves, "help", "undo", "quit"]), "--deck", case["deck"])
    assert "No move is left: undo, restart, reveal or quit.\n> A move such as" in out
    assert "Moves now: none" in out
    assert out.endswith(f"playing: {len(moves) - 1} cards are home.\n")


@pytest.mark.parametrize("slug", GAMES)
def test_face_down_cards_stay_so(monkeypatch: pytest.MonkeyPatch, slug: str) -> None:
    out = played(monkeypatch, slug, "")
    hidden = sum(int(count) for count in re.findall(r"\[(\d+)\]", out))
    assert hidden == 0 if "garden" in slug else hidden >= 83
    assert len(re.findall(r"\b[A2-9TJQK][CDHS]\b", out)) + hidden == 52 * GAMES[slug].packs


@pytest.mark.parametrize(
    ("deck", "sentence"), [("AS", "AC stands 0 times in the deck"), ("", "AC stands 0"), ("A♠", "no card is written")]
)
def test_a_bad_deck_is_refused_in_words(deck: str, sentence: str) -> None:
    with pytest.raises(CommandError, match=f"--deck: {sentence}"):
        call_command("play", "frog", "--deck", deck)


def test_there_is_no_other_game() -> None:
    with pytest.raises(CommandError, match="invalid choice: 'bridge'"):
        call_command("play", "bridge")
