"""A newcomer asks a host for a duel."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from accounts.requests import UserRequest
from challenges.errors import ChallengeRefused, InvalidChallenge
from challenges.services.hosting import ask_host
from challenges.views.shared import choose_mage, redirect_to_registration


@login_required
@require_POST
def ask(request: UserRequest) -> HttpResponse:
    """Ask the host named, or the next one who is free, with the visitor's mage."""
    mage = choose_mage(request)
    if mage is None:
        return redirect_to_registration(request, reverse("home"))
    try:
        challenge = ask_host(mage=mage, wanted=request.POST.get("host", ""), now=timezone.now())
    except InvalidChallenge as error:
        messages.error(request, " ".join(problem.message for problem in error.problems))
    except ChallengeRefused as error:
        messages.error(request, str(error))
    else:
        messages.success(request, _("Your duel begins when the host accepts, within a day as a rule."))
        return redirect("challenges:detail", challenge.number)
    return redirect("home")
