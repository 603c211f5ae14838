"""Entries of rounds as the journal writes them, beside those of attempts."""

from datetime import timedelta

import pytest

from accounts.models import User
from games import services
from games.live import journal
from games.live.attempts import AttemptRecord
from games.live.journal import Conflict
from games.models import Attempt
from games.race import selectors
from games.race.models import Round
from games.race.record import Ended, RoundRecord
from tests.games.race.runs import NOON, between

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def round_(owner: User, rival: User) -> Round:
    """One that nobody is ready for yet."""
    return selectors.newest_round(between(owner, rival).pk)


def ready(round_: Round, side: int, ended: Ended | None = None) -> RoundRecord:
    return RoundRecord(round_.pk, side, side, "ready", NOON, ended)


@pytest.fixture
def moves(owner: User) -> list[AttemptRecord]:
    """The first entry of two attempts."""
    attempts = [services.start(player=owner, game="frog", kind="shuffled") for _ in range(2)]
    return [
        AttemptRecord(one.pk, 1, "stock>turned", NOON, False, "playing", False, 1, 0, 0, 0, 0.0) for one in attempts
    ]


def test_moves_and_picks_that_come_together_are_all_there(round_: Round, moves: list[AttemptRecord]) -> None:
    mixed = [moves[0], ready(round_, 1), moves[1], ready(round_, 2)]
    assert journal._commit(mixed) == [None] * 4
    assert [line.side for line in selectors.lines(round_.pk)] == [1, 2]
    assert set(Attempt.objects.values_list("version", flat=True)) == {1}


def test_what_fails_in_a_race_fails_alone(round_: Round, moves: list[AttemptRecord]) -> None:
    first, second = ready(round_, 1), ready(round_, 2)
    mixed = [first, moves[0], first._replace(side=2), moves[1], second]
    assert list(map(type, journal._commit(mixed))) == [type(None), type(None), Conflict, type(None), type(None)]
    assert [line.side for line in selectors.lines(round_.pk)] == [1, 2]


def test_a_round_whose_end_cannot_be_written_has_no_last_entry(round_: Round) -> None:
    impossible = Ended(7, "gave-up", 0, 0, 0, 0, NOON, NOON + timedelta(minutes=1))
    assert list(map(type, journal._commit([ready(round_, 1, impossible)]))) == [Conflict]
    assert selectors.lines(round_.pk) == []
