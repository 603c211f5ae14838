"""A plain player for deals that are known to be winnable: which legal move it prefers. It sees what people see.

It is no judge of what can be won: it loses many deals that can. Rules are the engine's, shuffling is `shuffling`'s.
"""

from collections.abc import Callable
from typing import TypeAlias

from games.engine.cards import RANK
from games.engine.game import Game
from games.engine.play import HOME, home, play
from games.engine.table import Move, Pile, Table

# How much a move is wanted, the most first; None: never. What is never wanted is enough for every game to end.
Preference: TypeAlias = Callable[[Table, Move], float | None]


def _frog(table: Table, move: Move) -> float:
    """Home with whatever goes, the reserve before all; else where the turned card does the least harm."""
    if move.target.startswith(HOME):
        return 2 if move.source == "reserve" else 1
    if move.source == "stock":
        return 0
    return -_harm(RANK[table.pile("turned")[-1]], table.pile(move.target))


def _harm(rank: int, pile: Pile) -> float:
    """What a card does to a waste pile: covers lower ones, which must go first, or leaves room for fewer above it."""
    ranks = [RANK[card] for card in pile]
    lowest = min(ranks, default=13)
    if rank <= lowest:
        return (lowest - rank) / 2
    return 3 + (rank - lowest) / 5 + sum(lower < rank for lower in ranks) / 2


def _toad(table: Table, move: Move) -> float | None:
    """Home with whatever goes, and the reserve to be eaten up: whole piles are moved to let it come."""
    if move.source.startswith(HOME):
        return None
    if move.target.startswith(HOME):
        return 100 if move.source == "reserve" else 90
    if move.source == "reserve":
        return 80
    if move.source == "waste" and move.target != "stock":
        return 20 + len(table.pile(move.target))
    if move.source == "stock":
        return 10
    if move.source == "waste":
        return 5
    whole = move.size == len(table.pile(move.source))
    return 70 - move.size if whole and table.pile("reserve") else None


PREFERENCES: dict[str, Preference] = {
    **dict.fromkeys(("frog", "le-crapaud", "fly", "fanny", "dicks-frog"), _frog),
    "american-toad": _toad,
}


def wanted(game: Game, table: Table) -> Move | None:
    """What the player does here; None if nothing. Raises KeyError where it does not know the game."""
    prefers = PREFERENCES[game.slug]
    values = {move: value for move in game.legal_moves(table) if (value := prefers(table, move)) is not None}
    return max(values, key=values.__getitem__, default=None)


def line(game: Game, table: Table) -> list[Move] | None:
    """The moves by which the player wins from here; None if it does not. Raises KeyError as `wanted`."""
    moves: list[Move] = []
    while move := wanted(game, table):
        table = play(game, table, move)
        moves.append(move)
    return moves if home(table) == 52 * game.packs else None
