"""Numbered deals: the deck that belongs to a number, for ever. docs/numbered-deals.md says how, for other programs."""

import hashlib
from collections.abc import Iterator, Sequence

from games import shuffling
from games.engine.game import Game
from games.models import Deal, Kind
from games.shuffling import Shuffled

LARGEST = 999_999_999_999  # twelve digits, to be read over the telephone


class Stream:
    """Bytes from SHA-256 in place of chance. Python's own generators are not asked: they may change."""

    def __init__(self, name: str) -> None:
        self._bytes = _bytes(name)

    def sample(self, population: Sequence[int], k: int, /) -> list[int]:
        """All of these in an order, by Fisher and Yates from the end."""
        assert k == len(population)
        cards = list(population)
        for last in range(len(cards) - 1, 0, -1):
            other = self._below(last + 1)
            cards[last], cards[other] = cards[other], cards[last]
        return cards

    def _below(self, limit: int) -> int:
        """A number from 0 to below `limit`; bytes that would favour some numbers are passed over."""
        fair = 256 - 256 % limit
        return next(byte for byte in self._bytes if byte < fair) % limit


def _bytes(name: str) -> Iterator[int]:
    block = 0
    while True:
        yield from hashlib.sha256(f"{name}/{block}".encode()).digest()
        block += 1


def name_of(game: Game, number: int) -> str:
    """What the stream of bytes starts from."""
    return f"lilypad/1/{game.slug}/{number}"


def deck_of(game: Game, number: int) -> Shuffled:
    """The cards of a numbered deal, of the kind that the game offers first."""
    return shuffling.shuffle(game, shuffling.kinds(game)[0], Stream(name_of(game, number)))


def numbered(game: Game, number: int) -> Deal:
    """The deal of a number, not saved. Its deck is no secret, and so its secret line is not one either."""
    if not 1 <= number <= LARGEST:
        raise ValueError(number)
    sealed = shuffling.sealed(deck_of(game, number), name_of(game, number))
    return Deal(game=game.slug, kind=Kind.NUMBERED, number=number, **sealed)
