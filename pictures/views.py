"""Pictures of battles as they stand, for links: only public facts, the same for everyone."""

import hashlib

from django.http import Http404, HttpRequest, HttpResponse
from django.utils import timezone
from django.views.decorators.http import require_safe

from duels.board import build_board
from duels.errors import BattleNotFound, UnreadableBattle
from duels.rules_release import current_rules_release
from duels.selectors.battle_view import NOTHING
from duels.selectors.viewer import get_battle_for_viewer
from duels.share import describe_start
from pictures.answers import answer_board, answer_picture, recall_picture
from pictures.drawing.raster import write_png
from pictures.drawing.shapes import Picture
from pictures.drawing.small_board import draw_small_board
from pictures.drawing.vector import write_svg
from pictures.selectors.small_boards import list_boards_numbered


@require_safe
def show_battle_card(request: HttpRequest, number: int) -> HttpResponse:
    """Show the board of a battle before the end of its first turn."""
    try:
        view = get_battle_for_viewer(number=number, user=None, window=NOTHING)
    except (BattleNotFound, UnreadableBattle) as error:
        raise Http404(str(error)) from error
    title, facts = describe_start(view)
    sides = build_board(view, now=timezone.now()).sides
    return answer_board(sides, title=title, facts=facts)


@require_safe
def show_board_svg(request: HttpRequest, number: int) -> HttpResponse:
    """Show the small board of a battle, as everyone may see it; `?width=` chooses its form."""
    return answer_picture(write_svg(_draw_small(request, number)).encode(), "image/svg+xml")


@require_safe
def show_board_png(request: HttpRequest, number: int) -> HttpResponse:
    picture = _draw_small(request, number)
    key = f"small_board_png:{hashlib.sha256(repr((current_rules_release(), picture)).encode()).hexdigest()}"
    return answer_picture(recall_picture(key, lambda: write_png(picture)), "image/png")


def _draw_small(request: HttpRequest, number: int) -> Picture:
    boards = list_boards_numbered([number], None)
    if not boards:
        raise Http404(str(BattleNotFound(number)))
    width = request.GET.get("width", "")
    return draw_small_board(boards[0], int(width) if width in ("96", "128", "160") else 160)
