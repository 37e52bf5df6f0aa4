"""Pictures as PNG and GIF, drawn by Pillow with the site's own typeface."""

from __future__ import annotations

import io
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from PIL import Image, ImageDraw, ImageFont

from accounts.arms.drawing import BOX
from accounts.arms.raster import MARGIN, WIDE, draw_arms
from pictures.drawing.shapes import PAGE, Box, Disc, Emblem, Letters, Picture, Shape, Stroke, Words

FONT = Path(__file__).resolve().parents[2] / "fm_site/static/fonts/grenze-latin-500.woff2"
# Pillow draws edges hard: pictures are drawn larger and made smaller, which smooths them.
FINER = 2
ANCHORS = {"start": "ls", "middle": "ms", "end": "rs"}
COLOURS_OF_GIF = 32
SCALE_OF_GIF = 0.5


def write_png(picture: Picture) -> bytes:
    """Return the picture as PNG in its own size."""
    file = io.BytesIO()
    draw(picture).quantize(64, dither=Image.Dither.NONE).save(file, "PNG", optimize=True)
    return file.getvalue()


def write_gif(pictures: Sequence[Picture], *, milliseconds: int) -> bytes:
    """Return the pictures as an animated GIF that repeats; the last one stays three times as long."""
    frames = [draw(each, SCALE_OF_GIF).quantize(COLOURS_OF_GIF, dither=Image.Dither.NONE) for each in pictures]
    lasting = [milliseconds] * (len(frames) - 1) + [3 * milliseconds]
    file = io.BytesIO()
    frames[0].save(file, "GIF", save_all=True, append_images=frames[1:], duration=lasting, loop=0, disposal=1)
    return file.getvalue()


def draw(picture: Picture, scale: float = 1) -> Image.Image:
    """Return the picture as an image."""
    size = (round(picture.width * scale), round(picture.height * scale))
    finer = scale * FINER
    image = Image.new("RGB", (size[0] * FINER, size[1] * FINER), PAGE)
    pen = ImageDraw.Draw(image)
    for shape in picture.shapes:
        if isinstance(shape, Emblem):
            _paste(image, shape, finer)
        else:
            _draw(pen, shape, finer)
    return image.resize(size, Image.Resampling.BOX)


def width_of(text: str, size: float) -> float:
    return float(_font(size).getlength(text))


@cache
def _font(size: float) -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(FONT, size)


def _paste(image: Image.Image, shape: Emblem, scale: float) -> None:
    """Draw arms; around their box they have a margin for what stands out of it."""
    pixel = shape.size * scale / BOX
    arms = draw_arms(shape.blazon, round(WIDE * pixel), round(shape.size))
    image.paste(arms, (round(shape.x * scale - MARGIN * pixel), round(shape.y * scale - MARGIN * pixel)), arms)


def _draw(pen: ImageDraw.ImageDraw, shape: Shape, scale: float) -> None:
    match shape:
        case Box():
            corners = [n * scale for n in (shape.x, shape.y, shape.x + shape.width, shape.y + shape.height)]
            width = max(1, round(shape.stroke * scale))
            pen.rounded_rectangle(
                corners, shape.radius * scale, fill=shape.fill or None, outline=shape.edge or None, width=width
            )
            if shape.is_dashed:
                _cut_edges(pen, shape, scale, width)
        case Disc():
            pen.circle(
                (shape.x * scale, shape.y * scale),
                shape.radius * scale,
                fill=shape.fill,
                outline=shape.edge or None,
                width=round(shape.stroke * scale),
            )
        case Stroke():
            ends = [n * scale for n in (shape.x1, shape.y1, shape.x2, shape.y2)]
            pen.line(ends, fill=shape.colour, width=max(1, round(shape.width * scale)))
        case Words():
            font = _font(shape.size * scale)
            place = (shape.x * scale, shape.y * scale)
            pen.text(place, shape.text, fill=shape.colour, font=font, anchor=ANCHORS[shape.anchor])
        case Letters():
            font = _font(shape.size * scale)
            for x, letter in zip(shape.xs, shape.text, strict=True):
                pen.text((x * scale, shape.y * scale), letter, fill=shape.colour, font=font, anchor="ms")


def _cut_edges(pen: ImageDraw.ImageDraw, shape: Box, scale: float, width: int) -> None:
    """Make the edges of a box dashed: take three pieces out of each."""
    for place in (0.25, 0.5, 0.75):
        x, y = (shape.x + place * shape.width) * scale, (shape.y + place * shape.height) * scale
        left, top, right, bottom = (
            n * scale for n in (shape.x, shape.y, shape.x + shape.width, shape.y + shape.height)
        )
        for row in (top, bottom - width):
            pen.rectangle((x - width / 2, row, x + width / 2, row + width), fill=shape.fill)
        for column in (left, right - width):
            pen.rectangle((column, y - width / 2, column + width, y + width / 2), fill=shape.fill)
