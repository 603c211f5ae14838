"""Why something was refused, as a sentence in the reader's language. The rules themselves are the engine's."""

from collections.abc import Callable, Mapping

from django.utils.translation import gettext as _, gettext_lazy, pgettext_lazy

from games.engine.cards import RANK, SUIT, parse_cards
from games.engine.game import Refusal
from games.names import place_name

Params = Mapping[str, str]

_RANKS = [
    gettext_lazy("Ace"),
    *(pgettext_lazy("card", "2"), pgettext_lazy("card", "3"), pgettext_lazy("card", "4"), pgettext_lazy("card", "5")),
    *(pgettext_lazy("card", "6"), pgettext_lazy("card", "7"), pgettext_lazy("card", "8"), pgettext_lazy("card", "9")),
    pgettext_lazy("card", "10"),
    *(gettext_lazy("Jack"), gettext_lazy("Queen"), gettext_lazy("King")),
]
_SUITS = [
    gettext_lazy("%(rank)s of clubs"),
    gettext_lazy("%(rank)s of diamonds"),
    gettext_lazy("%(rank)s of hearts"),
    gettext_lazy("%(rank)s of spades"),
]


def card_name(face: str) -> str:
    """`5C` → 5 of clubs."""
    (card,) = parse_cards(face)
    return str(_SUITS[SUIT[card]]) % {"rank": _RANKS[RANK[card]]}


def why(refusal: Refusal, game: str = "") -> str:
    """The sentence for a refusal; places are called as on the table of that game."""
    params = {name: _worded(name, value, game) for name, value in refusal.params.items()}
    return _SENTENCES.get(refusal.code, _illegal)(params)


def _worded(name: str, value: str, game: str) -> str:
    if name in ("card", "top"):
        return card_name(value)
    return place_name(value, game) if name in ("source", "target") else value


def _illegal(params: Params) -> str:
    return _("That is not a move of this game.")


def _never(params: Params) -> str:
    return _("No card ever goes from %(source)s to %(target)s.") % params


def _nothing_there(params: Params) -> str:
    return _("There are not so many cards on %(source)s.") % params


def _up(params: Params) -> str:
    if "top" in params:
        return _("The %(card)s does not go on the %(top)s: foundations go up one rank at a time.") % params
    return _("The %(card)s cannot start a foundation.") % params


def _up_in_suit(params: Params) -> str:
    if "top" in params:
        return _("The %(card)s does not go on the %(top)s: foundations go up in suit, one rank at a time.") % params
    return _("The %(card)s cannot start a foundation.") % params


def _down(params: Params) -> str:
    if "top" in params:
        return _("The %(card)s does not go on the %(top)s: the tableau goes down in alternating colours.") % params
    return _("An empty place here takes the top card of the waste only.")


def _not_a_run(params: Params) -> str:
    return _("Those cards do not go down in alternating colours, so they cannot move together.")


_SENTENCES: dict[str, Callable[[Params], str]] = {
    "no_such_place": _illegal,
    "never": _never,
    "nothing_there": _nothing_there,
    "not_a_run": _not_a_run,
    "up": _up,
    "up_in_suit": _up_in_suit,
    "down_alternating": _down,
    "down_alternating_or_gap": _down,
    "on_empty": lambda params: _("First find a place for the card that is turned."),
    "fits_no_foundation": lambda params: (
        _("The %(card)s fits a foundation, so it may not go on a waste pile.") % params
    ),
    "not_an_ace": lambda params: _("An Ace goes to the foundations, never on a waste pile."),
    "stock_is_empty": lambda params: _("The waste is turned over only when the stock is empty."),
    "waste_has_cards": lambda params: _("There is no waste to turn over."),
    "first_pass": lambda params: _("The waste was turned over once already; there is no third pass."),
    "first_redeal": lambda params: _("The one redeal has been used."),
    "cards_left": lambda params: _("There is no card left to deal again."),
    "last_resort": lambda params: _("Dealing again is allowed only when no other move is left."),
    "no-undo": lambda params: _("There is nothing to undo."),
    "no-redo": lambda params: _("There is nothing to redo."),
    "no-restart": lambda params: _("This game is at its start already."),
    "no-finish": lambda params: _("The rest cannot be played by itself yet."),
    "no-give-up": lambda params: _("This game is over already."),
    "no-reveal": lambda params: _("The deck is shown when the game is over."),
    "over": lambda params: _("This game is closed; nothing can be changed any more."),
    "stale": lambda params: _("The table had changed before your move arrived. Here is how it stands now."),
    "malformed": lambda params: _("The server did not understand that request."),
    "too-fast": lambda params: _("That was too fast. Wait a moment and play on."),
    "unavailable": lambda params: _("Moves cannot be saved just now. Yours was not played; try again in a moment."),
}
