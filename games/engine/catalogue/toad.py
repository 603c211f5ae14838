"""American Toad: foundations in suit from a base rank, eight tableau piles that the reserve fills by itself."""

from games.engine.cards import RANK
from games.engine.game import Action, Dealt, Game, Place, Seen
from games.engine.rules import anything, down_alternating, down_alternating_or_gap, up_in_suit
from games.engine.table import Move, Pile, Table


def deal(deck: Pile) -> Dealt:
    """Twenty to the reserve, the base card, a card to each tableau pile, the rest is the stock."""
    tableau = {f"tableau{number}": (card,) for number, card in enumerate(deck[21:29], 1)}
    piles = {"reserve": deck[:20], "foundation1": deck[20:21], **tableau, "stock": deck[:28:-1]}
    return Dealt(piles, base=RANK[deck[20]])


def fill_gaps(table: Table) -> Table:
    """Every empty tableau place takes the reserve's top card, as long as there is one."""
    for name in table.places.names[table.places.span["tableau"]]:
        if not table.pile(name) and table.pile("reserve"):
            table = table.moved("reserve", name)
    return table


def stock_is_empty(table: Table) -> bool:
    """The whole stock has been turned."""
    return not table.pile("stock")


def waste_has_cards(table: Table) -> bool:
    """There is a waste to turn over."""
    return bool(table.pile("waste"))


def first_pass(table: Table) -> bool:
    """The waste was not turned over yet."""
    return table.redeals == 0


def turn_over(table: Table) -> Table:
    """The waste becomes the stock, so that its cards come in the same order again."""
    return table.laid({"stock": table.pile("waste")[::-1], "waste": ()})._replace(redeals=table.redeals + 1)


AMERICAN_TOAD = Game(
    slug="american-toad",
    packs=2,
    places=(
        Place("foundation", 8, lay={"reserve": up_in_suit, "waste": up_in_suit, "tableau": up_in_suit}),
        Place("reserve", seen=Seen.TOP),
        Place("stock", seen=Seen.NONE),
        Place("waste", lay={"stock": anything}),
        Place(
            "tableau",
            8,
            lay={
                "reserve": down_alternating,
                "tableau": down_alternating,
                "foundation": down_alternating,
                "waste": down_alternating_or_gap,
            },
            run=down_alternating,
        ),
    ),
    layout=("foundation", "reserve stock waste", "tableau"),
    deal=deal,
    actions=(Action(Move("waste", "stock"), (stock_is_empty, waste_has_cards, first_pass), turn_over),),
    settle=fill_gaps,
)
