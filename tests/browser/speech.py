"""What a table says, worked out from the engine's tables and the catalogues of texts: names of cards and places, and
the sentence after a move. What is shown or pressed is not known here."""

import gettext
from typing import NamedTuple

from django.utils import translation

from games.engine.cards import packs
from games.engine.game import Game
from games.engine.play import home
from games.engine.player_view import piles_seen
from games.engine.table import Move, Table
from games.names import place_name
from tests.browser.conftest import ROOT

RANKS = dict(zip("A23456789TJQK", ("ace", *map(str, range(2, 11)), "jack", "queen", "king"), strict=True))
SUITS = {"C": "clubs", "D": "diamonds", "H": "hearts", "S": "spades"}


class Position(NamedTuple):
    """What lies where, as far as it is seen, and how many cards are home."""

    piles: dict[str, list[str | None]]
    home: int
    won: bool

    @classmethod
    def of(cls, game: Game, table: Table) -> "Position":
        return cls(piles_seen(game, table), home(table), home(table) == len(packs(game.packs)))


def group(pile: str) -> str:
    return pile.rstrip("0123456789")


class Speech:
    """The words of a language, `en`, `de` or `ru`, at the table of a game."""

    def __init__(self, language: str, game: str) -> None:
        self.language, self.game = language, game
        self._texts = gettext.translation("djangojs", ROOT / "locale", [language], fallback=True)

    def say(self, text: str, **values: object) -> str:
        return self._texts.gettext(text) % values

    def count(self, one: str, many: str, number: int, **values: object) -> str:
        return self._texts.ngettext(one, many, number) % values

    def card(self, face: str | None) -> str:
        if not face:
            return self.say("face-down card")
        word = self._texts.pgettext
        words = {"rank": word("card", RANKS[face[0]]), "suit": word("card", SUITS[face[1]])}
        return word("card", "%(rank)s of %(suit)s") % words

    def place(self, pile: str) -> str:
        with translation.override(self.language):
            return place_name(pile, self.game)

    def top(self, pile: str, faces: list[str | None]) -> str:
        """What a pile's top card is called, or its empty place."""
        if not faces:
            with translation.override(self.language):
                return translation.gettext("empty %(place)s") % {"place": place_name(pile, self.game)}
        values = {"card": self.card(faces[-1]), "pile": self.place(pile), "total": len(faces)}
        if len(faces) == 1:
            return self.say("%(card)s, %(pile)s", **values)
        forms = ("%(card)s, top of %(pile)s, %(total)s card", "%(card)s, top of %(pile)s, %(total)s cards")
        return self.count(*forms, len(faces), **values)

    def covered(self, pile: str, faces: list[str | None], size: int) -> str:
        """What the lowest of the upper cards of a pile is called."""
        values = {"card": self.card(faces[-size]), "pile": self.place(pile), "total": len(faces)}
        return self.say("%(card)s, %(pile)s, card %(number)s of %(total)s", number=len(faces) - size + 1, **values)

    def taken(self, faces: list[str | None], goals: list[str]) -> str:
        homes = [goal for goal in goals if group(goal) == "foundation"]
        places = ", ".join(self.place(goal) for goal in homes[:1] + [goal for goal in goals if goal not in homes])
        if len(faces) == 1:
            sentence = "The %(card)s is taken. It can go to: %(places)s."
            return self.say(sentence, card=self.card(faces[0]), places=places)
        sentence = "The %(card)s and what lies on it, %(count)s cards, are taken. They can go to: %(places)s."
        return self.say(sentence, card=self.card(faces[0]), count=len(faces), places=places)

    def told(self, before: Position, after: Position, move: Move) -> str:
        """The sentence for a move that the server has confirmed."""
        if group(move.target) == "stock":
            count = len(after.piles["stock"])
            return self.count(
                "Turned over: %(count)s card in the stock.",
                "Turned over: %(count)s cards in the stock.",
                count,
                count=count,
            )
        parts = [self._going(after, move), *self._uncovered(before, after, move)]
        if after.home != before.home:
            parts.append(self.count("%(home)s card home", "%(home)s cards home", after.home, home=after.home))
        sentence = f"{'; '.join(parts)}."
        won = f" {self.say('The game is won.')}" if after.won else ""
        return f"{sentence[0].upper()}{sentence[1:]}{won}"

    def _going(self, after: Position, move: Move) -> str:
        card = self.card(after.piles[move.target][-move.size])
        if group(move.source) == "stock":
            return self.say("%(card)s turned", card=card)
        sentence = "%(card)s from %(from)s to %(to)s"
        if move.size > 1:
            sentence = "%(card)s and what lies on it, %(count)s cards, from %(from)s to %(to)s"
        values = {"from": self.place(move.source), "to": self.place(move.target)}
        return self.say(sentence, card=card, count=move.size, **values)

    def _uncovered(self, before: Position, after: Position, move: Move) -> list[str]:
        """Every top that is another one now, but for where the cards went and the foundations."""
        said = []
        for pile, now in after.piles.items():
            then = before.piles[pile]
            if not now or not now[-1] or pile == move.target or group(pile) == "foundation" or now == then:
                continue
            filled = pile == move.source and len(then) == move.size
            sentence = "%(card)s fills %(pile)s" if filled else "%(card)s uncovered"
            said.append(self.say(sentence, card=self.card(now[-1]), pile=self.place(pile)))
        return said
