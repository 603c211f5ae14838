"""Two people who race over networks that lose, double, reorder and delay; the clients do what the page's script does.

The servers are in servers.py.
"""

import random
from dataclasses import dataclass, field

from games.engine.catalogue import GAMES
from games.race.standing import WORDS, Line, Side, Standing
from games.services import Denied
from games.shuffling import SHUFFLED, WINNABLE, shuffle
from tests.games.race.servers import Message, Network, Refusal, Request, Server

SIDES = (1, 2)
PLACES = [*(f"bed{number}" for number in range(1, 7)), *(f"bouquet{number}" for number in range(1, 17)), "redeal"]
PAUSES = (0.001, 0.03, 0.1, 0.3, 0.3, 0.7, 0.7, 1.0, 1.0, 4.0)
LONG = (12.0, 61.0, 100.0)
STEPS = (-3600.0, -5.0, -0.5, 0.5, 5.0, 30.0)  # of a clock that is set


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
