"""Small named predicates of which games are made. A name is also the code of the reason when one of them refuses."""

from collections.abc import Callable
from typing import TypeAlias

from games.engine.cards import ACE, RANK, RED, SUIT, Card, Rank, next_rank
from games.engine.table import Table

# May this card lie on that one (None: on an empty place), where foundations start with this rank?
Fit: TypeAlias = Callable[[Card, Card | None, Rank], bool]
# May this card be laid at all, as the table stands?
Rule: TypeAlias = Callable[[Table, Card], bool]
# May the whole table be changed so?
Condition: TypeAlias = Callable[[Table], bool]


def anything(card: Card, top: Card | None, base: Rank) -> bool:
    """Any card goes on any card or place."""
    return True


def on_empty(card: Card, top: Card | None, base: Rank) -> bool:
    """Any card, one at a time."""
    return top is None


def up(card: Card, top: Card | None, base: Rank) -> bool:
    """The base rank on an empty place, then the next rank up in any suit, until thirteen lie there."""
    if top is None:
        return RANK[card] == base
    return RANK[card] == next_rank(RANK[top]) != base


def up_in_suit(card: Card, top: Card | None, base: Rank) -> bool:
    """As `up`, in the same suit."""
    return up(card, top, base) and (top is None or SUIT[card] == SUIT[top])


def down_alternating(card: Card, top: Card | None, base: Rank) -> bool:
    """The next rank down in the other colour; a King may lie on an Ace. Nothing starts an empty place."""
    return top is not None and RANK[top] == next_rank(RANK[card]) and RED[card] != RED[top]


def down_alternating_or_gap(card: Card, top: Card | None, base: Rank) -> bool:
    """As `down_alternating`, and any card in a gap."""
    return top is None or down_alternating(card, top, base)


def not_an_ace(table: Table, card: Card) -> bool:
    """Any card but an Ace."""
    return RANK[card] != ACE


def fits_no_foundation(table: Table, card: Card) -> bool:
    """Only a card for which no foundation, built up in any suit, has a place."""
    return not any(up(card, pile[-1] if pile else None, table.base) for pile in table.group("foundation"))
