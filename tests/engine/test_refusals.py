"""Each reason for which a move is refused: its code, and the places and cards that it is about."""

import pytest

from games.engine.catalogue import GAMES
from games.engine.play import Refused, play
from games.engine.table import Table, parse_move
from games.sentences import why
from tests.engine.tables import table

FROG = "foundation1: AH\nfoundation2: AS 2C\nreserve: 5C 9D\nstock: 2D\nwaste1: 4C 3D\nwaste2: KC"
GARDEN = "foundation1: AH\nbed1: 3H 2H\nbed2: 2S 9C\nbouquet1: 4H\nspare: 2H 3H 4H 2S 9C"
STUCK = "foundation1: AH\nbed1: 2H 3H\nspare: 3H 2H"
TOAD = (
    "base: 5\nfoundation1: 5C 6C\nreserve: 2C 9D\nstock: 2D\nwaste: TD 8H\ntableau1: TC\ntableau2: QS JH 9S\n"
    "tableau3: 9H 8S\ntableau4: QS\ntableau5: 2S\ntableau6: 2S\ntableau7: 2S\ntableau8: 2S"
)
GAP = "base: 5\nfoundation1: 5C 6C\ntableau1: TC\ntableau2: JH TS\ntableau3: 8D 7S\nstock: 2D"

REFUSED = [
    # Whatever the game: no such place, never such a way, no such card.
    ("frog", FROG, "waste6>foundation1", "no_such_place", ""),
    ("frog", FROG, "waste1>foundation9", "no_such_place", ""),
    ("frog", FROG, "waste1>foundation", "no_such_place", ""),
    ("frog", FROG, "waste1", "no_such_place", ""),
    ("frog", FROG, "redeal", "no_such_place", ""),
    ("frog", FROG, "undo", "no_such_place", ""),
    ("frog", FROG, "waste1>waste2", "never", ""),
    ("frog", FROG, "waste1>waste1", "never", ""),
    ("frog", FROG, "reserve>waste3", "never", ""),
    ("frog", FROG, "waste1>reserve", "never", ""),
    ("frog", FROG, "waste1>turned", "never", ""),
    ("frog", FROG, "reserve>turned", "never", ""),
    ("frog", FROG, "waste1>stock", "never", ""),
    ("frog", FROG, "stock>foundation1", "never", ""),
    ("frog", FROG, "stock>waste1", "never", ""),
    ("frog", FROG, "turned>stock", "never", ""),
    ("frog", FROG, "foundation2>waste1", "never", ""),
    ("frog", FROG, "foundation2>foundation1", "never", ""),
    ("frog", FROG, "waste3>foundation1", "nothing_there", ""),
    ("frog", FROG, "turned>waste1", "nothing_there", ""),
    ("frog", "foundation1: AH", "stock>turned", "nothing_there", ""),
    ("frog", FROG, "waste1>foundation2:2", "not_a_run", ""),
    ("frog", FROG, "waste1>foundation2:3", "nothing_there", ""),
    ("frog", FROG, "reserve>foundation1:2", "not_a_run", ""),
    # The Frogs.
    ("frog", FROG, "waste1>foundation1", "up", "3D on AH"),
    ("frog", FROG, "waste1>foundation3", "up", "3D"),
    ("frog", FROG, "reserve>foundation2", "up", "9D on 2C"),
    ("frog", FROG + "\nturned: 9H", "stock>turned", "on_empty", "on 9H"),
    ("frog", FROG + "\nturned: 3S", "turned>waste1", "fits_no_foundation", "3S"),
    ("frog", FROG + "\nturned: AD", "turned>waste1", "fits_no_foundation", "AD"),
    ("frog", FROG + "\nturned: AD", "turned>foundation1", "up", "AD on AH"),
    ("fly", FROG + "\nturned: 3S", "turned>waste5", "fits_no_foundation", "3S"),
    ("fanny", FROG + "\nturned: AC", "turned>waste5", "fits_no_foundation", "AC"),
    ("dicks-frog", FROG + "\nturned: 2S", "turned>waste5", "fits_no_foundation", "2S"),
    ("le-crapaud", FROG + "\nturned: AC", "turned>waste5", "not_an_ace", "AC"),
    ("le-crapaud", FROG + "\nturned: 9H", "turned>foundation1", "up", "9H on AH"),
    # The gardens.
    ("flower-garden", GARDEN, "bed2>foundation1", "up_in_suit", "9C on AH"),
    ("flower-garden", GARDEN, "bouquet1>foundation1", "up_in_suit", "4H on AH"),
    ("flower-garden", GARDEN, "bed1>foundation2", "up_in_suit", "2H"),
    ("flower-garden", GARDEN, "bed1>bed2", "never", ""),
    ("flower-garden", GARDEN, "bouquet1>bouquet2", "never", ""),
    ("flower-garden", GARDEN, "bouquet2>foundation1", "nothing_there", ""),
    ("flower-garden", STUCK, "redeal", "no_such_place", ""),
    ("flower-garden-redeal", GARDEN, "redeal", "last_resort", ""),
    ("flower-garden-redeal", STUCK + "\nredeals: 1", "redeal", "first_redeal", ""),
    ("flower-garden-redeal", "foundation1: AH", "redeal", "cards_left", ""),
    ("flower-garden-redeal", STUCK, "redeal>bed1", "no_such_place", ""),
    # American Toad.
    ("american-toad", TOAD, "waste>stock", "stock_is_empty", ""),
    ("american-toad", GAP.replace("stock", "waste") + "\nredeals: 1", "waste>stock", "first_pass", ""),
    ("american-toad", GAP.replace("stock: 2D", ""), "waste>stock", "waste_has_cards", ""),
    ("american-toad", TOAD, "waste>stock:2", "never", ""),
    ("american-toad", TOAD, "stock>tableau1", "never", ""),
    ("american-toad", TOAD, "waste>reserve", "never", ""),
    ("american-toad", TOAD, "tableau1>reserve", "never", ""),
    ("american-toad", TOAD, "tableau1>waste", "never", ""),
    ("american-toad", TOAD, "reserve>waste", "never", ""),
    ("american-toad", TOAD, "foundation1>waste", "never", ""),
    ("american-toad", TOAD, "foundation1>foundation2", "never", ""),
    ("american-toad", TOAD, "tableau1>tableau1", "never", ""),
    ("american-toad", TOAD, "waste>foundation1", "up_in_suit", "8H on 6C"),
    ("american-toad", TOAD, "waste>foundation2", "up_in_suit", "8H"),
    ("american-toad", TOAD, "reserve>tableau3", "down_alternating", "9D on 8S"),
    ("american-toad", TOAD, "foundation1>tableau1", "down_alternating", "6C on TC"),
    ("american-toad", TOAD, "waste>tableau4", "down_alternating_or_gap", "8H on QS"),
    ("american-toad", TOAD, "tableau2>tableau4:2", "not_a_run", ""),
    ("american-toad", TOAD, "tableau3>tableau5:2", "down_alternating", "9H on 2S"),
    ("american-toad", TOAD, "tableau3>tableau1:3", "nothing_there", ""),
    ("american-toad", TOAD, "waste>tableau1:2", "not_a_run", ""),
    ("american-toad", TOAD, "reserve>tableau1:2", "not_a_run", ""),
    ("american-toad", TOAD, "tableau3>foundation1:2", "not_a_run", ""),
    ("american-toad", GAP, "tableau1>tableau4", "down_alternating", "TC"),
    ("american-toad", GAP, "tableau2>tableau4:2", "down_alternating", "JH"),
    ("american-toad", GAP, "foundation1>tableau4", "down_alternating", "6C"),
]

