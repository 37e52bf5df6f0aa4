"""The shapes of pictures. Lengths are pixels of a picture of 1200 × 630, the size that sites show for links."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

WIDTH, HEIGHT = 1200, 630
# The colours of the light theme (fm_site/static/css/tokens.css).
PAGE, SURFACE, LINE, EDGE, INK, INK_2, EMBER = (
    *("#EDF1EF", "#FBFCFB", "#CBD5D1", "#76857F", "#14201D", "#4A5752"),
    "#AD3C0A",
)


@dataclass(frozen=True)
class Box:
    """A rectangle with its upper left corner at (x, y)."""

    x: float
    y: float
    width: float
    height: float
    fill: str
    edge: str = ""
    radius: float = 0
    stroke: float = 2
    is_dashed: bool = False


@dataclass(frozen=True)
class Disc:
    """A circle around (x, y)."""

    x: float
    y: float
    radius: float
    fill: str
    edge: str = ""
    stroke: float = 2


@dataclass(frozen=True)
class Stroke:
    """A straight line."""

    x1: float
    y1: float
    x2: float
    y2: float
    colour: str
    width: float = 2


@dataclass(frozen=True)
class Words:
    """A line of text; (x, y) is on its base line, at its start, middle or end."""

    x: float
    y: float
    text: str
    size: float
    colour: str = INK
    anchor: Literal["start", "middle", "end"] = "start"


@dataclass(frozen=True)
class Letters:
    """Single letters on one base line, each around its own x."""

    xs: tuple[float, ...]
    y: float
    text: str
    size: float
    colour: str = INK


@dataclass(frozen=True)
class Emblem:
    """Arms with their upper left corner at (x, y), by their blazon."""

    x: float
    y: float
    size: float
    blazon: str


Shape = Box | Disc | Stroke | Words | Letters | Emblem


@dataclass(frozen=True)
class Picture:
    """Shapes in the order in which they are drawn, and what they show in words."""

    shapes: tuple[Shape, ...]
    alt: str
    width: int = WIDTH
    height: int = HEIGHT
