"""The parts of a game's layout, as its page of rules lists them.

How many there are, what is seen of them and what may be laid there is read off the game itself, so that page and engine
cannot drift; only what a part is for is said here in words.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from django.utils.translation import gettext as _, gettext_lazy, ngettext

from games import names
from games.engine.cards import ACE, RANK, packs
from games.engine.game import Game, Place, Seen
from games.names import Text

_FROGS: Mapping[str, Text] = {
    "foundation": gettext_lazy(
        "Where all cards have to go. Each begins with an Ace and is built up to the King, whatever the suits."
    ),
    "reserve": gettext_lazy("A squared pile to be got rid of. When its top card has gone, the next one is free."),
    "stock": gettext_lazy("The cards that are still to come. You go through it once."),
    "turned": gettext_lazy("The card just turned from the stock. It has to be placed before the next one is turned."),
    "waste": gettext_lazy(
        "For cards that cannot go up yet. The piles are spread, but only the last card laid on each is free."
    ),
}
_GARDENS: Mapping[str, Text] = {
    "foundation": gettext_lazy(
        "One for each suit, in the top row. Each begins with its Ace and is built up to the King in that suit."
    ),
    "bed": gettext_lazy("Fans of six cards each. Only the last card laid on a bed, the one on top, is free."),
    "bouquet": gettext_lazy("Single cards. All of them are free all the time; none lies in the way of another."),
}
_TOAD: Mapping[str, Text] = {
    "foundation": gettext_lazy(
        "Each begins with a card of the base rank and is built up in suit, the Ace on the King, "
        "until thirteen cards lie there."
    ),
    "reserve": gettext_lazy(
        "The toad, a squared pile. Its top card is free, and it fills every tableau place that becomes empty."
    ),
    "stock": gettext_lazy("The cards that are still to come, turned one by one."),
    "waste": gettext_lazy("Cards turned from the stock. The top one is free."),
    "tableau": gettext_lazy(
        "Built down in alternating colours, a King on an Ace too. Cards that lie so may move together."
    ),
}
PURPOSES: Mapping[str, Mapping[str, Text]] = {
    **dict.fromkeys(("frog", "le-crapaud", "fly", "fanny", "dicks-frog"), _FROGS),
    **dict.fromkeys(("flower-garden", "flower-garden-redeal"), _GARDENS),
    "american-toad": _TOAD,
}

_SEEN: Mapping[Seen, Text] = {
    Seen.ALL: gettext_lazy("all cards seen"),
    Seen.TOP: gettext_lazy("only the top card seen"),
    Seen.NONE: gettext_lazy("face down"),
}

# By the names of the engine's fits and rules.
FITS: Mapping[str, Text] = {
    "anything": gettext_lazy("Any card may be laid here."),
    "on_empty": gettext_lazy("One card at a time may be laid here."),
    "up": gettext_lazy("The next higher card of any suit may be laid here."),
    "up_in_suit": gettext_lazy("The next higher card of the same suit may be laid here."),
    "down_alternating": gettext_lazy("The next lower card of the other colour may be laid here."),
    "down_alternating_or_gap": gettext_lazy(
        "The next lower card of the other colour, or any card on an empty place, may be laid here."
    ),
}
RULES: Mapping[str, Text] = {
    "fits_no_foundation": gettext_lazy("Only if it fits no foundation."),
    "not_an_ace": gettext_lazy("No Ace."),
}


@dataclass(frozen=True, slots=True)
class Part:
    """A group of equal places. What it says is in the language of the moment, as a page may be in two."""

    place: Place
    labels: tuple[Text, ...]  # what the game calls it; and what it is usually called, where that is something else
    purpose: Text
    cards: tuple[int, int]  # least and most on all its places when play begins

    @property
    def name(self) -> str:
        """What the game calls it, and after it the usual word."""
        own, *usual = self.labels
        return f"{own} ({', '.join(map(str, usual))})" if usual else str(own)

    @property
    def facts(self) -> str:
        """How many places and cards there are, what is seen of them, and what may be laid there from where."""
        count = self.place.count
        places = ngettext("%(count)d place", "%(count)d places", count) % {"count": count}
        seen = " · ".join((places, self._cards(), str(_SEEN[self.place.seen])))
        return " ".join([f"{seen}.", *self._lays()])

    def _cards(self) -> str:
        least, most = self.cards
        if not most:
            return _("empty at the start")
        if least == most:
            return ngettext("%(count)d card at the start", "%(count)d cards at the start", most) % {"count": most}
        text = ngettext("%(least)d to %(most)d card at the start", "%(least)d to %(most)d cards at the start", most)
        return text % {"least": least, "most": most}

    def _lays(self) -> list[str]:
        sources: dict[str, list[str]] = {}
        for group, fit in self.place.lay.items():
            sources.setdefault(fit.__name__, []).append(names.place_name(group))
        rules = [str(RULES[rule.__name__]) for rule in self.place.only_if]
        return [
            " ".join([str(FITS[fit]), *rules, _("From: %(places)s.") % {"places": ", ".join(groups)}])
            for fit, groups in sources.items()
        ] or [_("Nothing is ever laid here.")]


def parts(game: Game) -> list[Part]:
    """The parts of a layout, in the order in which they lie on the table."""
    cards = _cards_at_start(game)
    return [
        Part(game.place[group], _labels(game, group), PURPOSES[game.slug][group], cards[group])
        for row in game.layout
        for group in row.split()
    ]


def _labels(game: Game, group: str) -> tuple[Text, ...]:
    own, usual = names.group_label(game.slug, group), names.group_label("", group)
    return (own,) if own is usual else (own, usual)


def _cards_at_start(game: Game) -> dict[str, tuple[int, int]]:
    """The least and most cards of each group: setups tell only Aces apart, so Aces first and Aces last show both."""
    deck = sorted(packs(game.packs), key=lambda card: RANK[card] != ACE)
    dealt = [game.setup(tuple(order), tuple(order)) for order in (deck, deck[::-1])]
    counts = {group: [sum(map(len, table.group(group))) for table in dealt] for group in game.place}
    return {group: (min(found), max(found)) for group, found in counts.items()}
