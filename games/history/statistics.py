"""Counting ended games: sums over rows in one pass. Which rows count is for `selectors`, its looks for `figures`."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from math import sqrt
from statistics import median
from typing import NamedTuple, TypeAlias

Sort: TypeAlias = tuple[str, bool]  # the game, and whether its deals were dealt to be winnable
MOST_PERIODS = 14
SURE = 1.96  # standard deviations that hold 95 of 100


class Ended(NamedTuple):
    """A game that counts."""

    game: str
    outcome: str
    undos: int
    restarts: int
    home: int
    seconds: float
    ended_at: datetime
    winnable: bool


@dataclass(slots=True)
class Figures:
    """What some games, added in the order in which they ended, come to."""

    played: int = 0
    won: int = 0
    clean: int = 0
    home: int = 0
    times: list[float] = field(default_factory=list)  # of won games
    streak: int = 0
    longest: int = 0

    def add(self, game: Ended) -> None:
        """Count one more game."""
        self.played += 1
        self.home += game.home
        if game.outcome != "won":
            self.streak = 0
            return
        self.won += 1
        self.clean += not (game.undos or game.restarts)
        self.times.append(game.seconds)
        self.streak += 1
        self.longest = max(self.longest, self.streak)

    @property
    def rate(self) -> float:
        """The share of games won."""
        return self.won / self.played

    @property
    def interval(self) -> tuple[float, float]:
        """Where the true rate lies, 95 times of 100 (Wilson)."""
        return wilson(self.won, self.played)

    @property
    def average_home(self) -> float:
        """Cards on the foundations at the end."""
        return self.home / self.played

    @property
    def best(self) -> float | None:
        """The shortest won game, in seconds."""
        return min(self.times, default=None)

    @property
    def median(self) -> float | None:
        """Half of the won games took longer, in seconds."""
        return median(self.times) if self.times else None


def wilson(won: int, played: int) -> tuple[float, float]:
    """The 95 % interval of a share. Unlike the textbook's it stays within 0 and 1, and fits few games too."""
    share, weight = won / played, SURE**2 / played
    middle = (share + weight / 2) / (1 + weight)
    reach = SURE * sqrt(share * (1 - share) / played + weight / (4 * played)) / (1 + weight)
    return max(0.0, middle - reach), min(1.0, middle + reach)


def by_day(day: date) -> date:
    """The period that a day begins: itself."""
    return day


def by_week(day: date) -> date:
    """The Monday of a day's week."""
    return day - timedelta(days=day.weekday())


def by_month(day: date) -> date:
    """The first of a day's month."""
    return day.replace(day=1)


Period = Callable[[date], date]
_LONGEST = {by_day: 1, by_week: 7, by_month: 31}


class Periods:
    """Games by time: the finest of days, weeks and months that shows all in one picture, else the last months."""

    def __init__(self, first: date, last: date) -> None:
        days = (last - first).days
        fitting = (period for period, length in _LONGEST.items() if days < length * (MOST_PERIODS - 1))
        self.of: Period = next(fitting, by_month)
        self.figures = {start: Figures() for start in self._starts(last)}
        for start in [start for start in self.figures if start < self.of(first)]:
            del self.figures[start]

    def _starts(self, last: date) -> list[date]:
        starts = [self.of(last)]
        while len(starts) < MOST_PERIODS:
            starts.append(self.of(starts[-1] - timedelta(days=1)))
        return starts[::-1]

    def add(self, game: Ended) -> None:
        """Count a game in its period; one before the first shown is left out."""
        figures = self.figures.get(self.of(game.ended_at.date()))
        if figures:
            figures.add(game)


def count(games: Iterable[Ended], periods: Periods | None, of: str = "") -> tuple[Figures, dict[Sort, Figures]]:
    """The figures over all and for each sort; those of one game, or of all, are counted into periods too."""
    everything, each = Figures(), dict[Sort, Figures]()
    for game in games:
        everything.add(game)
        each.setdefault((game.game, game.winnable), Figures()).add(game)
        if periods and of in ("", game.game):
            periods.add(game)
    return everything, each
