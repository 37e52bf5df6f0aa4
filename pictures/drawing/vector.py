"""Pictures as SVG, without external files."""

from __future__ import annotations

from html import escape

from accounts.arms.drawing import BOX, class_of, write_drawing
from pictures.drawing.raster import width_of
from pictures.drawing.shapes import Box, Disc, Emblem, Letters, Picture, Shape, Stroke, Words

FONT = "Grenze, Georgia, 'Times New Roman', serif"


def write_svg(picture: Picture) -> str:
    """Return the picture as one SVG document, with its description as title for people who cannot see it."""
    drawn = "\n".join(map(_write, picture.shapes))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {picture.width} {picture.height}" '
        f'width="{picture.width}" height="{picture.height}" role="img" font-family="{FONT}" font-weight="500">\n'
        f"<title>{escape(picture.alt)}</title>\n{drawn}\n</svg>\n"
    )


def write_page_svg(picture: Picture, name: str) -> str:
    """Return the picture as a drawing within a page, whose link says what it shows. The page has the typeface and the
    symbols of the arms (accounts.templatetags.arms)."""
    drawn = "".join(map(_write_for_page, picture.shapes))
    return (
        f'<svg class="{name}" viewBox="0 0 {picture.width} {picture.height}" width="{picture.width}" '
        f'height="{picture.height}" aria-hidden="true">{drawn}</svg>'
    )


def _write_for_page(shape: Shape) -> str:
    match shape:
        case Emblem():
            place = f'x="{shape.x:g}" y="{shape.y:g}" width="{shape.size:g}" height="{shape.size:g}"'
            return f'<use href="#arms-{class_of(shape.size)}-{shape.blazon}" {place}/>'
        case Words():
            return _write_words(shape)
        case _:
            return _write(shape)


def _write(shape: Shape) -> str:
    match shape:
        case Box():
            place = f'x="{shape.x:g}" y="{shape.y:g}" width="{shape.width:g}" height="{shape.height:g}"'
            place += f' rx="{shape.radius:g}"' if shape.radius else ""
            dash = ' stroke-dasharray="2.5 2.5"' if shape.is_dashed else ""
            return f'<rect {place} fill="{shape.fill or "none"}"{_edge(shape.edge, shape.stroke)}{dash}/>'
        case Disc():
            place = f'cx="{shape.x:g}" cy="{shape.y:g}" r="{shape.radius:g}"'
            return f'<circle {place} fill="{shape.fill}"{_edge(shape.edge, shape.stroke)}/>'
        case Stroke():
            place = f'x1="{shape.x1:g}" y1="{shape.y1:g}" x2="{shape.x2:g}" y2="{shape.y2:g}"'
            return f'<line {place} stroke="{shape.colour}" stroke-width="{shape.width:g}"/>'
        case Words():
            return _write_words(shape, _fit(shape))
        case Letters():
            xs = " ".join(f"{x:g}" for x in shape.xs)
            look = f'font-size="{shape.size:g}" fill="{shape.colour}" text-anchor="middle"'
            return f'<text x="{xs}" y="{shape.y:g}" {look}>{escape(shape.text)}</text>'
        case Emblem():
            scale = shape.size / BOX
            name = f"a{shape.x:g}-{shape.y:g}"
            drawn = write_drawing(shape.blazon, shape.size, name=name)
            return f'<g transform="translate({shape.x:g} {shape.y:g}) scale({scale:.4g})">{drawn}</g>'


def _write_words(words: Words, fit: str = "") -> str:
    look = f'font-size="{words.size:g}" fill="{words.colour}" text-anchor="{words.anchor}"'
    return f'<text x="{words.x:g}" y="{words.y:g}" {look}{fit}>{escape(words.text)}</text>'


def _fit(words: Words) -> str:
    """Return the width of the site's typeface, for readers who have another one."""
    if len(words.text) < 2:
        return ""
    return f' textLength="{width_of(words.text, words.size):.0f}" lengthAdjust="spacingAndGlyphs"'


def _edge(colour: str, width: float = 2) -> str:
    return f' stroke="{colour}" stroke-width="{width:g}"' if colour else ""
