"""Figures as Markdown: the ratios first, for only they carry over from one machine and one hour to another."""

import os
import platform
import sqlite3
import tempfile
import time
from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from importlib.metadata import version
from pathlib import Path

from django.db import connection

from bench.feel import SLOWER, Feel
from bench.growth import LONG, MOVES
from bench.load import Rate
from bench.pages import LIMIT, Weight
from bench.rules import Cost, target

KIB = 30  # that an idle socket may take


def machine() -> str:
    """Where and with what was measured."""
    packages = ", ".join(f"{name} {version(name.lower())}" for name in ("Django", "Channels", "Daphne"))
    return (
        f"{today()}, {platform.system()}, {os.cpu_count()} cores, "
        f"Python {platform.python_version()}, {packages}, SQLite {sqlite3.sqlite_version}. "
        f"The client kept to {'one core' if hasattr(os, 'sched_setaffinity') else 'no core'}, servers to none; "
        f"one write that reaches the disk (fsync) took {_fsync():.1f} ms. "
        f"Load when it began, best near 0: {os.getloadavg()[0]:.1f}.\n"
    )


def today() -> str:
    """The date as it is read."""
    return f"{date.today():%-d %B %Y}"


def _fsync() -> float:
    """Milliseconds, the middle of some."""
    with tempfile.TemporaryFile() as file:
        times = []
        for _ in range(21):
            began = time.perf_counter()
            file.write(b"x")
            file.flush()
            os.fsync(file.fileno())
            times.append(1000 * (time.perf_counter() - began))
    return sorted(times)[len(times) // 2]


def database() -> str:
    """What the site keeps its log in."""
    return "PostgreSQL and Redis" if connection.vendor == "postgresql" else "SQLite"


def moves(measured: Mapping[int, Mapping[str, Rate]]) -> str:
    """Moves a second for each number of sockets."""
    rows = [
        (
            str(sockets),
            f"**{found['play'].moves / found['naive'].moves:.1f}**",
            f"{found['play'].moves / found['echo'].moves:.2f}",
            *(f"{found[path].moves:,.0f}" for path in ("play", "naive", "echo")),
            f"{found['play'].client:.0%}",
        )
        for sockets, found in measured.items()
    ]
    head = ("sockets", "× naive", "× echo", "whole path", "naive", "echo", "client busy")
    return table(f"Moves a second through the whole path, {database()}", head, rows)


def latency(play: Sequence[float], echo: Sequence[float], sockets: int, a_second: float) -> str:
    """How long an acknowledgement takes."""
    rows = [
        ("whole path × echo", *(f"**{ours / bare:.1f}**" for ours, bare in zip(play, echo, strict=True))),
        ("whole path, ms", *(f"{found:.1f}" for found in play)),
        ("echo, ms", *(f"{found:.1f}" for found in echo)),
    ]
    title = f"From a move to its acknowledgement: {sockets} sockets, {a_second:.0f} moves a second in all"
    return table(title, ("", "half", "95 of 100", "99 of 100"), rows)


def races(push: Mapping[str, Sequence[float]], echo: Sequence[float], count: int) -> str:
    """How long a card takes to the rival's page."""
    rows = [
        ("push × echo", *(f"**{ours / bare:.1f}**" for ours, bare in zip(push["all"], echo, strict=True))),
        (
            "push × push when idle",
            *(f"{ours / idle:.1f}" for ours, idle in zip(push["all"], push["idle"], strict=True)),
        ),
        ("push, ms", *(f"{found:.1f}" for found in push["all"])),
        ("push when idle, ms", *(f"{found:.1f}" for found in push["idle"])),
        ("echo, ms", *(f"{found:.1f}" for found in echo)),
    ]
    title = f"From a pick to the rival's page: {count} races, {2 * count} sockets"
    return table(title, ("", "half", "95 of 100", "99 of 100"), rows)


def histories(head: Sequence[str], lines: Iterable[tuple[str, ...]]) -> str:
    """What a page of somebody's games costs as they grow in number."""
    return table("A page of a player's history", head, list(lines))


def growth(measured: Mapping[int, tuple[float, float]]) -> str:
    """What a move costs, by the attempts stored and by the length of its own log."""
    (few, (first, _)), *_, (many, (last, long)) = measured.items()
    rows = [
        (f"{many:,} : {few:,} attempts stored", f"**{last / first:.2f}**", f"{first:.2f}", f"{last:.2f}"),
        (f"a log of {LONG:,} entries : of {MOVES} at most", f"**{long / last:.2f}**", f"{last:.2f}", f"{long:.2f}"),
    ]
    return table("A move as the site grows, ms from entry to commit", ("", "ratio", "few", "many"), rows)


def idle(each: float, sockets: int) -> str:
    """What an idle socket costs."""
    row = (f"{sockets:,}", f"**{each / 1024 / KIB:.2f}**", f"{each / 1024:.1f}", f"{KIB}")
    return table(
        "Memory of a socket at a table where nobody plays", ("sockets", "of the target", "KiB", "target, KiB"), [row]
    )


def boardgame(measured: Mapping[int, tuple[float, float]]) -> str:
    """Moves a second of the whole path and of boardgame.io, in turn."""
    rows = [
        (f"{sockets}", f"**{ours / theirs:.2f}**", f"{ours:,.0f}", f"{theirs:,.0f}")
        for sockets, (ours, theirs) in measured.items()
    ]
    title = "boardgame.io, kept in memory only and without rules, beside the whole path on SQLite: moves a second"
    return table(title, ("sockets", "× boardgame.io", "whole path", "boardgame.io"), rows)


def rules(costs: Mapping[str, Cost]) -> str:
    """What a step and a replay cost."""
    rows = [
        (
            slug,
            f"**{cost.step / target(slug):.2f}**",
            f"{cost.step:.0f}",
            f"{target(slug)}",
            f"{cost.moves}",
            f"{cost.replay:.1f}",
        )
        for slug, cost in costs.items()
    ]
    head = ("game", "of the target", "step, µs", "target, µs", "moves of the game", "whole replay, ms")
    return table("The rules: a step with legal moves and view, and a whole game from its log", head, rows)


def pages(weights: Mapping[str, Weight]) -> str:
    """What first loads weigh."""
    rows = [
        (name, f"**{found.sent / LIMIT:.0%}**", f"{found.sent:,}", f"{found.unpacked:,}", f"{found.files}")
        for name, found in weights.items()
    ]
    head = ("page", f"of {LIMIT // 1000} kB", "bytes sent", "unpacked", "requests")
    return table("A page's first load", head, rows)


def feel(found: Feel | None) -> str:
    """What a person feels in a browser."""
    title = f"In Chromium, 360 × 740, the processor {SLOWER} times slowed, the network of a slow 4G"
    if found is None:
        return f"### {title}\n\nNot measured: Chromium is missing.\n"
    targets = (
        ("from a tap to the card painted at home (half of all), ms", found.tap, 50.0),
        ("the page's work for a frame of a drag (95 of 100), ms", found.frame, 1000 / 60),
    )
    visit = (
        ("largest paint of a deal's page at a first visit, ms", found.paint, 1000.0),
        ("layout shift", found.shift, 0.1),
    )
    rows = [
        (name, f"**{value / target:.2f}**", f"{value:.3g}", f"{target:g}") for name, value, target in (*targets, *visit)
    ]
    return table(title, ("", "of the target", "measured", "target"), rows)


def table(title: str, head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table of Markdown under its title."""
    lines = [head, ["---", *["---:"] * (len(head) - 1)], *rows]
    return f"### {title}\n\n" + "".join(f"| {' | '.join(cells)} |\n" for cells in lines)


def write_into(page: Path, parts: Mapping[str, str]) -> None:
    """Put figures where the page has the old ones of the same parts; what was not measured now stays as it is."""
    text = page.read_text()
    for name, figures in parts.items():
        begin, end = f"<!-- {name}: written by bin/bench -->", f"<!-- end of {name} -->"
        before, _, rest = text.partition(begin)
        _, _, after = rest.partition(end)
        text = f"{before}{begin}\n\n{figures}\n{end}{after}"
    page.write_text(text)
