"""The Frogs' rules that the cases do not reach, or reach by chance only."""

import pytest

from games.engine.cards import ACE, write_cards
from games.engine.catalogue import GAMES
from games.engine.play import Outcome, outcome, play
from games.engine.table import Table, parse_move
from tests.engine.tables import deck, faces, frogs, moves, table

THIRTEEN = "2C 3C 4C 5C 6C 7C 8C 9C TC JC QC KC 2D"
ACES = ["AC", "AD", "AH", "AS"]
WASTES = {f"turned>waste{number}" for number in range(1, 6)}


def setup(slug: str, first: str, after: str = "") -> Table:
    return GAMES[slug].setup(deck(GAMES[slug], first, after))


def dealt_next(at: Table, count: int) -> str:
    return write_cards(at.pile("stock")[::-1][:count])


def foundations(at: Table) -> list[str]:
    return [write_cards(pile) for pile in at.group("foundation") if pile]


@pytest.mark.parametrize("slug", ["frog", "le-crapaud", "dicks-frog"])
def test_without_an_ace_in_time_the_stock_gives_one(slug: str) -> None:
    at = setup(slug, THIRTEEN, "KD QD AH JD AS")
    assert foundations(at) == ["AH"]
    assert write_cards(at.pile("reserve")) == THIRTEEN
    assert dealt_next(at, 4) == "KD QD JD AS"
    assert len(at.pile("stock")) == 90


@pytest.mark.parametrize("slug", ["frog", "le-crapaud"])
def test_aces_that_turn_up_do_not_count(slug: str) -> None:
    at = setup(slug, f"AS 3D AH {THIRTEEN[:-3]}", "AC AD")
    assert foundations(at) == ["AS", "AH"]
    assert write_cards(at.pile("reserve")) == f"3D {THIRTEEN[:-3]}"
    assert dealt_next(at, 2) == "AC AD"  # dealing stopped before them


@pytest.mark.parametrize("slug", ["frog", "le-crapaud"])
def test_all_aces_may_turn_up(slug: str) -> None:
    at = setup(slug, f"AC AC AD AD AH AH AS AS {THIRTEEN}")
    assert len(foundations(at)) == 8
    assert write_cards(at.pile("reserve")) == THIRTEEN
    assert len(at.pile("stock")) == 83


@pytest.mark.parametrize("aces", range(1, 9))
def test_dicks_frog_counts_the_aces_among_its_thirteen(aces: int) -> None:
    first = (ACES * 2)[:aces] + THIRTEEN.split()[aces:]
    at = setup("dicks-frog", " ".join(first), "AH" if aces < 5 else "KH")
    assert len(foundations(at)) == aces
    assert write_cards(at.pile("reserve")) == " ".join(first[aces:])
    assert len(at.pile("reserve")) == 13 - aces
    assert len(at.pile("stock")) == 91


def test_fly_lays_out_all_aces_wherever_they_are() -> None:
    at = setup("fly", f"2S AC {THIRTEEN}")
    assert sorted(foundations(at)) == sorted(ACES * 2)
    assert write_cards(at.pile("reserve")) == f"2S {THIRTEEN[:-3]}"
    assert ACE not in faces(at.pile("stock"))
    assert len(at.pile("stock")) == 83


def test_fanny_keeps_aces_in_the_reserve() -> None:
    at = setup("fanny", "2S AC 3S 4S 5S 6S 7S 8S 9S TS JS AH", "AD")
    assert foundations(at) == []
    assert write_cards(at.pile("reserve")) == "2S AC 3S 4S 5S 6S 7S 8S 9S TS JS AH"
    assert len(at.pile("stock")) == 92
    assert moves("fanny", at) == {"stock>turned"} | {f"reserve>foundation{number}" for number in range(1, 9)}
    at = play(GAMES["fanny"], at, parse_move("reserve>foundation3"))
    assert moves("fanny", at) == {"stock>turned"}  # the other Ace lies deep in the reserve


@frogs
def test_the_first_card_dealt_from_the_stock_is_turned(slug: str) -> None:
    at = setup(slug, f"AC {THIRTEEN}", "KD")
    at = play(GAMES[slug], at, parse_move("stock>turned"))
    assert write_cards(at.pile("turned")) == {"dicks-frog": "2D", "fanny": "KC"}.get(slug, "KD")


@frogs
def test_nothing_is_turned_while_a_card_waits(slug: str) -> None:
    assert moves(slug, table(slug, "stock: 5C\nturned: 7D")) == WASTES
    assert moves(slug, table(slug, "stock: 5C")) == {"stock>turned"}


