"""The judge of a round, by itself: each rule of RULES.md and of the race, on gardens small enough to see through."""

from datetime import UTC, datetime, timedelta

import pytest

from games.engine.cards import BadText
from games.engine.catalogue import GAMES
from games.engine.play import Refused
from games.race.standing import Ghost, Line, Result, Standing, replay
from tests.engine.tables import table

GARDEN, REDEAL = "flower-garden", "flower-garden-redeal"
THREE = "bed1: 4C 3C 2C AC\nbed2: KD"  # three of clubs and one more go up, then it is stuck
ONE = "bed1: KD AC"  # the Ace goes up, then it is stuck
NONE = "bed1: KD"
LAST = "bed1: AC\nbouquet1: 2C"  # the beds are empty after one card

Step = tuple[float, int, str]  # seconds after the start, the side, its entry or what it wishes


def moment(seconds: float) -> datetime:
    return datetime(2026, 5, 1, 12, tzinfo=UTC) + timedelta(seconds=seconds)


def offset(at: datetime | None) -> float | None:
    return at and (at - moment(0)).total_seconds()


def opening(first: str, second: str, slug: str = GARDEN, *, own: bool = False, ghost: Ghost | None = None) -> Standing:
    return Standing.begin(GAMES[slug], own, (table(slug, first), table(slug, second)), ghost)


def log(standing: Standing, *steps: Step) -> Standing:
    """The standing after these entries as they stand in a log."""
    return replay(standing, [Line(side, text, moment(seconds)) for seconds, side, text in steps])


def ask(standing: Standing, *steps: Step) -> Standing:
    """The standing after what players wish for, or Refused; what time makes necessary comes before it."""
    for seconds, side, wish in steps:
        while line := standing.due(moment(seconds)):
            standing = standing.after(line)
        standing = log(standing, (seconds, side, standing.read(side, wish, moment(seconds))))
    return standing


def refusal(standing: Standing, *steps: Step) -> str:
    """Why the last of these wishes is refused; it changes nothing, as a standing never changes."""
    before = ask(standing, *steps[:-1])
    with pytest.raises(Refused) as refused:
        ask(before, steps[-1])
    return refused.value.refusal.code


HERE: tuple[Step, ...] = ((-9, 1, "here"), (-8, 2, "here"))
READY: tuple[Step, ...] = (*HERE, (-5, 1, "ready"), (-3, 2, "ready"))
GO: tuple[Step, ...] = (*READY, (0, 0, "start"))


def running(first: str, second: str, slug: str = GARDEN, *, own: bool = False) -> Standing:
    return log(opening(first, second, slug, own=own), *GO)


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


# The ghost.


def ghost(*picks: tuple[float, str]) -> Ghost:
    return Ghost(tuple((timedelta(seconds=seconds), text) for seconds, text in picks))


def haunted(first: str, second: str, *picks: tuple[float, str]) -> Standing:
    return log(opening(first, second, ghost=ghost(*picks)), (-5, 1, "here"), (-3, 1, "ready"), (0, 0, "start"))


def test_a_ghost_is_always_ready_and_does_what_it_did_when_it_did_it() -> None:
    at_once = haunted(THREE, THREE, (2, "bed1>foundation1"), (3, "miss bed2"), (3.01, "hasty"), (4, "bed1>foundation1"))
    assert at_once.side(2).presence == "ghost"
    assert at_once.due(moment(1.999)) is None
    assert at_once.due(moment(2)) == Line(2, "bed1>foundation1", moment(2))
    with pytest.raises(Refused):
        log(at_once, (2, 1, "bed1>foundation1"))  # first the ghost's, as in every process
    late = ask(at_once, (10, 1, "bed1"))
    assert (late.side(2).home, late.side(2).misses, late.side(2).hasty, late.ghosted) == (2, 1, 1, 4)


def test_a_ghost_can_win() -> None:
    assert ask(haunted(THREE, LAST, (2, "bed1>foundation1")), (1, 1, "bed1")).result is None
    over = haunted(THREE, LAST, (2, "bed1>foundation1"))
    line = over.due(moment(2))
    assert line
    assert over.after(line).result == Result(2, "beds")


def test_a_ghost_that_did_no_more_counts_as_stuck() -> None:
    idle = haunted(ONE, THREE, (2, "bed1>foundation1"))
    assert not idle.stuck(2)
    done = ask(idle, (3, 1, "luck"))
    assert done.stuck(2)
    assert ask(done, (4, 1, "bed1")).result == Result(2, "earlier")
    ahead = ask(idle, (1, 1, "bed1"))
    line = ahead.due(moment(2))
    assert line
    assert ahead.after(line).result == Result(1, "earlier")
    assert ask(haunted(ONE, ONE), (1, 1, "bed1")).result == Result(1, "count")  # a ghost that never moved


def test_a_ghost_is_neither_called_nor_claimed() -> None:
    idle = haunted(THREE, THREE, (900, "bed1>foundation1"))
    assert (idle.call_from(2), idle.claim_from(2)) == (None, None)
    assert refusal(idle, (500, 1, "call")) == "no-call"
    assert refusal(idle, (500, 1, "claim")) == "no-claim"


def test_nobody_plays_for_a_ghost() -> None:
    idle = haunted(THREE, THREE, (900, "bed1>foundation1"))
    for text in ("bed1>foundation1", "give-up", "miss bed2"):
        with pytest.raises(Refused):
            log(idle, (10, 2, text))


# What is said.


def test_phrases_are_heard_with_a_pause_between_one_players() -> None:
    said = log(opening(ONE, ONE), *HERE, (-7, 1, "luck"))
    assert said.said == (1, "luck", 3)
    assert refusal(said, (-5.001, 1, "again")) == "too-fast"
    assert ask(said, (-6, 2, "luck")).said == (2, "luck", 4)
    assert ask(said, (-5, 1, "again")).said == (1, "again", 4)


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
