"""Small boards on pages."""

from django import template
from django.utils.safestring import SafeString, mark_safe

from pictures.drawing.small_board import THEME, describe_small_board, draw_small_board
from pictures.drawing.vector import write_page_svg
from pictures.selectors.small_boards import SmallBoard

register = template.Library()


@register.simple_tag
def small_board(board: SmallBoard, width: int = 160) -> SafeString:
    """Draw a small board in the form for this width, in the colours of the page, within `{% with_arms %}`."""
    return mark_safe(write_page_svg(draw_small_board(board, width, THEME), "small-board"))


@register.simple_tag
def small_board_label(board: SmallBoard, watching: int = 0) -> str:
    """Return the sentence that a tile's link is called by."""
    return describe_small_board(board, watching)
