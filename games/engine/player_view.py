"""What a person at the table may see, built up from nothing. No other code decides what is shown."""

from typing import NamedTuple, TypeAlias

from games.engine.cards import TEXT
from games.engine.game import Game, Seen
from games.engine.play import Outcome, can_finish, home, outcome
from games.engine.table import Pile, Table


class PlayerView(NamedTuple):
    """One table as its player sees it."""

    piles: dict[str, list[str | None]]  # bottom to top; None is a card whose face is not seen
    moves: list[str]
    outcome: Outcome
    home: int
    finish: bool


# Another table of the game and its piles as seen, which nobody changes: those that lie as they lay need no second look.
Before: TypeAlias = tuple[Table, dict[str, list[str | None]]]

_face = TEXT.__getitem__


def _squared_up(pile: Pile) -> list[str | None]:
    return [None] * (len(pile) - 1) + [TEXT[card] for card in pile[-1:]]


def piles_seen(game: Game, table: Table, before: Before | None = None) -> dict[str, list[str | None]]:
    """The piles by their places, as far as their faces are seen."""
    old, piles = (before[0].piles, before[1].copy()) if before else ((None,) * len(table.piles), {})
    for (name, seen), pile, same in zip(game.seen, table.piles, old, strict=True):
        if pile is same:
            continue
        if seen is Seen.ALL:
            piles[name] = list(map(_face, pile))
        else:
            piles[name] = _squared_up(pile) if seen is Seen.TOP else [None] * len(pile)
    return piles


def player_view(game: Game, table: Table, before: Before | None = None) -> PlayerView:
    """The view of the person who plays this table."""
    moves = game.legal_moves(table)
    piles = piles_seen(game, table, before)
    return PlayerView(piles, list(map(str, moves)), outcome(game, table, moves), home(table), can_finish(game, table))
