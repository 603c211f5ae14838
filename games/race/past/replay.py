"""The frames of a round's replay: both gardens on one time axis. Which rounds may be shown is for `selectors`."""

from collections.abc import Iterator

from msgspec import Struct

from games.engine.player_view import piles_seen
from games.race import selectors
from games.race.models import SIDES, Round
from games.race.standing import PRESENCE, Line, Standing

SHOWN = ("give-up", "call", "time", "claim", *PRESENCE)  # besides picks


class Frame(Struct, frozen=True):
    """One moment of one side."""

    number: int  # of its entry: tells the order of both sides' moments; 0 at the start
    seconds: float  # since the start
    text: str  # of its entry, "" at the start
    home: int
    stuck: bool
    piles: dict[str, list[str | None]] | None  # None: as before


class Part(Struct, frozen=True):
    """All that one side did."""

    name: str
    frames: list[Frame]


class Replay(Struct, frozen=True):
    """A round from its start to its end."""

    sides: list[Part]
    winner: int
    reason: str
    seconds: float


def of(round_: Round, names: list[str]) -> Replay:
    """The replay of a round that is over."""
    assert round_.winner is not None
    assert round_.started_at
    assert round_.ended_at
    frames: dict[int, list[Frame]] = {side: [] for side in SIDES}
    for line, standing in _run(round_):
        for side in SIDES if line.text == "start" else (line.side,):
            frames[side].append(_frame(line, standing, side))
    parts = [Part(name, frames[side]) for name, side in zip(names, SIDES, strict=True)]
    return Replay(parts, round_.winner, round_.reason, (round_.ended_at - round_.started_at).total_seconds())


def _run(round_: Round) -> Iterator[tuple[Line, Standing]]:
    """What is shown of the log, each line with the standing that it made."""
    standing = selectors.opening(round_)
    for line in selectors.lines(round_.pk):
        standing = standing.after(line)
        if standing.begun and (line.text in ("start", *SHOWN) or selectors.is_pick(line.text)):
            yield line, standing
        if standing.result:
            return


def _frame(line: Line, standing: Standing, number: int) -> Frame:
    side = standing.side(number)
    assert standing.go_at
    begins = line.text == "start"
    laid = piles_seen(standing.game, side.table) if begins or ">" in line.text or line.text == "redeal" else None
    return Frame(
        number=0 if begins else standing.version,
        seconds=0.0 if begins else (line.at - standing.go_at).total_seconds(),
        text="" if begins else line.text,
        home=side.home,
        stuck=standing.stuck(number),
        piles=laid,
    )
