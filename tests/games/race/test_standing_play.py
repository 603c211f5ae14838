"""The judge of a round, by itself, by the rules of the race: the start, picks, the redeal, and what may be said."""

import pytest

from games.engine.cards import BadText
from games.engine.play import Refused
from games.race.standing import Line, Result
from tests.games.race.gardens import (
    GO,
    HERE,
    NONE,
    ONE,
    READY,
    REDEAL,
    THREE,
    Step,
    ask,
    log,
    moment,
    offset,
    opening,
    refusal,
    running,
)

# The start.


def test_it_starts_three_seconds_after_both_are_ready_and_not_before() -> None:
    waiting = log(opening(ONE, ONE), *HERE)
    assert (waiting.phase, waiting.go_at, waiting.next_due()) == ("ready", None, None)
    alone = log(waiting, (-5, 1, "ready"))
    assert (alone.phase, alone.go_at) == ("ready", None)
    counting = log(alone, (-3, 2, "ready"))
    assert (counting.phase, offset(counting.go_at)) == ("countdown", 0)
    assert counting.due(moment(-0.001)) is None
    assert counting.due(moment(0)) == counting.due(moment(100)) == Line(0, "start", moment(0))
    assert log(counting, (0, 0, "start")).phase == "running"


def test_nobody_can_start_it_but_the_countdown() -> None:
    counting = log(opening(ONE, ONE), *READY)
    with pytest.raises(Refused):
        log(counting, (-0.001, 0, "start"))
    with pytest.raises(Refused):
        log(counting, (0, 1, "start"))
    with pytest.raises(Refused):
        log(opening(ONE, ONE), *HERE, (-5, 1, "ready"), (100, 0, "start"))


def test_nothing_comes_before_the_start_once_it_is_due() -> None:
    counting = log(opening(ONE, ONE), *READY)
    for text in ("luck", "unready", "lost", "bed1>foundation1"):
        with pytest.raises(Refused):
            log(counting, (0, 1, text))


@pytest.mark.parametrize("wish", ["bed1", "bouquet9", "redeal", "give-up", "call", "claim"])
@pytest.mark.parametrize("before", [HERE, READY])
def test_before_the_start_there_is_nothing_to_do_but_to_get_ready(before: tuple[Step, ...], wish: str) -> None:
    assert refusal(log(opening(ONE, ONE, REDEAL), *before), (-1, 1, wish)) == "early"


@pytest.mark.parametrize(("side", "word"), [(1, "closed"), (2, "lost"), (1, "unready"), (2, "unready")])
def test_whoever_goes_is_not_ready_and_the_countdown_ends(side: int, word: str) -> None:
    gone = log(opening(ONE, ONE), *READY, (-1, side, word))
    assert (gone.phase, gone.go_at, gone.side(side).ready, gone.side(3 - side).ready) == ("ready", None, False, True)
    assert gone.next_due() is None
    back = log(gone, (10, side, "here"))
    assert (back.phase, back.side(side).ready) == ("ready", False)
    assert offset(log(back, (12, side, "ready")).go_at) == 15


def test_to_be_ready_twice_does_not_put_the_start_off() -> None:
    assert offset(log(opening(ONE, ONE), *READY, (-1, 1, "ready")).go_at) == 0


def test_the_start_ends_a_round_in_which_nobody_has_a_move() -> None:
    assert running(NONE, NONE, own=True).result == Result(0, "draw")
    assert running(NONE, ONE, own=True).phase == "running"


# Picks.


def test_a_right_pick_brings_a_card_home() -> None:
    after = ask(running(THREE, ONE), (1, 1, "bed1"))
    first, second = after.sides
    assert (first.home, first.beds, first.last, first.misses) == (1, 4, "bed1>foundation1", 0)
    assert (second.home, second.last) == (0, "")
    assert after.version == len(GO) + 1


def test_a_wrong_pick_locks_the_table_for_seven_tenths_of_a_second() -> None:
    missed = ask(running(THREE, ONE), (1, 1, "bed2"))
    side = missed.side(1)
    assert (side.misses, side.home, side.last, offset(side.locked_until)) == (1, 0, "miss bed2", 1.7)
    for wish in ("bed1", "bed2"):
        assert refusal(missed, (1.699, 1, wish)) == "locked"
    assert ask(missed, (1.7, 1, "bed1")).side(1).home == 1
    assert ask(missed, (1.1, 2, "bed1")).side(2).home == 1  # the rival's table is not locked


