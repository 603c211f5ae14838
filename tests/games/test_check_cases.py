"""`manage.py check_cases` names every difference, and says plainly what is wrong with a file."""

import json
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from copy import deepcopy
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

MANAGE = Path(__file__).parents[2] / "manage.py"
GIVEN = Path(__file__).parents[1] / "engine/cases"
Cases = list[dict[str, Any]]
Run = Callable[[object], list[str]]


def given(slug: str) -> Cases:
    return deepcopy(json.loads((GIVEN / f"{slug}.json").read_bytes()))


@pytest.fixture
def run(tmp_path: Path) -> Run:
    """Writes a file of cases, runs it, and gives the lines that name a difference."""

    def run(content: object) -> list[str]:
        file = tmp_path / "some.json"
        file.write_bytes(content if isinstance(content, bytes) else json.dumps(content).encode())
        out = StringIO()
        with suppress(CommandError):
            call_command("check_cases", file, stdout=out)
        lines = out.getvalue().splitlines()
        return [] if lines[-1].endswith("no difference.") else [line.removeprefix(f"{file}: ") for line in lines]

    return run


def test_all_files_at_once() -> None:
    out = StringIO()
    call_command("check_cases", *sorted(GIVEN.glob("*.json")), stdout=out)
    assert out.getvalue() == "39 cases in 8 files, no difference.\n"


@pytest.mark.parametrize(("text", "code"), [("[]", 0), ("{}", 1)])
def test_the_exit_code(tmp_path: Path, text: str, code: int) -> None:
    file = tmp_path / "some.json"
    file.write_text(text)
    ran = subprocess.run([sys.executable, MANAGE, "check_cases", file], capture_output=True, text=True, check=False)
    assert ran.returncode == code
    assert "Traceback" not in ran.stderr


def test_every_file_is_run_whatever_came_before(tmp_path: Path) -> None:
    bad = tmp_path / "bad.json"
    bad.write_text("no")
    out = StringIO()
    with pytest.raises(CommandError, match="2 differences, 5 cases in 3 files"):
        call_command("check_cases", bad, GIVEN / "frog.json", tmp_path / "none.json", stdout=out)
    assert [line.split(": ")[0] for line in out.getvalue().splitlines()] == [str(bad), str(tmp_path / "none.json")]


def test_all_differences_of_a_case_are_named(run: Run) -> None:
    cases = given("frog")
    first, second = cases[0]["steps"][:2]
    first["legal"] = ["turned>waste1"]
    second["refused"] = ["turned>waste2", "turned>waste3"]
    cases[0]["start"] |= {"foundation2": "AS 2S", "foundation3": "AH"}
    cases[4]["end"] = {"status": "won", "piles": {}}
    found = run(cases)
    assert found[:6] == [
        "case 1: start: foundation2 holds AS, expected AS 2S",
        "case 1: start: foundation3 holds nothing, expected AH",
        "case 1: step 1: expected to be legal, but is not: turned>waste1",
        "case 1: step 1: legal, but not expected to be: stock>turned",
        "case 1: step 2: turned>waste2 is accepted, expected to be refused",
        "case 1: step 2: turned>waste3 is accepted, expected to be refused",
    ]
    assert found[6] == "case 5: end: the game is stuck, expected won"
    assert all(line.startswith("case 5: end: ") for line in found[6:])


def test_an_illegal_move_ends_its_case(run: Run) -> None:
    cases = given("frog")
    cases[1]["steps"][3]["move"] = "waste1>waste2"
    cases[2]["steps"][5]["move"] = "waste1 to waste2"
    assert run(cases) == [
        "case 2: step 4: waste1>waste2 is refused (never), expected to be legal",
        "case 3: step 6: no move is written 'waste1 to waste2'",
    ]


def test_what_is_checked_before_a_move_is_checked_before_it(run: Run) -> None:
    case = {"game": "frog", "deck": given("frog")[0]["deck"]}
    turn = {"legal": ["stock>turned"], "refused": ["turned>waste1"], "move": "stock>turned"}
    assert run([case | {"steps": [turn, {"refused": ["stock>turned"], "move": "turned>waste1"}]}]) == []


@pytest.mark.parametrize(
    "text", ["", " ", "stock>turned ", "STOCK>TURNED", "stock > turned", "nonsense", "ход", 5, None, [], {}, True]
)
def test_what_is_no_move_counts_as_refused(run: Run, text: object) -> None:
    assert run([{"game": "frog", "deck": given("frog")[0]["deck"], "steps": [{"refused": [text]}]}]) == []


def test_legal_moves_are_a_set_with_foundations_gone_to_unnumbered(run: Run) -> None:
    garden = given("flower-garden")[1]
    legal = garden["steps"][0]["legal"]
    garden["steps"][0]["legal"] = [*reversed(legal), legal[0]]
    assert run([garden]) == []
    garden["steps"][0]["legal"] = [f"{legal[0]}1", *legal[1:]]
    assert run([garden]) == [
        f"case 1: step 1: expected to be legal, but is not: {legal[0]}1",
        f"case 1: step 1: legal, but not expected to be: {legal[0]}",
    ]


