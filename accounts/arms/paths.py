"""Paths of SVG as polygons, for drawings that are made of pixels. Pure."""

import math
import re
from collections.abc import Iterator
from functools import lru_cache

Point = tuple[float, float]
# A line through points, and whether it ends where it began.
Outline = tuple[tuple[Point, ...], bool]

TOKEN = re.compile(r"[A-Za-z]|[-+]?(?:\d+\.?\d*|\.\d+)")
TAKEN = {"M": 2, "L": 2, "H": 1, "V": 1, "C": 6, "S": 4, "A": 7, "Z": 0}
STEPS = 12


@lru_cache(512)
def flatten(d: str) -> tuple[Outline, ...]:
    """Return the outlines of a path, with curves as short straight lines. Of arcs, it knows circles and ellipses whose
    axes are upright."""
    outlines: list[Outline] = []
    points: list[Point] = []
    at: Point = (0, 0)
    start, bend = at, at
    for command, n in _commands(d):
        letter = command.upper()
        x, y = at if command.islower() else (0, 0)
        if letter == "Z":
            outlines.append((tuple(points), True))
            points, at = [], start
            continue
        if letter == "M":
            if points:
                outlines.append((tuple(points), False))
            at = start = bend = (x + n[0], y + n[1])
            points = [at]
            continue
        points = points or [at]
        last, held = at, bend
        if letter == "H":
            at = (x + n[0], last[1])
        elif letter == "V":
            at = (last[0], y + n[0])
        else:
            at = (x + n[-2], y + n[-1])
        bend = at
        if letter == "A":
            points += _arc(last, at, n[0], n[1], is_large=bool(n[3]), is_clockwise=bool(n[4]))
        elif letter in "CS":
            first = (2 * last[0] - held[0], 2 * last[1] - held[1]) if letter == "S" else (x + n[0], y + n[1])
            bend = (x + n[-4], y + n[-3])
            points += _curve(last, first, bend, at)
        else:
            points.append(at)
    if points:
        outlines.append((tuple(points), False))
    return tuple(outlines)


def _commands(d: str) -> Iterator[tuple[str, list[float]]]:
    """Return each command with its numbers; one that is repeated without its letter, with the letter."""
    tokens = TOKEN.findall(d)
    place, command = 0, ""
    while place < len(tokens):
        if tokens[place].isalpha():
            command = tokens[place]
            place += 1
        taken = TAKEN[command.upper()]
        yield command, [float(each) for each in tokens[place : place + taken]]
        place += taken
        command = {"M": "L", "m": "l"}.get(command, command)


def _curve(a: Point, b: Point, c: Point, d: Point) -> list[Point]:
    points = []
    for step in range(1, STEPS + 1):
        t = step / STEPS
        u = 1 - t
        weights = (u * u * u, 3 * u * u * t, 3 * u * t * t, t * t * t)
        points.append(
            (
                sum(w * p[0] for w, p in zip(weights, (a, b, c, d), strict=True)),
                sum(w * p[1] for w, p in zip(weights, (a, b, c, d), strict=True)),
            )
        )
    return points


def _arc(a: Point, b: Point, rx: float, ry: float, *, is_large: bool, is_clockwise: bool) -> list[Point]:
    """Return an arc from a to b (SVG 1.1, appendix F.6.5, without a turn of the axes)."""
    dx, dy = (a[0] - b[0]) / 2 / rx, (a[1] - b[1]) / 2 / ry
    length = dx * dx + dy * dy
    if length > 1:
        rx, ry = rx * math.sqrt(length), ry * math.sqrt(length)
        dx, dy, length = dx / math.sqrt(length), dy / math.sqrt(length), 1
    away = math.sqrt(1 / length - 1) * (-1 if is_large == is_clockwise else 1)
    cx, cy = away * dy, -away * dx
    middle = ((a[0] + b[0]) / 2 + cx * rx, (a[1] + b[1]) / 2 + cy * ry)
    first, last = math.atan2(dy - cy, dx - cx), math.atan2(-dy - cy, -dx - cx)
    if is_clockwise and last < first:
        last += 2 * math.pi
    if not is_clockwise and last > first:
        last -= 2 * math.pi
    turns = max(4, round(abs(last - first) / math.pi * 2 * STEPS))
    angles = [first + (last - first) * step / turns for step in range(1, turns + 1)]
    return [(middle[0] + rx * math.cos(t), middle[1] + ry * math.sin(t)) for t in angles]
