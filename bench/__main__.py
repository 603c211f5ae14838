"""The parts of the report and their order. `bin/bench` prepares a database and static files, then runs this."""

from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

import django

django.setup()

from bench import boardgame, chart, feel, history, idle, load, pages, races, report, rules, services, site  # noqa: E402

RACES = 200
A_SECOND = 300.0  # moves of all sockets together, when people play: one every second or two each


class Size(NamedTuple):
    """How much is measured."""

    sockets: tuple[int, ...] = (50, 500)
    seconds: float = 8.0
    rounds: int = 3
    races: int = RACES
    idle: int = 1_000
    grown: tuple[int, ...] = history.SIZES
    replays: int = 30


QUICK = Size((50,), 1.0, 1, 25, 200, (1_000, 10_000), 3)  # a glance, too short to trust


@cache
def guests(count: int) -> Sequence[site.Guest]:
    return site.guests(count)


def of_rules(size: Size) -> str:
    return report.rules(rules.costs(site.recorded(), size.replays))


def of_pages(size: Size) -> str:
    with site.server() as server:
        found = site.addresses(server.port, guests(max(size.sockets))[0])
        return report.pages({name: pages.weight(url, cookie) for name, url, cookie in found})


def of_feel(size: Size) -> str:
    unloaded = site.guests(len(site.recorded()))
    with site.server() as server:
        deal = site.addresses(server.port, unloaded[0])[1][1]
        return report.feel(feel.measured(server.port, feel.table_of(unloaded), deal, size.rounds))


def of_moves(size: Size) -> str:
    with site.server() as server:
        everybody = guests(max(size.sockets))
        rates = {count: load.rates(server.port, everybody[:count], size.seconds, size.rounds) for count in size.sockets}
    return report.moves(rates)


def of_latency(size: Size) -> str:
    with site.server() as server:
        everybody = guests(max(size.sockets))
        waits = load.latencies(server.port, everybody, size.seconds, size.rounds, A_SECOND)
    return report.latency(waits["play"], waits["echo"], len(everybody), A_SECOND)


def of_races(size: Size) -> str:
    racing = races.made(size.races + races.IDLE * size.rounds)
    everybody = guests(2 * size.races)
    with site.server() as server:
        push = races.latencies(server.port, racing, size.seconds, size.rounds)
        pace = 2 * size.races / races.PACE
        bare = load.latencies(server.port, everybody, size.seconds, size.rounds, pace, paths=("echo",))
    return report.races(push, bare["echo"], size.races)


def of_idle(size: Size) -> str:
    with site.server() as server:
        return report.idle(idle.socket_bytes(server.port, server.pid, guests(size.idle)), size.idle)


def of_growth(size: Size) -> str:
    found, moves = history.costs(size.grown)
    return report.growth(moves) + "\n" + report.histories(history.head(size.grown), history.lines(found))


def of_postgres(size: Size) -> str:
    return services.elsewhere("moves", size is QUICK)


def of_boardgame(size: Size) -> str:
    with site.server() as server:
        everybody = guests(max(size.sockets))
        rates = {
            count: boardgame.rates(server.port, everybody[:count], size.seconds, size.rounds) for count in size.sockets
        }
    return report.boardgame(rates)


PARTS: dict[str, Callable[[Size], str]] = {
    "rules": of_rules,
    "pages": of_pages,
    "feel": of_feel,
    "moves": of_moves,
    "postgres": of_postgres,
    "boardgame": of_boardgame,
    "latency": of_latency,
    "races": of_races,
    "idle": of_idle,
    "growth": of_growth,  # last: its rows stay
}


def arguments() -> Namespace:
    parser = ArgumentParser(prog="bin/bench", description="Measure Lilypad beside a bare echo and a naive path.")
    parser.add_argument("parts", nargs="*", metavar="PART", help=f"some of {', '.join(PARTS)}; else all but boardgame")
    parser.add_argument("--boardgame", action="store_true", help="boardgame.io too, which npm installs into var/")
    parser.add_argument("--quick", action="store_true", help="a glance in about a minute, too short to trust")
    parser.add_argument("--report", type=Path, metavar="PAGE", help="put the figures into this Markdown page too")
    asked = parser.parse_args()
    if unknown := set(asked.parts) - set(PARTS):
        parser.error(f"no such part: {', '.join(unknown)}")
    return asked


def main() -> None:
    asked = arguments()
    wanted = asked.parts or [part for part in PARTS if part != "boardgame" or asked.boardgame]
    if asked.report:
        report.write_into(asked.report, {"machine": report.machine()})
    for name in wanted:
        figures = PARTS[name](QUICK if asked.quick else Size())
        print(figures, flush=True)
        if asked.report:  # at once: what was measured is kept, whatever becomes of the rest
            report.write_into(asked.report, {name: figures})
            chart.draw(asked.report)


if __name__ == "__main__":
    main()
