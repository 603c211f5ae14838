"""Playing a move and judging where it leads: what a table becomes, and whether the game is won or stuck."""

from collections.abc import Iterator
from enum import Enum
from itertools import pairwise

from games.engine.cards import RANK
from games.engine.game import Game, Refusal, Seen
from games.engine.table import Move, Table

HOME = "foundation"


class Outcome(Enum):
    """How a table stands by itself; giving up is the player's doing and known to a `Line` only."""

    PLAYING = "playing"
    WON = "won"
    STUCK = "stuck"


class Refused(Exception):
    """A move that may not be played now; the table is as it was."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(refusal.code, dict(refusal.params))
        self.refusal = refusal


def play(game: Game, table: Table, move: Move) -> Table:
    """The table after a move and what happens by itself. Raises Refused."""
    refusal = game.refusal(table, move)
    if refusal:
        raise Refused(refusal)
    for action in game.actions:
        if action.move == move:
            return game.settle(action.effect(table))
    return game.settle(table.moved(*move))


def home(table: Table) -> int:
    """How many cards lie on the foundations."""
    return sum(map(len, table.group(HOME)))


def outcome(game: Game, table: Table, moves: list[Move]) -> Outcome:
    """How a table stands whose legal moves these are. A won table has none either."""
    if moves:
        return Outcome.PLAYING
    return Outcome.WON if home(table) == 52 * game.packs else Outcome.STUCK


def can_finish(game: Game, table: Table) -> bool:
    """Nothing can go wrong any more: no card is hidden, and none lies on a card that must go up before it.

    Then the lowest card left lies on top and fits, whatever is played first, until all are home.
    """
    for place in game.places:
        if place.group == HOME:
            continue
        for pile in table.group(place.group):
            if pile and place.seen is Seen.NONE:
                return False
            if len(pile) < 2:
                continue
            if place.seen is Seen.TOP:
                return False
            heights = [(RANK[card] - table.base) % 13 for card in pile]
            if any(upper > lower for lower, upper in pairwise(heights)):
                return False
    return home(table) < 52 * game.packs


def finishing_moves(game: Game, table: Table) -> Iterator[Move]:
    """The moves that bring every card home from a table that `can_finish`."""
    while home(table) < 52 * game.packs:
        move = next(move for move in game.legal_moves(table) if move.target.startswith(HOME))
        yield move
        table = play(game, table, move)
