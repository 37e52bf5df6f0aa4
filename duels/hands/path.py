"""Turns points into the ``d`` attribute of an SVG path, as short as one decimal allows."""

from __future__ import annotations

import math
from collections.abc import Sequence

from duels.hands.outline import Point


def number(value: float) -> str:
    """Return one decimal, no leading zero, no trailing one."""
    text = f"{round(value, 1):.1f}".removesuffix(".0")
    text = text.replace("0.", ".", 1) if text.startswith(("0.", "-0.")) else text
    return "0" if text in {"-0", ""} else text


def pairs(points: Sequence[Point]) -> str:
    """Return the numbers one after another; a minus sign is enough of a separator."""
    out = ""
    for text in (number(v) for p in points for v in p):
        out += text if not out or text.startswith("-") else " " + text
    return out


def _handle(before: Point, after: Point, length: float) -> Point:
    """Return the tangent of a point between its neighbours, a third as long as the piece it belongs to, so that short
    pieces cannot overshoot."""
    dx, dy = after[0] - before[0], after[1] - before[1]
    scale = length / 3 / (math.hypot(dx, dy) or 1.0)
    return dx * scale, dy * scale


def smooth(points: Sequence[Point]) -> str:
    """Return a curve through all points, written as relative cubics, closed when the first is the last."""
    closed = points[0] == points[-1] and len(points) > 3
    ring = list(points[:-1]) if closed else list(points)
    count = len(ring)

    def at(k: int) -> Point:
        return ring[k % count] if closed else ring[max(0, min(count - 1, k))]

    here = (round(ring[0][0], 1), round(ring[0][1], 1))
    d = "M" + pairs([here])
    for k in range(count if closed else count - 1):
        p0, p1, p2, p3 = at(k - 1), at(k), at(k + 1), at(k + 2)
        length = math.dist(p1, p2)
        out, back = _handle(p0, p2, length), _handle(p1, p3, length)
        first, second = (p1[0] + out[0], p1[1] + out[1]), (p2[0] - back[0], p2[1] - back[1])
        end = (round(p2[0], 1), round(p2[1], 1))
        d += "c" + pairs([(q[0] - here[0], q[1] - here[1]) for q in (first, second, end)])
        here = end
    return d + ("z" if closed else "")


def straight(points: Sequence[Point]) -> str:
    """Return a line of straight pieces."""
    first, *rest = [(round(x, 1), round(y, 1)) for x, y in points]
    d = "M" + pairs([first])
    here = first
    for p in rest:
        d += "l" + pairs([(p[0] - here[0], p[1] - here[1])])
        here = p
    return d
