"""Two people race over networks that lose, double, reorder and delay, at servers that crash and whose clocks step.

The servers here are a log, the judge, and what `services` does with them; the clients do what the page's script does.
"""

import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from itertools import pairwise

import pytest
from hypothesis import given, strategies as st

from games.engine.cards import BadText
from games.engine.catalogue import GAMES
from games.engine.play import Refused
from games.race.services import answered
from games.race.standing import HASTY, MISS, PHRASES, PRESENCE, WORDS, Line, Side, Standing, replay
from games.services import Denied
from games.shuffling import SHUFFLED, WINNABLE, shuffle
from tests.engine.tables import many, seeds, some

SIDES = (1, 2)
PLACES = [*(f"bed{number}" for number in range(1, 7)), *(f"bouquet{number}" for number in range(1, 17)), "redeal"]
PAUSES = (0.001, 0.03, 0.1, 0.3, 0.3, 0.7, 0.7, 1.0, 1.0, 4.0)
LONG = (12.0, 61.0, 100.0)
STEPS = (-3600.0, -5.0, -0.5, 0.5, 5.0, 30.0)  # of a clock that is set
EPOCH = datetime(2026, 5, 1, tzinfo=UTC)


class Conflict(Exception):
    """The log has grown unseen."""


@dataclass(frozen=True)
class Request:
    version: int
    entry: str


@dataclass(frozen=True)
class Refusal:
    request: Request
    code: str


Message = Standing | Refusal


@dataclass
class Network:
    """What all see: true time, the log that is the database, and for each line which request made it."""

    rng: random.Random
    seconds: float = 0
    log: list[Line] = field(default_factory=list)
    causes: list[tuple[int, Request]] = field(default_factory=list)


@dataclass
class Server:
    """One process. Its memory may be behind the log, never before it."""

    network: Network
    opening: Standing
    offset: float = 0
    standing: Standing = field(init=False)

    def __post_init__(self) -> None:
        self.crash()

    def crash(self) -> None:
        self.standing = self.opening

    def catch_up(self) -> None:
        self.standing = replay(self.standing, self.network.log[self.standing.version :])

    def time(self) -> datetime:
        now = EPOCH + timedelta(seconds=self.network.seconds + self.offset)
        return max(now, self.standing.at) if self.standing.at else now

    def append(self, line: Line) -> None:
        standing = self.standing.after(line)
        if len(self.network.log) != self.standing.version:
            raise Conflict
        self.network.log.append(line)
        self.standing = standing

    def now(self) -> datetime:
        """Write what is due, then tell the time."""
        while line := self.standing.due(at := self.time()):
            self.append(line._replace(at=max(line.at, self.standing.at or line.at)))
        return at

    def enter(self, side: int, request: Request) -> None:
        """Raises Denied, as services.enter does."""
        while True:
            try:
                return self._enter(side, request)
            except Conflict:
                self.catch_up()
            except Refused as refused:
                raise Denied(refused.refusal.code) from None

    def _enter(self, side: int, request: Request) -> None:
        at = self.now()
        if request.version > self.standing.version:
            self.catch_up()
            at = self.now()
        if request.version > self.standing.version:
            raise Denied("stale")
        if answered(self.network.log[request.version : self.standing.version], side, request.entry):
            return
        text = self.standing.read(side, request.entry, at)
        self.append(Line(side, text, at))
        self.network.causes.append((side, request))

    def present(self, side: int, text: str) -> None:
        self.catch_up()
        while True:
            try:
                at = self.now()
                if self.standing.side(side).presence != text:
                    self.append(Line(side, text, at))
                return
            except Conflict:
                self.catch_up()

    def tick(self) -> None:
        try:
            self.now()
        except Conflict:
            self.catch_up()


@dataclass
class Client:
    """A page: the newest view, one request under way, and a connection with messages on it both ways."""

    side: int
    server: Server
    wrong: float  # how often it picks what does not fit
    online: bool = True
    view: Standing | None = None
    asked: Request | None = None
    judged: int = 0
    up: list[Request] = field(default_factory=list)
    down: list[Message] = field(default_factory=list)
    heard: list[Standing] = field(default_factory=list)

    @property
    def me(self) -> Side:
        assert self.view
        return self.view.side(self.side)

    def take(self, message: Message) -> None:
        if isinstance(message, Refusal):
            if message.request == self.asked:
                self.asked = None
            return
        self.heard.append(message)
        if self.view and message.version < self.view.version:
            return
        self.view = message
        if self.asked and self._is_answered(self.asked):
            self.asked = None

    def _is_answered(self, asked: Request) -> bool:
        assert self.view
        if asked.entry in WORDS:
            return self.view.version > asked.version
        return self.view.phase != "running" or _judged(self.me) > self.judged

    def wish(self, rng: random.Random) -> None:
        """Ask for something, if nothing is under way."""
        if self.view is None or self.asked:
            return
        self.judged = _judged(self.me)
        self.asked = Request(self.view.version, self._choice(rng))
        self.up.append(self.asked)

    def _choice(self, rng: random.Random) -> str:
        assert self.view
        if self.view.phase != "running":
            return rng.choice(["ready"] * 10 + ["bed1", "luck", "unready"])
        if self.view.side(3 - self.side).presence != "here" and rng.random() < 0.2:
            return "claim"
        if rng.random() < 0.02:
            return rng.choice([*WORDS, *["call"] * 5, "time", "start", "hasty", "bed1>foundation1"])
        moves = [move.source for move in self.me.moves]
        return rng.choice(moves if moves and rng.random() > self.wrong else PLACES)