def test_a_pick_faster_than_a_hand_is_counted_locks_and_moves_nothing() -> None:
    hasty = ask(running(THREE, ONE), (1, 1, "bed1"), (1.059, 1, "bed1"))
    side = hasty.side(1)
    assert (side.home, side.hasty, side.misses, side.last) == (1, 1, 0, "hasty")
    assert refusal(hasty, (1.7, 1, "bed1")) == "locked"
    assert ask(hasty, (1.76, 1, "bed1")).side(1).home == 2
    assert ask(running(THREE, ONE), (1, 1, "bed1"), (1.06, 1, "bed1")).side(1).hasty == 0


@pytest.mark.parametrize(
    "wish", ["bed3", "bouquet1", "foundation1", "bed7", "", "bed1>foundation1", "miss bed1", "hasty", "start", "time"]
)
def test_where_no_card_lies_nothing_can_be_picked_nor_is_it_a_miss(wish: str) -> None:
    assert refusal(running(THREE, ONE), (1, 1, wish)) == "nothing_to_pick"


def test_a_log_with_a_move_that_the_rules_forbid_is_refused() -> None:
    for text in ("bed2>foundation1", "bed1>bed2", "bed1", "bed3>foundation1", "bed1>nowhere", "undo", "finish"):
        with pytest.raises(Refused):
            log(running(THREE, ONE), (1, 1, text))
    with pytest.raises(BadText):
        log(running(THREE, ONE), (1, 1, "Bed 1"))


@pytest.mark.parametrize("side", [0, 3, -1])
@pytest.mark.parametrize("text", ["here", "luck", "give-up", "call", "bed1>foundation1", "miss bed1", "time"])
def test_only_the_two_sides_do_what_players_do(side: int, text: str) -> None:
    with pytest.raises(Refused):
        log(running(THREE, THREE), (100, side, text))


def test_a_log_never_goes_back_in_time() -> None:
    with pytest.raises(Refused):
        log(running(THREE, ONE), (2, 1, "bed1>foundation1"), (1, 2, "bed1>foundation1"))
    assert log(running(THREE, ONE), (2, 1, "bed1>foundation1"), (2, 2, "luck")).version == len(GO) + 2


# The redeal.


def test_a_redeal_is_possible_when_stuck_and_once() -> None:
    stuck_later = "bed1: KD AC\nbed2: QH\nspare: " + "QH 2C KD AC"
    before = running(stuck_later, THREE, REDEAL)
    assert refusal(before, (1, 1, "redeal")) == "last_resort"
    up = ask(before, (1, 1, "bed1"))
    assert not up.stuck(1)
    dealt = ask(up, (2, 1, "redeal"))
    side = dealt.side(1)
    assert (side.home, side.beds, side.table.redeals, side.last) == (1, 2, 1, "redeal")
    assert dealt.stuck(1)
    assert refusal(dealt, (3, 1, "redeal")) == "first_redeal"


def test_without_the_rule_there_is_no_redeal() -> None:
    assert refusal(running(NONE, ONE), (1, 1, "redeal")) not in ("early", "over")


def test_a_redeal_brings_no_card_up() -> None:
    spare = "\nspare: AC KD"
    steps: tuple[Step, ...] = ((1, 1, "bed1"), (2, 2, "bed1"), (3, 2, "redeal"), (4, 1, "redeal"))
    assert ask(running(ONE + spare, ONE + spare, REDEAL), *steps).result == Result(1, "earlier")


def test_a_lock_holds_the_redeal_too() -> None:
    assert refusal(running(NONE + "\nspare: KD", ONE, REDEAL), (1, 1, "bed1"), (1.5, 1, "redeal")) == "locked"


# What is said.


def test_phrases_are_heard_with_a_pause_between_one_players() -> None:
    said = log(opening(ONE, ONE), *HERE, (-7, 1, "luck"))
    assert said.said == (1, "luck", 3)
    assert refusal(said, (-5.001, 1, "again")) == "too-fast"
    assert ask(said, (-6, 2, "luck")).said == (2, "luck", 4)
    assert ask(said, (-5, 1, "again")).said == (1, "again", 4)
