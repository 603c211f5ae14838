"""Rounds on gardens small enough to see through, made of a log or of what players wish for. Nothing is judged here."""

from datetime import UTC, datetime, timedelta

import pytest

from games.engine.catalogue import GAMES
from games.engine.play import Refused
from games.race.standing import Ghost, Line, Standing, replay
from tests.engine.tables import table

GARDEN, REDEAL = "flower-garden", "flower-garden-redeal"
THREE = "bed1: 4C 3C 2C AC\nbed2: KD"  # three of clubs and one more go up, then it is stuck
ONE = "bed1: KD AC"  # the Ace goes up, then it is stuck
NONE = "bed1: KD"
LAST = "bed1: AC\nbouquet1: 2C"  # the beds are empty after one card

Step = tuple[float, int, str]  # seconds after the start, the side, its entry or what it wishes


def moment(seconds: float) -> datetime:
    return datetime(2026, 5, 1, 12, tzinfo=UTC) + timedelta(seconds=seconds)


def offset(at: datetime | None) -> float | None:
    return at and (at - moment(0)).total_seconds()


def opening(first: str, second: str, slug: str = GARDEN, *, own: bool = False, ghost: Ghost | None = None) -> Standing:
    return Standing.begin(GAMES[slug], own, (table(slug, first), table(slug, second)), ghost)


def log(standing: Standing, *steps: Step) -> Standing:
    """The standing after these entries as they stand in a log."""
    return replay(standing, [Line(side, text, moment(seconds)) for seconds, side, text in steps])


def ask(standing: Standing, *steps: Step) -> Standing:
    """The standing after what players wish for, or Refused; what time makes necessary comes before it."""
    for seconds, side, wish in steps:
        while line := standing.due(moment(seconds)):
            standing = standing.after(line)
        standing = log(standing, (seconds, side, standing.read(side, wish, moment(seconds))))
    return standing


def refusal(standing: Standing, *steps: Step) -> str:
    """Why the last of these wishes is refused; it changes nothing, as a standing never changes."""
    before = ask(standing, *steps[:-1])
    with pytest.raises(Refused) as refused:
        ask(before, steps[-1])
    return refused.value.refusal.code


HERE: tuple[Step, ...] = ((-9, 1, "here"), (-8, 2, "here"))
READY: tuple[Step, ...] = (*HERE, (-5, 1, "ready"), (-3, 2, "ready"))
GO: tuple[Step, ...] = (*READY, (0, 0, "start"))


def running(first: str, second: str, slug: str = GARDEN, *, own: bool = False) -> Standing:
    return log(opening(first, second, slug, own=own), *GO)
