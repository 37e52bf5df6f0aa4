"""The page of a battle as HTML: the whole page, or only the part that changes."""

from collections.abc import Callable
from functools import wraps

import structlog
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.functional import SimpleLazyObject
from django.views.decorators.cache import never_cache

from accounts.models import User
from accounts.selectors.without_push import explain_without_push
from duels.board import Link, SentOrders, build_board
from duels.board.links import battle_url
from duels.errors import BattleNotFound, NotYourCombatant, UnreadableBattle
from duels.paces import is_live
from duels.selectors.battle_lists import count_battles_of, is_following
from duels.selectors.battle_view import BattleView
from duels.selectors.coaching import wants_coach
from duels.selectors.ending import read_ending
from duels.selectors.viewer import read_battle_clocks
from duels.services.clocks.sweep import hurry_overdue_clocks
from duels.share import make_battle_card
from duels.waiting_for_reader import read_waiting
from notifications.preferences import PREFERENCES, choose_sounds
from notifications.selectors.notices import preferences_of
from operations.registry import NEXT_LESSON, find_function

# One turn for each column on the board, whose numbers link to the stories, and one for the turn in play.
STORIES_SHOWN = 8


log = structlog.get_logger(__name__)

Page = Callable[..., HttpResponse]


def about_one_battle(page: Page) -> Page:
    """Turn a view into a page of one battle: never cached, 404 for an unknown number, 403 for someone else's mage."""

    @wraps(page)
    def wrapped(request: HttpRequest, number: int, **place: int) -> HttpResponse:
        try:
            return page(request, number, **place)
        except BattleNotFound as error:
            raise Http404(str(error)) from error
        except NotYourCombatant as error:
            raise PermissionDenied(str(error)) from error
        except UnreadableBattle as error:
            return show_unreadable_battle(request, error)

    return never_cache(wrapped)


def show_unreadable_battle(request: HttpRequest, error: UnreadableBattle) -> HttpResponse:
    """Say that this release cannot read the battle, and log it for the janitors."""
    log.error("battle cannot be read", battle=error.number, ruleset=error.ruleset, edition=error.edition)
    return render(request, "duels/unreadable.html", {"reason": str(error), "number": error.number}, status=503)


def wants_fragment(request: HttpRequest) -> bool:
    """Return whether a script asks for the live part of the page only."""
    return request.GET.get("fragment") == "board" or "HX-Request" in request.headers


def next_battle(request: HttpRequest, view: BattleView) -> Link | None:
    """Return the most urgent other battle that is waiting for the reader."""
    other = next((row for row in read_waiting(request).battles if row.number != view.battle.number), None)
    return Link(battle_url(other.number), str(other)) if other else None


def read_follows(request: HttpRequest, view: BattleView) -> bool | None:
    """Return whether the reader follows the battle; None if they cannot."""
    if view.over or view.me or not isinstance(request.user, User):
        return None
    return is_following(number=view.battle.number, user=request.user)


def _choose_sounds(request: HttpRequest, view: BattleView) -> str:
    """Return the sounds of the page for its reader. In a live battle, the first move is the consent to the default."""
    user = request.user if isinstance(request.user, User) else None
    setting = preferences_of(user)["sound"] if user else PREFERENCES["sound"].default
    return choose_sounds(setting, is_live=view.me is not None and is_live(view.terms.pace))


def _find_call(request: HttpRequest, view: BattleView, state: str) -> str:
    """Return what calls the reader back without notifications, where the page offers them: while they wait for others,
    and after their first battle, unless they fought only bots, with whom nobody waits for a turn. "" elsewhere."""
    user = request.user if isinstance(request.user, User) else None
    if user is None or not view.me or state not in ("sealed", "over"):
        return ""
    if state == "over" and all(row.mine or row.is_bot for row in view.combatants):
        return ""
    if state == "over" and not user.is_guest and (user.has_push or count_battles_of(user) > 1):
        return ""
    return explain_without_push(user, has_sound=state == "sealed" and _choose_sounds(request, view) != "off")


def draw_battle(
    request: HttpRequest,
    view: BattleView,
    *,
    sent: SentOrders | None = None,
    status: int = 200,
    template: str = "",
) -> HttpResponse:
    """Render the battle as `view` shows it, with the orders that were just sent and not played."""
    now = timezone.now()
    time = None if view.over else read_battle_clocks(view, now=now)
    if time:
        hurry_overdue_clocks(clocks=view.clocks, time=time, now=now)
    board = build_board(
        view,
        now=now,
        sent=sent,
        next_battle=next_battle(request, view),
        time=time,
        ending=read_ending(view, request.user, now=now),
        coaches=wants_coach(view, request.user),
        asks_draw="draw" in request.GET,
    )
    chosen = template or ("duels/_live.html" if wants_fragment(request) else "duels/battle.html")
    context = {
        "board": board,
        "battle": view.battle,
        "card": make_battle_card(view),
        "next_lesson": find_function(NEXT_LESSON)(request) if view.over and view.me else None,
        "follows": read_follows(request, view),
        "without_push": _find_call(request, view, board.state),
        "sounds": SimpleLazyObject(lambda: _choose_sounds(request, view)),
    }
    answer = render(request, chosen, context, status=status)
    answer.board = board  # type: ignore[attr-defined]  # for duels.live.fragments
    return answer
