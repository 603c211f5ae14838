"""The judge of a round, by itself: what a ghost does and what cannot be done to it."""

from datetime import timedelta

import pytest

from games.engine.play import Refused
from games.race.standing import Ghost, Line, Result, Standing
from tests.games.race.gardens import (
    LAST,
    ONE,
    THREE,
    ask,
    log,
    moment,
    opening,
    refusal,
)


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
