"""Puzzles on the real board: a list, the puzzle of the day, and a page for each. They work without an account and
without scripts; only users with an account have a rating and a streak."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from duels.board import Board, SentOrders, build_position_board
from duels.order_form import OrderForm, read_order_form
from duels.selectors.battle_view import BattleView
from operations.web.same_site import refuse_other_sites
from pictures.answers import answer_board
from pictures.page_cards import make_board_card, make_page_card
from rules_engine import narrate_all
from rules_engine.puzzles import SURVIVE, WIN_IN_TWO, Unprovable
from studies.models import Puzzle
from studies.progress import (
    Progress,
    account_of,
    forget_learning,
    learning_of,
    list_known_spells,
    read_cookie,
    read_progress,
    remember_in_browser,
)
from studies.puzzle_names import name_puzzle, write_share_line
from studies.selectors.own_mistakes import find_mistake_of_week
from studies.selectors.positions import Position, see_position
from studies.selectors.puzzle_streak import show_streak
from studies.selectors.puzzles import (
    ListedPuzzle,
    find_daily_puzzle,
    find_first_try,
    find_foe,
    find_next_puzzle,
    find_puzzle_skill,
    find_share,
    judge_turn,
    list_open_puzzles,
    list_puzzles,
    play_first_turn,
    play_puzzle_on,
    read_position,
)
from studies.services.daily_puzzle import ask_for_daily_puzzle, wants_daily_puzzle
from studies.services.progress import record_puzzle_try
from studies.services.puzzles import RatingChange
from studies.shelf import read_shelf

# The orders of a first turn in a URL; real ones have a few lines.
LONGEST_ORDERS = 600


@dataclass(frozen=True)
class PuzzleResult:
    """The result of the orders. `story`: the turn in words; `change`: the effect of a first try on the rating;
    `cast`: the spells that the player cast."""

    solved: bool
    story: tuple[str, ...]
    change: RatingChange | None = None
    cast: tuple[str, ...] = ()


@dataclass(frozen=True)
class PuzzlePosition:
    """A position of a puzzle, and the orders of the first turn if this is the second."""

    puzzle: Puzzle
    position: Position
    first: str = ""

    @property
    def url(self) -> str:
        page = reverse("studies:puzzle", args=[self.puzzle.pk])
        return f"{page}?{urlencode({'first': self.first})}" if self.first else page


@require_safe
@never_cache
def show_puzzles(request: HttpRequest) -> HttpResponse:
    """Show all puzzles, which of them the user has solved, and their rating."""
    user = account_of(request)
    context = {
        "nav_current": "learn",
        "daily": find_daily_puzzle(today=timezone.now().date()),
        "groups": _group(list_puzzles(user), solved=() if user else read_cookie(request).puzzles),
        "skill": find_puzzle_skill(user) if user else None,
        "next": find_next_puzzle(user, after=0),
        "card": make_page_card("puzzles", path=request.path),
        "own": find_mistake_of_week(user, today=timezone.now().date()) if user else None,
    }
    return render(request, "studies/puzzles.html", context)


@require_safe
@never_cache
def show_daily(request: HttpRequest) -> HttpResponse:
    """Redirect to the puzzle of the day."""
    puzzle = find_daily_puzzle(today=timezone.now().date())
    return redirect("studies:puzzle", puzzle.pk) if puzzle else redirect("studies:puzzles")


@csrf_exempt  # so that visitors get no cookie; refuse_other_sites protects tries that count
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def show_puzzle(request: HttpRequest, number: int) -> HttpResponse:
    """Show a puzzle; a POST plays a turn, or previews the chosen gestures."""
    now = timezone.now()  # a try belongs to the day on which it arrives
    puzzle = get_object_or_404(list_open_puzzles(), pk=number)
    place = _find_place(request, puzzle)
    user, known = account_of(request), read_progress(request)
    form = read_order_form(request.POST) if request.method == "POST" else None
    board = _draw(place, SentOrders(form))
    result, status = None, 200
    if form is not None and form.act == "ready":
        if board.is_refused:
            status = 422
        elif board.is_severe and not form.confirmed:
            board = _draw(place, SentOrders(form, ask_to_confirm=True))
        else:
            played = _play(request, place, form, now)
            if isinstance(played, HttpResponse):
                return played
            result, board = played
    is_daily = puzzle == find_daily_puzzle(today=now.date())
    tries = learning_of(request).first_tries
    streak = show_streak(tries, now=now) if is_daily and user else None
    context: dict[str, Any] = {
        "board": board,
        "puzzle": puzzle,
        "title": name_puzzle(puzzle.kind),
        "words": _describe(place),
        "is_second": bool(place.first),
        "result": result,
        "is_daily": is_daily,
        "share": find_share(puzzle),
        "skill": find_puzzle_skill(user) if user else None,
        "tried": find_first_try(user, puzzle) if user else None,
        "next": find_next_puzzle(user, after=puzzle.pk) if result and result.solved else None,
        "streak": streak if result else None,
        "may_count_today": streak is not None and streak.solved_today is None,
        "share_line": write_share_line(now.date(), streak) if is_daily else "",
        "can_be_notified": user is not None and result is not None and not wants_daily_puzzle(user=user),
        "card": make_board_card(
            title=name_puzzle(puzzle.kind),
            description=_describe(PuzzlePosition(puzzle, read_position(puzzle))),
            image=reverse("studies:puzzle_card", args=[puzzle.pk]),
            path=reverse("studies:puzzle", args=[puzzle.pk]),
        ),
        "csrf_token": "",
    }
    shelf = read_shelf(known.tasks, known.spells)
    cast = result.cast if result else ()
    context["taught"] = [each.name for each in shelf.spells if not each.is_known and each.name in cast]
    live = request.GET.get("fragment") == "board"
    answer = render(request, "studies/_puzzle_live.html" if live else "studies/puzzle.html", context, status=status)
    if result and result.solved and user is None:
        gained = Progress(spells=list_known_spells(result.cast), puzzles=(puzzle.pk,))
        remember_in_browser(request, answer, gained)
    return answer


@csrf_exempt  # the page of a puzzle has no token; refuse_other_sites replaces it
@require_POST
def notify_daily(request: HttpRequest) -> HttpResponse:
    """Notify the user of each day's puzzle from now on: on their devices, or by email if they have none."""
    refuse_other_sites(request)
    return _notify_daily(request)


