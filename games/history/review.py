"""Where a lost game could still be won, as far as the plain player can tell. Who may ask is for `selectors`."""

from games import selectors, winning
from games.engine.catalogue import GAMES
from games.engine.line import Line, Position
from games.engine.table import Move, parse_move
from games.models import Attempt

MOST_TRIES = 100  # games played out for one answer: at most a second or two of processor


def last_win(attempt: Attempt) -> int | None:
    """How many entries lead to the last position from which the plain player wins; None where it finds none.

    Looked at are the positions between the start, or the last restart, and where the game ended.
    """
    line = Line.begin(GAMES[attempt.game], selectors.start_table(attempt.deal))
    reached = {id(line.at): 0}  # whatever is still on the line in the end keeps its id
    for text in attempt.entries.order_by("number").values_list("text", flat=True):
        before, line = line.at, line.after(text)
        if line.at is not before:
            reached[id(line.at)] = line.version
    won = _last_won(line)
    return reached[id(won)] if won else None


def _last_won(line: Line) -> Position | None:
    at = line.at
    played: Move | None = None  # from there; where the player would have done the same, the end is known already
    tries = 0
    while tries < MOST_TRIES:
        if played is None or winning.wanted(line.game, at.table) != played:
            tries += 1
            if winning.line(line.game, at.table):
                return at
        if at.before is None or at.entry == "restart":
            return None
        played, at = parse_move(at.entry), at.before
    return None
