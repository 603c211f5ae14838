"""Plays a game in the terminal, with the engine and the view that the site has."""

import sys
from argparse import ArgumentParser
from collections.abc import Iterator

from django.core.management.base import BaseCommand, CommandError

from games.engine.cards import BadDeck, BadText, parse_cards
from games.engine.catalogue import GAMES
from games.engine.line import GIVEN_UP, WORDS, Line
from games.engine.play import Outcome, Refused
from games.engine.player_view import player_view
from games.sentences import why
from games.shuffling import kinds, shuffle
from games.terminal import draw

OVER = (Outcome.WON.value, GIVEN_UP)
HELP = "A move such as turned>waste2 or tableau3>tableau5:4; undo, redo, restart, finish, give-up, help, quit."


class Command(BaseCommand):
    """manage.py play frog"""

    help = "Play a game in the terminal."
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Take the game and perhaps its deck."""
        parser.add_argument("game", choices=GAMES)
        parser.add_argument("--deck", help="the deck in dealing order, such as '5C TH AS …'; without it, a new one")

    def handle(self, *, game: str, deck: str | None, **_options: object) -> None:
        """Play until the game is over or the player leaves."""
        rules = GAMES[game]
        shuffled = shuffle(rules, kinds(rules)[0])
        try:
            start = rules.setup(shuffled.deck if deck is None else parse_cards(deck), shuffled.spare)
        except (BadText, BadDeck) as error:
            raise CommandError(f"--deck: {error}") from None
        line = Line.begin(rules, start)
        self.show(line)
        for entry in self.entries():
            line = self.after(line, entry)
            if line.outcome in OVER:
                break
        self.stdout.write(f"{line.outcome}: {player_view(rules, line.at.table).home} cards are home.")

    def entries(self) -> Iterator[str]:
        """What the player types, up to `quit` or the end of the input."""
        while True:
            self.stdout.write("> ", ending="")
            self.stdout.flush()
            typed = sys.stdin.readline()
            if not typed or typed.strip() == "quit":
                return
            yield typed.strip()

    def after(self, line: Line, entry: str) -> Line:
        """The line one entry on, shown; or as it was, with the reason."""
        if entry == "help":
            moves = player_view(line.game, line.at.table).moves
            self.stdout.write(f"{HELP}\nMoves now: {' '.join(moves) or 'none'}")
            return line
        try:
            line = line.after(entry)
        except BadText:
            self.stdout.write(f"Not understood. {HELP}")
        except Refused as refused:
            self.stdout.write(why(refused.refusal, line.game.slug))
        else:
            self.show(line)
        return line

    def show(self, line: Line) -> None:
        """Draw the table; being stuck is no end, as a move may be undone."""
        self.stdout.write(draw(line.game, player_view(line.game, line.at.table)))
        if line.outcome == Outcome.STUCK.value:
            self.stdout.write(f"No move is left: {', '.join(word for word in WORDS if line.can(word))} or quit.")
