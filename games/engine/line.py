"""One player's line of play at one deal: what the entries of a log make of the table, undo and redo included.

Immutable like a table: an entry makes a new line, or is refused and changes nothing. Who plays, when, and where the
log is kept stands elsewhere.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import reduce
from typing import Any, NamedTuple

from games.engine.game import Game, Refusal
from games.engine.play import Outcome, Refused, can_finish, finishing_moves, outcome, play
from games.engine.table import Move, Table, parse_move

GIVEN_UP = "given-up"
WORDS = ("undo", "redo", "restart", "finish", "give-up", "reveal")  # entries that are no moves


@dataclass(frozen=True, slots=True)
class Position:
    """A table on the line, and the way it was reached."""

    table: Table
    entry: str = ""
    before: "Position | None" = field(default=None, repr=False, compare=False)  # a long game nests too deep for these
    count: int = 0  # moves made since the start or the last restart, a finish counted by its moves


class Line(NamedTuple):
    """Where an attempt stands. `reveal` (the deck was shown) and giving up close it for good."""

    game: Game
    start: Table
    at: Position
    undone: tuple[Position, ...] = ()  # the next one to redo is the last
    version: int = 0  # entries so far
    last: str = ""
    undos: int = 0
    restarts: int = 0
    closed: bool = False
    given_up: bool = False

    @classmethod
    def begin(cls, game: Game, start: Table) -> "Line":
        """The line before its first entry."""
        return cls(game, start, Position(start))

    @property
    def outcome(self) -> str:
        """playing, won, stuck or given-up."""
        if self.given_up:
            return GIVEN_UP
        return outcome(self.game, self.at.table, self.game.legal_moves(self.at.table)).value

    @property
    def clean(self) -> bool:
        """Whether a win counts as clean: no undo and no restart."""
        return not (self.undos or self.restarts)

    def can(self, word: str) -> bool:
        """Whether an entry that is no move is possible now."""
        if self.closed:
            return False
        match word:
            case "undo":
                return self.at.before is not None
            case "redo":
                return bool(self.undone)
            case "restart":
                return self.at.count > 0
            case "finish":
                return can_finish(self.game, self.at.table)
            case "give-up":
                return self.outcome == Outcome.PLAYING.value
        return self.outcome in (Outcome.WON.value, Outcome.STUCK.value)

    def after(self, entry: str) -> "Line":
        """The line one entry on. Raises BadText for what is no entry, Refused for one that is not possible now."""
        if entry in WORDS:
            if not self.can(entry):
                raise Refused(Refusal("over" if self.closed else f"no-{entry}", {}))
            return self._replace(version=self.version + 1, last=entry, **self._word(entry))
        move = parse_move(entry)
        if self.closed:
            raise Refused(Refusal("over", {}))
        at = self._move(move, entry)
        return Line(self.game, self.start, at, (), self.version + 1, entry, self.undos, self.restarts)

    def _word(self, word: str) -> dict[str, Any]:
        """What an entry that is no move changes."""
        match word:
            case "undo":
                return {"at": self.at.before, "undone": (*self.undone, self.at), "undos": self.undos + 1}
            case "redo":
                return {"at": self.undone[-1], "undone": self.undone[:-1]}
            case "restart":
                return {"at": Position(self.start, word, self.at), "undone": (), "restarts": self.restarts + 1}
            case "finish":
                return {"at": self._finish(), "undone": ()}
            case "give-up":
                return {"given_up": True, "closed": True}
        return {"closed": True}

    def _move(self, move: Move, entry: str) -> Position:
        return Position(play(self.game, self.at.table, move), entry, self.at, self.at.count + 1)

    def _finish(self) -> Position:
        moves = list(finishing_moves(self.game, self.at.table))
        table = reduce(lambda table, move: play(self.game, table, move), moves, self.at.table)
        return Position(table, "finish", self.at, self.at.count + len(moves))


def replay(game: Game, start: Table, entries: Iterable[str]) -> Line:
    """The line that a whole log makes. Raises BadText or Refused where the log was not written by these rules."""
    return reduce(Line.after, entries, Line.begin(game, start))
