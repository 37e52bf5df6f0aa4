"""The list of challenges, quick match, and the form of a new challenge."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.core.paginator import Page, Paginator
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.errors import AccountsError
from accounts.models import Mage, User
from accounts.requests import user_of
from accounts.selectors.users import count_users_online, list_mages_of
from challenges.errors import ChallengeRefused, InvalidChallenge
from challenges.filters import COOKIE, LIFE_OF_COOKIE, Filters
from challenges.forms.new import MatchForm, NewChallengeForm
from challenges.own_mages import find_battles_of, list_busy_mages, list_living_mages, name_free_mages
from challenges.selectors.lists import list_open_challenges
from challenges.selectors.state import count_missing_votes
from challenges.services.create import create_challenge
from challenges.services.invite_links import make_invite_link
from challenges.services.quick_match import find_quick_match
from challenges.services.rematch import ask_for_rematch
from challenges.shown import ShownChallenge
from challenges.views.shared import (
    choose_mage,
    lead_to_link,
    list_section,
    redirect_after,
    redirect_to_registration,
    render_page,
)
from duels.errors import BattleNotFound, NotYourCombatant
from duels.selectors.viewer import get_combatant_for_user
from pictures.selectors.small_boards import list_boards_numbered

PER_PAGE = 20


@require_safe
def show_challenges(request: HttpRequest) -> HttpResponse:
    """Show invitations, the challenges that the visitor has joined, and a filtered page of the others."""
    rows = list_open_challenges(viewer=request.user)
    filters = Filters.of(request.GET, request.COOKIES.get(COOKIE, ""), known=request.user.is_authenticated)
    others = list_section(rows, "open_to_join")
    found = [row for row in others if filters.wanted.takes(row)]
    page = _turn_to(request, found)
    living = list_living_mages(request.user)
    free = name_free_mages(living)
    busy = [] if free else list_busy_mages(living)
    user = request.user if isinstance(request.user, User) else None
    context = {
        "waiting_for_you": list_section(rows, "waiting_for_you"),
        "taking_part": list_section(rows, "taking_part"),
        "open_to_join": [row for row in page if row.seating.is_open_to_all],
        "by_invitation": [row for row in page if not row.seating.is_open_to_all],
        "page": page,
        "votes": count_missing_votes(user=user) if user else {},
        "filters": filters,
        "hidden": len(others) - len(found),
        "free_mages": free,
        "busy_mages": busy,
        "boards": list_boards_numbered(find_battles_of(busy), user),
    }
    answer = render_page(request, "list", context)
    if filters.chosen_now:
        answer.set_cookie(
            COOKIE, filters.query, max_age=LIFE_OF_COOKIE, httponly=True, samesite="Lax", path=request.path
        )
    return answer


def _turn_to(request: HttpRequest, shown: list[ShownChallenge]) -> "Page[ShownChallenge]":
    """Return the requested page: first what the visitor may join, then what is open to anyone, then the rest. In each
    of these, people come before bots."""
    ordered = sorted(
        shown,
        key=lambda challenge: (
            not challenge.seating.is_open_to_all,
            not challenge.own.may_join,
            challenge.is_of_bot,
            challenge.number,
        ),
    )
    return Paginator(ordered, PER_PAGE).get_page(request.GET.get("page"))


LIST = "challenges:list"


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def make_challenge(request: HttpRequest) -> HttpResponse:
    """Show the form of a new challenge; `?against=Name` fills in the opponent."""
    user = user_of(request)
    if not list_mages_of(user).exists():
        return redirect_to_registration(request, reverse("challenges:new"))
    form = NewChallengeForm(request.POST or None, user=user, initial={"against": request.GET.get("against", "")})
    if request.method == "POST" and form.is_valid():
        details, now, token = form.details(), timezone.now(), ""
        try:
            with transaction.atomic():
                challenge = create_challenge(**details, now=now)
                if details["by_link"]:
                    _link, token = make_invite_link(number=challenge.number, mage=challenge.challenger, now=now)
        except InvalidChallenge as error:
            form.add_problems(error.problems)
        else:
            if token:
                return lead_to_link(challenge.number, token)
            messages.success(request, _("You have created challenge %(number)d.") % {"number": challenge.number})
            return redirect("challenges:detail", challenge.number)
    status = 422 if request.method == "POST" else 200
    return render_page(request, "new", {"form": form, "has_free_mage": form.has_free_mage()}, status=status)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def match(request: HttpRequest) -> HttpResponse:
    """Quick match: ask for pace and stakes, then join the challenge that has waited longest, or create one."""
    user = user_of(request)
    form = MatchForm(request.POST if request.method == "POST" else None, user=user)
    if request.method != "POST" or not form.is_valid():
        return _ask_for_match(request, form)
    mage = _choose_free_mage(request)
    if mage is None:
        return redirect_to_registration(request, reverse(LIST))
    try:
        outcome = find_quick_match(mage=mage, terms=form.terms(), now=timezone.now())
    except InvalidChallenge as error:
        return _refuse(request, " ".join(problem.message for problem in error.problems))
    except ChallengeRefused as error:
        return _refuse(request, str(error))
    done = _("Nobody is waiting for a duel right now. %(mage)s is waiting for the next player.")
    return redirect_after(request, outcome, done % {"mage": mage.name})


def _ask_for_match(request: HttpRequest, form: MatchForm) -> HttpResponse:
    user = user_of(request)
    living = list_living_mages(user)
    if not living:
        return redirect_to_registration(request, reverse("challenges:match"))
    free = name_free_mages(living)
    context = {
        "form": form,
        "free_mages": free,
        "chosen": request.POST.get("mage") or request.GET.get("mage"),
        "busy_mages": [] if free else list_busy_mages(living),
        "about": count_users_online(besides=user, now=timezone.now()),
        # Bots always wait; the page offers them in a sentence.
        "waiting": [
            challenge
            for challenge in list_open_challenges(viewer=user)
            if challenge.seating.is_duel and challenge.own.may_join and not challenge.is_of_bot
        ],
    }
    return render_page(request, "match", context, status=422 if form.errors else 200)


@login_required
@require_POST
def rematch(request: HttpRequest, number: int) -> HttpResponse:
    """Ask for a rematch of a battle that is over, or accept one, with the visitor's mage who fought in it."""
    page = reverse("duels:battle", args=[number])
    try:
        combatant = get_combatant_for_user(number=number, user=request.user, mage_name=request.POST.get("mage"))
        outcome = ask_for_rematch(number=number, mage=combatant.mage, now=timezone.now())
    except BattleNotFound as error:
        raise Http404(str(error)) from error
    except NotYourCombatant as error:
        raise PermissionDenied(str(error)) from error
    except InvalidChallenge as error:
        messages.error(request, " ".join(problem.message for problem in error.problems))
    except (ChallengeRefused, AccountsError) as error:
        messages.error(request, str(error))
    else:
        if outcome.has_started:
            return redirect("duels:battle", outcome.number)
        messages.success(request, _("You asked for a rematch. It begins when everyone has accepted."))
    return redirect(page)


def _choose_free_mage(request: HttpRequest) -> Mage | None:
    """Return the mage named, or else the first free one."""
    names = name_free_mages(list_living_mages(request.user))
    if not request.POST.get("mage") and names:
        return list_mages_of(user_of(request)).get(name=names[0])
    return choose_mage(request)


def _refuse(request: HttpRequest, sentence: str) -> HttpResponse:
    messages.error(request, sentence)
    return redirect(LIST)
