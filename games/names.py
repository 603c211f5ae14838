"""What games, places and outcomes are called on the site. The engine knows slugs and place names only."""

from django.utils.functional import Promise
from django.utils.translation import gettext, gettext_lazy, pgettext_lazy

from games.models import Kind, Outcome

Text = str | Promise

NAMES: dict[str, Text] = {
    "frog": gettext_lazy("Frog"),
    "le-crapaud": gettext_lazy("Le Crapaud (Toad)"),
    "fly": gettext_lazy("Fly"),
    "fanny": gettext_lazy("Fanny"),
    "dicks-frog": gettext_lazy("Dick’s Frog"),
    "flower-garden": gettext_lazy("Flower Garden"),
    "flower-garden-redeal": gettext_lazy("Flower Garden with a redeal"),
    "american-toad": gettext_lazy("American Toad"),
}

# What stands in a card's corner.
CORNERS: dict[str, Text] = {
    **{rank: rank for rank in "23456789"},
    "A": pgettext_lazy("corner of a card", "A"),
    "T": "10",
    "J": pgettext_lazy("corner of a card", "J"),
    "Q": pgettext_lazy("corner of a card", "Q"),
    "K": pgettext_lazy("corner of a card", "K"),
}

SENTENCES: dict[str, Text] = {
    "frog": gettext_lazy("Turn one card at a time and choose its waste pile well; free the Frog along the way."),
    "le-crapaud": gettext_lazy("Frog with a free hand: a card that fits may still wait on a waste pile."),
    "fly": gettext_lazy("All eight Aces are out before you start. The gentlest Frog."),
    "fanny": gettext_lazy("Twelve cards in reserve and no Ace to begin with. Harder than it looks."),
    "dicks-frog": gettext_lazy("The Frog of 1883: thirteen cards counted off, the Aces among them taken out."),
    "flower-garden": gettext_lazy("Every card lies open and nothing is rearranged: see what can go, and be quick."),
    "flower-garden-redeal": gettext_lazy("The garden with a second chance: when stuck, deal the rest once more."),
    "american-toad": gettext_lazy("Eight piles in alternating colours, and a fat toad of twenty cards to eat up."),
}

MINUTES = {"flower-garden": 3, "flower-garden-redeal": 5, "american-toad": 20}
USUAL_MINUTES = 15

ODDS: dict[str, Text] = {
    "frog": gettext_lazy("won about 1 time in 5"),
    "le-crapaud": gettext_lazy("odds not known"),
    "fly": gettext_lazy("odds not known"),
    "fanny": gettext_lazy("won about 1 time in 10"),
    "dicks-frog": gettext_lazy("odds not known"),
    "flower-garden": gettext_lazy("every winnable deal can be won"),
    "flower-garden-redeal": gettext_lazy("every winnable deal can be won"),
    "american-toad": gettext_lazy("careful players win about half"),
}

KIND_LABELS: dict[str, Text] = {
    Kind.WINNABLE: gettext_lazy("Winnable"),
    Kind.SHUFFLED: gettext_lazy("Shuffled"),
    Kind.DAILY: gettext_lazy("Daily deal"),
    Kind.NUMBERED: gettext_lazy("Numbered"),
    Kind.IMPORTED: gettext_lazy("Brought along as text"),
    Kind.RACED: gettext_lazy("From a race"),
}

_NOTES: dict[str, Text] = {
    Kind.SHUFFLED: gettext_lazy("Any order, as by hand: perhaps it cannot be won."),
    Kind.WINNABLE: gettext_lazy("Shuffled until a simple program won it without seeing hidden cards."),
}
_GARDEN_NOTES: dict[str, Text] = {
    Kind.WINNABLE: gettext_lazy("Dealt so that it can be won. About 2.6 cards can go at any moment."),
    Kind.SHUFFLED: gettext_lazy(
        "Any order, as the book has it. In 400 million shuffles none was won; about 3 cards go up, "
        "and one deal in ten has no move at all."
    ),
}

# What is said of the kinds of deal that a game offers.
KIND_NOTES: dict[str, dict[str, Text]] = {
    slug: _GARDEN_NOTES if slug in ("flower-garden", "flower-garden-redeal") else _NOTES for slug in NAMES
}

OUTCOMES: dict[str, Text] = {
    Outcome.PLAYING: gettext_lazy("still open"),
    Outcome.WON: gettext_lazy("won"),
    Outcome.STUCK: gettext_lazy("stuck"),
    Outcome.GIVEN_UP: gettext_lazy("given up"),
}

_GROUPS: dict[str, Text] = {
    "stock": gettext_lazy("stock"),
    "turned": gettext_lazy("turned card"),
    "reserve": gettext_lazy("reserve"),
    "foundation": gettext_lazy("foundation"),
    "waste": gettext_lazy("waste"),
    "tableau": gettext_lazy("tableau"),
    "bed": gettext_lazy("bed"),
    "bouquet": gettext_lazy("bouquet"),
}

_GROUP_LABELS: dict[str, Text] = {
    "stock": gettext_lazy("Stock"),
    "turned": gettext_lazy("Turned card"),
    "reserve": gettext_lazy("Reserve"),
    "foundation": gettext_lazy("Foundations"),
    "waste": gettext_lazy("Waste"),
    "tableau": gettext_lazy("Tableau"),
    "bed": gettext_lazy("Beds"),
    "bouquet": gettext_lazy("Bouquet"),
}

# The reserve of these games has a name of its own.
_RESERVES: dict[str, Text] = {
    "frog": pgettext_lazy("the reserve", "Frog"),
    "dicks-frog": pgettext_lazy("the reserve", "Frog"),
    "le-crapaud": pgettext_lazy("the reserve", "Toad"),
    "american-toad": pgettext_lazy("the reserve", "Toad"),
    "fly": pgettext_lazy("the reserve", "Fly"),
}


def odds(game: str, *, winnable: bool) -> str:
    """How often deals of a game are won that were dealt to be winnable, or were just shuffled."""
    if winnable:
        return gettext("every deal can be won")
    return gettext("hardly any deal can be won") if KIND_NOTES[game] is _GARDEN_NOTES else str(ODDS[game])


def place_name(place: str, game: str = "") -> str:
    """`waste2` → waste 2; of a game whose reserve has a name of its own, `reserve` → Frog."""
    group = place.rstrip("0123456789")
    if group == "reserve" and game in _RESERVES:
        return str(_RESERVES[game])
    if group not in _GROUPS:
        return place
    number = place.removeprefix(group)
    return f"{_GROUPS[group]} {number}" if number else str(_GROUPS[group])


def group_label(game: str, group: str) -> Text:
    """What stands over a group on the table."""
    if group == "reserve" and game in _RESERVES:
        return _RESERVES[game]
    return _GROUP_LABELS[group]
