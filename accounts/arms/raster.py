"""Drawing a blazon with pixels, in the colours of the light theme, for emails, cards and pictures."""

import io
from collections.abc import Sequence
from functools import lru_cache

from PIL import Image, ImageChops, ImageDraw

from accounts.arms.drawing import BOX, LIGHT, Group, Matrix, Paint, class_of, compose
from accounts.arms.paths import Point, flatten

# Pillow draws edges hard: drawings are made larger and then smaller, which smooths them.
FINER = 4
# A broken shield is wider than its box, so the drawing has room around it.
MARGIN = 2
WIDE = BOX + 2 * MARGIN


def write_png(blazon: str, size: int, shown_at: int | None = None) -> bytes:
    """Return the drawing as PNG on a transparent ground; see `draw_arms`."""
    file = io.BytesIO()
    draw_arms(blazon, size, shown_at).save(file, "PNG", optimize=True)
    return file.getvalue()


@lru_cache(256)
def draw_arms(blazon: str, size: int, shown_at: int | None = None) -> Image.Image:
    """Return the drawing, `size` pixels wide with its margin; its lines are those of a drawing of `shown_at` pixels."""
    whole = size * FINER
    scale = whole / WIDE
    canvas = Image.new("RGBA", (whole, whole), (0, 0, 0, 0))
    _draw(canvas, compose(blazon, class_of(shown_at or size)), (scale, 0, 0, scale, MARGIN * scale, MARGIN * scale))
    # Made smaller with the colours weighted by how much they cover, so that edges do not turn dark.
    return canvas.convert("RGBa").resize((size, size), Image.Resampling.BOX).convert("RGBA")


def _draw(canvas: Image.Image, group: Group, matrix: Matrix) -> None:
    matrix = _join(matrix, group.matrix)
    target = Image.new("RGBA", canvas.size, (0, 0, 0, 0)) if group.clip else canvas
    for piece in group.pieces:
        if isinstance(piece, Group):
            _draw(target, piece, matrix)
        else:
            target.paste(LIGHT[piece.colour], mask=_cover(canvas.size, piece, _join(matrix, piece.matrix)))
    if group.clip:
        mask = _cover(canvas.size, Paint(group.clip, "rim"), matrix)
        canvas.paste(target, mask=ImageChops.multiply(mask, target.getchannel("A")))


def _cover(size: tuple[int, int], paint: Paint, matrix: Matrix) -> Image.Image:
    """Return where the paint is, as a mask."""
    mask = Image.new("L", size, 0)
    scale = abs(matrix[0] * matrix[3] - matrix[1] * matrix[2]) ** 0.5
    for points, is_closed in flatten(paint.d):
        moved = [_move(point, matrix) for point in points]
        if paint.width:
            _line(mask, [*moved, moved[0]] if is_closed else moved, paint.width * scale)
        elif len(moved) > 2:
            outline = Image.new("L", size, 0)
            ImageDraw.Draw(outline).polygon(moved, fill=255)
            mask = (ImageChops.difference if paint.evenodd else ImageChops.lighter)(mask, outline)
    return mask


def _line(mask: Image.Image, points: Sequence[Point], width: float) -> None:
    pen = ImageDraw.Draw(mask)
    pen.line(points, fill=255, width=max(1, round(width)), joint="curve")
    for point in (points[0], points[-1]):
        pen.circle(point, width / 2, fill=255)


def _join(outer: Matrix, inner: Matrix | None) -> Matrix:
    if inner is None:
        return outer
    a, b, c, d, e, f = outer
    g, h, i, j, k, m = inner
    return (a * g + c * h, b * g + d * h, a * i + c * j, b * i + d * j, a * k + c * m + e, b * k + d * m + f)


def _move(point: Point, matrix: Matrix) -> Point:
    a, b, c, d, e, f = matrix
    return a * point[0] + c * point[1] + e, b * point[0] + d * point[1] + f
