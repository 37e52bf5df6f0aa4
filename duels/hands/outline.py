"""Turn finger skeletons into outlines: a field of distances to all bones, and the line where it is zero.

The bones of one hand melt into each other (a smooth union), so the valleys between two fingers come out round
and a finger can be moved without redrawing its neighbours. Units are those of the 32 × 32 box, y downwards.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

Point = tuple[float, float]
STEP = 0.2
TINY = 1e-6  # no corner of the grid lies exactly on an outline
FIELD = 36.0  # a little more than the box, so that every outline closes


@dataclass(frozen=True)
class Bone:
    """A chain of joints, each with the half width of the flesh around it."""

    joints: tuple[tuple[float, float, float], ...]

    def distance(self, x: float, y: float) -> float:
        """Return the signed distance of a point to the flesh: negative inside."""
        return min(_to_segment(x, y, a, b) for a, b in zip(self.joints, self.joints[1:], strict=False))


def _to_segment(x: float, y: float, a: tuple[float, float, float], b: tuple[float, float, float]) -> float:
    dx, dy = b[0] - a[0], b[1] - a[1]
    length = dx * dx + dy * dy
    t = 0.0 if length == 0 else max(0.0, min(1.0, ((x - a[0]) * dx + (y - a[1]) * dy) / length))
    return math.hypot(x - a[0] - t * dx, y - a[1] - t * dy) - (a[2] + t * (b[2] - a[2]))


def melt(bones: Sequence[Bone], softness: float) -> Callable[[float, float], float]:
    """Return the signed distance to the union of the bones, with inner corners rounded over about ``softness``
    units."""

    def field(x: float, y: float) -> float:
        least = 99.0
        for bone in bones:
            d = bone.distance(x, y)
            h = max(softness - abs(least - d), 0.0) / softness if softness else 0.0
            least = min(least, d) - h * h * softness / 4
        return least

    return field


def contours(field: Callable[[float, float], float]) -> list[list[Point]]:
    """Return all closed lines where the field is zero (marching squares), each as points about ``STEP`` apart."""
    n = int(FIELD / STEP)
    grid = [[field(i * STEP, j * STEP) + TINY for i in range(n + 1)] for j in range(n + 1)]
    links: dict[Point, Point] = {}
    for j in range(n):
        for i in range(n):
            for a, b in _cell(grid, i, j):
                links[a] = b
    lines = []
    while links:
        start, here = next(iter(links.items()))
        line = [start]
        del links[start]
        while here in links:
            line.append(here)
            here = links.pop(here)
        lines.append([*line, line[0]])
    return [line for line in lines if len(line) > 12]


def _cell(grid: list[list[float]], i: int, j: int) -> Iterable[tuple[Point, Point]]:
    corners = ((i, j), (i + 1, j), (i + 1, j + 1), (i, j + 1))
    values = [grid[y][x] for x, y in corners]
    enter: list[Point] = []
    leave: list[Point] = []
    for k in range(4):
        v, w = values[k], values[(k + 1) % 4]
        if (v < 0) != (w < 0):
            (leave if v < 0 else enter).append(_crossing(grid, corners[k], corners[(k + 1) % 4]))
    return zip(enter, leave, strict=False)


def _crossing(grid: list[list[float]], a: tuple[int, int], b: tuple[int, int]) -> Point:
    (x0, y0), (x1, y1) = sorted((a, b))  # the two cells at this edge must find the very same point
    v, w = grid[y0][x0], grid[y1][x1]
    t = v / (v - w)
    return round((x0 + t * (x1 - x0)) * STEP, 9), round((y0 + t * (y1 - y0)) * STEP, 9)


def cut(line: list[Point], keep: Callable[[float, float], bool]) -> list[list[Point]]:
    """Return the parts of a closed line whose points ``keep`` accepts; the closed line itself when all are kept."""
    kept = [keep(*p) for p in line]
    if all(kept):
        return [line]
    if not any(kept):
        return []
    first = next(k for k in range(len(line)) if kept[k] and not kept[k - 1])
    parts: list[list[Point]] = []
    running = False
    for k in range(len(line)):
        index = (first + k) % len(line)
        if kept[index]:
            if not running:
                parts.append([])
            parts[-1].append(line[index])
        running = kept[index]
    return [part for part in parts if len(part) > 3]


def simplify(line: Sequence[Point], slack: float) -> list[Point]:
    """Return fewer points: those left out are at most ``slack`` from the new line (Ramer-Douglas-Peucker)."""
    if len(line) < 3:
        return list(line)
    if line[0] == line[-1]:
        half = len(line) // 2
        return simplify(line[: half + 1], slack)[:-1] + simplify(line[half:], slack)
    far, index = 0.0, 0
    for k in range(1, len(line) - 1):
        d = _to_segment(*line[k], (*line[0], 0.0), (*line[-1], 0.0))
        if d > far:
            far, index = d, k
    if far <= slack:
        return [line[0], line[-1]]
    return simplify(line[: index + 1], slack)[:-1] + simplify(line[index:], slack)
