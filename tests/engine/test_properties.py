"""What holds in every game at every table that random play reaches."""

import json
import random
from collections import Counter
from itertools import product

from hypothesis import given, strategies as st

from games.engine.cards import RANKS, TEXT, packs
from games.engine.game import Game, Refusal, Seen
from games.engine.line import Line, replay
from games.engine.play import HOME, Outcome, Refused, can_finish, finishing_moves, home, outcome, play
from games.engine.player_view import player_view
from games.engine.table import Move, Pile, Table, write_table
from tests.engine.tables import each_game, logs, many, nearly_home, seeds, shuffled, some, tables


def cards(table: Table) -> Counter[int]:
    return Counter(card for pile in table.piles for card in pile)


def askable(game: Game, table: Table, most: int = 2) -> list[Move]:
    """Every pair of places with every size up to `most`, and all other moves there are."""
    pairs = product(game.names.names, game.names.names, range(1, most + 1))
    return [*(Move(*pair) for pair in pairs), Move("redeal"), Move("waste1"), Move("nowhere")]


def answer(game: Game, table: Table, move: Move) -> Refusal | None:
    """The refusal of a move, or None if it can be played."""
    try:
        play(game, table, move)
    except Refused as refused:
        return refused.refusal
    return None


def told(game: Game, table: Table) -> bytes:
    """All that a player can learn: the view, and the answer to whatever may be asked."""
    answers = [answer(game, table, move) for move in askable(game, table)]
    return json.dumps([player_view(game, table), answers], default=lambda value: value.value).encode()


def hidden(game: Game, table: Table) -> list[tuple[str, int]]:
    """The names of piles with cards that lie face down, and how many."""
    below = {Seen.ALL: lambda pile: 0, Seen.TOP: lambda pile: max(0, len(pile) - 1), Seen.NONE: len}
    return [(name, below[seen](table.pile(name))) for name, seen in game.seen]


def with_hidden_cards_shuffled(game: Game, table: Table, rng: random.Random) -> Table:
    spots = hidden(game, table)
    order = iter(shuffled(tuple(card for name, count in spots for card in table.pile(name)[:count]), rng))
    laid: dict[str, Pile] = {
        name: tuple(next(order) for _ in range(count)) + table.pile(name)[count:] for name, count in spots
    }
    return table.laid(laid)._replace(spare=shuffled(table.spare, rng))


@each_game
@some
@given(st.data())
def test_no_card_is_lost_or_doubled(game: Game, data: st.DataObject) -> None:
    table = data.draw(tables(game))
    whole = Counter(packs(game.packs))
    assert cards(table) == whole
    for move in game.legal_moves(table):
        assert cards(play(game, table, move)) == whole


@each_game
@some
@given(st.data())
def test_exactly_the_legal_moves_can_be_played(game: Game, data: st.DataObject) -> None:
    table = data.draw(tables(game))
    before, legal = write_table(table), game.legal_moves(table)
    assert len(legal) == len(set(legal))
    assert {move for move in askable(game, table, 20) if answer(game, table, move) is None} == set(legal)
    assert write_table(table) == before


@each_game
@some
@given(st.data())
def test_foundations_are_built_as_they_must_be(game: Game, data: st.DataObject) -> None:
    table = data.draw(tables(game))
    in_suit = "garden" in game.slug or "toad" in game.slug
    for pile in table.group(HOME):
        assert len(pile) <= 13
        ranks = [TEXT[card][0] for card in pile]
        assert ranks == [RANKS[(table.base + height) % 13] for height in range(len(pile))]
        assert not in_suit or len({TEXT[card][1] for card in pile}) <= 1


@each_game
@some
@given(st.data(), seeds)
def test_nobody_learns_of_face_down_cards(game: Game, data: st.DataObject, seed: int) -> None:
    table = data.draw(tables(game))
    assert told(game, with_hidden_cards_shuffled(game, table, random.Random(seed))) == told(game, table)


@each_game
@some
@given(st.data())
def test_a_refusal_names_only_cards_that_are_seen(game: Game, data: st.DataObject) -> None:
    table = data.draw(tables(game))
    seen = {face for pile in player_view(game, table).piles.values() for face in pile if face}
    for move in askable(game, table):
        refusal = answer(game, table, move)
        if refusal:
            assert {refusal.params[name] for name in ("card", "top") if name in refusal.params} <= seen
            assert set(refusal.params) <= {"source", "target", "card", "top", "count"}


@each_game
@some
@given(st.data())
def test_a_view_shows_every_pile_with_as_many_cards(game: Game, data: st.DataObject) -> None:
    table = data.draw(tables(game))
    view = player_view(game, table)
    assert {name: len(pile) for name, pile in view.piles.items()} == dict(
        zip(game.names.names, map(len, table.piles), strict=True)
    )
    assert [(name, view.piles[name].count(None)) for name in game.names.names] == hidden(game, table)
    for name, pile in view.piles.items():
        for face, card in zip(pile, table.pile(name), strict=True):
            assert face in (None, TEXT[card])
    assert view.moves == [str(move) for move in game.legal_moves(table)]
    assert (view.home, view.finish) == (home(table), can_finish(game, table))
    assert view.outcome is outcome(game, table, game.legal_moves(table))
    for move in game.legal_moves(table):
        after = play(game, table, move)
        assert player_view(game, after, (table, view.piles)) == player_view(game, after)
    assert player_view(game, table) == view


@each_game
@some
@given(st.data())
def test_a_log_replays_to_what_was_played(game: Game, data: st.DataObject) -> None:
    start, entries = data.draw(logs(game))
    live = Line.begin(game, start)
    for entry in entries:
        live = live.after(entry)
    again = replay(game, start, entries)
    assert again == live
    assert (again.outcome, again.version) == (live.outcome, len(entries))
    assert cards(again.at.table) == Counter(packs(game.packs))


@each_game
@some
@given(st.data())
def test_undo_all_the_way_gives_the_start_and_redo_all_the_way_leads_back(game: Game, data: st.DataObject) -> None:
    start, entries = data.draw(logs(game))
    line = replay(game, start, [entry for entry in entries if entry not in ("give-up", "reveal")])
    there, undone = line.at, 0
    while line.can("undo"):
        line, undone = line.after("undo"), undone + 1
    assert line.at.table == start
    assert line.at.count == 0
    for _ in range(undone):
        line = line.after("redo")
    assert line.at == there


@each_game
@many
@given(seeds)
def test_a_table_that_can_be_finished_is_won_in_any_order(game: Game, seed: int) -> None:
    rng = random.Random(seed)
    table = nearly_home(game, rng)
    assert cards(table) == Counter(packs(game.packs))
    if not can_finish(game, table):
        return
    assert all(move.target.startswith(HOME) for move in finishing_moves(game, table))
    while home(table) < 52 * game.packs:
        going_home = [move for move in game.legal_moves(table) if move.target.startswith(HOME)]
        table = play(game, table, rng.choice(going_home))
    assert outcome(game, table, game.legal_moves(table)) is Outcome.WON
    assert not can_finish(game, table)


@each_game
@some
@given(st.data())
def test_random_play_that_can_be_finished_is_won_in_any_order(game: Game, data: st.DataObject) -> None:
    table = data.draw(tables(game, longest=500))
    rng = random.Random(data.draw(seeds))
    while can_finish(game, table):
        going_home = [move for move in game.legal_moves(table) if move.target.startswith(HOME)]
        table = play(game, table, rng.choice(going_home))
        assert can_finish(game, table) or outcome(game, table, []) is Outcome.WON
