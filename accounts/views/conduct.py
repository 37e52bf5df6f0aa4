"""Pages about whom a user blocks, playing newcomers, knowing browsers, and a user's warnings and suspension."""

import re

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.block_effects import Effect, list_channels
from accounts.errors import AccountRefused
from accounts.forms import BlockForm
from accounts.requests import UserRequest, next_address
from accounts.selectors.hold import read_hold
from accounts.selectors.hosts import find_hosting
from accounts.selectors.names import find_user
from accounts.selectors.ties import list_blocked_by
from accounts.services.hold import acknowledge_warnings
from accounts.services.hosts import offer_to_host, stop_hosting
from accounts.services.ties import block_user, unblock_user
from accounts.services.traces import answer_browser_id
from accounts.trace_middleware import trace_again


@require_safe
def show_block_effects(request: HttpRequest) -> HttpResponse:
    return render(request, "accounts/block_effects.html", {effect.value: list_channels(effect) for effect in Effect})


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def list_blocks(request: UserRequest) -> HttpResponse:
    """Show the users that this user blocks; a POST blocks another and returns to the previous page."""
    form = BlockForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        blocked = form.cleaned_data["name"]
        try:
            block_user(user=request.user, blocked=blocked, now=timezone.now())
        except AccountRefused as error:
            form.add_error("name", str(error))
        else:
            messages.success(
                request,
                _("You have blocked %(name)s. Neither of you can write to or challenge the other.")
                % {"name": blocked.username},
            )
            return redirect(next_address(request, default=reverse("accounts:blocks")))
    context = {"form": form, "blocked": list_blocked_by(request.user)}
    return render(request, "accounts/blocks.html", context, status=422 if form.errors else 200)


@login_required
@require_POST
def unblock(request: UserRequest) -> HttpResponse:
    blocked = find_user(request.POST.get("name", ""))
    if blocked is None or not unblock_user(user=request.user, blocked=blocked):
        raise Http404(_("You haven't blocked anyone with this name."))
    messages.success(request, _("You no longer block %(name)s.") % {"name": blocked.username})
    return redirect(next_address(request, default=reverse("accounts:blocks")))


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def edit_hosting(request: UserRequest) -> HttpResponse:
    """Show what hosts do, and whether the user is one; a POST offers to be one, or with `stop` ends it."""
    if request.method == "POST":
        try:
            if "stop" in request.POST:
                stop_hosting(user=request.user)
            else:
                offer_to_host(user=request.user, now=timezone.now())
        except AccountRefused as error:
            messages.error(request, str(error))
        return redirect("accounts:hosting")
    return render(request, "accounts/hosting.html", {"hosting": find_hosting(request.user)})


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def answer_for_browsers(request: UserRequest) -> HttpResponse:
    """Show whether the user's browsers may keep an ID; a POST stores their answer, which holds from this answer on."""
    if request.method == "POST":
        answer = request.POST.get("answer")
        if answer in {"yes", "no"}:
            answer_browser_id(user=request.user, is_allowed=answer == "yes", now=timezone.now())
            trace_again(request)
            messages.success(request, _("Your answer is saved."))
        return redirect(next_address(request, default=reverse("accounts:browser_id")))
    return render(request, "accounts/browser_id.html")


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def show_hold(request: UserRequest) -> HttpResponse:
    """Show the user's warnings and suspension; a POST acknowledges the warnings."""
    if request.method == "POST":
        shown = [int(pk) for pk in request.POST.getlist("warning") if re.fullmatch("[0-9]{1,18}", pk)]
        acknowledge_warnings(user=request.user, now=timezone.now(), shown=shown)
        return redirect(next_address(request))
    hold = read_hold(request.user, timezone.now())
    return render(request, "accounts/hold.html", {"hold": hold, "next": next_address(request, default="")})
