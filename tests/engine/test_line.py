"""What undo, redo, restart, finish, giving up and showing the deck make of a line of play."""

import pytest

from games.engine.cards import BadText, packs
from games.engine.catalogue import GAMES
from games.engine.line import WORDS, Line
from games.engine.play import Refused, can_finish, home
from games.sentences import why
from tests.engine.tables import deck, table

FROG = GAMES["frog"]
GARDEN = GAMES["flower-garden"]
FULL = "AH 2D 3C 4S 5H 6D 7C 8S 9H TD JC QS KH"
NEARLY = "\n".join(f"foundation{number}: {FULL}" for number in range(1, 8)) + "\nfoundation8: " + FULL[:-12]


def begun(*entries: str) -> Line:
    return played(
        Line.begin(FROG, FROG.setup(deck(FROG, "AC 2D 3D 4D 5D 6D 7D 8D 9D TD JD QD KD 2H", "9C 2S KC"))), *entries
    )


def played(line: Line, *entries: str) -> Line:
    for entry in entries:
        line = line.after(entry)
    return line


def refused(line: Line, entry: str) -> str:
    with pytest.raises(Refused) as error:
        line.after(entry)
    assert "%(" not in why(error.value.refusal)
    return error.value.refusal.code


def possible(line: Line) -> set[str]:
    return {word for word in WORDS if line.can(word)}


def test_a_new_line() -> None:
    line = begun()
    assert (line.version, line.last, line.at.count, line.outcome, line.clean) == (0, "", 0, "playing", True)
    assert possible(line) == {"give-up"}
    assert line.at.table == line.start


def test_a_move_is_counted() -> None:
    line = begun("stock>turned", "turned>waste1")
    assert (line.version, line.last, line.at.count, line.at.entry) == (2, "turned>waste1", 2, "turned>waste1")
    assert possible(line) == {"undo", "restart", "give-up"}


def test_a_refused_entry_changes_nothing() -> None:
    line = begun("stock>turned")
    assert refused(line, "stock>turned") == "on_empty"
    assert refused(line, "redo") == "no-redo"
    with pytest.raises(BadText):
        line.after("Undo")
    assert line == begun("stock>turned")


def test_undo_and_redo_are_entries() -> None:
    line = begun("stock>turned", "turned>waste1", "undo")
    assert line.at.table == begun("stock>turned").at.table
    assert (line.version, line.last, line.at.count, line.undos, line.clean) == (3, "undo", 1, 1, False)
    line = line.after("redo")
    assert line.at.table == begun("stock>turned", "turned>waste1").at.table
    assert (line.version, line.last, line.at.count, line.undos) == (4, "redo", 2, 1)
    assert refused(line, "redo") == "no-redo"


def test_several_moves_are_undone_and_redone_in_order() -> None:
    moves = ["stock>turned", "turned>waste1", "stock>turned", "turned>foundation1"]
    line = begun(*moves, "undo", "undo", "undo", "undo")
    assert line.at.table == line.start
    assert refused(line, "undo") == "no-undo"
    for count in range(1, 5):
        line = line.after("redo")
        assert line.at == begun(*moves[:count]).at


def test_a_move_after_undo_forgets_what_was_undone() -> None:
    line = begun("stock>turned", "turned>waste1", "undo", "turned>waste2")
    assert not line.can("redo")
    assert line.at.table == begun("stock>turned", "turned>waste2").at.table


def test_restart_lays_the_same_deal_and_can_be_undone() -> None:
    line = begun("stock>turned", "turned>waste1", "restart")
    assert (line.at.table, line.at.count, line.restarts, line.clean) == (line.start, 0, 1, False)
    assert refused(line, "restart") == "no-restart"
    assert line.after("undo").at == begun("stock>turned", "turned>waste1").at
    assert line.after("stock>turned").at.count == 1
    again = played(line, "stock>turned", "undo", "undo")
    assert again.at == begun("stock>turned", "turned>waste1").at


def test_at_the_start_there_is_nothing_to_restart() -> None:
    assert refused(begun(), "restart") == "no-restart"
    assert refused(begun("stock>turned", "undo"), "restart") == "no-restart"


def test_giving_up_closes_the_line() -> None:
    line = begun("stock>turned", "give-up")
    assert (line.outcome, line.closed, line.version, line.last) == ("given-up", True, 2, "give-up")
    assert possible(line) == set()
    for entry in (*WORDS, "turned>waste1", "stock>turned"):
        assert refused(line, entry) == "over"


def test_finish_is_one_entry_and_one_undo() -> None:
    line = Line.begin(FROG, table("frog", f"{NEARLY}\nwaste1: KH QS\nreserve: JC\nturned: TD"))
    assert possible(line) == {"finish", "give-up"}
    done = line.after("finish")
    assert (done.outcome, done.version, done.at.count, done.last) == ("won", 1, 4, "finish")
    assert done.clean
    assert home(done.at.table) == 104
    assert refused(done, "give-up") == "no-give-up"
    assert refused(done, "finish") == "no-finish"
    assert done.after("undo").at.table == line.start
    assert played(done, "undo", "redo").at == done.at


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("waste1: KH QS\nwaste2: JC TD", True),
        ("waste1: QS KH\nwaste2: JC TD", False),  # the Queen lies under the King
        ("waste1: KH QS\nreserve: JC TD", False),  # what lies in the reserve is not seen, whatever it is
        ("waste1: KH QS JC\nstock: TD", False),
        ("waste1: KH QS JC TD TD", True),  # equal ranks are in nobody's way
        ("", False),
    ],
)
def test_when_the_rest_can_be_played_by_itself(text: str, expected: bool) -> None:
    assert can_finish(FROG, table("frog", f"{NEARLY}\n{text}" if text else NEARLY + FULL[-12:])) == expected


def test_a_stuck_game_can_be_undone_or_shown_not_given_up() -> None:
    stuck = Line.begin(GARDEN, table("flower-garden", "foundation1: AH\nbed1: 4H 3H 2H 5S"))
    assert stuck.outcome == "stuck"
    assert possible(stuck) == {"reveal"}
    assert refused(stuck, "give-up") == "no-give-up"
    shown = stuck.after("reveal")
    assert (shown.outcome, shown.closed, shown.last) == ("stuck", True, "reveal")
    assert refused(shown, "undo") == "over"


def test_the_deck_is_not_shown_while_playing() -> None:
    assert refused(begun(), "reveal") == "no-reveal"


def test_what_is_badly_written_is_so_even_when_over() -> None:
    with pytest.raises(BadText):
        begun("give-up").after("turned > waste1")
    with pytest.raises(BadText):
        begun().after("")


def test_a_stuck_game_goes_on_after_undo() -> None:
    start = table("flower-garden", "foundation1: AH\nbed1: 5H 2H")
    line = Line.begin(GARDEN, start).after("bed1>foundation1")
    assert line.outcome == "stuck"
    assert line.after("undo").outcome == "playing"


def test_a_long_line_can_be_printed_and_compared() -> None:
    toad = GAMES["american-toad"]
    lines = [Line.begin(toad, toad.setup(packs(2))) for _ in range(2)]
    for _ in range(700):
        lines = [played(line, "stock>waste", "restart") for line in lines]
    assert lines[0] == lines[1]
    assert repr(lines[0]) == repr(lines[1])
