"""Entering the league and leaving it, and what its players choose: their mage, and the pace of a duel."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from accounts.errors import NoSuchMage
from accounts.requests import UserRequest
from accounts.selectors.names import get_mage_for_user
from league.errors import LeagueRefused
from league.selectors.leaving import find_what_leaving_costs
from league.selectors.overview import read_overview
from league.services.entries import choose_mage, leave, sign_up, wish_bank
from league.words import describe_cost_of_leaving

NAV = {"nav_current": "ladder"}
FORM = ["GET", "HEAD", "POST"]


@login_required
@require_http_methods(FORM)
def join(request: UserRequest) -> HttpResponse:
    """Say what a place in the league means and ask for a mage; a POST signs up."""
    now = timezone.now()
    problem = ""
    if request.method == "POST":
        try:
            mage = get_mage_for_user(user=request.user, name=request.POST.get("mage", ""))
            sign_up(user=request.user, mage=mage, now=now)
        except (LeagueRefused, NoSuchMage) as error:
            problem = str(error)
        else:
            messages.success(request, _("%(mage)s is in.") % {"mage": mage})
            return redirect("league:overview")
    context = {"league": read_overview(reader=request.user, now=now), "problem": problem}
    return render(request, "league/join.html", NAV | context, status=422 if problem else 200)


@login_required
@require_http_methods(FORM)
def leave_league(request: UserRequest) -> HttpResponse:
    """Say what leaving costs, now and after the season; a POST leaves, at once with at_once=1."""
    now = timezone.now()
    problem = ""
    if request.method == "POST":
        try:
            leave(user=request.user, at_once=request.POST.get("at_once") == "1", now=now)
        except LeagueRefused as error:
            problem = str(error)
        else:
            messages.success(request, _("You have left the league."))
            return redirect("league:overview")
    cost = find_what_leaving_costs(request.user)
    context = {"cost": cost, "sentences": describe_cost_of_leaving(cost), "problem": problem}
    return render(request, "league/leave.html", NAV | context, status=422 if problem else 200)


@login_required
@require_POST
def name_mage(request: UserRequest) -> HttpResponse:
    """Let another mage play the league duels that have not begun."""
    try:
        mage = get_mage_for_user(user=request.user, name=request.POST.get("mage", ""))
        choose_mage(user=request.user, mage=mage, now=timezone.now())
    except (LeagueRefused, NoSuchMage) as error:
        messages.error(request, str(error))
    else:
        messages.success(request, _("%(mage)s plays your league duels from the next one on.") % {"mage": mage})
    return redirect("league:overview")


@login_required
@require_POST
def wish_for_bank(request: UserRequest, pk: int) -> HttpResponse:
    """Ask for a time bank in a duel before round 1, or take that back with wish=no."""
    wishes = request.POST.get("wish") != "no"
    try:
        pairing = wish_bank(user=request.user, pairing=pk, wishes=wishes, now=timezone.now())
    except LeagueRefused as error:
        messages.error(request, str(error))
        return redirect("league:overview")
    if not wishes:
        messages.success(request, _("This duel is played at a turn a day."))
    elif pairing.first_wants_bank and pairing.second_wants_bank:
        messages.success(request, _("You both want the time bank, so this duel has it."))
    else:
        messages.success(request, _("You want the time bank. The duel has it if your opponent wants it, too."))
    group = pairing.group
    assert group is not None
    return redirect("league:group", group.season.number, group.tier)
