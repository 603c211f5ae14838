"""Whatever networks, servers and clocks do to a race for two, both agree with the log, and no request counts twice."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from itertools import pairwise

import pytest
from hypothesis import given, strategies as st

from games.engine.cards import BadText
from games.engine.play import Refused
from games.race.standing import HASTY, MISS, PHRASES, PRESENCE, WORDS, Line, Standing
from tests.engine.tables import many, seeds, some
from tests.games.race.servers import EPOCH
from tests.games.race.world import PLACES, SIDES, raced


@pytest.mark.parametrize("servers", [1, 2, 3])
@some
@given(seeds)
def test_servers_and_both_clients_agree_with_a_replay_of_the_log(servers: int, seed: int) -> None:
    world, standings = raced(seed, servers)
    final = standings[-1]
    assert [server.standing for server in world.servers] == [final] * servers
    for client in world.clients:
        assert client.view == final
        for heard in client.heard:  # and whatever anybody was ever shown was true at that version
            assert heard == standings[heard.version]
            assert heard.result in (None, final.result)


@pytest.mark.parametrize("servers", [1, 3])
@some
@given(seeds)
def test_no_request_counts_twice_and_no_more_than_one_for_what_a_player_saw(servers: int, seed: int) -> None:
    world, standings = raced(seed, servers)
    entries = [line for line in world.network.log if line.side and line.text not in (*PRESENCE, "time")]
    assert len(entries) == len(world.network.causes)
    counted = Counter((side, request.version) for side, request in world.network.causes)
    assert set(counted.values()) <= {1}
    for side in SIDES:
        mine = [line.text for line in entries if line.side == side]
        end = standings[-1].side(side)
        assert end.home == sum(">" in text for text in mine)
        assert (end.misses, end.hasty) == (sum(text.startswith(MISS) for text in mine), mine.count(HASTY))


@some
@given(seeds)
def test_a_log_is_in_order_and_starts_once_three_seconds_after_both_were_ready(seed: int) -> None:
    world, standings = raced(seed, 2)
    log = world.network.log
    assert all(before.at <= after.at for before, after in pairwise(log))
    starts = [number for number, line in enumerate(log) if line.text == "start"]
    assert len(starts) <= 1
    for number in starts:
        before = standings[number]
        assert before.go_at
        assert before.go_at <= log[number].at
        assert all(side.ready and side.presence in ("here", "away") for side in before.sides)
        last_ready = max(line.at for line in log[:number] if line.text == "ready")
        assert (before.go_at - last_ready).total_seconds() <= 3
    picks = [number for number, line in enumerate(log) if ">" in line.text or line.text.startswith(MISS)]
    assert not picks or (starts and starts[0] < picks[0])


@some
@given(seeds)
def test_after_the_result_nothing_changes_but_presence_and_phrases(seed: int) -> None:
    world, standings = raced(seed, 2)
    ends = [standing for standing in standings if standing.result]
    allowed = {*PRESENCE, *PHRASES}
    assert {line.text for line in world.network.log[len(standings) - len(ends) :]} <= allowed
    assert len({_without_talk(standing) for standing in ends}) <= 1


def _without_talk(standing: Standing) -> Standing:
    first, second = (replace(side, presence="", since=None, said_at=None) for side in standing.sides)
    return replace(standing, sides=(first, second), version=0, at=None, said=None)


def test_these_races_come_to_every_kind_of_end() -> None:
    ends: Counter[str] = Counter()
    for seed in range(60):
        world, _ = raced(seed, 2)
        result = world.servers[0].standing.result
        ends[result.reason if result else ""] += 1
    assert set(ends) >= {"beds", "count", "draw", "gave-up", "left", "time"}, ends  # `earlier` is too rare
    assert ends[""] < 30


texts = st.one_of(
    st.text(max_size=40),
    st.sampled_from([*WORDS, *PRESENCE, *PLACES, HASTY, "start", "time", "miss", "miss bed1", "bed1>foundation1"]),
    st.from_regex(r"(miss )?[a-z]+[0-9]*(>[a-z]+[0-9]*(:[0-9]+)?)?", fullmatch=True),
)


def stages() -> Iterator[Standing]:
    """A standing of every phase."""
    for standing in raced(1, 1)[1]:
        if standing.version < 8 or standing.version % 10 == 0 or standing.result:
            yield standing


STAGES = list(stages())


@many
@given(st.sampled_from(STAGES), st.integers(-2, 4), texts, st.floats(-100, 1000))
def test_whatever_is_written_or_wished_is_taken_or_refused(
    standing: Standing, side: int, text: str, seconds: float
) -> None:
    at = (standing.at or EPOCH) + timedelta(seconds=seconds)
    try:
        after = standing.after(Line(side, text, at))
    except (Refused, BadText):
        pass
    else:
        assert after.version == standing.version + 1
    if side in SIDES:
        try:
            entry = standing.read(side, text, at)
        except Refused:
            return
        assert entry in (text, HASTY, f"{MISS} {text}") or entry.startswith(f"{text}>foundation")