@frogs
def test_an_ace_goes_to_an_empty_foundation_never_to_waste(slug: str) -> None:
    at = table(slug, "turned: AC\nfoundation1: AH\nfoundation3: AS 2C")
    assert moves(slug, at) == {f"turned>foundation{number}" for number in (2, 4, 5, 6, 7, 8)}


@frogs
def test_foundations_go_up_in_any_suit(slug: str) -> None:
    at = table(
        slug, "foundation1: AH\nfoundation2: AS 2C\nfoundation3: AD 2H 3S\nreserve: KD 4S\nwaste1: 2S\nwaste2: 3D"
    )
    assert moves(slug, at) == {"reserve>foundation3", "waste1>foundation1", "waste2>foundation2"}


@frogs
def test_nothing_goes_on_a_king(slug: str) -> None:
    full = "AH 2H 3H 4H 5H 6H 7H 8H 9H TH JH QH KH"
    at = table(slug, f"foundation1: {full}\nwaste1: AC\nwaste2: 2C")
    assert moves(slug, at) == {f"waste1>foundation{number}" for number in range(2, 9)}


@frogs
def test_a_turned_card_that_fits_may_wait_in_le_crapaud_only(slug: str) -> None:
    at = table(slug, "foundation1: AH\nfoundation2: AS\nturned: 2D")
    fits = {"turned>foundation1", "turned>foundation2"}
    assert moves(slug, at) == (fits | WASTES if slug == "le-crapaud" else fits)


@frogs
def test_a_turned_card_may_come_to_fit(slug: str) -> None:
    at = table(slug, "foundation1: AH 2H\nreserve: 9D 3C\nturned: 4S")
    assert moves(slug, at) == WASTES | {"reserve>foundation1"}
    at = play(GAMES[slug], at, parse_move("reserve>foundation1"))
    assert "turned>foundation1" in moves(slug, at)
    assert WASTES.isdisjoint(moves(slug, at)) == (slug != "le-crapaud")


@frogs
def test_a_card_that_does_not_fit_goes_on_any_waste_pile(slug: str) -> None:
    at = table(slug, "foundation1: AH\nturned: 9D\nwaste1: 2C\nwaste2: KC 3C 9D\nwaste5: AC")
    played_at_any_time = {"waste1>foundation1"} | {f"waste5>foundation{number}" for number in range(2, 9)}
    assert moves(slug, at) == WASTES | played_at_any_time
    at = play(GAMES[slug], at, parse_move("turned>waste2"))
    assert write_cards(at.pile("waste2")) == "KC 3C 9D 9D"


@frogs
def test_only_the_last_card_of_a_pile_is_played(slug: str) -> None:
    at = table(slug, "foundation1: AH\nreserve: 2C 9D\nwaste1: 2D 5C\nstock: AC")
    assert moves(slug, at) == {"stock>turned"}


@frogs
def test_stuck_when_nothing_is_left_to_turn_and_nothing_fits(slug: str) -> None:
    at = table(slug, "foundation1: AH\nreserve: 2C 9D\nwaste1: 2D 5C")
    assert outcome(GAMES[slug], at, GAMES[slug].legal_moves(at)) is Outcome.STUCK
    at = table(slug, "foundation1: AH\nreserve: 2C 9D\nwaste1: 2D 5C\nturned: KD")
    assert outcome(GAMES[slug], at, GAMES[slug].legal_moves(at)) is Outcome.PLAYING


@frogs
def test_won_before_stuck(slug: str) -> None:
    full = "AH 2D 3C 4S 5H 6D 7C 8S 9H TD JC QS KH"
    others = "\n".join(f"foundation{number}: {full}" for number in range(2, 9))
    at = table(slug, f"{others}\nfoundation1: {full[:-3]}\nwaste4: KD")
    assert outcome(GAMES[slug], at, GAMES[slug].legal_moves(at)) is Outcome.PLAYING
    at = play(GAMES[slug], at, parse_move("waste4>foundation1"))
    assert GAMES[slug].legal_moves(at) == []
    assert outcome(GAMES[slug], at, []) is Outcome.WON


def test_the_searched_ace_stands_and_the_rest_is_to_be_shuffled() -> None:
    frog = GAMES["frog"]
    stands, rest = frog.searched(deck(frog, THIRTEEN, "KD AH"))
    assert write_cards(stands) == f"{THIRTEEN} AH"
    assert write_cards(rest[:1]) == "KD"
    assert frog.setup(stands + rest) == setup("frog", THIRTEEN, "KD AH")


@frogs
def test_nothing_is_shuffled_again_without_a_search(slug: str) -> None:
    game = GAMES[slug]
    order = deck(game, THIRTEEN if slug in ("fly", "fanny") else f"AC {THIRTEEN}")
    assert game.searched(order) == (order, ())
