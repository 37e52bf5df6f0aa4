"""Pictures of positions and cards for links: drawn once as shapes, written as SVG, PNG or GIF.

They show only public facts. The `alt` of every picture describes it.
"""

from duels.pictures.card import draw_card
from duels.pictures.position import draw_sides, say_points
from duels.pictures.raster import write_gif, write_png
from duels.pictures.shapes import Picture
from duels.pictures.vector import write_svg

__all__ = [
    "Picture",
    "draw_card",
    "draw_sides",
    "say_points",
    "write_gif",
    "write_png",
    "write_svg",
]
