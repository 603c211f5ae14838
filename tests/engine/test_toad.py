"""American Toad's rules that the cases do not reach, or reach by chance only."""

import pytest

from games.engine.cards import RANKS, packs, write_cards
from games.engine.catalogue import GAMES
from games.engine.play import Outcome, Refused, outcome, play
from games.engine.table import Table, parse_move, parse_table, write_table
from tests.engine.tables import moves, table

TOAD = GAMES["american-toad"]
FOUNDATIONS = [f"foundation{number}" for number in range(1, 9)]


def toad(text: str, others: str = "") -> Table:
    """A table; `others` is the card on each tableau place that the text does not name."""
    unnamed = [f"tableau{number}: {others}" for number in range(1, 9) if f"tableau{number}:" not in text]
    return table("american-toad", "\n".join([text, *unnamed]))


def legal(at: Table) -> set[str]:
    return moves("american-toad", at)


def after(at: Table, *texts: str) -> Table:
    for text in texts:
        at = play(TOAD, at, parse_move(text))
    return at


def piles(at: Table) -> dict[str, str]:
    return {name: write_cards(pile) for name, pile in zip(at.places.names, at.piles, strict=True) if pile}


def judged(at: Table) -> Outcome:
    return outcome(TOAD, at, TOAD.legal_moves(at))


def suit_from(base: str, suit: str) -> str:
    first = RANKS.index(base)
    return " ".join(rank + suit for rank in RANKS[first:] + RANKS[:first])


@pytest.mark.parametrize("base", RANKS)
def test_each_rank_can_be_the_base(base: str) -> None:
    order = list(packs(2))
    order.insert(20, order.pop(RANKS.index(base)))
    at = TOAD.setup(tuple(order))
    assert RANKS[at.base] == base
    assert at.pile("reserve") == tuple(order[:20])
    assert write_cards(at.pile("foundation1")) == f"{base}C"
    assert [pile for pile in at.group("foundation") if pile] == [at.pile("foundation1")]
    assert at.group("tableau") == tuple((card,) for card in order[21:29])
    assert at.pile("stock")[::-1] == tuple(order[29:])
    assert len(at.pile("stock")) == 75
    assert at.pile("waste") == ()


@pytest.mark.parametrize("base", RANKS)
def test_a_foundation_goes_once_round_from_the_base(base: str) -> None:
    cards = suit_from(base, "S").split()
    at = toad(f"base: {base}\nwaste: {' '.join(reversed(cards))}\nreserve: {cards[0]}", others=cards[3])
    at = after(at, *["waste>foundation4"] * 13)
    assert write_cards(at.pile("foundation4")) == " ".join(cards)
    assert "reserve>foundation4" not in legal(at)  # the base card after thirteen starts another
    assert {move for move in legal(at) if move.startswith("reserve")} == {
        f"reserve>{name}" for name in FOUNDATIONS if name != "foundation4"
    }


@pytest.mark.parametrize("base", RANKS)
def test_an_empty_foundation_takes_the_base_rank_of_any_suit_and_no_other(base: str) -> None:
    for rank in RANKS:
        for suit in "CDHS":
            starts = {f"waste>{name}" for name in FOUNDATIONS} if rank == base else set()
            assert legal(toad(f"base: {base}\nstock: 2C\nwaste: {rank}{suit}\ntableau1: {rank}{suit}")) >= starts
            assert ("tableau1>foundation8" in legal(toad(f"base: {base}\ntableau1: {rank}{suit}"))) == (rank == base)


def test_foundations_go_up_in_suit() -> None:
    at = toad("base: 5\nfoundation1: 5C\nfoundation2: 5D\nfoundation3: 5C\nreserve: 9S 6C\ntableau1: 6D\nwaste: 6H")
    assert {move for move in legal(at) if "foundation" in move.split(">")[1]} == {
        "reserve>foundation1",
        "reserve>foundation3",
        "tableau1>foundation2",
    }


