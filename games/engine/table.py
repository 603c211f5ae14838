"""All piles of a game at one moment, moves between them, and their text forms. What is allowed stands in `rules`."""

import re
from collections.abc import Iterable, Mapping
from functools import cache, lru_cache
from typing import NamedTuple, TypeAlias

from games.engine.cards import ACE, RANKS, BadText, Card, Rank, parse_cards, write_cards

# Bottom to top: the last card lies on top.
Pile: TypeAlias = tuple[Card, ...]

_MOVE = re.compile(r"([a-z]+[0-9]*)(?:>([a-z]+[0-9]*)(?::([2-9]|[1-9][0-9]))?)?")


class Move(NamedTuple):
    """`waste3>foundation1`, `tableau2>tableau5:4`, or a whole-table move by its name alone, `redeal`."""

    source: str
    target: str = ""
    size: int = 1

    def __str__(self) -> str:
        return _move_text(self)


@cache
def _move_text(move: Move) -> str:
    target = f">{move.target}" if move.target else ""
    size = f":{move.size}" if move.size != 1 else ""
    return f"{move.source}{target}{size}"


@lru_cache(4096)  # more moves than all games have, however they are written
def parse_move(text: str) -> Move:
    """The inverse of `str(move)`; whether such places exist is for a game to say. Raises BadText."""
    match = _MOVE.fullmatch(text) if text.isascii() else None
    if match is None:
        raise BadText(f"no move is written {text!r}")
    source, target, size = match.groups()
    return Move(source, target or "", int(size or 1))


class Places:
    """The names of a game's places in order, and their groups: `waste1` … `waste5` are the group `waste`."""

    def __init__(self, groups: Iterable[tuple[str, int]]) -> None:
        self.group: dict[str, str] = {}
        self.span: dict[str, slice] = {}
        for group, count in groups:
            start = len(self.group)
            names = [group] if count == 1 else [f"{group}{number}" for number in range(1, count + 1)]
            self.group.update((name, group) for name in names)
            self.span[group] = slice(start, start + count)
        self.names: tuple[str, ...] = tuple(self.group)
        self.index: dict[str, int] = {name: index for index, name in enumerate(self.names)}


class Table(NamedTuple):
    """Every pile of a game. Immutable: a move makes a new table that shares the piles it did not touch."""

    places: Places
    piles: tuple[Pile, ...]
    base: Rank = ACE  # the rank that foundations start with
    redeals: int = 0  # redeals, or turns of the waste, already used
    spare: Pile = ()  # the order in which a redeal would lay the cards; nobody ever sees it

    def pile(self, name: str) -> Pile:
        """The pile at a place. Raises KeyError where the game has no such place."""
        return self.piles[self.places.index[name]]

    def group(self, group: str) -> tuple[Pile, ...]:
        """All piles of a group in order."""
        return self.piles[self.places.span[group]]

    def moved(self, source: str, target: str, size: int = 1) -> "Table":
        """The table after so many cards went from the top of one pile to the top of another, in the same order."""
        index = self.places.index
        piles = list(self.piles)
        pile = piles[index[source]]
        piles[index[source]] = pile[:-size]
        piles[index[target]] += pile[-size:]
        return Table(self.places, tuple(piles), self.base, self.redeals, self.spare)

    def laid(self, changed: Mapping[str, Pile]) -> "Table":
        """The table with some piles laid anew."""
        piles = list(self.piles)
        for name, pile in changed.items():
            piles[self.places.index[name]] = pile
        return self._replace(piles=tuple(piles))


def write_table(table: Table) -> str:
    """A whole position as text: a line `place: cards` for each pile that has cards, then what else is to know."""
    lines = [f"{name}: {write_cards(pile)}" for name, pile in zip(table.places.names, table.piles, strict=True) if pile]
    lines.append(f"base: {RANKS[table.base]}")
    lines.append(f"redeals: {table.redeals}")
    if table.spare:
        lines.append(f"spare: {write_cards(table.spare)}")
    return "\n".join(lines) + "\n"


def parse_table(places: Places, text: str) -> Table:
    """The inverse of write_table for a game with these places. Raises BadText."""
    lines: dict[str, str] = {}
    for line in text.splitlines():
        name, colon, rest = line.partition(":")
        if not colon or name in lines:
            raise BadText(f"not a line of a position: {line!r}")
        lines[name] = rest.strip()
    base, redeals, spare = lines.pop("base", "A"), lines.pop("redeals", "0"), lines.pop("spare", "")
    unknown = [name for name in lines if name not in places.index]
    if unknown or len(base) != 1 or base not in RANKS or not (redeals.isascii() and redeals.isdecimal()):
        raise BadText(f"not a position of this game: {unknown or [base, redeals]}")
    piles = tuple(parse_cards(lines.get(name, "")) for name in places.names)
    return Table(places, piles, RANKS.index(base), int(redeals), parse_cards(spare))
