"""Tell me when someone looks for a duel: the switch, and the form with all its choices."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from accounts.requests import UserRequest, next_address
from challenges.forms.tell_me import TellMeForm
from challenges.selectors.tell_me import describe_tell_me
from challenges.services.switch_seeks import turn_off, turn_on
from challenges.views.shared import render_page
from notifications.selectors.notices import preferences_of
from notifications.services.preferences import choose_notices


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def edit_tell_me(request: UserRequest) -> HttpResponse:
    """Show and save the choices; `switch` ("on" or "off") is the press of the switch on another page, `next`."""
    user = request.user
    if user.is_guest:
        return redirect("keep")
    if request.POST.get("switch") in ("on", "off"):
        return _switch(request, is_on=request.POST["switch"] == "on")
    form = TellMeForm(request.POST or None, chosen=preferences_of(user))
    if request.method == "POST" and form.is_valid():
        choose_notices(user=user, wanted=form.list_choices())
        messages.success(request, _("Settings saved."))
        return redirect("challenges:tell_me")
    context = {"form": form, "tell_me": describe_tell_me(user)}
    return render_page(request, "tell_me", context, status=422 if form.errors else 200)


def _switch(request: UserRequest, *, is_on: bool) -> HttpResponse:
    if not is_on:
        turn_off(user=request.user)
    elif not turn_on(user=request.user):
        messages.warning(request, _("Nothing reaches you yet: confirm your email address, or turn on notifications."))
    return redirect(next_address(request, reverse("challenges:tell_me")))
