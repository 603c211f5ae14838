"""Flower Garden, strict and with one redeal: all cards lie open, and none is ever laid on another but going home."""

from games.engine.game import Action, Dealt, Game, Place
from games.engine.rules import up_in_suit
from games.engine.table import Move, Pile, Table

BEDS, BED_CARDS, BOUQUET = 6, 6, 16


def deal(deck: Pile) -> Dealt:
    """Six cards to each bed, one bed after the other while cards last, then one to each bouquet place."""
    beds = {f"bed{number + 1}": deck[number * BED_CARDS : (number + 1) * BED_CARDS] for number in range(BEDS)}
    rest = deck[BEDS * BED_CARDS :]
    return Dealt(beds | {f"bouquet{number + 1}": rest[number : number + 1] for number in range(BOUQUET)})


def first_redeal(table: Table) -> bool:
    """The redeal was not used yet."""
    return table.redeals == 0


def cards_left(table: Table) -> bool:
    """Some card is not home yet."""
    return any(table.group("bed")) or any(table.group("bouquet"))


def redeal(table: Table) -> Table:
    """Lay the unplayed cards anew, in the order of the second deck."""
    unplayed = {card for pile in table.group("bed") + table.group("bouquet") for card in pile}
    again = deal(tuple(card for card in table.spare if card in unplayed))
    return table.laid(again.piles)._replace(redeals=table.redeals + 1)


def _garden(slug: str, actions: tuple[Action, ...] = ()) -> Game:
    return Game(
        slug=slug,
        packs=1,
        places=(
            Place("foundation", 4, lay={"bed": up_in_suit, "bouquet": up_in_suit}),
            Place("bed", BEDS),
            Place("bouquet", BOUQUET),
        ),
        layout=("foundation", "bed", "bouquet"),
        deal=deal,
        actions=actions,
    )


FLOWER_GARDEN = _garden("flower-garden")
FLOWER_GARDEN_REDEAL = _garden(
    "flower-garden-redeal", (Action(Move("redeal"), (cards_left, first_redeal), redeal, last_resort=True),)
)
