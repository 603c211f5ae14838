"""The judge of a round, by itself: how it ends, and what follows."""

import pytest

from games.engine.play import Refused
from games.race.standing import Result
from tests.games.race.gardens import (
    LAST,
    NONE,
    ONE,
    THREE,
    Step,
    ask,
    log,
    offset,
    refusal,
    running,
)

# The ends.


def test_empty_beds_win() -> None:
    over = ask(running(LAST, THREE), (1, 2, "bed1"), (2, 2, "bed1"), (5, 1, "bed1"))
    assert (over.result, offset(over.ended_at)) == (Result(1, "beds"), 5)  # with fewer cards home, and one left
    assert ask(running(THREE, LAST), (5, 2, "bed1")).result == Result(2, "beds")


def test_when_both_are_stuck_more_cards_win() -> None:
    half = ask(running(ONE, THREE), (1, 1, "bed1"))
    assert (half.result, half.stuck(1), half.stuck(2)) == (None, True, False)
    two = "bed1: KD 2C AC"
    assert ask(running(ONE, two), (1, 1, "bed1"), (2, 2, "bed1"), (3, 2, "bed1")).result == Result(2, "count")
    assert ask(running(two, ONE), (1, 1, "bed1"), (2, 1, "bed1"), (3, 2, "bed1")).result == Result(1, "count")


def test_with_as_many_cards_home_the_earlier_wins_or_it_is_a_draw() -> None:
    steps: tuple[Step, ...] = ((1, 2, "bed1"), (2, 1, "bed1"))
    assert ask(running(ONE, ONE), *steps).result == Result(2, "earlier")
    assert ask(running(ONE, ONE), (1, 1, "bed1"), (2, 2, "bed1")).result == Result(1, "earlier")
    assert ask(running(ONE, ONE, own=True), *steps).result == Result(0, "draw")


def test_at_the_same_instant_the_log_tells_who_was_earlier() -> None:
    assert ask(running(ONE, ONE), (1, 2, "bed1"), (1, 1, "bed1")).result == Result(2, "earlier")


def test_no_card_home_on_either_side_is_a_draw() -> None:
    assert running(NONE, NONE).result == Result(0, "draw")


@pytest.mark.parametrize("side", [1, 2])
def test_giving_up_makes_the_rival_win(side: int) -> None:
    assert ask(running(ONE, ONE), (1, 1, "bed1"), (2, side, "give-up")).result == Result(3 - side, "gave-up")


# After the start and after the end.


def test_nobody_gets_ready_once_it_has_begun() -> None:
    for wish in ("ready", "unready"):
        assert refusal(running(ONE, THREE), (1, 1, wish)) == "begun"


def test_after_the_end_only_presence_and_phrases_follow_and_change_nothing_else() -> None:
    over = ask(running(ONE, THREE), (1, 1, "give-up"))
    for wish in ("bed1", "redeal", "give-up", "call", "claim", "ready", "unready"):
        assert refusal(over, (500, 2, wish)) == "over"
    for text in ("bed1>foundation1", "time", "miss bed2", "hasty", "start"):
        with pytest.raises(Refused):
            log(over, (500, 2, text))
    later = log(over, (2, 1, "closed"), (3, 2, "lost"), (4, 1, "here"), (500, 1, "played"), (501, 2, "again"))
    assert (later.result, later.ended_at, later.next_due()) == (over.result, over.ended_at, None)
    assert [side.home for side in later.sides] == [side.home for side in over.sides]
    assert later.said == (2, "again", later.version)
