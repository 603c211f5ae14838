"""The Flower Gardens' rules that the cases do not reach, or reach by chance only."""

import pytest

from games.engine.cards import packs, write_cards
from games.engine.catalogue import GAMES
from games.engine.play import Outcome, Refused, outcome, play
from games.engine.table import Pile, Table, parse_move
from tests.engine.tables import moves, table

GARDENS = pytest.mark.parametrize("slug", ["flower-garden", "flower-garden-redeal"])
REDEAL = GAMES["flower-garden-redeal"]
PACK = packs(1)


def judged(at: Table) -> Outcome:
    return outcome(REDEAL, at, REDEAL.legal_moves(at))


def stuck_with(*left: int) -> Table:
    """Of each suit so many of the highest cards are not home, and lie in a bed with the lowest deepest."""
    suits = [PACK[13 * suit : 13 * suit + 13] for suit in range(4)]
    piles: dict[str, Pile] = {}
    for number, (suit, count) in enumerate(zip(suits, left, strict=True), 1):
        piles |= {f"foundation{number}": suit[: 13 - count], f"bed{number}": suit[13 - count :]}
    empty = REDEAL.setup(PACK, PACK[::-1])
    return empty.laid(dict.fromkeys(empty.places.names, ()) | piles)


@GARDENS
def test_the_layout(slug: str) -> None:
    at = GAMES[slug].setup(PACK)
    assert [len(pile) for pile in at.group("foundation")] == [0] * 4
    assert [write_cards(pile) for pile in at.group("bed")[:2]] == ["AC 2C 3C 4C 5C 6C", "7C 8C 9C TC JC QC"]
    assert at.group("bed") == tuple(PACK[start : start + 6] for start in range(0, 36, 6))
    assert at.group("bouquet") == tuple((card,) for card in PACK[36:])


@GARDENS
def test_foundations_go_up_in_suit_from_beds_and_bouquet(slug: str) -> None:
    at = table(slug, "foundation1: AH 2H\nbed1: 4H 3H\nbed2: 3D\nbouquet1: 3H\nbouquet9: AS\nbouquet10: 4H")
    aces = {f"bouquet9>foundation{number}" for number in (2, 3, 4)}
    assert moves(slug, at) == aces | {"bed1>foundation1", "bouquet1>foundation1"}
    at = play(GAMES[slug], at, parse_move("bed1>foundation1"))
    assert moves(slug, at) == aces | {"bed1>foundation1", "bouquet10>foundation1"}


@GARDENS
@pytest.mark.parametrize(
    "move", ["bed1>bed2", "bed1>bed3", "bouquet1>bouquet2", "bouquet1>bed1", "bed1>bouquet2", "foundation1>bed1"]
)
def test_nothing_is_laid_on_a_bed_or_in_the_bouquet(slug: str, move: str) -> None:
    at = table(slug, "foundation1: AH\nbed1: 9S 8H\nbed2: 9C\nbouquet1: 7S")
    with pytest.raises(Refused):
        play(GAMES[slug], at, parse_move(move))


def test_the_strict_garden_has_no_redeal() -> None:
    stuck = table("flower-garden", "foundation1: AH\nbed1: 2H 3H")
    assert moves("flower-garden", stuck) == set()
    assert outcome(GAMES["flower-garden"], stuck, []) is Outcome.STUCK


def test_the_redeal_is_there_only_when_stuck() -> None:
    free = table("flower-garden-redeal", "foundation1: AH\nbed1: 2H\nspare: 2H")
    assert moves("flower-garden-redeal", free) == {"bed1>foundation1"}
    with pytest.raises(Refused):
        play(REDEAL, free, parse_move("redeal"))
    assert moves("flower-garden-redeal", stuck_with(2, 0, 0, 0)) == {"redeal"}
    assert judged(stuck_with(2, 0, 0, 0)) is Outcome.PLAYING


def test_the_redeal_is_there_at_the_start_when_nothing_fits() -> None:
    assert moves("flower-garden-redeal", stuck_with(13, 13, 13, 13)) == {"redeal"}


def test_there_is_one_redeal() -> None:
    at = stuck_with(2, 2, 2, 2)._replace(spare=PACK)  # all in one bed, Kings on top of Queens: stuck again
    again = play(REDEAL, at, parse_move("redeal"))
    assert write_cards(again.pile("bed1")) == "QC KC QD KD QH KH"
    assert write_cards(again.pile("bed2")) == "QS KS"
    assert REDEAL.legal_moves(again) == []
    assert judged(again) is Outcome.STUCK
    with pytest.raises(Refused):
        play(REDEAL, again, parse_move("redeal"))


@pytest.mark.parametrize(
    "left",
    [
        (2, 0, 0, 0),
        (5, 0, 0, 0),
        (6, 0, 0, 0),
        (7, 0, 0, 0),
        (12, 0, 0, 0),
        (13, 0, 0, 0),
        (13, 12, 11, 0),
        (13, 12, 12, 0),
        (13, 13, 11, 3),
        (13, 13, 13, 12),
        (13, 13, 13, 13),
    ],
)
def test_the_redeal_lays_six_to_each_bed_while_cards_last(left: tuple[int, ...]) -> None:
    at = stuck_with(*left)
    again = play(REDEAL, at, parse_move("redeal"))
    unplayed = [card for card in at.spare if not any(card in pile for pile in at.group("foundation"))]
    assert again.group("foundation") == at.group("foundation")
    assert len(unplayed) == sum(left)
    assert [card for pile in again.group("bed") + again.group("bouquet") for card in pile] == unplayed
    beds = [len(pile) for pile in again.group("bed")]
    assert beds == [min(6, max(0, sum(left) - 6 * number)) for number in range(6)]
    assert [len(pile) for pile in again.group("bouquet")] == [int(number < sum(left) - 36) for number in range(16)]


def test_no_redeal_of_a_won_game() -> None:
    won = stuck_with(0, 0, 0, 0)
    assert REDEAL.legal_moves(won) == []
    assert judged(won) is Outcome.WON
    with pytest.raises(Refused):
        play(REDEAL, won, parse_move("redeal"))
