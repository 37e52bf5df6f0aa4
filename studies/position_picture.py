"""The board after a turn as a picture, and in words."""

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from duels.board.sides import Side
from pictures.drawing.position import draw_sides, say_points
from pictures.drawing.shapes import Picture
from studies.replay_board import ReplayBoard


def draw_position(board: ReplayBoard) -> Picture:
    """Return the board after a turn. The caller ensures that it is public."""
    turn = _("Turn %(turn)s") % {"turn": board.label}
    return draw_sides(board.sides, title=f"{board.name} · {turn}", foot=board.headline, alt=describe_position(board))


def describe_position(board: ReplayBoard) -> str:
    sides = (*board.sides.above, board.sides.below)
    words = [_("%(battle)s after turn %(turn)s.") % {"battle": board.name, "turn": board.label}]
    words += [_describe_side(side) for side in sides]
    return " ".join([*words, board.headline])


def _describe_side(side: Side) -> str:
    facts = [say_points(side), *(chip.name for chip in side.chips)]
    for being in side.beings:
        points = ngettext("%(n)s hit point", "%(n)s hit points", being.hp) % {"n": being.hp}
        facts.append(f"{being.name} ({points})")
    return f"{side.name}: {', '.join(fact for fact in facts if fact)}."
