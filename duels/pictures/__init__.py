"""Pictures of positions and cards for links: drawn once as shapes, written as SVG, PNG or GIF.

They show only public facts. The `alt` of every picture describes it.
"""

from duels.pictures.card import draw_card
from duels.pictures.position import describe_position, draw_position, draw_sides
from duels.pictures.raster import write_gif, write_png
from duels.pictures.shapes import Picture
from duels.pictures.vector import write_svg

__all__ = [
    "Picture",
    "describe_position",
    "draw_card",
    "draw_position",
    "draw_sides",
    "write_gif",
    "write_png",
    "write_svg",
]