WHOLE_TABLE = {"stock_is_empty", "waste_has_cards", "first_pass", "first_redeal", "cards_left", "last_resort"}


def refusal(slug: str, at: Table, text: str) -> Refused:
    with pytest.raises(Refused) as refused:
        play(GAMES[slug], at, parse_move(text))
    return refused.value


@pytest.mark.parametrize(("slug", "position", "text", "code", "cards"), REFUSED)
def test_why_a_move_is_refused(slug: str, position: str, text: str, code: str, cards: str) -> None:
    got = refusal(slug, table(slug, position), text).refusal
    params = dict(got.params)
    assert got.code == code
    assert " on ".join(filter(None, [params.pop("card", ""), params.pop("top", "")])) == cards.removeprefix("on ")
    move = parse_move(text)
    size = {"count": str(move.size)} if code == "not_a_run" else {}
    assert params == ({} if code in WHOLE_TABLE else {"source": move.source, "target": move.target} | size)


@pytest.mark.parametrize(("slug", "position", "text", "code", "cards"), REFUSED)
def test_each_reason_has_a_sentence(slug: str, position: str, text: str, code: str, cards: str) -> None:
    got = refusal(slug, table(slug, position), text).refusal
    unknown = why(got._replace(code="no_such_place"))
    assert (why(got) == unknown) == (code == "no_such_place")
    assert "%(" not in why(got)


def test_the_whole_answer() -> None:
    refused = refusal("frog", table("frog", FROG + "\nturned: 3S"), "turned>waste1")
    assert refused.args == ("fits_no_foundation", {"source": "turned", "target": "waste1", "card": "3S"})
    assert why(refused.refusal) == "The 3 of spades fits a foundation, so it may not go on a waste pile."
