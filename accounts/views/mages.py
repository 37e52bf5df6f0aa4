"""Pages about a user's mages, and their vacation."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse, HttpResponseBadRequest
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.errors import InvalidName, InvalidVacation
from accounts.forms import PronounForm, RegisterMageForm, VacationForm, name_refusal
from accounts.models import Mage
from accounts.requests import UserRequest, next_address
from accounts.selectors.absence import find_vacation, list_absence_warnings_of, read_vacation_days
from accounts.selectors.engagements import find_duels_besides
from accounts.selectors.users import list_gone_mages_of, list_mages_of
from accounts.services.mages import keep_mage_active, register_mage, set_pronoun
from accounts.services.vacations import end_vacation, start_vacation
from notifications.selectors.notices import address_for_notices
from operations.request_policy import recall_policy
from operations.selectors import read_policy


@login_required
@require_safe
def list_mages(request: UserRequest) -> HttpResponse:
    """Show the user's mages: the living with their challenge or battle, then those who died or left."""
    gone = list(list_gone_mages_of(request.user).select_related("user"))
    mages = list(list_mages_of(request.user).select_related("engagement", "user"))
    duels = find_duels_besides(mages)
    context = {
        "mages": [(mage, duels.get(mage.pk, [])) for mage in mages],
        "warnings": list_absence_warnings_of(request.user),
        "dead": [mage for mage in gone if not mage.has_left],
        "left": [mage for mage in gone if mage.has_left],
        "pronouns": Mage.Pronoun.choices,
    }
    return render(request, "accounts/mages.html", context)


@login_required
@require_POST
def keep(request: UserRequest, mage_id: int) -> HttpResponse:
    """Confirm that the user wants to keep a mage."""
    mage = keep_mage_active(user=request.user, mage_id=mage_id, now=timezone.now())
    if mage is None:
        raise Http404(_("None of your mages has that name."))
    messages.success(request, _("%(mage)s stays on the mountain.") % {"mage": mage})
    return redirect("accounts:mages")


@login_required
@require_POST
def choose_pronoun(request: UserRequest, mage_id: int) -> HttpResponse:
    """Choose how sentences refer to a mage."""
    form = PronounForm(request.POST)
    if not form.is_valid():
        return HttpResponseBadRequest(_("Choose they, she, he or it."))
    mage = set_pronoun(user=request.user, mage_id=mage_id, pronoun=Mage.Pronoun(form.cleaned_data["pronoun"]))
    if mage is None:
        raise Http404(_("None of your mages has that name."))
    messages.success(
        request,
        _("From their next battle on, reports refer to %(mage)s as “%(pronoun)s”.")
        % {"mage": mage, "pronoun": mage.get_pronoun_display()},
    )
    return redirect("accounts:mages")


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def register(request: UserRequest) -> HttpResponse:
    """Ask for a name and register the mage, then continue to the page the user wanted, or home."""
    form = RegisterMageForm(request.POST or None, user=request.user)
    if request.method == "POST" and form.is_valid():
        try:
            mage = register_mage(
                user=request.user,
                name=form.cleaned_data["name"],
                pronoun=form.cleaned_data["pronoun"],
                now=timezone.now(),
            )
        except InvalidName as error:  # taken between the check and now
            form.add_error("name", name_refusal(error))
        else:
            messages.success(request, _("%(mage)s is registered.") % {"mage": mage})
            return redirect(next_address(request))
    context = {
        "form": form,
        "first": not list_mages_of(request.user).exists(),
        "next": next_address(request, default=""),
        "limit": _explain_limits(),
        "unverified": "" if address_for_notices(request.user) else request.user.email,
    }
    return render(request, "accounts/register_mage.html", context, status=422 if form.errors else 200)


def _explain_limits() -> str:
    policy = recall_policy()
    words = _("A user can have %(most)s living mages and register %(new)s within 24 hours.")
    return words % {"most": policy.living_mages, "new": policy.new_mages_a_day}


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def go_on_vacation(request: UserRequest) -> HttpResponse:
    """Show the user's vacation; a POST starts or changes it, and 0 days end it."""
    now = timezone.now()
    form = VacationForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        days = form.cleaned_data["days"]
        try:
            if days:
                start_vacation(user=request.user, days=days, now=now)
            else:
                end_vacation(user=request.user, now=now)
        except InvalidVacation as error:
            form.add_error("days", str(error))
        else:
            messages.success(request, _("You are on vacation.") if days else _("Welcome back."))
            return redirect("accounts:vacation")
    days = read_vacation_days(user=request.user)
    context = {
        "form": form,
        "vacation": find_vacation(request.user, now=now),
        "year": str(now.year),
        "days_left": days.count_left(now.year),
        "days_kept": days.count_kept(now.year),
        "policy": read_policy(),
    }
    return render(request, "accounts/vacation.html", context, status=422 if form.errors else 200)
