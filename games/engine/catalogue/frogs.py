"""Frog and its kin: eight foundations in any suit, five waste piles, and a reserve to play off along the way."""

from collections.abc import Callable
from typing import TypeAlias

from games.engine.cards import ACE, RANK
from games.engine.game import Dealt, Game, Place, Seen
from games.engine.rules import Rule, anything, fits_no_foundation, not_an_ace, on_empty, up
from games.engine.table import Pile

Layout: TypeAlias = tuple[Pile, Pile, Pile]  # the Aces laid out as foundations, the reserve, the cards that follow


def until_thirteen(deck: Pile) -> Layout:
    """Deal until the reserve holds thirteen; Aces that turn up are laid out and do not count."""
    others = [place for place, card in enumerate(deck) if RANK[card] != ACE]
    dealt = others[12] + 1
    return _aces_out(deck[:dealt], deck[dealt:])


def count_thirteen(deck: Pile) -> Layout:
    """Count off thirteen; the Aces among them are laid out, the rest is the reserve."""
    return _aces_out(deck[:13], deck[13:])


def all_aces_first(deck: Pile) -> Layout:
    """All Aces are laid out, then thirteen cards dealt."""
    aces, others, _ = _aces_out(deck, ())
    return aces, others[:13], others[13:]


def twelve(deck: Pile) -> Layout:
    """Twelve cards whatever they are, and no foundation."""
    return (), deck[:12], deck[12:]


def _aces_out(dealt: Pile, rest: Pile) -> Layout:
    aces = tuple(card for card in dealt if RANK[card] == ACE)
    return aces, tuple(card for card in dealt if RANK[card] != ACE), rest


def with_an_ace(lay_out: Callable[[Pile], Layout]) -> Callable[[Pile], Layout]:
    """As `lay_out`; where no Ace turned up, the first one in the stock is taken out."""

    def searched(deck: Pile) -> Layout:
        aces, reserve, rest = lay_out(deck)
        if not aces:
            found = next(place for place, card in enumerate(rest) if RANK[card] == ACE)
            aces, rest = (rest[found],), rest[:found] + rest[found + 1 :]
        return aces, reserve, rest

    return searched


def _frog(slug: str, lay_out: Callable[[Pile], Layout], onto_waste: Rule, search: bool = False) -> Game:
    final = with_an_ace(lay_out) if search else lay_out

    def deal(deck: Pile) -> Dealt:
        aces, reserve, rest = final(deck)
        foundations = {f"foundation{number}": (ace,) for number, ace in enumerate(aces, 1)}
        return Dealt({**foundations, "reserve": reserve, "stock": rest[::-1]})

    def searched(deck: Pile) -> tuple[Pile, Pile]:
        if not search or lay_out(deck)[0]:
            return deck, ()
        aces, reserve, rest = final(deck)
        return reserve + aces, rest

    return Game(
        slug=slug,
        packs=2,
        places=(
            Place("foundation", 8, lay={"turned": up, "reserve": up, "waste": up}),
            Place("reserve", seen=Seen.TOP),
            Place("stock", seen=Seen.NONE),
            Place("turned", lay={"stock": on_empty}),
            Place("waste", 5, lay={"turned": anything}, only_if=(onto_waste,)),
        ),
        layout=("foundation", "reserve stock turned waste"),
        deal=deal,
        searched=searched,
    )


FROG = _frog("frog", until_thirteen, fits_no_foundation, search=True)
LE_CRAPAUD = _frog("le-crapaud", until_thirteen, not_an_ace, search=True)
FLY = _frog("fly", all_aces_first, fits_no_foundation)
FANNY = _frog("fanny", twelve, fits_no_foundation)
DICKS_FROG = _frog("dicks-frog", count_thirteen, fits_no_foundation, search=True)
