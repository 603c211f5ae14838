"""Where a round stands: what the entries of its log make of two gardens and two people. Pure: no clock, no database.

Every judgement about a race is made here, from the log alone, so that no two servers can judge differently. Entries
carry their time; `due` says which entry of the server's own time has made necessary.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import reduce
from typing import NamedTuple

from games.engine.game import Game, Refusal
from games.engine.play import Refused, home, play
from games.engine.table import Move, Table, parse_move

COUNTDOWN = timedelta(seconds=3)
LOCK = timedelta(seconds=0.7)  # after a wrong pick
HAND = timedelta(seconds=0.06)  # no hand picks twice within this
IDLE = timedelta(seconds=60)  # without a card going up, though one could: then the rival may call time
WARNING = timedelta(seconds=20)  # from the call until it counts as given up
# A claim is possible so long after a closed tab, or after a connection is known to be lost.
CLAIM = {"closed": timedelta(seconds=10), "lost": timedelta(seconds=120)}
PHRASES = ("luck", "played", "again")
PHRASE_PAUSE = timedelta(seconds=2)

SERVER = 0  # the side of the server's own entries
PRESENCE = ("here", "closed", "lost")
MISS, HASTY, REDEAL = "miss", "hasty", "redeal"
TIME = "time"  # called, and run out: what the server writes on the side of whoever did not move
WORDS = ("ready", "unready", "give-up", "call", "claim", *PHRASES)  # what a player may ask for besides picks


class Line(NamedTuple):
    """One line of the log. `text` is a move, `miss bed3`, a word, a presence, or the server's `start` or `time`."""

    side: int
    text: str
    at: datetime


class Result(NamedTuple):
    """How a round ended: the winner's side, 0 for a draw, and why."""

    winner: int
    reason: str


class Said(NamedTuple):
    """The newest phrase."""

    side: int
    phrase: str
    number: int


class Ghost(NamedTuple):
    """What the ghost on side 2 will do: each pick with the time since the start."""

    picks: tuple[tuple[timedelta, str], ...]


@dataclass(frozen=True, slots=True)
class Side:
    """One player's garden and what is on record of the player."""

    table: Table
    moves: tuple[Move, ...]
    presence: str = "away"
    since: datetime | None = None  # of that presence
    ready: bool = False
    picked_at: datetime | None = None  # the last pick, right or wrong
    up_at: datetime | None = None  # the last pick that was right
    last_up: int = 0  # the number of the entry that brought the last card home
    locked_until: datetime | None = None
    called_at: datetime | None = None  # the rival has called time
    misses: int = 0
    hasty: int = 0
    last: str = ""
    said_at: datetime | None = None

    @property
    def beds(self) -> int:
        """Cards left in the beds."""
        return sum(map(len, self.table.group("bed")))

    @property
    def home(self) -> int:
        """Cards on the foundations."""
        return home(self.table)