@pytest.mark.parametrize(
    ("card", "top", "fits"),
    [
        ("7D", "8C", True),
        ("7D", "8S", True),
        ("7D", "8H", False),
        ("7D", "8D", False),
        ("7S", "8C", False),
        ("9D", "8C", False),
        ("6D", "8C", False),
        ("AC", "2D", True),
        ("KD", "AC", True),
        ("KC", "AC", False),
        ("KS", "AH", True),
        ("AD", "KC", False),
        ("QD", "AC", False),
    ],
)
def test_the_tableau_goes_down_in_alternating_colours(card: str, top: str, fits: bool) -> None:
    at = toad(f"base: 3\ntableau1: {top}\nreserve: 3C {card}\nwaste: {card}\ntableau2: {card}\nfoundation1: {card}")
    onto = {move for move in legal(at) if move.endswith(">tableau1")}
    assert onto == (
        {f"{place}>tableau1" for place in ("reserve", "waste", "tableau2", "foundation1")} if fits else set()
    )


def test_any_part_of_a_run_moves_together() -> None:
    at = toad(
        "base: 2\nreserve: 3C\ntableau1: TH 9S 8H 7C\ntableau2: 8D\ntableau3: 9C\ntableau4: TD\ntableau5: JS", "3S"
    )
    runs = {move for move in legal(at) if move.startswith("tableau1")}
    assert runs == {"tableau1>tableau2", "tableau1>tableau3:2", "tableau1>tableau4:3", "tableau1>tableau5:4"}
    at = after(at, "tableau1>tableau3:2")
    assert piles(at)["tableau1"] == "TH 9S"
    assert piles(at)["tableau3"] == "9C 8H 7C"
    at = after(at, "tableau1>tableau5:2")
    assert piles(at)["tableau5"] == "JS TH 9S"
    assert piles(at)["tableau1"] == "3C"


def test_a_run_ends_where_it_is_not_properly_built() -> None:
    at = toad("base: 2\ntableau1: TH 9D 8S 7H\ntableau2: TS\ntableau3: 9H\ntableau4: JC\ntableau5: 9S 7D 6C")
    assert {move for move in legal(at) if move.startswith("tableau1")} == {
        "tableau1>tableau2:3",
        "tableau1>tableau3:2",
    }
    assert {move for move in legal(at) if move.startswith("tableau5")} == {"tableau5>tableau1"}


def test_a_run_goes_round_from_ace_to_king() -> None:
    at = toad("base: 9\ntableau1: 2S AH KC QD\ntableau2: 3D\ntableau3: 2C\ntableau4: AD\ntableau5: KS")
    assert {move for move in legal(at) if move.startswith("tableau1")} == {
        "tableau1>tableau2:4",
        "tableau1>tableau3:3",
        "tableau1>tableau4:2",
        "tableau1>tableau5",
    }


def test_the_top_of_a_foundation_goes_back_to_the_tableau() -> None:
    at = toad("base: 5\nfoundation1: 5C 6C 7C\nfoundation2: 5H\ntableau1: 8D\ntableau2: 8S\ntableau3: 6S\nwaste: 9C")
    back = {move for move in legal(at) if move.startswith("foundation")}
    assert back == {"foundation1>tableau1", "foundation2>tableau3"}
    at = after(at, "foundation1>tableau1")
    assert piles(at)["foundation1"] == "5C 6C"
    assert piles(at)["tableau1"] == "8D 7C"
    assert "tableau1>foundation1" in legal(at)


def test_the_base_is_remembered_when_all_foundations_are_empty() -> None:
    at = after(toad("base: 5\nfoundation1: 5C\ntableau1: 6H\ntableau2: 5D\ntableau3: 7D"), "foundation1>tableau1")
    assert not any(at.group("foundation"))
    assert parse_table(TOAD.names, write_table(at)) == at
    anywhere = {f"{source}>{name}" for source in ("tableau1", "tableau2") for name in FOUNDATIONS}
    assert legal(at) == anywhere
    assert piles(after(at, "tableau1>foundation7"))["foundation7"] == "5C"


def test_a_gap_is_filled_at_once_from_the_reserve() -> None:
    at = toad("base: 5\nfoundation1: 5C\nreserve: 9D TD\ntableau1: 6C\ntableau2: 8H\nwaste: 2C", "QS")
    at = after(at, "tableau1>foundation1")
    assert piles(at)["tableau1"] == "TD"
    assert piles(at)["reserve"] == "9D"


def test_a_whole_run_leaves_a_gap_to_fill() -> None:
    at = toad("base: 5\nreserve: 9D TD\ntableau1: 7C 6D\ntableau2: 8H", "QS")
    at = after(at, "tableau1>tableau2:2")
    assert piles(at)["tableau1"] == "TD"
    assert piles(at)["tableau2"] == "8H 7C 6D"


