"""Drawing a blazon: as pieces in a box of 48, and these as SVG. `accounts.arms.raster` draws the same pieces as PNG."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from html import escape

from accounts.arms.blazons import BOT, JANITORS, LEFT, USER, State
from accounts.arms.design import HANDS, METALS, Arms, read_code
from accounts.arms.parts import CHARGES, DIVISIONS, FACES, HEXAGON, SEAL, SHAPES, SIGILS

BOX = 48
# The colours of the light theme (fm_site/static/css/tokens.css), for emails, cards and pictures.
LIGHT = {
    "chalk": "#F6F2E4",
    "brass": "#E9C96A",
    "basalt": "#1D2725",
    "tarn": "#1C4F86",
    "pine": "#17604C",
    "heather": "#5F4391",
    "madder": "#8C1F4B",
    "lichen": "#50570F",
    "rim": "#14201D",
    "stone1": "#7B8A84",
    "stone2": "#5C6B65",
    "dust": "#EDF1EF",
    "paper": "#FBFCFB",
}
THEME = {name: f"var(--t-{name})" for name in LIGHT} | {"paper": "var(--surface)"}
# The classes of size, the largest size in pixels of each, and how wide its rim is in the box of 48.
CLASSES = (("s", 28, 2.4), ("m", 40, 2.0), ("l", 64, 1.6), ("x", math.inf, 1.1))
RIMS = {letter: rim for letter, _most, rim in CLASSES}
# Where the charge stands on a field, and the size of its box: centre x, centre y, size.
USUAL_PLACE = (24.0, 22.5, 25.0)
PLACES = {
    "chief": (24.0, 27.0, 22.0),
    "mountain": (24.0, 21.0, 25.0),
    "per chevron": (24.0, 21.0, 25.0),
    "waves": (24.0, 20.0, 24.0),
    "bordure": (24.0, 22.5, 22.0),
}
FIST, PEAK = 7, 9
# A broken shield: its two halves.
LEFT_HALF, RIGHT_HALF = "M-4-4H30L23 10l5 7-9 9 4 8-6 18H-4z", "M52-4H30L23 10l5 7-9 9 4 8-6 18h37z"

Matrix = tuple[float, float, float, float, float, float]
MIRROR: Matrix = (-1, 0, 0, 1, BOX, 0)


@dataclass(frozen=True)
class Paint:
    """A path in one colour: filled, or with a `width` drawn as a line."""

    d: str
    colour: str
    width: float = 0
    evenodd: bool = False
    matrix: Matrix | None = None


@dataclass(frozen=True)
class Group:
    """Pieces that are moved together, and cut along the path `clip`."""

    pieces: tuple[Paint | Group, ...]
    clip: str = ""
    matrix: Matrix | None = None


def class_of(size: float) -> str:
    """Return the class of a size in pixels: drawings of one class are the same, only larger or smaller."""
    return next(letter for letter, most, _rim in CLASSES if size <= most)


@lru_cache(1024)
def compose(blazon: str, letter: str) -> Group:
    """Return the pieces of a blazon in a class of size."""
    rim = RIMS[letter]
    if blazon == LEFT:
        return _whole(SEAL, (Paint(SEAL, "dust"),), rim)
    if blazon == JANITORS:
        peak = Arms(0, 0, False, "basalt", "basalt", "chalk", PEAK)
        return _whole(SEAL, _fill(peak, SEAL, State.LIVING, letter), rim)
    state, kind, rest = State(blazon[0]), blazon[1], blazon[2:]
    if kind == BOT:
        outline, inside = HEXAGON, _fill_hexagon(rest, state, letter)
    else:
        arms = read_code(rest)
        outline = SEAL if kind == USER else SHAPES[arms.shape]
        inside = _fill(arms, outline, state, letter)
    if state == State.DEAD:
        return _broken(outline, inside, rim)
    whole = _whole(outline, inside, rim)
    if state == State.RETIRED:
        bar = Paint("M7 44.5h34", "rim", max(rim, 2))
        return Group((Group(whole.pieces, matrix=(0.875, 0, 0, 0.875, 3, -1)), bar))
    return whole


def _whole(outline: str, inside: tuple[Paint, ...], rim: float) -> Group:
    return Group((Group(inside, clip=outline), Paint(outline, "rim", rim)))


def _broken(outline: str, inside: tuple[Paint, ...], rim: float) -> Group:
    whole = _whole(outline, inside, rim).pieces
    left = Group(whole, clip=LEFT_HALF, matrix=_turn(-3, -1.5, -0.5))
    right = Group(whole, clip=RIGHT_HALF, matrix=_turn(7, 2.5, 1.5))
    return Group((left, right))


def _turn(degrees: float, right: float, down: float) -> Matrix:
    """Return a turn around the foot of the shield (24, 44), moved."""
    cos, sin = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    return (cos, sin, -sin, cos, 24 - 24 * cos + 44 * sin + right, 44 - 24 * sin - 44 * cos + down)


def _fill(arms: Arms, outline: str, state: State, letter: str) -> tuple[Paint, ...]:
    """Return the field and the charge; of stone unless its owner is living."""
    first, second, tincture = arms.first, arms.second, arms.tincture
    if state != State.LIVING:
        first, second, tincture = ("dust", "dust", "stone2") if first in METALS else ("stone2", "stone1", "dust")
    name, division = DIVISIONS[arms.field]
    field = [Paint("M-4-4h56v56h-56z", first)]
    if division is None:
        field.append(Paint(outline, second, 12))
    elif division and second != first:
        field.append(Paint(division, second, matrix=MIRROR if arms.is_mirrored else None))
    x, y, size = PLACES.get(name, USUAL_PLACE)
    if letter == "s":
        size *= 1.14
    if arms.charge == FIST:
        size, y = size * 1.25, y - 1
    if outline == SEAL:
        y += 1.2
    is_mirrored = arms.is_mirrored and arms.charge < HANDS
    return (*field, *_charge(arms.charge, tincture, first, (x, y, size), letter, is_mirrored=is_mirrored))


def _charge(
    number: int, colour: str, under: str, place: tuple[float, float, float], letter: str, *, is_mirrored: bool = False
) -> tuple[Paint, ...]:
    x, y, size = place
    scale = size / 32
    across = -scale if is_mirrored else scale
    matrix = (across, 0, 0, scale, x - 16 * across, y - 16 * scale)
    paints = []
    for part in CHARGES[number]:
        if part.paint == "cut":
            if letter in "lx":
                paints.append(Paint(part.d, under, 1.3, matrix=matrix))
        elif part.paint == "line":
            paints.append(Paint(part.d, colour, part.width, matrix=matrix))
        else:
            paints.append(Paint(part.d, under if part.paint == "hole" else colour, 0, part.evenodd, matrix))
    return tuple(paints)


def _fill_hexagon(on_it: str, state: State, letter: str) -> tuple[Paint, ...]:
    """Return the face, sigil or charge of a bot in ink on the surface; in stone unless it is living."""
    ground, ink = ("paper", "rim") if state == State.LIVING else ("dust", "stone2")
    field = Paint(HEXAGON, ground)
    if on_it.isdigit():
        return (field, *_charge(int(on_it), ink, ground, (24, 24, 22), letter))
    matrix = (0.66, 0, 0, 0.66, 24 * 0.34, 25 * 0.34)
    return field, Paint(FACES.get(on_it) or SIGILS[on_it], ink, 2.6 if letter == "s" else 2, matrix=matrix)


@lru_cache(2048)
def write_symbol(blazon: str, letter: str, name: str) -> str:
    """Return the drawing as a `<symbol>` with the id `name`, in the colours of the theme. The ids in it begin with
    `name`."""
    return f'<symbol id="{name}" viewBox="0 0 48 48" overflow="visible">{_write(blazon, letter, THEME, name)}</symbol>'


def write_drawing(blazon: str, size: float, *, name: str, colours: Mapping[str, str] = LIGHT) -> str:
    """Return the drawing in a box of 48, for a place within another SVG. The ids in it begin with `name`."""
    return _write(blazon, class_of(size), colours, name)


def write_svg(blazon: str, size: int, *, alt: str) -> str:
    """Return the drawing as a document of its own in the colours of the light theme."""
    drawn = _write(blazon, class_of(size), LIGHT, "a")
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{size}" height="{size}" viewBox="-2 -2 52 52" role="img">'
        f"<title>{escape(alt)}</title>{drawn}</svg>\n"
    )


def _write(blazon: str, letter: str, colours: Mapping[str, str], name: str) -> str:
    clips: dict[str, str] = {}
    drawn = "".join(_write_piece(piece, colours, clips, name) for piece in compose(blazon, letter).pieces)
    defined = "".join(f'<clipPath id="{key}"><path d="{d}"/></clipPath>' for d, key in clips.items())
    return defined + drawn


def _write_piece(piece: Paint | Group, colours: Mapping[str, str], clips: dict[str, str], name: str) -> str:
    moved = f' transform="matrix({" ".join(f"{n:.4g}" for n in piece.matrix)})"' if piece.matrix else ""
    if isinstance(piece, Group):
        key = clips.setdefault(piece.clip, f"{name}-{len(clips)}") if piece.clip else ""
        cut = f' clip-path="url(#{key})"' if key else ""
        inside = "".join(_write_piece(each, colours, clips, name) for each in piece.pieces)
        return f"<g{moved}{cut}>{inside}</g>"
    colour = colours[piece.colour]
    if piece.width:
        look = (
            f'fill="none" stroke="{colour}" stroke-width="{piece.width:g}" '
            'stroke-linecap="round" stroke-linejoin="round"'
        )
    else:
        look = f'fill="{colour}"' + (' fill-rule="evenodd"' if piece.evenodd else "")
    return f'<path d="{piece.d}" {look}{moved}/>'
