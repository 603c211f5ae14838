"""A deal as text, to be kept, sent and read again: docs/deal-format.md. Who may see one is for `selectors`."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping

from django.utils.translation import gettext as _

from games.engine.cards import Card, packs, parse_cards, write_cards
from games.engine.catalogue import GAMES
from games.engine.game import Game
from games.engine.table import Pile, Table
from games.sentences import card_name
from games.shuffling import Shuffled

LARGEST = 4000  # characters; two packs take about 400
TALON, AGAIN = "stock", "spare"

_CARD = re.compile(r"(10|[A2-9TJQK])([CDHS])")
_SUITS = str.maketrans("♣♧♦♢♥♡♠♤", "CCDDHHSS", "\ufe0e\ufe0f")  # and nothing that asks for a coloured picture
_TITLES = {
    "foundation": "Foundations",
    "reserve": "Reserve",
    "tableau": "Tableau",
    "bed": "Bed",
    "bouquet": "Bouquet",
    "waste": "Waste",
    "turned": "Turned",
    TALON: "Talon",
    AGAIN: "Redeal",
}
_GROUPS = {title.casefold(): group for group, title in _TITLES.items()} | {
    "foundation": "foundation",
    "beds": "bed",
    "stock": TALON,
}
_DEALT = ("foundation", "reserve", "tableau", "bed", "bouquet", "waste", "turned")  # before the talon


class BadDeal(ValueError):
    """A text that is no deal; the message says why, to its reader."""


def write(game: Game, shuffled: Shuffled) -> str:
    """The opening layout, a line for each pile or row of single cards."""
    table = game.setup(*shuffled)
    lines = [f"Game: {game.slug}"]
    for group in (*_DEALT, TALON):
        if group in game.place:
            lines += _lines(group, table.group(group))
    if shuffled.spare:
        lines.append(f"{_TITLES[AGAIN]}: {write_cards(shuffled.spare)}")
    return "\n".join(lines) + "\n"


def _lines(group: str, piles: tuple[Pile, ...]) -> list[str]:
    title = _TITLES[group]
    if group == TALON:
        return [f"{title}: {write_cards(piles[0][::-1])}"]
    if len(piles) > 1 and max(map(len, piles)) > 1:
        return [f"{title} {number}: {write_cards(pile)}" for number, pile in enumerate(piles, 1)]
    cards = [card for pile in piles for card in pile]
    return [f"{title}: {write_cards(cards)}"] if cards else []


def read(text: str) -> tuple[Game, Shuffled]:
    """The game, and a deck from which it lays out this very table. Raises BadDeal."""
    if len(text) > LARGEST:
        raise BadDeal(_("The text is longer than any deal."))
    slug, piles = _parse(text)
    game = GAMES.get(slug)
    if game is None:
        raise BadDeal(_("The text must name its game in a line like “Game: frog”."))
    strange = [name for name in piles if name != AGAIN and name not in game.names.index and name not in game.place]
    if strange:
        raise BadDeal(_("This game has no place called %(place)s.") % {"place": strange[0]})
    spare = piles.pop(AGAIN, ())
    _check_whole(packs(game.packs), [card for pile in piles.values() for card in pile])
    _check_redeal(game, spare)
    laid = _laid(game, piles)
    for deck in _decks(game, laid):
        if game.setup(deck, spare).piles == laid.piles:
            return game, Shuffled(deck, spare)
    raise BadDeal(_("All cards are there, but this game does not begin with them laid out like that."))


def _laid(game: Game, lines: Mapping[str, Pile]) -> Table:
    """The table that the lines describe: a line for a group of places has a card for each."""
    piles = dict[str, Pile]()
    for name, cards in lines.items():
        names = game.names.names[game.names.span[name]] if name in game.place else (name,)
        if name == TALON:
            piles[name] = cards[::-1]
        elif len(names) == 1:
            piles[names[0]] = cards
        else:
            piles |= {place: (card,) for place, card in zip(names, cards, strict=False)}
    return Table(game.names, tuple(piles.get(name, ()) for name in game.names.names))


def _decks(game: Game, laid: Table) -> Iterator[Pile]:
    """Decks that may lay out this table: with the foundations dealt before the reserve, and after."""
    others = [place.group for place in game.places if place.group not in ("foundation", "reserve", TALON)]
    for first in (["foundation", "reserve"], ["reserve", "foundation"]):
        groups = [group for group in first + others if group in game.place]
        cards = [card for group in groups for pile in laid.group(group) for card in pile]
        yield (*cards, *(laid.pile(TALON)[::-1] if TALON in game.place else ()))


def _parse(text: str) -> tuple[str, dict[str, Pile]]:
    """The game's slug, and the cards of each line by the name of what they are: `reserve`, `bed2`."""
    slug, piles = "", dict[str, Pile]()
    for number, line in enumerate(text.splitlines(), 1):
        line = line.partition("#")[0].strip().lstrip("\ufeff")
        if not line:
            continue
        title, colon, rest = line.partition(":")
        name = _name(title)
        if colon and title.strip().casefold() == "game" and not slug:
            slug = rest.strip().casefold()
        elif colon and name and name not in piles:
            piles[name] = tuple(_card(word, number) for word in rest.split())
        else:
            raise BadDeal(_("Line %(number)s is not understood: %(line)s") % {"number": number, "line": line[:60]})
    return slug, piles


def _name(title: str) -> str:
    """`Bed 2` → bed2, `Talon` → stock; nothing for what is no pile."""
    match = re.fullmatch(r"([a-z]+) ?([1-9][0-9]?)?", title.strip().casefold())
    group = _GROUPS.get(match[1]) if match else None
    return f"{group}{match[2] or ''}" if match and group else ""


def _card(word: str, line: int) -> Card:
    match = _CARD.fullmatch(word.translate(_SUITS).upper())
    if match is None:
        raise BadDeal(_("Line %(number)s: no card is written %(word)s.") % {"number": line, "word": word[:20]})
    (card,) = parse_cards(match[1].replace("10", "T") + match[2])
    return card


def _check_whole(wanted: Iterable[Card], found: Iterable[Card]) -> None:
    counted, due = Counter(found), Counter(wanted)
    complaints = []
    if missing := due - counted:
        complaints.append(_("Missing: %(cards)s.") % {"cards": _cards(missing)})
    if doubled := counted - due:
        complaints.append(_("Too many: %(cards)s.") % {"cards": _cards(doubled)})
    if complaints:
        raise BadDeal(_("The deck is not whole.") + " " + " ".join(complaints))


def _cards(counted: Counter[Card]) -> str:
    names = [card_name(write_cards([card])) for card in sorted(counted)]
    return ", ".join(names[:6]) + (" …" if len(names) > 6 else "")


def _check_redeal(game: Game, spare: Pile) -> None:
    redeals = any(str(action.move) == "redeal" for action in game.actions)
    if redeals:
        try:
            _check_whole(packs(game.packs), spare)
        except BadDeal as bad:
            raise BadDeal(_("In the line “Redeal:”:") + f" {bad}") from None
    elif spare:
        raise BadDeal(_("This game has no redeal."))
