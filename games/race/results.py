"""Counting rounds that are over, as one of their players sees them. Pure; which ones count is for `past.history`."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from statistics import mean, median
from typing import NamedTuple

WON, LOST, DRAWN = "won", "lost", "drawn"


class Ran(NamedTuple):
    """A round that counts."""

    rival: int | None  # None: the account is deleted
    code: str  # of its race
    match: int
    best_of: int
    result: str
    reason: str
    home: int
    misses: int
    seconds: float


def is_decided(best_of: int, played: int, *won: int) -> bool:
    """Whether a match is over: nobody can catch up any more, or all rounds are played."""
    return max(won) > best_of // 2 or played >= best_of


@dataclass(slots=True)
class Score:
    """How often it went which way."""

    won: int = 0
    lost: int = 0
    drawn: int = 0

    def add(self, result: str) -> None:
        """Count one more."""
        setattr(self, result, getattr(self, result) + 1)

    @property
    def played(self) -> int:
        """All together."""
        return self.won + self.lost + self.drawn

    @property
    def result(self) -> str:
        """Who is ahead."""
        if self.won == self.lost:
            return DRAWN
        return WON if self.won > self.lost else LOST

    def decides(self, best_of: int) -> bool:
        """Whether a match of this score is over."""
        return is_decided(best_of, self.played, self.won, self.lost)


@dataclass(slots=True)
class Figures:
    """What rounds, added in the order in which they ended, come to."""

    rounds: Score = field(default_factory=Score)
    matches: Score = field(default_factory=Score)
    ends: Counter[tuple[str, str]] = field(default_factory=Counter)  # by result and reason
    homes: list[int] = field(default_factory=list)
    misses: list[int] = field(default_factory=list)
    fastest: float | None = None  # seconds to empty the beds, of a round won so
    code: str = ""  # of the newest race
    _going_on: dict[tuple[str, int], Score] = field(default_factory=dict)

    def add(self, ran: Ran) -> None:
        """Count one more round, and its match once that is over."""
        self.rounds.add(ran.result)
        self.ends[ran.result, ran.reason] += 1
        self.homes.append(ran.home)
        self.misses.append(ran.misses)
        self.code = ran.code
        if (ran.result, ran.reason) == (WON, "beds"):
            self.fastest = min(ran.seconds, self.fastest or ran.seconds)
        self._add_to_match(ran)

    def _add_to_match(self, ran: Ran) -> None:
        key = ran.code, ran.match
        score = self._going_on.setdefault(key, Score())
        score.add(ran.result)
        if score.decides(ran.best_of):
            self.matches.add(score.result)
            del self._going_on[key]

    @property
    def median_home(self) -> float | None:
        """Half of the rounds brought more cards home."""
        return median(self.homes) if self.homes else None

    @property
    def average_misses(self) -> float | None:
        """Wrong picks a round."""
        return mean(self.misses) if self.misses else None


def count(rounds: Iterable[Ran]) -> tuple[Figures, dict[int, Figures]]:
    """The figures over all, and against each rival whose account is still there."""
    everything, each = Figures(), dict[int, Figures]()
    for ran in rounds:
        everything.add(ran)
        if ran.rival is not None:
            each.setdefault(ran.rival, Figures()).add(ran)
    return everything, each
