"""The pages of cups: the list, one cup, and joining and leaving it."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from accounts.errors import NoSuchMage
from accounts.models import User
from accounts.requests import UserRequest
from accounts.selectors.names import get_mage_for_user
from accounts.selectors.users import read_mages_of
from league.cup_words import name_cup_in_sentence
from league.errors import CupRefused
from league.models import Cup
from league.rules.cup_calendar import LEAST_BOTS, LEAST_ENTRANTS
from league.rules.swiss import ROUNDS
from league.selectors.cup_boards import list_rounds
from league.selectors.cups import (
    find_cup,
    find_own_place,
    list_entrants,
    list_next_cups,
    list_past_cups,
    list_running_cups,
)
from league.selectors.evening_tables import find_end_of_round, rank_evening
from league.selectors.round_robins import count_rounds_of, read_bot_groups
from league.services.cup_places import join_cup, leave_cup

NAV = {"nav_current": "ladder", "tab": "cups"}
PAST_CUPS, PAST_WEEKS = 24, 12


@require_safe
@never_cache
def show_cups(request: HttpRequest) -> HttpResponse:
    """Show the cups that come, run and are over."""
    reader = request.user if isinstance(request.user, User) else None
    now = timezone.now()
    next_cups = list_next_cups(reader, now=now)
    running = [(cup, list_rounds(cup, reader)) for cup in list_running_cups()]
    context = {
        "next_cups": [each for each in next_cups if not each.cup.is_round_robin],
        "running": [each for each in running if not each[0].is_round_robin],
        "past": list_past_cups(limit=PAST_CUPS, of_bots=False),
        "next_of_bots": [each for each in next_cups if each.cup.is_round_robin],
        "running_of_bots": [each for each in running if each[0].is_round_robin],
        "past_of_bots": list_past_cups(limit=PAST_WEEKS, of_bots=True),
        "mages": read_mages_of(reader) if reader is not None else [],
        "least": LEAST_ENTRANTS,
        "least_bots": LEAST_BOTS,
    }
    return render(request, "league/cups.html", NAV | context)


@require_safe
@never_cache
def show_cup(request: HttpRequest, pk: int) -> HttpResponse:
    """Show one cup: who is in, or the bracket or table with its boards."""
    reader = request.user if isinstance(request.user, User) else None
    cup, now = _get_cup(pk), timezone.now()
    context: dict[str, object] = {
        "cup": cup,
        "own": find_own_place(cup, reader),
        "takes_entrants": cup.takes_entrants(now),
        "next_cups": [
            each
            for each in list_next_cups(reader, now=now)
            if each.cup.pk != cup.pk and each.cup.is_round_robin == cup.is_round_robin
        ],
        "mages": read_mages_of(reader) if reader is not None else [],
    }
    if cup.started_at is None:
        context["entrants"] = list_entrants(cup)
    else:
        context["rounds"] = list_rounds(cup, reader)
        if cup.is_live:
            context["round_ends_at"] = find_end_of_round(cup, now)
        if cup.is_evening:
            context |= {"lines": rank_evening(cup), "total": ROUNDS}
        elif cup.is_round_robin:
            context |= {"groups": read_bot_groups(cup), "total": count_rounds_of(cup)}
    return render(request, "league/cup.html", NAV | context)


@require_POST
@login_required
def join(request: UserRequest, pk: int) -> HttpResponse:
    """Join a cup with the mage who is named, or let that mage play."""
    try:
        mage = get_mage_for_user(user=request.user, name=request.POST.get("mage", ""))
        join_cup(user=request.user, cup_id=pk, mage=mage, now=timezone.now())
    except Cup.DoesNotExist as error:
        raise Http404 from error
    except (CupRefused, NoSuchMage) as error:
        messages.error(request, str(error))
    else:
        messages.success(request, _("%(mage)s is in.") % {"mage": mage})
    return redirect("league:cup", pk)


@require_POST
@login_required
def leave(request: UserRequest, pk: int) -> HttpResponse:
    """Withdraw from a cup that has not begun, or leave one that runs."""
    try:
        cup = leave_cup(user=request.user, cup_id=pk, now=timezone.now())
    except Cup.DoesNotExist as error:
        raise Http404 from error
    except CupRefused as error:
        messages.error(request, str(error))
    else:
        messages.success(
            request, _("You have left the %(cup)s.") % {"cup": name_cup_in_sentence(cup.kind, cup.begins_at)}
        )
    return redirect("league:cup", pk)


def _get_cup(pk: int) -> Cup:
    cup = find_cup(pk)
    if cup is None:
        raise Http404(_("There is no such cup."))
    return cup
