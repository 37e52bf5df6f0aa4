"""A card with text, for links to pages without a board: a mage, a challenge, a battle before its first turn."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pictures.drawing.raster import width_of
from pictures.drawing.shapes import (
    EMBER,
    HEIGHT,
    INK,
    INK_2,
    PAGE,
    WIDTH,
    Box,
    Disc,
    Emblem,
    Picture,
    Shape,
    Stroke,
    Words,
)

MARGIN, ROOM, LINES = 90, WIDTH - 180, 6


def draw_card(title: str, facts: Sequence[str], arms: str = "") -> Picture:
    """Return the card, with the arms of a mage in its corner if it is theirs."""
    return Picture(tuple(_draw(title, facts, arms)), " ".join([title, *facts]))


def _draw(title: str, facts: Sequence[str], arms: str) -> Iterator[Shape]:
    yield Box(0, 0, WIDTH, HEIGHT, PAGE)
    yield Disc(MARGIN + 14, 84, 14, EMBER)
    yield Words(MARGIN + 44, 96, "Firetop Mountain", 34, INK_2)
    if arms:
        yield Emblem(WIDTH - MARGIN - 120, 40, 120, arms)
    y = 210.0
    for line in _wrap(title, 76)[:2]:
        yield Words(MARGIN, y, line, 76, INK)
        y += 80
    yield Stroke(MARGIN, y - 40, WIDTH - MARGIN, y - 40, INK_2)
    y += 20
    for line in [line for fact in facts for line in _wrap(fact, 38)][: LINES - 1]:
        yield Words(MARGIN, y, line, 38, INK_2)
        y += 54


def _wrap(text: str, size: float) -> list[str]:
    lines = [""]
    for word in text.split():
        longer = f"{lines[-1]} {word}".strip()
        if lines[-1] and width_of(longer, size) > ROOM:
            lines.append(word)
        else:
            lines[-1] = longer
    return lines
