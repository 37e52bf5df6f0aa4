"""A board as a picture: its public part."""

from __future__ import annotations

from collections.abc import Iterator

from django.utils.translation import gettext as _

from duels.board.sides import Side, Sides
from duels.board.strings import Bead, HandString
from pictures.drawing.raster import width_of
from pictures.drawing.shapes import (
    EDGE,
    HEIGHT,
    INK,
    INK_2,
    LINE,
    PAGE,
    SURFACE,
    WIDTH,
    Box,
    Disc,
    Emblem,
    Picture,
    Shape,
    Stroke,
    Words,
)

MARGIN, FOOT = 60, 596
COLUMNS, LEFT, PITCH = 7, 200, 140


def draw_sides(sides: Sides, *, title: str, foot: str, alt: str) -> Picture:
    """Return a board with a title above and a line below. The caller ensures that it is public."""
    shapes = [Box(0, 0, WIDTH, HEIGHT, PAGE), *_head(title, foot)]
    mages = (*sides.above, sides.below)
    shapes += _duel(sides, mages) if len(mages) == 2 else _melee(mages)
    return Picture(tuple(shapes), alt)


def say_points(side: Side) -> str:
    if side.hp is None:
        return _("hit points hidden")
    return _("%(left)s of %(most)s hit points") % {"left": side.hp, "most": side.max_hp}


def _head(title: str, foot: str) -> Iterator[Shape]:
    site = "Firetop Mountain"
    yield Words(MARGIN, 62, _shorten(title, 34, WIDTH - 3 * MARGIN - width_of(site, 30)), 34)
    yield Words(WIDTH - MARGIN, 62, site, 30, INK_2, "end")
    yield Words(MARGIN, FOOT, _shorten(foot, 30, WIDTH - 2 * MARGIN), 30, INK_2)
    yield Stroke(MARGIN, 82, WIDTH - MARGIN, 82, LINE)


def _shorten(text: str, size: float, room: float) -> str:
    """Return the text, or as much of it as there is room for."""
    if width_of(text, size) <= room:
        return text
    while text and width_of(f"{text}…", size) > room:
        text = text[:-1]
    return f"{text.rstrip()}…"


def _duel(sides: Sides, mages: tuple[Side, ...]) -> Iterator[Shape]:
    above, below = mages
    yield from _mage(above, 132)
    yield from _pair(above, 184)
    for column in sides.columns:
        if column.n > COLUMNS:  # the turn in play, whose gestures nobody knows
            continue
        yield Words(LEFT + PITCH * (column.n - 1), 322, column.label, 24, INK_2, "middle")
    yield from _pair(below, 356)
    yield from _mage(below, 524)


def _pair(side: Side, y: float) -> Iterator[Shape]:
    for place, string in enumerate(side.strings):
        yield from _string(string, y=y + 72 * place, left=LEFT, pitch=PITCH, radius=22, names=True)


def _mage(side: Side, y: float) -> Iterator[Shape]:
    yield Emblem(MARGIN, y - 42, 54, side.arms)
    yield Words(MARGIN + 66, y, side.name, 46)
    x = MARGIN + 66 + width_of(side.name, 46) + 24
    points = say_points(side)
    yield Words(x, y, points, 30, INK_2)
    x += width_of(points, 30) + 20
    for place, whole in enumerate(side.ticks):
        yield Box(x + 11 * place, y - 22, 7, 24, INK if whole else PAGE, INK if whole else EDGE)
    x += 11 * len(side.ticks) + 20
    rest = [chip.name for chip in side.chips] + [f"{being.name} {being.hp}" for being in side.beings]
    yield Words(x, y, _shorten(" · ".join(rest), 28, WIDTH - MARGIN - x), 28)


def _melee(sides: tuple[Side, ...]) -> Iterator[Shape]:
    """Draw two lanes side by side, with as many rows as needed."""
    rows = (len(sides) + 1) // 2
    pitch = (FOOT - 130) / rows
    for place, side in enumerate(sides):
        x = MARGIN + (place % 2) * 560
        y = 122 + (place // 2) * pitch
        yield Emblem(x, y - 29, 38, side.arms)
        yield Words(x + 46, y, side.name, 32)
        yield Words(x + 520, y, say_points(side), 24, INK_2, "end")
        for row, string in enumerate(side.strings):
            yield from _string(
                string, y=y + (0.34 + 0.32 * row) * (pitch - 8), left=x + 40, pitch=70, radius=min(17, pitch * 0.14)
            )


def _string(
    string: HandString, *, y: float, left: float, pitch: float, radius: float, names: bool = False
) -> Iterator[Shape]:
    yield Stroke(left - pitch * 0.3, y, left + (COLUMNS - 0.5) * pitch, y, LINE)
    if names:
        yield Words(MARGIN, y + 8, string.long, 24, INK_2)
    for bead in string.beads:
        if bead.is_now:
            continue
        x = left + pitch * (int(bead.place[1]) - 1)
        yield from _bead(bead, x, y, radius * (1.15 if bead.last else 1))
        if names and bead.under:
            yield Words(x, y + radius + 18, _shorten(bead.under, 18, pitch + 40), 18, INK, "middle")


def _bead(bead: Bead, x: float, y: float, radius: float) -> Iterator[Shape]:
    looks = bead.look.split()
    fill, colour = (INK, SURFACE) if "cast" in looks else (PAGE if "bow" in looks else SURFACE, INK)
    yield Disc(x, y, radius, fill, PAGE if "bow" in looks else INK if bead.last else EDGE)
    if "held" in looks:
        yield Disc(x, y, radius - 4, fill, EDGE, 1)
    yield Words(x, y + radius * 0.42, bead.letter, radius * 1.25, colour, "middle")