@login_required
def _notify_daily(request: HttpRequest) -> HttpResponse:
    user = account_of(request)
    if user is None:
        return redirect("keep")
    channel = ask_for_daily_puzzle(user=user)
    if channel == "push":
        messages.success(request, _("From now on, your devices tell you of each day's puzzle. You can change it here."))
    else:
        messages.success(request, _("From now on, we email you each day's puzzle. You can change it here."))
    return redirect("accounts:notices")


@require_safe
def show_puzzle_card(request: HttpRequest, number: int) -> HttpResponse:
    """Show the board of a puzzle as a picture, for links to it."""
    puzzle = get_object_or_404(list_open_puzzles(), pk=number)
    place = PuzzlePosition(puzzle, read_position(puzzle))
    return answer_board(_draw(place).sides, title=name_puzzle(puzzle.kind), facts=[_describe(place)])


def _group(puzzles: Iterable[ListedPuzzle], solved: Collection[int]) -> list[tuple[str, list[ListedPuzzle]]]:
    """Return the puzzles by task, the easiest first; a stranger has `solved` these in their browser."""
    groups: dict[str, list[ListedPuzzle]] = {}
    for puzzle in sorted(puzzles, key=lambda each: (each.rating, each.pk)):
        puzzle.has_solved |= puzzle.pk in solved
        groups.setdefault(name_puzzle(puzzle.kind), []).append(puzzle)
    return sorted(groups.items(), key=lambda group: group[1][0].rating)


