"""The pages of the replay."""

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from duels.battle_page import about_one_battle
from duels.board.links import battle_url, replay_url
from duels.selectors.viewer import MaybeUser
from studies.position_picture import describe_position
from studies.replay_board import build_replay_board
from studies.replay_cards import make_poster_card, make_turn_card
from studies.selectors.battle_replays import (
    Replay,
    find_replay_for_viewer,
    get_whole_replay_for_anyone,
    list_replay_turns,
)
from studies.selectors.chances import Chances, find_chances_of_battle

# The number that fits on a large sheet.
MOST_ON_POSTER = 60


@require_safe
@about_one_battle
def open_replay(request: HttpRequest, number: int) -> HttpResponse:
    """Redirect to the first turn, or to the battle itself if no turn is over."""
    turns = list_replay_turns(number=number)
    if not turns:
        return HttpResponseRedirect(battle_url(number))
    eyes = {"eyes": request.GET["eyes"]} if "eyes" in request.GET else {}
    return HttpResponseRedirect(replay_url(number, turns[0].seq, **eyes))


@require_safe
@about_one_battle
def show_turn(request: HttpRequest, number: int, seq: int) -> HttpResponse:
    """Show one turn of the replay; with `?fragment=turn` only what changes from turn to turn."""
    replay = find_replay_for_viewer(number=number, user=request.user, seq=seq, eyes=request.GET.get("eyes", ""))
    if replay is None:
        raise Http404(_("There is no such turn."))
    template = "studies/_replay_live.html" if request.GET.get("fragment") == "turn" else "studies/replay.html"
    context = {
        "board": build_replay_board(replay, chances=_find_chances(replay, request.user)),
        "battle": replay.past.battle,
        "card": make_turn_card(replay),
    }
    return render(request, template, context)


def _find_chances(replay: Replay, user: MaybeUser) -> Chances | None:
    """Return the chances over the battle, once it is over and analysed."""
    past = replay.past
    if not past.battle.is_over:
        return None
    return find_chances_of_battle(number=past.battle.number, user=user, mage=past.me)


@require_safe
@about_one_battle
def show_poster(request: HttpRequest, number: int) -> HttpResponse:
    """Show a battle that is over on one page to print: a picture of every turn."""
    replays = get_whole_replay_for_anyone(number=number)
    if not replays:
        raise Http404(_("There is nothing to show before the end of the battle."))
    boards = [build_replay_board(each) for each in replays[-MOST_ON_POSTER:]]
    turns = [(board, describe_position(board)) for board in boards]
    return render(
        request, "studies/poster.html", {"turns": turns, "board": boards[-1], "card": make_poster_card(replays[-1])}
    )
