"""A user's own mistakes on the real board: the position before one, and another try. Works without scripts."""

from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from accounts.requests import user_of
from duels.board import Board, SentOrders, build_position_board
from duels.order_form import read_order_form
from duels.selectors.viewer import find_battle
from operations.web.throttle import Throttle
from rules_engine import read_orders
from rules_engine.bots.findings import grade_of, percent
from rules_engine.bots.review import name_short
from studies.errors import StudyRefused
from studies.selectors.own_mistakes import Mistake, get_mistake, list_mistakes, read_position_before
from studies.selectors.positions import Position, see_position
from studies.services.own_mistakes import note_try, try_mistake
from studies.views.shared import about_studies

# Each try may search a turn.
TRIES = Throttle("own-mistakes", limit=200, seconds=600)


@require_safe
@login_required
@about_studies
def begin_mistakes(request: HttpRequest, number: int) -> HttpResponse:
    """Redirect to the user's first mistake in this battle that is not solved yet, or else to the analysis."""
    battle = find_battle(number=number)
    if not battle.is_over:
        raise StudyRefused("not_over")
    waiting = [each for each in list_mistakes(battle=battle, user=user_of(request)) if not each.is_solved]
    if not waiting:
        return HttpResponseRedirect(reverse("studies:analysis", args=[number]))
    return HttpResponseRedirect(reverse("studies:mistake", args=[number, waiting[0].seq]))


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
@about_studies
def show_mistake(request: HttpRequest, number: int, seq: int) -> HttpResponse:
    """Show the position before a mistake, as its mage saw it; a POST grades other orders, or previews them."""
    user, battle = user_of(request), find_battle(number=number)
    if not battle.is_over:
        raise StudyRefused("not_over")
    mistake = get_mistake(battle=battle, user=user, seq=seq)
    position = read_position_before(battle, seq)
    form = read_order_form(request.POST) if request.method == "POST" else None
    board = draw(mistake, position, SentOrders(form))
    kept, status = None, 200
    if form is not None and form.act == "ready":
        if board.is_refused:
            status = 422
        elif board.is_severe and not form.confirmed:
            board = draw(mistake, position, SentOrders(form, ask_to_confirm=True))
        else:
            TRIES.check_and_count(str(user.pk))
            sheet = read_orders(position.state, mistake.mage, form.text).sheet
            kept = try_mistake(user=user, mistake=mistake, sheet=sheet, now=timezone.now())
    shows_answer = "answer" in request.GET and request.method != "POST"
    if shows_answer:
        note_try(user=user, mistake=mistake, is_solved=False, now=timezone.now())
    is_solved = kept is not None and kept >= mistake.least
    grade = grade_of(mistake.facts["moves"][mistake.mage])
    mistakes = list_mistakes(battle=battle, user=user)
    context: dict[str, Any] = {
        "board": board,
        "battle": battle,
        "mistake": mistake,
        "mistakes": mistakes,
        "place": [each.seq for each in mistakes].index(seq) + 1,
        "lost": round(100 * mistake.lost),
        "least": percent(mistake.least),
        "kept": None if kept is None else percent(kept),
        "is_solved": is_solved,
        "answer": name_short(grade["better"], grade["better_spells"]) if shows_answer or is_solved else "",
        "best": percent(mistake.best),
        "next": next((each for each in mistakes if each.seq > seq and not each.is_solved), None),
    }
    live = request.GET.get("fragment") == "board"
    return render(request, "studies/_mistake_live.html" if live else "studies/mistake.html", context, status=status)


def draw(mistake: Mistake, position: Position, sent: SentOrders) -> Board:
    """Return the board with only what the mage saw."""
    view = see_position(position, mage=mistake.mage, draft=sent.form.text if sent.form else "")
    page = reverse("studies:mistake", args=[mistake.battle.number, mistake.seq])
    title = _("Turn %(turn)s again") % {"turn": mistake.label}
    return build_position_board(view, page=page, title=title, sent=sent, ready_word=_("Check"))