def _find_place(request: HttpRequest, puzzle: Puzzle) -> PuzzlePosition:
    """Return the position to solve. Raises Http404 for a second turn after orders that do not lead to one."""
    position = read_position(puzzle)
    first = request.GET.get("first", "")
    if not first:
        return PuzzlePosition(puzzle, position)
    after = play_first_turn(puzzle, position, first) if len(first) <= LONGEST_ORDERS else None
    if puzzle.kind != WIN_IN_TWO or after is None or after.state.over:
        raise Http404(_("There is no such puzzle."))
    return PuzzlePosition(puzzle, after, first)


def _play(
    request: HttpRequest, place: PuzzlePosition, form: OrderForm, now: datetime
) -> tuple[PuzzleResult, Board] | HttpResponse:
    """Play the turn, which arrived at `now`. Show the result if it is right; otherwise show the position again for
    another try."""
    refuse_other_sites(request)
    puzzle, mage = place.puzzle, place.puzzle.mage
    try:
        verdict = judge_turn(puzzle, place.position, form.text, is_second=bool(place.first))
    except Unprovable as error:
        raise Http404(_("There is no such puzzle.")) from error
    if verdict.has_more:
        return redirect(PuzzlePosition(puzzle, place.position, form.text).url)
    # The player knows their own gestures.
    events = [
        event
        for event in verdict.played.events
        if event.kind != "turn_begins" and not (event.kind == "gestures" and event.facts.get("who") == mage)
        if event.is_visible_to([mage])
    ]
    sentences = tuple(filter(None, narrate_all(events, mage)))
    turns = [*(place.position.events[-1:] if place.first else ()), verdict.played.events]
    cast = [event.facts for turn in turns for event in turn if event.kind == "casts"]
    spells = tuple(dict.fromkeys(str(facts["spell"]) for facts in cast if facts["who"] == mage))
    user, change = account_of(request), None
    if user is not None:
        steps = Progress(spells=list_known_spells(spells)).steps
        change = record_puzzle_try(user=user, puzzle=puzzle, solved=verdict.is_right, steps=steps, now=now)
        forget_learning(request)
    result = PuzzleResult(verdict.is_right, sentences, change, spells)
    if not verdict.is_right:
        return result, _draw(place)
    view = see_position(play_puzzle_on(place.position, verdict.played), mage=mage, waits=False)
    return result, _build(view, place)


def _draw(place: PuzzlePosition, sent: SentOrders | None = None) -> Board:
    draft = sent.form.text if sent and sent.form else ""
    return _build(see_position(place.position, mage=place.puzzle.mage, draft=draft), place, sent)


def _build(view: BattleView, place: PuzzlePosition, sent: SentOrders | None = None) -> Board:
    return build_position_board(view, page=place.url, title=name_puzzle(place.puzzle.kind), sent=sent)


def _describe(place: PuzzlePosition) -> str:
    """Return the task in words, with what is at stake."""
    state, mage = place.position.state, place.puzzle.mage
    foe = find_foe(place.position, mage)
    facts = {
        "foe": foe,
        "mage": mage,
        "points": _count_points(state.wizards[foe].hp),
        "own": _count_points(state.wizards[mage].hp),
    }
    if place.puzzle.kind == SURVIVE:
        message = _(
            "You play %(mage)s, with %(own)s left. %(foe)s can kill you this turn. Find the orders that "
            "keep you alive, whatever %(foe)s plays."
        )
    elif place.puzzle.kind == WIN_IN_TWO and not place.first:
        message = _(
            "You play %(mage)s. %(foe)s has %(points)s left. Find orders for this turn that let you win in the "
            "next, whatever %(foe)s plays."
        )
    elif place.first:
        message = _("Right. %(foe)s has answered. Now win this turn, whatever %(foe)s plays.")
    else:
        message = _(
            "You play %(mage)s. %(foe)s has %(points)s left. Find the orders that win this turn, whatever "
            "%(foe)s plays."
        )
    return message % facts


def _count_points(points: int) -> str:
    return ngettext("%(n)s hit point", "%(n)s hit points", points) % {"n": points}
