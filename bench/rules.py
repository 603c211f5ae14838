"""What the rules cost: a step with its legal moves and view, and rebuilding a whole game from its log."""

import time
from collections.abc import Callable
from datetime import UTC, datetime
from typing import NamedTuple

from accounts.models import User
from bench.site import Recorded, deal
from games.engine.catalogue import GAMES
from games.engine.line import Line
from games.engine.player_view import player_view
from games.models import Attempt, Entry
from games.selectors import read_log, start_table


def target(slug: str) -> int:
    """The most µs that a step may take."""
    return 120 if slug == "american-toad" else 60


class Cost(NamedTuple):
    """What one game costs, over a whole recorded game."""

    moves: int
    step: float  # µs for an entry: checked, played, legal moves, view
    replay: float  # ms from the log in the database to the table


def costs(games: list[Recorded], rounds: int) -> dict[str, Cost]:
    """For each game the best of several rounds, by the time that this process had the processor."""
    user = User.objects.create_user("replayer")
    return {game.slug: _cost(user, game, rounds) for game in games}


def _cost(user: User, game: Recorded, rounds: int) -> Cost:
    attempt = _played(user, game)
    start = Line.begin(GAMES[game.slug], start_table(attempt.deal))

    def play() -> None:
        line = start
        for move in game.moves:
            line = line.after(move)
            player_view(line.game, line.at.table)

    steps, replay = _best(play, rounds), _best(lambda: read_log(attempt), rounds)
    return Cost(len(game.moves), 1e6 * steps / len(game.moves), 1e3 * replay)


def _played(user: User, game: Recorded) -> Attempt:
    """An attempt with the whole game in its log."""
    attempt = Attempt.objects.create(player=user, deal=deal(game), game=game.slug)
    now = datetime.now(UTC)
    entries = [Entry(attempt=attempt, number=number, text=text, at=now) for number, text in enumerate(game.moves, 1)]
    Entry.objects.bulk_create(entries)
    return attempt


def _best(work: Callable[[], object], rounds: int) -> float:
    return min(_seconds(work) for _ in range(rounds))


def _seconds(work: Callable[[], object]) -> float:
    began = time.process_time()
    work()
    return time.process_time() - began