def test_a_foundation_taken_from_keeps_its_number(run: Run) -> None:
    cases = given("american-toad")
    legal = next(
        step["legal"]
        for case in cases
        for step in case["steps"]
        if any(move.startswith("foundation1>") for move in step.get("legal", []))
    )
    number, move = next((number, move) for number, move in enumerate(legal) if move.startswith("foundation1>"))
    legal[number] = move.replace("foundation1", "foundation")
    found = run(cases)
    assert [line.split(": ", 2)[2] for line in found] == [
        f"expected to be legal, but is not: {legal[number]}",
        f"legal, but not expected to be: {move}",
    ]


def test_only_game_and_deck_must_be_there(run: Run) -> None:
    case = given("american-toad")[0]
    assert run([{"game": case["game"], "deck": case["deck"]}]) == []
    assert run([{"game": case["game"], "deck": case["deck"], "steps": [{}, {"move": "stock>waste"}], "end": {}}]) == []
    nothing = dict.fromkeys(["second_deck", "start", "steps", "end", "remark"])
    assert run([{"game": case["game"], "deck": case["deck"]} | nothing]) == []
    assert run([]) == []


def test_the_redeal_lays_the_second_deck(run: Run) -> None:
    case = given("flower-garden-redeal")[1]
    moves = [step["move"] for step in case["steps"]]
    before = moves.index("redeal")
    assert before > 0
    piles = {name: cards.split() for name, cards in case["start"].items()}
    home = [piles[move.split(">")[0]].pop() for move in moves[:before]]
    second = case["second_deck"].split()
    left = [card for card in second if card not in home]
    missing = f"case 1: step {before + 1}: redeal needs each unplayed card once in second_deck"
    assert run([case]) == []
    assert run([case | {"second_deck": " ".join(left)}]) == []  # cards that are home by then are not needed
    assert run([case | {"second_deck": " ".join(left[1:])}]) == [missing]
    assert run([case | {"second_deck": " ".join([*left, left[0]])}]) == [missing]
    assert run([{key: value for key, value in case.items() if key != "second_deck"}]) == [missing]
    assert run([case | {"second_deck": " ".join(second[::-1])}]) != []


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"", "is no list of cases: Input data was truncated"),
        (b"[{]", "is no list of cases: JSON is malformed"),
        (b"{}", "is no list of cases: Expected `array`, got `object`"),
        (b"\xff\xfe[]", "is no list of cases: JSON is malformed"),
        (b"[" * 100_000, "is no list of cases: maximum recursion depth exceeded"),
        ([5], "case 1: badly written: Expected `object`, got `int`"),
        ([{}], "case 1: badly written: Object missing required field `game`"),
        ([{"game": "frog"}], "case 1: badly written: Object missing required field `deck`"),
        ([{"game": "bridge", "deck": ""}], "case 1: badly written: no game is called 'bridge'"),
        ([{"game": "frog", "deck": ["AS"]}], "case 1: badly written: Expected `str`, got `array` - at `$.deck`"),
        ([{"game": "frog", "deck": "AS 10H"}], "case 1: badly written: no card is written '10H'"),
        ([{"game": "frog", "deck": "AS"}], "case 1: badly written: AC stands 0 times in the deck, not 2"),
    ],
)
def test_what_is_wrong_with_a_file(run: Run, content: object, sentence: str) -> None:
    (line,) = run(content)
    assert line.startswith(sentence)


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"steps": 5}, "case 1: badly written: Expected `array | null`, got `int` - at `$.steps`"),
        ({"steps": [5]}, "case 1: step 1: Expected `object`, got `int`"),
        ({"steps": [{}, {"move": 5}]}, "case 1: step 2: Expected `str | null`, got `int` - at `$.move`"),
        ({"steps": [{"legal": [5]}]}, "case 1: step 1: Expected `str`, got `int` - at `$.legal[0]`"),
        ({"start": "AS"}, "case 1: badly written: Expected `object | null`, got `str` - at `$.start`"),
        ({"second_deck": "XX"}, "case 1: badly written: no card is written 'XX'"),
    ],
)
def test_what_is_wrong_with_a_case(run: Run, changes: dict[str, object], sentence: str) -> None:
    case = {"game": "frog", "deck": given("frog")[0]["deck"]}
    assert run([case | changes]) == [sentence]


def test_piles_that_do_not_exist_or_hold_no_cards(run: Run) -> None:
    case = given("frog")[0]
    start = case["start"] | {"waste6": "AS", "waste1": "10H", "waste2": "", "foundation2": " AS "}
    assert run([case | {"start": start}]) == [
        "case 1: start: there is no place 'waste6'",
        "case 1: start: waste1 holds nothing, expected 10H",
    ]


def test_a_directory_is_no_file(tmp_path: Path) -> None:
    out = StringIO()
    with pytest.raises(CommandError):
        call_command("check_cases", tmp_path, stdout=out)
    assert out.getvalue() == f"{tmp_path}: cannot be read: Is a directory\n"
