"""What the rules cost: a step with its legal moves and view, and rebuilding a whole game from its log."""

import time
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
    """For each game the best of several rounds, by the time that this process had the processor.

    The games take turns, so that a slow moment of the machine spoils a round of each and not all rounds of one.
    """
    user = User.objects.create_user("replayer")
    attempts = [_played(user, game) for game in games]
    times = [[_once(game, attempt) for game, attempt in zip(games, attempts, strict=True)] for _ in range(rounds)]
    return {game.slug: _best(game, *of_game) for game, *of_game in zip(games, *times, strict=True)}


def _played(user: User, game: Recorded) -> Attempt:
    """An attempt with the whole game in its log."""
    attempt = Attempt.objects.create(player=user, deal=deal(game), game=game.slug)
    now = datetime.now(UTC)
    entries = [Entry(attempt=attempt, number=number, text=text, at=now) for number, text in enumerate(game.moves, 1)]
    Entry.objects.bulk_create(entries)
    return attempt


def _once(game: Recorded, attempt: Attempt) -> tuple[float, float]:
    """Seconds for all steps of a game, and for its replay."""
    line = Line.begin(GAMES[game.slug], start_table(attempt.deal))
    began = time.process_time()
    for move in game.moves:
        line = line.after(move)
        player_view(line.game, line.at.table)
    played = time.process_time()
    read_log(attempt)
    return played - began, time.process_time() - played


def _best(game: Recorded, *times: tuple[float, float]) -> Cost:
    steps, replay = map(min, zip(*times, strict=True))
    return Cost(len(game.moves), 1e6 * steps / len(game.moves), 1e3 * replay)
