"""What if: try a turn another way, on the board of the battle page. All of it works without scripts."""

from collections.abc import Mapping
from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from accounts.models import User
from duels.board import Board, SentOrders
from duels.errors import InvalidOrders
from duels.order_form import OrderForm, read_order_form
from operations.web.throttle import Throttle
from studies.board import choose_hand, draw_position, list_orderers
from studies.errors import NotYourStudy, StudyRefused
from studies.models import Branch, Study
from studies.selectors import starts, trees
from studies.selectors.positions import Position
from studies.selectors.trees import SLOWEST
from studies.services.begin import begin_study
from studies.services.grow_tree import order_in_study
from studies.views.shared import about_studies

# Each turn may make bots think.
TURNS = Throttle("what-if", limit=300, seconds=600)
COSTLY = 6


@require_http_methods(["GET", "HEAD", "POST"])
@about_studies
def try_turn(request: HttpRequest, number: int, seq: int) -> HttpResponse:
    """Show the position before a turn. The first orders create a study of it."""
    if request.method == "POST" and not request.user.is_authenticated:
        return login_required(lambda request: HttpResponse())(request)
    start = starts.read_start(number=number, user=request.user, seq=seq)
    page = reverse("studies:try", args=[number, seq])
    hand = start.hand if request.user.is_authenticated else ""
    form = read_order_form(request.POST) if request.method == "POST" else None
    title = _("What if: turn %(turn)s") % {"turn": start.state.label}

    def draw(*, ask_to_confirm: bool = False) -> Board:
        sent = SentOrders(form, ask_to_confirm=ask_to_confirm)
        return draw_position(Position(start.state), page=page, mage=hand, title=title, sent=sent)

    board, status = draw(), 200
    if form is not None and form.act == "ready" and isinstance(request.user, User):
        if board.is_refused:
            status = 422
        elif board.is_severe and not form.confirmed:
            board = draw(ask_to_confirm=True)
        else:
            count_turn(request.user, {})
            study = begin_study(owner=request.user, start=start, now=timezone.now())
            return order(request, study, trees.get_branch(study, 0), hand, form)
    context = {
        "board": board,
        "start": start,
        "knows": start.mage,
        "title": title,
        "battle": start.battle,
        "is_root": True,
    }
    return draw_page(request, context, status)


@require_http_methods(["GET", "HEAD", "POST"])
@about_studies
def show_study(request: HttpRequest, study: str, branch: int = 0) -> HttpResponse:
    """Show a branch on the board; its owner sets orders on it and plays on."""
    if request.method == "POST" and not request.user.is_authenticated:
        return login_required(lambda request: HttpResponse())(request)
    kept = trees.get_study_for_reader(slug=study, user=request.user)
    point = trees.get_branch(kept, branch)
    form = read_order_form(request.POST) if request.method == "POST" else None
    mine = kept.owner_id == request.user.pk
    if form is not None and not mine:
        raise NotYourStudy
    path = trees.read_path(point)
    position = trees.read_position(path)
    wanted = (form.mage if form else request.GET.get("mage", "")) if mine else ""
    hand = choose_hand(position.state, kept, point, wanted) if mine else ""
    page = reverse("studies:branch", args=[kept.slug, point.number])
    title = kept.title or _("What if: turn %(turn)s") % {"turn": path[0].label}

    def draw(*, ask_to_confirm: bool = False) -> Board:
        sent = SentOrders(form, ask_to_confirm=ask_to_confirm)
        draft = "\n".join(point.drafts.get(hand, ()))
        return draw_position(position, page=page, mage=hand, title=title, sent=sent, draft=draft)

    board, status, problem = draw(), 200, ""
    if form is not None and form.act == "ready" and hand:
        if board.is_refused:
            status = 422
        elif board.is_severe and not form.confirmed:
            board = draw(ask_to_confirm=True)
        else:
            count_turn(request.user, kept.answers)
            return order(request, kept, point, hand, form)
    context = describe(request, kept, point, path, position, hand)
    return draw_page(request, {**context, "board": board, "title": title, "problem": problem}, status)


def describe(
    request: HttpRequest, study: Study, branch: Branch, path: list[Branch], position: Position, hand: str
) -> dict[str, Any]:
    """Return the contents of the page beside the board."""
    is_mine = study.owner_id == request.user.pk
    bots = study.battle is None or study.battle.is_over or study.battle.practice
    is_recorded = 0 < branch.number <= study.recorded
    return {
        "study": study,
        "knows": study.mage,
        "battle": study.battle,
        "branch": branch,
        "is_mine": is_mine,
        "is_root": branch.number == 0,
        "parent": path[-2].number if len(path) > 1 else None,
        "is_recorded": is_recorded,
        "is_import": bool(study.recorded),
        "doubts": trees.read_doubts(study) if study.recorded and not branch.number else (),
        "following": trees.find_following(branch),
        "beside": bool(branch.number) and not is_recorded and (study.battle is not None or bool(study.recorded)),
        "real": trees.find_real_story(study, branch, request.user) if branch.number and not is_recorded else None,
        "branches": trees.list_tree(study, branch.number),
        "orderers": list_orderers(position.state, study, branch, hand, bots=bots) if is_mine else [],
        "accesses": Study.Access.values,
        "over": position.state.over,
    }


def draw_page(request: HttpRequest, context: dict[str, Any], status: int) -> HttpResponse:
    live = request.GET.get("fragment") == "board"
    return render(request, "studies/_live.html" if live else "studies/study.html", context, status=status)


def count_turn(user: Any, answers: Mapping[str, str]) -> None:
    """Count a tried turn; one with a slow bot's answer counts more. Raises TooManyAttempts."""
    TURNS.check(str(user.pk))
    for _time in range(1 + COSTLY * (SLOWEST in answers.values())):
        TURNS.count(str(user.pk))


def order(request: HttpRequest, study: Study, branch: Branch, hand: str, form: OrderForm) -> HttpResponse:
    """Set the orders, and redirect to the new branch, or back to set the next mage's."""
    here = reverse("studies:branch", args=[study.slug, branch.number])
    try:
        after = order_in_study(study=study, branch=branch, mage=hand, text=form.text, now=timezone.now())
    except (StudyRefused, InvalidOrders) as error:
        context = {"reason": str(error), "back": here}
        return render(request, "studies/refused.html", context, status=409)
    return HttpResponseRedirect(reverse("studies:branch", args=[study.slug, after.number]) if after else here)
