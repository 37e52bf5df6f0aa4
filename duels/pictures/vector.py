"""Pictures as SVG, without external files."""

from __future__ import annotations

from html import escape

from duels.pictures.raster import width_of
from duels.pictures.shapes import Box, Disc, Picture, Shape, Stroke, Words

FONT = "Grenze, Georgia, 'Times New Roman', serif"


def write_svg(picture: Picture) -> str:
    """Return the picture as one SVG document, with its description as title for people who cannot see it."""
    drawn = "\n".join(map(_write, picture.shapes))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {picture.width} {picture.height}" '
        f'width="{picture.width}" height="{picture.height}" role="img" font-family="{FONT}" font-weight="500">\n'
        f"<title>{escape(picture.alt)}</title>\n{drawn}\n</svg>\n"
    )


def _write(shape: Shape) -> str:
    match shape:
        case Box():
            place = f'x="{shape.x:g}" y="{shape.y:g}" width="{shape.width:g}" height="{shape.height:g}"'
            return f'<rect {place} fill="{shape.fill}"{_edge(shape.edge)}/>'
        case Disc():
            place = f'cx="{shape.x:g}" cy="{shape.y:g}" r="{shape.radius:g}"'
            return f'<circle {place} fill="{shape.fill}"{_edge(shape.edge, shape.stroke)}/>'
        case Stroke():
            place = f'x1="{shape.x1:g}" y1="{shape.y1:g}" x2="{shape.x2:g}" y2="{shape.y2:g}"'
            return f'<line {place} stroke="{shape.colour}" stroke-width="{shape.width:g}"/>'
        case Words():
            look = f'font-size="{shape.size:g}" fill="{shape.colour}" text-anchor="{shape.anchor}"'
            return f'<text x="{shape.x:g}" y="{shape.y:g}" {look}{_fit(shape)}>{escape(shape.text)}</text>'


def _fit(words: Words) -> str:
    """Return the width of the site's typeface, for readers who have another one."""
    if len(words.text) < 2:
        return ""
    return f' textLength="{width_of(words.text, words.size):.0f}" lengthAdjust="spacingAndGlyphs"'


def _edge(colour: str, width: float = 2) -> str:
    return f' stroke="{colour}" stroke-width="{width:g}"' if colour else ""
