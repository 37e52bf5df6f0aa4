"""Following users and battles."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from accounts.errors import AccountRefused
from accounts.requests import UserRequest
from accounts.selectors.names import find_user
from accounts.selectors.ties import list_users_followed_by
from accounts.services.ties import follow_user, unfollow_user
from duels.errors import BattleNotFound
from duels.selectors.battle_lists import list_followed_battles
from duels.selectors.viewer import find_battle, list_own_combatants
from duels.services.followers import follow_battle, unfollow_battle


@login_required
@never_cache
@require_safe
def list_followed(request: UserRequest) -> HttpResponse:
    context = {"users": list_users_followed_by(request.user), "battles": list_followed_battles(request.user)}
    return render(request, "following.html", context)


@require_POST
@login_required
@never_cache
def follow_player(request: UserRequest, name: str) -> HttpResponse:
    """Follow a user, or with `act=stop` unfollow them; then return to the previous page."""
    followed = find_user(name)
    if followed is None or followed.is_guest:
        raise Http404(_("No user is called %(name)s.") % {"name": name[:20]})
    if request.POST.get("act") == "stop":
        unfollow_user(user=request.user, followed=followed)
        messages.success(request, _("You no longer follow %(name)s.") % {"name": followed.username})
    else:
        try:
            follow_user(user=request.user, followed=followed, now=timezone.now())
        except AccountRefused as error:
            messages.error(request, str(error))
        else:
            message = _("You now follow %(name)s and will get the reports of all their new battles.")
            messages.success(request, message % {"name": followed.username})
    if request.POST.get("from") == "list":
        return redirect("following")
    return redirect("user", followed.username)


@require_POST
@login_required
@never_cache
def follow_one_battle(request: UserRequest, number: int) -> HttpResponse:
    """Follow a battle of other users, or with `act=stop` unfollow it."""
    try:
        battle = find_battle(number=number)
    except BattleNotFound as error:
        raise Http404(str(error)) from error
    if request.POST.get("act") == "stop":
        unfollow_battle(battle=battle, user=request.user)
        messages.success(request, _("You no longer follow %(what)s.") % {"what": battle})
    elif battle.is_over:
        messages.error(request, _("%(battle)s is over.") % {"battle": battle})
    elif list_own_combatants(battle, request.user):
        messages.info(request, _("You are fighting in %(battle)s, so you get its reports anyway.") % {"battle": battle})
    else:
        follow_battle(battle=battle, user=request.user, now=timezone.now())
        message = _("You will get the reports of %(battle)s, with what everyone can see.")
        messages.success(request, message % {"battle": battle})
    return redirect("following") if request.POST.get("from") == "list" else redirect("duels:battle", number)