def _judged(side: Side) -> int:
    return side.home + side.misses + side.hasty + side.table.redeals


@dataclass
class World:
    """The servers, the clients, and chance."""

    rng: random.Random
    network: Network
    servers: list[Server]
    clients: list[Client]
    idle: float  # how often long pauses are

    @classmethod
    def begin(cls, seed: int, servers: int) -> "World":
        rng = random.Random(seed)
        own = rng.random() < 0.3
        game = GAMES[rng.choice(["flower-garden", "flower-garden-redeal"])]
        first = game.setup(*shuffle(game, SHUFFLED if own else WINNABLE, rng))
        second = game.setup(*shuffle(game, SHUFFLED, rng)) if own else first
        opening = Standing.begin(game, own, (first, second))
        network = Network(rng)
        processes = [Server(network, opening, rng.choice([0, 0, 0.02, -0.5, 4])) for _ in range(servers)]
        clients = [Client(side, rng.choice(processes), rng.choice([0.02, 0.2, 0.6])) for side in SIDES]
        world = cls(rng, network, processes, clients, rng.choice([0.0, 0.02, 0.15]))
        for client in clients:
            world.connect(client)
        return world

    def connect(self, client: Client) -> None:
        """A new connection, perhaps to another process; what was on the old one may still get through, or not."""
        if self.rng.random() < 0.5:
            client.down.clear()
        if self.rng.random() < 0.5:
            client.up.clear()
        client.server, client.online = self.rng.choice(self.servers), True
        client.server.present(client.side, "here")
        client.down.append(client.server.standing)
        if client.asked:
            client.up.append(client.asked)

    def disconnect(self, client: Client) -> None:
        """Its server notices, or not: a process that was killed writes nothing."""
        if self.rng.random() < 0.7:
            client.server.present(client.side, self.rng.choice(["closed", "lost"]))
        client.online = False
        if self.rng.random() < self.idle * 3:
            self.network.seconds += self.rng.choice(LONG)

    def show(self, server: Server) -> None:
        for client in self.clients:
            if client.server is server and client.online:
                client.down.append(server.standing)

    def deliver_up(self, client: Client) -> None:
        request = client.up.pop(self.rng.randrange(len(client.up)))
        try:
            client.server.enter(client.side, request)
        except Denied as denied:
            client.down.append(Refusal(request, denied.code))
            client.down.append(client.server.standing)
        else:
            self.show(client.server)

    def deliver_down(self, client: Client) -> None:
        client.take(client.down.pop(self.rng.randrange(len(client.down))))

    def step(self) -> None:
        rng, client = self.rng, self.rng.choice(self.clients)
        queue = rng.choice([client.up, client.down])
        dice = rng.random()
        if not client.online:
            if dice < 0.2:
                self.connect(client)
        elif dice < 0.80:
            self.go_on(client)
        elif dice < 0.90:
            self.network.seconds += rng.choice(LONG if rng.random() < self.idle else PAUSES)
        elif dice < 0.93:
            if queue:
                queue.append(rng.choice(queue))  # type: ignore[arg-type]  # doubled
        elif dice < 0.95:
            if queue:
                queue.pop(rng.randrange(len(queue)))  # lost
        elif dice < 0.98:
            self.disconnect(client)
        else:
            self.trouble()

    def go_on(self, client: Client) -> None:
        client.wish(self.rng)
        if client.up and (self.rng.random() < 0.5 or not client.down):
            self.deliver_up(client)
        elif client.down:
            self.deliver_down(client)

    def trouble(self) -> None:
        """What happens to a server: a nudge, its timer, a clock that is set, a crash."""
        server = self.rng.choice(self.servers)
        dice = self.rng.random()
        if dice < 0.4:
            server.catch_up()
            self.show(server)
        elif dice < 0.8:
            server.tick()
            self.show(server)
        elif dice < 0.9:
            server.offset += self.rng.choice(STEPS)
        else:
            server.crash()

    def settle(self) -> None:
        """The network is well again: all reconnect, resend, and hear what there is."""
        for server in self.servers:
            server.catch_up()
        for client in self.clients:
            self.connect(client)
        while any(client.up or client.down for client in self.clients):
            for client in self.clients:
                while client.up:
                    self.deliver_up(client)
                while client.down:
                    self.deliver_down(client)
        for server in self.servers:
            server.catch_up()
            self.show(server)
        for client in self.clients:
            while client.down:
                self.deliver_down(client)

    def run(self, steps: int) -> None:
        for _ in range(steps):
            self.step()
            if self.servers[0].standing.result and self.rng.random() < 0.02:
                break
        self.settle()


def prefixes(opening: Standing, log: list[Line]) -> list[Standing]:
    """What each version of the log is, worked out anew."""
    standings = [opening]
    for line in log:
        standings.append(standings[-1].after(line))
    return standings


def raced(seed: int, servers: int, steps: int = 1500) -> tuple[World, list[Standing]]:
    world = World.begin(seed, servers)
    world.run(steps)
    return world, prefixes(world.servers[0].opening, world.network.log)


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
