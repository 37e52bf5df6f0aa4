"""Pages for users whose programs play: tokens, the link of the calendar, and bot accounts."""

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from accounts.errors import AccountRefused
from accounts.forms import OwnNameForm, TokenForm
from accounts.models import CalendarLink
from accounts.reauthentication import has_proven_lately, prove_before_posting
from accounts.requests import UserRequest
from accounts.selectors.programs import list_api_tokens_of
from accounts.services.bots import become_bot
from accounts.services.calendar_links import remove_calendar_link, renew_calendar_link
from accounts.services.tokens import GRANTED, issue_api_token, revoke_api_token


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@prove_before_posting
def list_tokens(request: UserRequest) -> HttpResponse:
    """Show the user's API tokens; a POST after recent proof of identity creates one and shows its text once."""
    now = timezone.now()
    form = TokenForm(request.POST if request.method == "POST" else None)
    text = ""
    if request.method == "POST" and form.is_valid():
        if has_proven_lately(request):
            chosen, scopes = form.cleaned_data, GRANTED[form.cleaned_data["scope"]]
            try:
                _token, text = issue_api_token(
                    user=request.user, name=chosen["name"], scopes=scopes, days=chosen["days"], now=now
                )
            except AccountRefused as error:
                form.add_error(None, str(error))
            else:
                form = TokenForm()
        else:
            form.add_error(None, _("You logged in a while ago. Log out and in again, then create the token."))
    context = {"form": form, "tokens": list_api_tokens_of(request.user), "new_token": text, "now": now}
    return render(request, "accounts/tokens.html", context, status=422 if form.errors else 200)


@login_required
@require_POST
def revoke_token(request: UserRequest, token_id: int) -> HttpResponse:
    if not revoke_api_token(user=request.user, token_id=token_id):
        raise Http404(_("You have no such token."))
    messages.success(request, _("Token revoked."))
    return redirect("accounts:tokens")


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def edit_calendar(request: UserRequest) -> HttpResponse:
    """Show whether the user's calendar has a secret link; a POST makes a new one, shown once, or ends it."""
    link = ""
    if request.method == "POST" and request.POST.get("act") == "end":
        if remove_calendar_link(user=request.user):
            messages.success(request, _("The link no longer works."))
        return redirect("accounts:calendar")
    if request.method == "POST":
        secret = renew_calendar_link(user=request.user, now=timezone.now())
        link = settings.FM_SITE_URL + reverse("calendar", args=[secret])
    made = CalendarLink.objects.filter(user=request.user).first()
    return render(request, "accounts/calendar.html", {"link": link, "made": made})


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@prove_before_posting
def make_bot(request: UserRequest) -> HttpResponse:
    """Explain what a bot account is; a POST with the account's name makes this one a bot, for good."""
    form = OwnNameForm(request.POST if request.method == "POST" else None, user=request.user)
    if request.method == "POST" and form.is_valid():
        if not has_proven_lately(request):
            form.add_error(None, _("You logged in a while ago. Log out and in again, then confirm."))
        else:
            try:
                become_bot(user=request.user, now=timezone.now())
            except AccountRefused as error:
                form.add_error(None, list(error.problems))
            else:
                messages.success(request, _("This account is now a bot."))
                return redirect("accounts:tokens")
    return render(request, "accounts/bot.html", {"form": form}, status=422 if form.errors else 200)
