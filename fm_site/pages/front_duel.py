"""The duel on the front page: the first turns of a duel against the Apprentice, on the real board.

Until orders arrive there is no battle, guest or cookie: everyone sees the position after the opening. The first orders
create the guest and the battle, and are played; the duel then continues on the battle's own page.
"""

from dataclasses import dataclass, replace
from functools import lru_cache

from django.contrib.auth import login
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone
from django.utils.safestring import mark_safe
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from accounts.backends import BY_NAME
from accounts.errors import AccountsError, MageBusy
from accounts.models import User
from accounts.selectors.users import list_mages_of
from challenges.errors import ChallengeRefused
from challenges.guest_limit import limit_guests
from challenges.selectors.bots import list_mages_of_bot
from challenges.services.play_now import (
    FIRST_HIT_POINTS,
    FIRST_OPPONENT,
    FIRST_TERMS,
    OPENING,
    VISITOR,
    play_from_opening,
)
from duels.board import Board, SentOrders, build_position_board
from duels.errors import IllegalOrders, InvalidOrders, Unconfirmed
from duels.order_form import OrderForm, read_order_form
from operations.web.same_site import refuse_other_sites
from studies.selectors.positions import Position, begin_position, play_on, see_position

LIVE = "_front_duel.html"
# The number of cached positions and pages: languages times opponents.
KEPT = 32


@dataclass(frozen=True)
class FrontDuel:
    """The board as HTML, the status of the response, and the goal: whom to bring from how many hit points to 0."""

    html: str
    status: int = 200
    opponent: str = ""
    points: int = FIRST_HIT_POINTS[1]


def answer_front_duel(request: HttpRequest) -> FrontDuel | HttpResponse | None:
    """Return the board; after valid orders, a redirect to the battle; None if this site has no bots."""
    mages = list_mages_of_bot(FIRST_OPPONENT)
    if not mages:
        return None
    opponent = mages[0].name
    if request.method != "POST":
        return FrontDuel(_draw_first(get_language(), opponent), opponent=opponent)
    refuse_other_sites(request)
    form = read_order_form(request.POST)
    answer = _play(request, form, opponent) if form.act == "ready" else FrontDuel(_draw(opponent, SentOrders(form)))
    if isinstance(answer, FrontDuel):
        answer = replace(answer, opponent=opponent)
    if isinstance(answer, FrontDuel) and request.GET.get("fragment") == "board":
        return HttpResponse(answer.html, status=answer.status)
    return answer


def find_front_board() -> Board | None:
    """Return the board before any choice, or None if this site has no bots."""
    mages = list_mages_of_bot(FIRST_OPPONENT)
    return _board(mages[0].name) if mages else None


def _play(request: HttpRequest, form: OrderForm, opponent: str) -> FrontDuel | HttpResponse:
    """Play the orders as the next turn of a battle, or show their problems."""
    if _board(opponent, SentOrders(form)).is_refused:
        return FrontDuel(_draw(opponent, SentOrders(form)), 422)
    guest = request.user if isinstance(request.user, User) else None
    mage = list_mages_of(guest).first() if guest else None
    try:
        with limit_guests(request, is_new=mage is None):
            user, battle = play_from_opening(
                user=guest,
                mage=mage,
                opponent=opponent,
                orders=form.text,
                confirmed=form.confirmed,
                now=timezone.now(),
            )
    except Unconfirmed:
        return FrontDuel(_draw(opponent, SentOrders(form, ask_to_confirm=True)))
    except (InvalidOrders, IllegalOrders) as error:
        return FrontDuel(_draw(opponent, SentOrders(form, error.problems)), 422)
    except MageBusy as error:
        return HttpResponseRedirect(reverse("duels:battle", args=[error.number]))
    except (ChallengeRefused, AccountsError) as error:
        return render(request, "403.html", {"exception": str(error)}, status=422)
    if guest is None:
        login(request, user, backend=BY_NAME)
    return HttpResponseRedirect(reverse("duels:battle", args=[battle.number]))


@lru_cache(maxsize=KEPT)
def _draw_first(language: str | None, opponent: str) -> str:
    """Return the board before any choice, in this language: the same for everyone."""
    return _draw(opponent)


def _draw(opponent: str, sent: SentOrders | None = None) -> str:
    board = _board(opponent, sent)
    # No CSRF token: refuse_other_sites replaces it, so visitors get no cookie before they play.
    return mark_safe(render_to_string(LIVE, {"board": board, "csrf_token": ""}))


@lru_cache(maxsize=KEPT)
def _play_opening(opponent: str) -> Position:
    position = begin_position(VISITOR, opponent, bot=opponent, hit_points=FIRST_HIT_POINTS)
    for mine, theirs in OPENING:
        position = play_on(position, {VISITOR: mine, opponent: theirs})
    return position


def _board(opponent: str, sent: SentOrders | None = None) -> Board:
    draft = sent.form.text if sent and sent.form else ""
    view = see_position(_play_opening(opponent), mage=VISITOR, draft=draft, terms=FIRST_TERMS)
    title = _("Firetop Mountain: a duel of wizards")
    return build_position_board(view, page=reverse("stage"), title=title, sent=sent, ready_word=_("Reveal both sides"))
