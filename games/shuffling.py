"""Fair decks by the system's cryptographic randomness, and what commits to them. Laying them out is the engine's."""

import hashlib
import secrets
from collections.abc import Sequence
from typing import NamedTuple, Protocol

from games import winning
from games.engine.cards import packs, write_cards
from games.engine.catalogue.gardens import BED_CARDS, BEDS, BOUQUET
from games.engine.game import Game
from games.engine.table import Pile

SHUFFLED, WINNABLE = "shuffled", "winnable"

# The kinds of deal a game offers, the default first: numbered and daily deals are of that kind.
KINDS = {
    "flower-garden": (WINNABLE, SHUFFLED),
    "flower-garden-redeal": (WINNABLE, SHUFFLED),
    **dict.fromkeys(winning.PREFERENCES, (SHUFFLED, WINNABLE)),
}
TRIES = 200  # shuffles until one is won: the plain player wins 15 to 58 of 100, so chance never needs them all


class NoneWon(Exception):
    """Of as many shuffles as are tried none was won, so that no deal can be called winnable."""


class Randomness(Protocol):
    """All that a shuffle asks for: so many of these cards, in any order."""

    def sample(self, population: Sequence[int], k: int, /) -> list[int]: ...


SYSTEM: Randomness = secrets.SystemRandom()


class Shuffled(NamedTuple):
    """A deck in dealing order, and the order in which a redeal would lay the unplayed cards (empty: no redeal)."""

    deck: Pile
    spare: Pile


def kinds(game: Game) -> tuple[str, ...]:
    """The kinds of deal that a game offers, the default first."""
    return KINDS.get(game.slug, (SHUFFLED,))


def shuffle(game: Game, kind: str, randomness: Randomness = SYSTEM) -> Shuffled:
    """A new deck for a game. `randomness` is the system's, but for numbered deals and in tests of its evenness.

    Numbered deals are for ever: the order in which cards are drawn here must not change (docs/numbered-deals.md).
    Raises NoneWon.
    """
    if kind == WINNABLE:
        deck = _won(game, randomness) if game.slug in winning.PREFERENCES else _winnable_garden(randomness)
    else:
        deck = _shuffled(game, randomness)
    redeals = any(str(action.move) == "redeal" for action in game.actions)
    return Shuffled(deck, _any_order(packs(game.packs), randomness) if redeals else ())


def _any_order(cards: Sequence[int], randomness: Randomness) -> Pile:
    return tuple(randomness.sample(cards, len(cards)))


def _shuffled(game: Game, randomness: Randomness) -> Pile:
    """Any order; where the setup searched the stock for an Ace, the rest of the stock is shuffled again."""
    stands, rest = game.searched(_any_order(packs(game.packs), randomness))
    return stands + _any_order(rest, randomness)


def _won(game: Game, randomness: Randomness) -> Pile:
    """The first shuffle that the plain player wins, by the engine's own rules (docs/decisions/0035)."""
    for _ in range(TRIES):
        deck = _shuffled(game, randomness)
        if winning.line(game, game.setup(deck)):
            return deck
    raise NoneWon(game.slug)


def _winnable_garden(randomness: Randomness) -> Pile:
    """A garden built backwards from a win: suits interleaved upwards, placed so that each card can go in turn."""
    suits = [list(range(13 * suit + 12, 13 * suit - 1, -1)) for suit in range(4)]
    order = [suits[suit].pop() for suit in _any_order([suit for suit in range(4) for _ in range(13)], randomness)]
    beds = [bed for bed in range(BEDS) for _ in range(BED_CARDS)]
    spots = _any_order(beds + list(range(BEDS, BEDS + BOUQUET)), randomness)
    piles: list[list[int]] = [[] for _ in range(BEDS + BOUQUET)]
    for spot, card in zip(reversed(spots), reversed(order), strict=True):  # the last card to go lies deepest
        piles[spot].append(card)
    return tuple(card for pile in piles for card in pile)


def new_nonce() -> str:
    """32 random bytes in hexadecimal."""
    return secrets.token_hex(32)


def sealed_text(nonce: str, shuffled: Shuffled) -> str:
    """What the commitment is the SHA-256 of: nonce, deck and, where there is one, the second deck, a line each."""
    decks = [write_cards(cards) for cards in shuffled if cards]
    return "\n".join([nonce, *decks])


def commitment(nonce: str, shuffled: Shuffled) -> str:
    """SHA-256 of the sealed text in UTF-8, in hexadecimal."""
    return hashlib.sha256(sealed_text(nonce, shuffled).encode()).hexdigest()


def sealed(shuffled: Shuffled, nonce: str) -> dict[str, str]:
    """What a deal keeps of its cards: decks, nonce and commitment, as text."""
    return {
        "deck": write_cards(shuffled.deck),
        "spare": write_cards(shuffled.spare),
        "nonce": nonce,
        "commitment": commitment(nonce, shuffled),
    }
