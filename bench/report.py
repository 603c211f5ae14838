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

from bench.feel import SLOWER, Feel
from bench.load import Rate
from bench.pages import LIMIT, Weight
from bench.rules import Cost, target

BEGIN, END = "<!-- figures: written by bin/bench --report -->", "<!-- end of figures -->"


def machine() -> str:
    """Where and with what was measured."""
    packages = ", ".join(f"{name} {version(name.lower())}" for name in ("Django", "Channels", "Daphne"))
    return (
        f"{date.today():%-d %B %Y}, {platform.system()}, {os.cpu_count()} cores, "
        f"Python {platform.python_version()}, {packages}, SQLite {sqlite3.sqlite_version}. "
        f"Server and client had {'a core each' if hasattr(os, 'sched_setaffinity') else 'no cores of their own'}; "
        f"one write that reaches the disk (fsync) took {_fsync():.1f} ms. "
        f"Load when it began, best near 0: {os.getloadavg()[0]:.1f}.\n"
    )


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
    return _table("Moves a second through the whole path", head, rows)


def latency(play: Sequence[float], echo: Sequence[float], sockets: int, a_second: float) -> str:
    """How long an acknowledgement takes."""
    rows = [
        ("whole path × echo", *(f"**{ours / bare:.1f}**" for ours, bare in zip(play, echo, strict=True))),
        ("whole path, ms", *(f"{found:.1f}" for found in play)),
        ("echo, ms", *(f"{found:.1f}" for found in echo)),
    ]
    title = f"From a move to its acknowledgement: {sockets} sockets, {a_second:.0f} moves a second in all"
    return _table(title, ("", "half", "95 of 100", "99 of 100"), rows)


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
    return _table(title, ("", "half", "95 of 100", "99 of 100"), rows)


def histories(head: Sequence[str], lines: Iterable[tuple[str, ...]]) -> str:
    """What a page of somebody's games costs as they grow in number."""
    return _table("A page of a player's history", head, list(lines))


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
    return _table("The rules: a step with legal moves and view, and a whole game from its log", head, rows)


def pages(weights: Mapping[str, Weight]) -> str:
    """What first loads weigh."""
    rows = [
        (name, f"**{found.sent / LIMIT:.0%}**", f"{found.sent:,}", f"{found.unpacked:,}", f"{found.files}")
        for name, found in weights.items()
    ]
    head = ("page", f"of {LIMIT // 1000} kB", "bytes sent", "unpacked", "requests")
    return _table("A page's first load", head, rows)


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
    return _table(title, ("", "of the target", "measured", "target"), rows)


def _table(title: str, head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [head, ["---", *["---:"] * (len(head) - 1)], *rows]
    return f"### {title}\n\n" + "".join(f"| {' | '.join(cells)} |\n" for cells in lines)


def write_into(page: Path, figures: str) -> None:
    """Put the figures where the page has its old ones."""
    before, _, rest = page.read_text().partition(BEGIN)
    _, _, after = rest.partition(END)
    page.write_text(f"{before}{BEGIN}\n\n{figures}\n{END}{after}")
