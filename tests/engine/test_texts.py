"""Cards, moves and whole positions can be written and read back, and nothing else can be read."""

from contextlib import suppress

import pytest
from hypothesis import given, strategies as st

from games.engine.cards import BadDeck, BadText, check_deck, packs, parse_cards, write_cards
from games.engine.catalogue import GAMES
from games.engine.game import Game
from games.engine.table import Move, parse_move, parse_table, write_table
from tests.engine.tables import each_game, many, some, tables

names = st.from_regex(r"[a-z]+[0-9]*", fullmatch=True)


@many
@given(st.lists(st.integers(0, 51)))
def test_cards_come_back(cards: list[int]) -> None:
    assert parse_cards(write_cards(cards)) == tuple(cards)


@pytest.mark.parametrize("text", ["10C", "1C", "5c", "C5", "5", "5CTH", "5X", "5C,TH", "🂡"])
def test_what_is_no_card(text: str) -> None:
    with pytest.raises(BadText):
        parse_cards(text)


def test_a_card_is_written_rank_then_suit() -> None:
    assert write_cards(packs(1)[:13]) == "AC 2C 3C 4C 5C 6C 7C 8C 9C TC JC QC KC"
    assert write_cards(packs(1)[::13]) == "AC AD AH AS"


def test_a_deck_holds_each_card_once_a_pack() -> None:
    check_deck(packs(2)[::-1], 2)
    with pytest.raises(BadDeck, match="AC stands 0 times"):
        check_deck(packs(1)[1:], 1)
    with pytest.raises(BadDeck, match="5H stands 2 times"):
        check_deck(packs(1) + parse_cards("5H"), 1)


@many
@given(
    st.builds(Move, names, st.just(""), st.just(1))
    | st.builds(Move, names, names, st.just(1))
    | st.builds(Move, names, names, st.integers(2, 99))
)
def test_moves_come_back(move: Move) -> None:
    assert parse_move(str(move)) == move


@many
@given(st.one_of(st.text(), st.from_regex(r"[a-z0-9>: ]{1,20}", fullmatch=True)))
def test_any_text_is_the_one_way_to_write_a_move_or_none(text: str) -> None:
    with suppress(BadText):
        assert str(parse_move(text)) == text


@pytest.mark.parametrize(
    "text",
    [
        "",
        ">",
        "waste1>",
        ">waste1",
        "waste1>waste2>waste3",
        "waste1 > waste2",
        " stock>turned",
        "stock>turned\n",
        "Waste1>waste2",
        "tableau1>tableau2:",
        "tableau1>tableau2:0",
        "tableau1>tableau2:1",
        "tableau1>tableau2:02",
        "tableau1>tableau2:-2",
        "tableau1>tableau2:100",
        "tableau1>tableau2:٣",
        "tableau٣>tableau2",
        "tableau1:2",
        "give-up",
        "1>2",
    ],
)
def test_what_is_no_move(text: str) -> None:
    with pytest.raises(BadText):
        parse_move(text)


@each_game
@some
@given(st.data())
def test_positions_come_back(game: Game, data: st.DataObject) -> None:
    at = data.draw(tables(game))
    assert parse_table(game.names, write_table(at)) == at


@pytest.mark.parametrize(
    "text",
    [
        "waste1",
        "waste6: 5C",
        "waste1: 5X",
        "waste1: 5C\nwaste1: 5D",
        "base: 1",
        "base: AK",
        "base:",
        "redeals: -1",
        "redeals: ²",
        "redeals: many",
        "spare: 5X",
    ],
)
def test_what_is_no_position(text: str) -> None:
    with pytest.raises(BadText):
        parse_table(GAMES["frog"].names, text)