@dataclass(frozen=True, slots=True)
class Standing:
    """A round after so many entries. Immutable: an entry makes a new standing, or is refused and changes nothing."""

    game: Game
    own: bool  # each their own shuffle: then equal counts are a draw
    sides: tuple[Side, Side]
    ghost: Ghost | None = None
    ghosted: int = 0  # picks that the ghost has made
    version: int = 0
    at: datetime | None = None  # of the last entry
    go_at: datetime | None = None
    begun: bool = False
    result: Result | None = None
    ended_at: datetime | None = None
    said: Said | None = None

    @classmethod
    def begin(cls, game: Game, own: bool, tables: tuple[Table, Table], ghost: Ghost | None = None) -> "Standing":
        """The standing before the first entry."""
        first, second = (Side(table, tuple(game.legal_moves(table))) for table in tables)
        if ghost:
            second = replace(second, presence="ghost", ready=True)
        return cls(game, own, (first, second), ghost)

    def side(self, number: int) -> Side:
        """Side 1 or 2."""
        return self.sides[number - 1]

    @property
    def phase(self) -> str:
        """ready, countdown, running or over."""
        if self.result:
            return "over"
        if self.begun:
            return "running"
        return "countdown" if self.go_at else "ready"

    def stuck(self, number: int) -> bool:
        """No move is left. A ghost that did no more in its own round does no more here."""
        done = self.ghost is not None and number == 2 and self.ghosted == len(self.ghost.picks)
        return done or not self.side(number).moves

    # What time makes necessary, and from when on players may do what.

    def next_due(self) -> tuple[datetime, Line] | None:
        """The server's next entry, and when; None while nothing is to come."""
        if self.result or self.go_at is None:
            return None
        if not self.begun:
            return self.go_at, Line(SERVER, "start", self.go_at)
        coming = [
            Line(number, TIME, side.called_at + WARNING) for number, side in enumerate(self.sides, 1) if side.called_at
        ]
        if self.ghost and self.ghosted < len(self.ghost.picks):
            offset, text = self.ghost.picks[self.ghosted]
            coming.append(Line(2, text, self.go_at + offset))
        return min(((line.at, line) for line in coming), default=None)

    def due(self, now: datetime) -> Line | None:
        """The entry that has to be in the log before any other may follow at this time."""
        coming = self.next_due()
        return coming[1] if coming and coming[0] <= now else None

    def call_from(self, number: int) -> datetime | None:
        """From when on the rival may call time on this side; None: not as things stand."""
        side = self.side(number)
        if self.phase != "running" or self.stuck(number) or side.called_at or side.presence == "ghost":
            return None
        assert self.go_at
        return (side.up_at or self.go_at) + IDLE

    def claim_from(self, number: int) -> datetime | None:
        """From when on the rival may claim the round, as this side has left; None: it has not."""
        side = self.side(number)
        if self.phase != "running" or side.presence not in CLAIM or side.since is None:
            return None
        return side.since + CLAIM[side.presence]

    # Requests and entries.

    def read(self, number: int, wish: str, now: datetime) -> str:
        """The entry that a player's wish makes: a pick becomes a move or a miss. Raises Refused."""
        if wish in WORDS or wish == REDEAL:
            return wish
        side = self.side(number)
        if not self.begun or self.result:
            raise Refused(Refusal("over" if self.result else "early", {}))
        if side.locked_until and now < side.locked_until:
            raise Refused(Refusal("locked", {}))
        if self.game.names.group.get(wish) not in ("bed", "bouquet") or not side.table.pile(wish):
            raise Refused(Refusal("nothing_to_pick", {}))
        if side.picked_at and now < side.picked_at + HAND:
            return HASTY
        move = next((move for move in side.moves if move.source == wish), None)
        return str(move) if move else f"{MISS} {wish}"

    def after(self, line: Line) -> "Standing":
        """The standing one entry on. Raises Refused, or BadText, where such an entry cannot be."""
        due = self.due(line.at)
        if due and due[:2] != line[:2]:
            raise Refused(Refusal("due", {}))
        self._demand(due is not None or line.side in ((1,) if self.ghost else (1, 2)), "never")
        if self.at and line.at < self.at:
            raise Refused(Refusal("early", {}))
        return replace(self._apply(line), version=self.version + 1, at=line.at)

    def _apply(self, line: Line) -> "Standing":
        match line.text:
            case "here" | "closed" | "lost":
                return self._present(line)
            case "ready" | "unready":
                return self._ready(line)
            case "start":
                self._demand(line.side == SERVER and self.due(line.at) is not None, "early")
                return replace(self, begun=True)._judged(line)
            case "luck" | "played" | "again":
                return self._say(line)
        self._demand(not self.result, "over")
        self._demand(self.begun, "early")
        match line.text:
            case "give-up":
                return self._end(line, 3 - line.side, "gave-up")
            case "time":
                self._demand(self.due(line.at) is not None, "early")
                return self._end(line, 3 - line.side, "time")
            case "call":
                return self._call(line)
            case "claim":
                start = self.claim_from(3 - line.side)
                self._demand(start is not None and line.at >= start, "no-claim")
                return self._end(line, line.side, "left")
        return self._pick(line)

    @staticmethod
    def _demand(holds: bool, code: str) -> None:
        if not holds:
            raise Refused(Refusal(code, {}))

    def _with(self, number: int, side: Side) -> "Standing":
        return replace(self, sides=(side, self.sides[1]) if number == 1 else (self.sides[0], side))

    def _present(self, line: Line) -> "Standing":
        """Whoever goes before the start is not ready any more: nobody is to begin alone."""
        side = replace(self.side(line.side), presence=line.text, since=line.at)
        if line.text == "here" or self.begun:
            return self._with(line.side, side)
        return replace(self._with(line.side, replace(side, ready=False)), go_at=None)

    def _ready(self, line: Line) -> "Standing":
        self._demand(not self.result, "over")
        self._demand(not self.begun, "begun")
        ready = line.text == "ready"
        changed = self._with(line.side, replace(self.side(line.side), ready=ready))
        if not all(side.ready for side in changed.sides):
            return replace(changed, go_at=None)
        return changed if self.go_at else replace(changed, go_at=line.at + COUNTDOWN)

    def _say(self, line: Line) -> "Standing":
        side = self.side(line.side)
        self._demand(side.said_at is None or line.at >= side.said_at + PHRASE_PAUSE, "too-fast")
        said = Said(line.side, line.text, self.version + 1)
        return replace(self._with(line.side, replace(side, said_at=line.at)), said=said)

    def _call(self, line: Line) -> "Standing":
        start = self.call_from(3 - line.side)
        self._demand(start is not None and line.at >= start, "no-call")
        return self._with(3 - line.side, replace(self.side(3 - line.side), called_at=line.at))

    def _pick(self, line: Line) -> "Standing":
        side = self.side(line.side)
        haunting = self.ghost is not None and line.side == 2
        self._demand(haunting or side.locked_until is None or line.at >= side.locked_until, "locked")
        ghosted = self.ghosted + haunting
        side = replace(side, picked_at=line.at, last=line.text)
        if line.text == HASTY or line.text.startswith(f"{MISS} "):
            hasty = line.text == HASTY
            side = replace(
                side, misses=side.misses + (not hasty), hasty=side.hasty + hasty, locked_until=line.at + LOCK
            )
            return replace(self._with(line.side, side), ghosted=ghosted)._judged(line)
        table = play(self.game, side.table, parse_move(line.text))
        last_up = side.last_up if line.text == REDEAL else self.version + 1
        side = replace(side, table=table, moves=tuple(self.game.legal_moves(table)), up_at=line.at, last_up=last_up)
        return replace(self._with(line.side, replace(side, called_at=None)), ghosted=ghosted)._judged(line)

    def _judged(self, line: Line) -> "Standing":
        """Over if somebody has no bed card left, or nobody can move."""
        for number, side in enumerate(self.sides, 1):
            if not side.beds:
                return self._end(line, number, "beds")
        if not (self.stuck(1) and self.stuck(2)):
            return self
        first, second = self.sides
        if first.home != second.home:
            return self._end(line, 1 if first.home > second.home else 2, "count")
        if self.own or not first.home:
            return self._end(line, 0, "draw")
        return self._end(line, 1 if first.last_up < second.last_up else 2, "earlier")

    def _end(self, line: Line, winner: int, reason: str) -> "Standing":
        return replace(self, result=Result(winner, reason), ended_at=line.at)


def replay(standing: Standing, lines: Iterable[Line]) -> Standing:
    """The standing that a whole log makes. Raises Refused or BadText where the log was not written by these rules."""
    return reduce(Standing.after, lines, standing)
