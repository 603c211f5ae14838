"""Whole rounds without sockets or waiting: a log as the services would write it, at times that a test chooses."""

from collections.abc import Iterable, Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

from accounts.models import User
from games.engine.play import play
from games.race import dealing, seats, selectors
from games.race.models import Race, Round
from games.race.record import Ended, RoundRecord
from games.race.seats import Terms
from games.race.standing import PRESENCE, SERVER, Line, Standing, replay

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
Wish = tuple[float, int, str]  # seconds since the start, side, what the player asks for, or a presence


def run(race: Race, wishes: Iterable[Wish] = (), *, at: datetime = NOON, end: str = "give-up", by: int = 2) -> Round:
    """Run the newest round of a race so, and end it by this word of a side unless it is over by then."""
    round_ = selectors.newest_round(race.pk)
    lines = selectors.lines(round_.pk)
    standing, number = replay(selectors.opening(round_), lines), len(lines)
    for line in _lines(standing, list(wishes), at, (end, by)):
        number, standing = number + 1, standing.after(line)
        RoundRecord.write([RoundRecord(round_.pk, number, *line, Ended.of(standing))])
        if standing.result:
            break
    return Round.objects.select_related("race", "first_deal", "second_deal").get(pk=round_.pk)


def _lines(standing: Standing, wishes: list[Wish], at: datetime, end: tuple[str, int]) -> Iterator[Line]:
    """The log to be, read from standings that are stepped here too."""

    def step(line: Line) -> Line:
        nonlocal standing
        standing = standing.after(line)
        return line

    for side in (1, 2):
        if not standing.side(side).ready:
            yield step(Line(side, "ready", at))
    assert standing.go_at
    go_at = standing.go_at
    yield step(Line(SERVER, "start", go_at))
    last = wishes[-1][0] if wishes else 0.0
    for seconds, side, wish in [*wishes, (last + 1, end[1], end[0])]:
        now = go_at + timedelta(seconds=seconds)
        while line := standing.due(now):
            yield step(line)
        yield step(Line(side, wish if wish in PRESENCE else standing.read(side, wish, now), now))


def picks(race: Race, side: int, pace: float, count: int = 52) -> list[Wish]:
    """So many cards that fit, one every few seconds."""
    standing = selectors.opening(selectors.newest_round(race.pk))
    table, game = standing.side(side).table, standing.game
    wishes = []
    for number in range(1, count + 1):
        moves = game.legal_moves(table)
        if not moves:
            break
        wishes.append((pace * number, side, moves[0].source))
        table = play(game, table, moves[0])
    return wishes


def wrong(race: Race, side: int, seconds: float) -> Wish:
    """A pick that does not fit at the start."""
    standing = selectors.opening(selectors.newest_round(race.pk))
    fitting = {move.source for move in standing.side(side).moves}
    return seconds, side, next(bed for bed in standing.game.names.names if bed.startswith("bed") and bed not in fitting)


def between(host: User, guest: User, **terms: Any) -> Race:
    """A room with both seats taken."""
    race = seats.invite(host=host, terms=Terms(**terms))
    seats.join(player=guest, race=race)
    return race


def deal_next(race: Race) -> None:
    """Deal the round after the newest, if that is over."""
    last = race.rounds.order_by("-number")[0]
    dealing.next_round(race_id=race.pk, number=last.number)


def together(*runs: list[Wish]) -> list[Wish]:
    """What several did, in the order of time."""
    return sorted(wish for run in runs for wish in run)
