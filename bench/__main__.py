"""The order of measurements. `bin/bench` prepares a database and static files, then runs this."""

from argparse import ArgumentParser, Namespace
from collections.abc import Iterator
from pathlib import Path

import django

django.setup()

from bench import feel, history, load, pages, races, report, rules, site  # noqa: E402  models can be imported from here on

RACES = 200
A_SECOND = 300.0  # moves of all sockets together, when people play: one every second or two each


def arguments() -> Namespace:
    parser = ArgumentParser(prog="bin/bench", description="Measure Lilypad beside a bare echo and a naive path.")
    parser.add_argument("--quick", action="store_true", help="a glance in less than a minute, too short to trust")
    parser.add_argument("--report", type=Path, metavar="PAGE", help="put the figures into this Markdown page too")
    return parser.parse_args()


def measure(quick: bool) -> Iterator[str]:
    """The parts of the report, each as soon as it is known."""
    sizes, seconds, rounds = ((50,), 1.0, 1) if quick else ((50, 500), 8.0, 3)
    everybody = site.guests(max(sizes) + len(site.recorded()))
    guests, unloaded = everybody[: max(sizes)], everybody[max(sizes) :]
    yield report.machine()
    yield report.rules(rules.costs(site.recorded(), rounds=3 if quick else 30))
    with site.server() as port:
        yield report.pages({name: pages.weight(url, cookie) for name, url, cookie in site.addresses(port, guests[0])})
        if not quick:
            yield report.feel(
                feel.measured(port, feel.table_of(unloaded), site.addresses(port, guests[0])[1][1], rounds)
            )
        yield report.moves({size: load.rates(port, guests[:size], seconds, rounds) for size in sizes})
        waits = load.latencies(port, guests, seconds, rounds, A_SECOND)
        yield report.latency(waits["play"], waits["echo"], len(guests), A_SECOND)
        count = RACES if not quick else len(guests) // 2
        racing = races.made(count + races.IDLE * rounds)
        push = races.latencies(port, racing, seconds, rounds)
        bare = load.latencies(port, guests[: 2 * count], seconds, rounds, 2 * count / races.PACE, paths=("echo",))
        yield report.races(push, bare["echo"], count)
    grown = (1_000, 10_000) if quick else history.SIZES
    yield report.histories(history.head(grown), history.lines(history.costs(grown)))  # last: its rows stay


def main() -> None:
    asked = arguments()
    parts = []
    for part in measure(asked.quick):
        print(part, flush=True)
        parts.append(part)
    if asked.report:
        report.write_into(asked.report, "\n".join(parts))


if __name__ == "__main__":
    main()
