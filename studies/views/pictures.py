"""Pictures of the turns of a battle, for links and for printing: only public facts, the same for everyone."""

import hashlib
from collections.abc import Iterable

from django.http import Http404, HttpRequest, HttpResponse
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from duels.errors import BattleNotFound, UnreadableBattle
from duels.rules_release import current_rules_release
from duels.selectors.battle_view import ShownTurn
from pictures.answers import answer_picture, recall_picture
from pictures.drawing.raster import write_gif, write_png
from pictures.drawing.shapes import Picture
from pictures.drawing.vector import write_svg
from studies.position_picture import draw_position
from studies.replay_board import build_replay_board
from studies.selectors.battle_replays import Replay, find_replay_for_anyone, get_whole_replay_for_anyone

# Of a longer battle, the animation shows the last turns.
MOST_FRAMES = 60
FRAME_MILLISECONDS = 1500


@require_safe
def show_svg(request: HttpRequest, number: int, seq: int) -> HttpResponse:
    """Show the position after a turn as SVG."""
    replay = _find(number, seq)
    return answer_picture(write_svg(_draw(replay)).encode(), "image/svg+xml")


@require_safe
def show_png(request: HttpRequest, number: int, seq: int) -> HttpResponse:
    replay = _find(number, seq)
    return answer_picture(
        recall_picture(_key("png", [replay.turn], replay), lambda: write_png(_draw(replay))), "image/png"
    )


@require_safe
def show_animation(request: HttpRequest, number: int) -> HttpResponse:
    """Show a battle that is over as an animated GIF, a frame for each turn."""
    try:
        replays = get_whole_replay_for_anyone(number=number)
    except (BattleNotFound, UnreadableBattle) as error:
        raise Http404(str(error)) from error
    if not replays:
        raise Http404(_("There is nothing to show before the end of the battle."))
    shown = replays[-MOST_FRAMES:]
    key = _key("gif", [each.turn for each in replays], shown[-1])
    return answer_picture(
        recall_picture(key, lambda: write_gif([_draw(each) for each in shown], milliseconds=FRAME_MILLISECONDS)),
        "image/gif",
    )


def _find(number: int, seq: int) -> Replay:
    try:
        replay = find_replay_for_anyone(number=number, seq=seq)
    except (BattleNotFound, UnreadableBattle) as error:
        raise Http404(str(error)) from error
    if replay is None:
        raise Http404(_("There is no such turn."))
    return replay


def _draw(replay: Replay) -> Picture:
    return draw_position(build_replay_board(replay))


def _key(kind: str, turns: Iterable[ShownTurn], replay: Replay) -> str:
    """Return the cache key of a picture, from the turns, the eyes and the language; "" while they may change."""
    marks = [(turn.pk, turn.mark) for turn in turns]
    if not all(mark for _pk, mark in marks):
        return ""
    parts = (current_rules_release(), marks, replay.eyes, get_language())
    return f"picture:{kind}:{hashlib.sha256(repr(parts).encode()).hexdigest()}"
