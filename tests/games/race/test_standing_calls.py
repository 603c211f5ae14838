"""The judge of a round, by itself: when time can be called on a rival, and when a round can be claimed."""

import pytest

from games.engine.play import Refused
from games.race.standing import Line, Result
from tests.games.race.gardens import (
    NONE,
    ONE,
    REDEAL,
    THREE,
    ask,
    log,
    moment,
    offset,
    refusal,
    running,
)

# Calling time.


def test_time_can_be_called_a_minute_after_the_last_card_and_ends_it_twenty_seconds_later() -> None:
    played = ask(running(THREE, ONE), (5, 1, "bed1"))
    assert offset(played.call_from(1)) == 65
    assert refusal(played, (64.999, 2, "call")) == "no-call"
    called = ask(played, (70, 2, "call"))
    assert (offset(called.side(1).called_at), called.call_from(1)) == (70, None)
    assert refusal(called, (71, 2, "call")) == "no-call"
    assert called.due(moment(89.999)) is None
    due = called.due(moment(90))
    assert due == Line(1, "time", moment(90))
    assert called.after(due).result == Result(2, "time")


def test_time_counts_from_the_start_for_whoever_has_not_moved() -> None:
    assert offset(running(ONE, ONE).call_from(2)) == 60
    assert ask(running(ONE, ONE), (60, 1, "call")).side(2).called_at == moment(60)


def test_a_card_that_goes_up_voids_the_call_and_a_wrong_pick_does_not() -> None:
    called = ask(running(THREE, ONE), (60, 2, "call"))
    missed = ask(called, (61, 1, "bed2"))
    assert missed.side(1).called_at == moment(60)
    saved = ask(missed, (79.999, 1, "bed1"))
    assert (saved.side(1).called_at, saved.next_due(), offset(saved.call_from(1))) == (None, None, 139.999)
    assert ask(called, (80, 1, "luck"), (81, 2, "luck")).result == Result(2, "time")


def test_time_is_not_called_on_the_stuck_nor_does_a_miss_count_as_a_move() -> None:
    stuck = ask(running(ONE, ONE), (1, 1, "bed1"))
    assert stuck.call_from(1) is None
    assert refusal(stuck, (1000, 2, "call")) == "no-call"
    assert offset(ask(running(THREE, ONE), (30, 1, "bed2")).call_from(1)) == 60


def test_a_redeal_that_is_left_is_a_move_that_can_be_called_for() -> None:
    spare = "\nspare: AC KD"
    called = ask(running(NONE + spare, ONE + spare, REDEAL), (60, 2, "call"))
    assert ask(called, (70, 1, "redeal")).side(1).called_at is None


def test_both_can_be_called_and_the_first_time_that_is_up_ends_it() -> None:
    both = ask(running(ONE, ONE), (60, 1, "call"), (61, 2, "call"))
    assert both.due(moment(90)) == Line(2, "time", moment(80))
    with pytest.raises(Refused):
        log(both, (90, 1, "time"))


# Claiming.


@pytest.mark.parametrize(("presence", "seconds"), [("closed", 10), ("lost", 120)])
def test_a_round_can_be_claimed_once_the_rival_has_left_for_so_long(presence: str, seconds: float) -> None:
    gone = log(running(THREE, ONE), (5, 2, presence))
    assert offset(gone.claim_from(2)) == 5 + seconds
    assert gone.next_due() is None  # never by itself
    assert refusal(gone, (5 + seconds - 0.001, 1, "claim")) == "no-claim"
    assert ask(gone, (5 + seconds, 1, "claim")).result == Result(1, "left")
    assert ask(gone, (5000, 1, "luck")).result is None
    back = log(gone, (5 + seconds, 2, "here"))
    assert refusal(back, (1000, 1, "claim")) == "no-claim"


def test_whoever_is_there_or_is_oneself_cannot_be_claimed() -> None:
    gone = log(running(THREE, ONE), (5, 2, "closed"))
    assert refusal(gone, (500, 2, "claim")) == "no-claim"
    assert refusal(running(THREE, ONE), (500, 1, "claim")) == "no-claim"
