"""Keep this mage: a guest becomes a user in one step."""

from allauth.account.models import EmailAddress
from django.contrib import messages
from django.contrib.auth import update_session_auth_hash
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods

from accounts.errors import InvalidName, NotAGuest
from accounts.forms import KeepMageForm, name_refusal
from accounts.languages import find_language_of_emails
from accounts.models import User
from accounts.requests import next_address
from accounts.selectors.users import find_chosen_name, list_mages_of
from challenges.services.keep_mage import keep_guest
from duels.selectors.battle_lists import list_own_battles


@never_cache
@sensitive_post_parameters("password1")
@require_http_methods(["GET", "HEAD", "POST"])
def keep_mage(request: HttpRequest) -> HttpResponse:
    """Ask a guest for a name, an address and a password, and make them a user; redirect everyone else.

    `next` is the page to continue with, such as that of an invite link.
    """
    user = request.user
    if not isinstance(user, User):
        return redirect("account_signup")
    if not user.is_guest:
        return redirect(next_address(request))
    form = KeepMageForm(request.POST or None, own_name=find_chosen_name(user))
    if request.method == "POST" and form.is_valid() and _make_user(request, user, form):
        return redirect(next_address(request, "") or _page_after(user))
    context = {"form": form, "next": next_address(request, "")}
    return render(request, "keep.html", context, status=422 if form.is_bound else 200)


def _make_user(request: HttpRequest, user: User, form: KeepMageForm) -> bool:
    """Make the guest a user; return whether they are one now. Problems are added to the form."""
    data = form.cleaned_data
    try:
        keep_guest(
            user=user,
            name=data["username"],
            mage_name=data["mage"],
            email=data.get("email", ""),
            password=data.get("password1") or None,
            time_zone=data.get("time_zone", ""),
            language=find_language_of_emails(),
            now=timezone.now(),
        )
    except NotAGuest:  # the second click
        return True
    except InvalidName as error:  # taken between the check and now, or a word in the battle
        is_word = any(problem.code == "in_battles" for problem in error.problems)
        form.add_error("mage" if is_word else "username", name_refusal(error))
    else:
        update_session_auth_hash(request, user)
        address = EmailAddress.objects.filter(user=user).first()
        if address is not None:
            address.send_confirmation(request, signup=True)
        messages.success(request, _("%(mage)s is yours now.") % {"mage": list_mages_of(user).get().name})
        return True
    return False


def _page_after(user: User) -> str:
    """Return the page of the guest's battle, or home."""
    running = list_own_battles(user, finished=0).running
    return f"/battles/{running[0].number}/" if running else "/"
