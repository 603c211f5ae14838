"""The shapes of the sprite static/img/cards.svg as points, for drawing with Pillow. What is drawn is for `picture`."""

import re
from functools import cache
from math import atan2, ceil, cos, hypot, radians, sin, sqrt, tau
from pathlib import Path
from typing import TypeAlias

Point: TypeAlias = tuple[float, float]
Outline: TypeAlias = tuple[Point, ...]

SPRITE = Path(__file__).resolve().parents[2] / "static" / "img" / "cards.svg"
STEPS = 12  # straight pieces in place of a curve

_COUNT = {"M": 2, "L": 2, "H": 1, "V": 1, "C": 6, "S": 4, "A": 7, "Z": 0}
_TOKEN = re.compile(r"[A-Za-z]|[-+]?(?:\d+\.?\d*|\.\d+)")


@cache
def outlines(piece: str) -> tuple[Outline, ...]:
    """The outlines of a piece of the sprite that is a single path: `suit-H`, `rank-10`."""
    match = re.search(rf'<path id="{piece}" d="([^"]+)"', SPRITE.read_text(encoding="utf-8"))
    if match is None:
        raise KeyError(piece)
    return tuple(_Pen().follow(_TOKEN.findall(match[1])))


class _Pen:
    """Walks along a path's data."""

    def __init__(self) -> None:
        self.at: Point = (0.0, 0.0)
        self.handle: Point | None = None  # the last curve's second handle, which a smooth one mirrors
        self.drawn: list[list[Point]] = []

    def follow(self, tokens: list[str]) -> list[Outline]:
        command, place = "M", 0
        while place < len(tokens):
            if tokens[place].isalpha():
                command, place = tokens[place], place + 1
            count = _COUNT[command.upper()]
            self._step(command, [float(token) for token in tokens[place : place + count]])
            place += count
            command = {"M": "L", "m": "l"}.get(command, command)
        return [tuple(points) for points in self.drawn if len(points) > 1]

    def _step(self, command: str, values: list[float]) -> None:
        x, y = self.at
        dx, dy = (x, y) if command.islower() else (0.0, 0.0)
        handle, self.handle = self.handle, None
        match command.upper():
            case "M":
                self.at = (values[0] + dx, values[1] + dy)
                self.drawn.append([self.at])
            case "L":
                self._to((values[0] + dx, values[1] + dy))
            case "H":
                self._to((values[0] + dx, y))
            case "V":
                self._to((x, values[0] + dy))
            case "Z":
                self._to(self.drawn[-1][0])
            case "A":
                self._arc(values[0], bool(values[3]), bool(values[4]), (values[5] + dx, values[6] + dy))
            case _:
                points = [(values[i] + dx, values[i + 1] + dy) for i in range(0, len(values), 2)]
                mirrored = (2 * x - handle[0], 2 * y - handle[1]) if handle else self.at
                self._curve(*(points if len(points) == 3 else [mirrored, *points]))

    def _to(self, point: Point) -> None:
        self.at = point
        self.drawn[-1].append(point)

    def _curve(self, first: Point, second: Point, end: Point) -> None:
        start = self.at
        for step in range(1, STEPS + 1):
            t = step / STEPS
            shares = ((1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t * t * (1 - t), t**3)
            points = list(zip(shares, (start, first, second, end), strict=True))
            self._to((sum(s * p[0] for s, p in points), sum(s * p[1] for s, p in points)))
        self.handle = second

    def _arc(self, radius: float, large: bool, clockwise: bool, end: Point) -> None:
        """A circle's arc (the sprite has hardly any other) by its middle, which lies off the middle of the chord."""
        (x1, y1), (x2, y2) = self.at, end
        chord = hypot(x2 - x1, y2 - y1)
        off = sqrt(max(radius**2 - chord**2 / 4, 0)) / chord * (1 if large != clockwise else -1)
        x, y = (x1 + x2) / 2 - (y2 - y1) * off, (y1 + y2) / 2 + (x2 - x1) * off
        radius = max(radius, chord / 2)
        start, stop = atan2(y1 - y, x1 - x), atan2(y2 - y, x2 - x)
        sweep = (stop - start) % tau - (0 if clockwise else tau)
        steps = max(ceil(abs(sweep) / radians(12)), 1)
        for step in range(1, steps + 1):
            angle = start + sweep * step / steps
            self._to((x + radius * cos(angle), y + radius * sin(angle)))
