"""Draw the icons of the installed site from icons/waiting.svg, the site's mark. Repeat it when the mark changes."""

import re
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand
from PIL import Image, ImageDraw

from pictures.drawing.shapes import EMBER, INK, PAGE

FOLDER = Path(__file__).resolve().parents[2] / "static" / "icons"
# The side of the drawing, in its own units.
BOX = 32
# Pillow draws edges hard: icons are drawn larger and made smaller, which smooths them.
FINER = 8
# The name, its side in pixels, and the share of it that the mark takes; a maskable icon may lose its outer fifth.
ICONS = (("icon-192", 192, 0.72), ("icon-512", 512, 0.72), ("maskable-512", 512, 0.52), ("apple-touch-icon", 180, 0.66))
FAVICON_SIDES = [16, 32, 48]


class Command(BaseCommand):
    help = "Draws the PNG icons and favicon.ico from the SVG mark, into fm_site/static/icons."

    def add_arguments(self, parser: Any) -> None:
        parser.add_argument("--to", type=Path, default=FOLDER, help="the folder that the icons are written to")

    def handle(self, *args: Any, to: Path, **options: Any) -> None:
        for name, side, share in ICONS:
            draw_icon(side, share).save(to / f"{name}.png", optimize=True)
        sides = [(side, side) for side in FAVICON_SIDES]
        draw_icon(FAVICON_SIDES[-1], 1).save(to / "favicon.ico", sizes=sides)


def draw_icon(side: int, share: float) -> Image.Image:
    """Return the mark on the colour of a page; it takes this share of the side."""
    mark = (FOLDER / "waiting.svg").read_text(encoding="utf-8")
    image = Image.new("RGB", (side * FINER, side * FINER), PAGE)
    pen = ImageDraw.Draw(image)
    unit = side * FINER * share / BOX
    start = side * FINER * (1 - share) / 2
    path = re.search(r'<path class="p" d="([^"]+)"', mark)
    circle = re.search(r'<circle class="d" cx="([\d.]+)" cy="([\d.]+)" r="([\d.]+)"', mark)
    width = re.search(r"stroke-width:([\d.]+)", mark)
    if path is None or circle is None or width is None:
        raise ValueError("the mark has another form")
    corners = [(start + x * unit, start + y * unit) for x, y in read_path(path[1])]
    thick = round(float(width[1]) * unit)
    pen.line([*corners, corners[0]], fill=INK, width=thick)
    for corner in corners:  # round joins
        pen.circle(corner, thick / 2, fill=INK)
    x, y, radius = map(float, circle.groups())
    pen.circle((start + x * unit, start + y * unit), radius * unit, fill=EMBER)
    return image.resize((side, side), Image.Resampling.LANCZOS)


def read_path(text: str) -> list[tuple[float, float]]:
    """Return the corners of an SVG path of straight lines."""
    corners: list[tuple[float, float]] = []
    x = y = 0.0
    for command, rest in re.findall(r"([MLHVmlhvz])([^MLHVmlhvz]*)", text):
        numbers = [float(number) for number in re.findall(r"-?\d*\.?\d+", rest)]
        pairs = list(zip(numbers[::2], numbers[1::2], strict=True)) if command in "MLml" else []
        pairs += [(number, y if command == "H" else 0.0) for number in numbers if command in "Hh"]
        pairs += [(x if command == "V" else 0.0, number) for number in numbers if command in "Vv"]
        for right, down in pairs:
            x, y = (right, down) if command.isupper() else (x + right, y + down)
            corners.append((x, y))
    return corners
