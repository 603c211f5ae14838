"""The frames of a replay: what the player saw after each entry. Who may look is for `selectors`."""

from collections.abc import Iterator

from msgspec import Struct

from games import protocol, selectors
from games.engine.catalogue import GAMES
from games.engine.line import Line, Position
from games.engine.play import finishing_moves, play
from games.engine.player_view import player_view
from games.models import Attempt

A_PART = 400  # entries; few games are longer, and nobody can make a page of ours grow without end


class Frame(Struct, frozen=True):
    """One moment of a replay."""

    entry: int  # entries that have led here, so taking over from here begins with these
    seconds: float  # at play until here
    view: protocol.View


class Part(Struct, frozen=True):
    """Frames in order, and the entry that the next part begins after; None after the last."""

    frames: list[Frame]
    next: int | None


def part(attempt: Attempt, after: int = 0) -> Part:
    """The frames of the entries after this one; with the opening before the very first."""
    until = after + A_PART
    frames: list[Frame] = []
    opening = Line.begin(GAMES[attempt.deal.game], selectors.start_table(attempt.deal))
    if after == 0:
        frames.append(_frame(opening, 0.0))
    for line, seconds, before in _lines(attempt, opening, until):
        if line.version > after:
            if line.last == "finish":
                frames += (_frame(between, seconds) for between in _finish(before))
            frames.append(_frame(line, seconds))
    return Part(frames, until if until < attempt.version else None)


def _lines(attempt: Attempt, line: Line, until: int) -> Iterator[tuple[Line, float, Line]]:
    """The line after each entry, the seconds at play, and the line before it."""
    seconds, last_at = 0.0, None
    log = attempt.entries.filter(number__lte=until).order_by("number").values_list("text", "at")
    for text, at in log:
        before, line = line, line.after(text)
        seconds, last_at = selectors.played_seconds(seconds, last_at, at), at
        yield line, seconds, before


def _finish(line: Line) -> Iterator[Line]:
    """A finish move by move, up to the one before the last; the entry itself shows that one."""
    moves = list(finishing_moves(line.game, line.at.table))
    for move in moves[:-1]:
        table = play(line.game, line.at.table, move)
        line = line._replace(at=Position(table, str(move), line.at, line.at.count + 1), last=str(move))
        yield line


def _frame(line: Line, seconds: float) -> Frame:
    view = protocol.view_of("", line, player_view(line.game, line.at.table), seconds)
    return Frame(line.version, seconds, view)