def test_the_last_reserve_card_fills_a_gap_and_the_next_gap_stays() -> None:
    at = toad("base: 5\nfoundation1: 5C\nreserve: 7C\ntableau1: 6C\ntableau2: 4H\nwaste: 2C", "QS")
    at = after(at, "tableau1>foundation1")
    assert piles(at)["tableau1"] == "7C"
    assert "reserve" not in piles(at)
    at = after(at, "tableau1>foundation1")
    assert "tableau1" not in piles(at)
    assert "waste>tableau1" in legal(at)


def test_a_gap_is_filled_from_the_waste_only_once_the_reserve_is_empty() -> None:
    at = toad("base: 5\nfoundation1: 5C 6C\nstock: 9S\nwaste: 3C 2C\ntableau3: 8H\ntableau4: QC JD")
    gaps = {f"waste>tableau{number}" for number in (1, 2, 5, 6, 7, 8)}
    assert legal(at) == gaps | {"stock>waste"}
    at = after(at, "waste>tableau5")
    assert piles(at)["tableau5"] == "2C"
    assert piles(at)["waste"] == "3C"


def test_a_waste_card_that_fits_a_pile_may_fill_a_gap_too() -> None:
    at = toad("base: 5\nfoundation1: 5C\nwaste: 6C\ntableau1: 7H")
    assert legal(at) >= {"waste>foundation1", "waste>tableau1", "waste>tableau2"}


def test_the_reserve_is_played_to_foundations_and_tableau() -> None:
    at = toad("base: 5\nfoundation1: 5C\nreserve: 9S 6C\ntableau1: 7H\ntableau2: 7S")
    assert {move for move in legal(at) if move.startswith("reserve")} == {"reserve>foundation1", "reserve>tableau1"}


def test_the_stock_is_turned_card_by_card_and_once_more() -> None:
    at = toad("base: K\nstock: 4C 3C 2C\ntableau1: 8C")
    assert legal(at) == {"stock>waste"}
    at = after(at, "stock>waste")
    assert piles(at)["waste"] == "2C"
    with pytest.raises(Refused):
        after(at, "waste>stock")  # the stock is not empty yet
    at = after(at, "stock>waste", "stock>waste")
    assert piles(at)["waste"] == "2C 3C 4C"
    assert "waste>stock" in legal(at)
    at = after(at, "waste>stock")
    assert piles(at)["stock"] == "4C 3C 2C"
    assert "waste" not in piles(at)
    at = after(at, *["stock>waste"] * 3)
    assert piles(at)["waste"] == "2C 3C 4C"
    assert "waste>stock" not in legal(at)
    with pytest.raises(Refused):
        after(at, "waste>stock")  # a third pass


def test_an_empty_waste_is_not_turned_over() -> None:
    at = toad("base: K\ntableau1: 8C")
    assert legal(at) == set()
    with pytest.raises(Refused):
        after(at, "waste>stock")


@pytest.mark.parametrize(
    ("more", "expected"),
    [
        ("waste: 3S\nredeals: 1", Outcome.STUCK),
        ("waste: 3S", Outcome.PLAYING),  # the waste may be turned over
        ("waste: 3S\nstock: 5S\nredeals: 1", Outcome.PLAYING),
        ("waste: 3D\nredeals: 1", Outcome.PLAYING),  # fits on the 4
        ("waste: 3S\nredeals: 1\nfoundation1: KC AC", Outcome.PLAYING),  # the 2 goes up
        ("waste: 3S\nredeals: 1\nfoundation1: KD AD 2D 3D", Outcome.PLAYING),  # the 3 comes back
    ],
)
def test_stuck_only_when_no_move_at_all_is_left(more: str, expected: Outcome) -> None:
    even = ["2C", "4C", "6C", "8C", "TC", "QC", "4S", "6S"]
    tops = [f"tableau{number}: {card}" for number, card in enumerate(even, 1)]
    assert judged(toad("\n".join(["base: K", more, *tops]))) is expected


def test_won_with_all_cards_home() -> None:
    homes = [f"foundation{number}: {suit_from('9', suit)}" for number, suit in enumerate("CDHSCDHS", 1)]
    homes[2] = homes[2][:-3]
    at = toad("base: 9\n" + "\n".join(homes) + "\ntableau6: 8H")
    assert judged(at) is Outcome.PLAYING
    at = after(at, "tableau6>foundation3")
    assert judged(at) is Outcome.WON
    assert legal(at) == set()  # taking a card back is no move when no pile takes it
