"""Cards as small integers, and their text forms. What a pile or a game is stands elsewhere."""

from collections.abc import Iterable
from typing import TypeAlias

RANKS = "A23456789TJQK"
SUITS = "CDHS"

# A card is suit * 13 + rank, a rank 0 (Ace) to 12 (King). Two packs hold each number twice: cards have no identity.
Card: TypeAlias = int
Rank: TypeAlias = int
ACE: Rank = 0

RANK: tuple[Rank, ...] = tuple(card % 13 for card in range(52))
SUIT: tuple[int, ...] = tuple(card // 13 for card in range(52))
RED: tuple[bool, ...] = tuple(SUITS[suit] in "DH" for suit in SUIT)
TEXT: tuple[str, ...] = tuple(RANKS[RANK[card]] + SUITS[SUIT[card]] for card in range(52))

_CARD = {text: card for card, text in enumerate(TEXT)}


class BadText(ValueError):
    """A text that is not the written form of a card, move or position."""


class BadDeck(ValueError):
    """A deck that does not hold each card of its packs exactly once a pack; the message names a card."""


def next_rank(rank: Rank) -> Rank:
    """The rank one higher, the King followed by the Ace."""
    return (rank + 1) % 13


def parse_cards(text: str) -> tuple[Card, ...]:
    """Read `5C TH AS`, cards apart by white space. Raises BadText."""
    try:
        return tuple(_CARD[word] for word in text.split())
    except KeyError as word:
        raise BadText(f"no card is written {word}") from None


def write_cards(cards: Iterable[Card]) -> str:
    """The inverse of parse_cards."""
    return " ".join(TEXT[card] for card in cards)


def packs(count: int) -> tuple[Card, ...]:
    """All cards of so many packs, in order."""
    return tuple(range(52)) * count


def check_deck(deck: Iterable[Card], count: int) -> None:
    """Raise BadDeck unless `deck` is an order of so many whole packs."""
    left = dict.fromkeys(range(52), count)
    for card in deck:
        left[card] -= 1
    for card, missing in left.items():
        if missing:
            raise BadDeck(f"{TEXT[card]} stands {count - missing} times in the deck, not {count}")
