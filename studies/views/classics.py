"""The annotated battles: to read, and turn by turn on the board."""

from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from accounts.requests import UserRequest
from operations.web.cards import Card
from operations.web.numbers import parse_number
from pictures.answers import answer_board
from pictures.page_cards import make_board_card, make_page_card
from rules_engine.records import write_record
from studies.board import draw_position
from studies.selectors import classics as selectors
from studies.services.begin import import_study
from studies.views.library import IMPORTS
from studies.views.shared import about_studies


@require_safe
@about_studies
def list_classics(request: HttpRequest) -> HttpResponse:
    """Show every annotated battle."""
    return render(
        request,
        "studies/classics.html",
        {
            "classics": selectors.list_classics(),
            "card": make_page_card("classics", path=request.path),
        },
    )


@require_safe
@about_studies
def show_classic(request: HttpRequest, slug: str) -> HttpResponse:
    """Show a whole battle to read, with the comments on each turn."""
    classic = selectors.describe_classic(slug)
    context = {"classic": classic, "turns": selectors.read_turns(slug), "card": _make_card(classic, request.path)}
    return render(request, "studies/classic.html", context)


@require_safe
@about_studies
def show_classic_card(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the board before the last turn as a picture, for links to the battle."""
    classic, last = selectors.describe_classic(slug), selectors.read_turns(slug)[-1].seq
    board = draw_position(selectors.read_position(slug, last), page=request.path, mage="", title=str(classic.title))
    return answer_board(board.sides, title=str(classic.title), facts=[str(classic.lead)])


def _make_card(classic: selectors.ShownClassic, path: str) -> Card:
    image = reverse("studies:classic_card", args=[classic.slug])
    return make_board_card(title=str(classic.title), description=str(classic.lead), image=image, path=path)


@require_safe
@about_studies
def show_turn(request: HttpRequest, slug: str, seq: int) -> HttpResponse:
    """Show the board before a turn, with the real moves folded away: a lesson."""
    classic, turns = selectors.describe_classic(slug), selectors.read_turns(slug)
    position = selectors.read_position(slug, seq)
    place = next(place for place, turn in enumerate(turns) if turn.seq == seq)
    title = _("%(battle)s, turn %(turn)s") % {"battle": classic.title, "turn": turns[place].label}
    context: dict[str, Any] = {
        "board": draw_position(position, page=request.path, mage="", title=title),
        "title": title,
        "classic": classic,
        "card": _make_card(classic, request.path),
        "turn": turns[place],
        "earlier": turns[place - 1].seq if place else None,
        "later": turns[place + 1].seq if place + 1 < len(turns) else None,
    }
    return render(request, "studies/classic_turn.html", context)


@require_POST
@about_studies
@login_required
def study_classic(request: UserRequest, slug: str) -> HttpResponse:
    """Create a study of the battle, to play it another way; it opens at the turn that the form names."""
    IMPORTS.check_and_count(str(request.user.pk))
    record = selectors.read_classic(slug).record
    title = str(selectors.describe_classic(slug).title)
    study = import_study(owner=request.user, text=write_record(record), form="text", title=title, now=timezone.now())
    wanted = parse_number(request.POST.get("seq", "")) or 0
    # The branch before that turn: the first one whose children belong to it.
    found = study.branches.filter(seq__lt=wanted, number__gt=0).order_by("-number").first()
    return HttpResponseRedirect(reverse("studies:branch", args=[study.slug, found.number if found else 0]))
