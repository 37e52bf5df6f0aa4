"""Making a challenge, and finding an opponent now."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_http_methods

from accounts.models import Mage
from accounts.selectors import list_mages_of
from challenges import services
from challenges.errors import ChallengeRefused, InvalidChallenge
from challenges.forms import NewChallengeForm
from challenges.views.visiting import choose_mage, follow, lead_to_registration, name_free_mages, render_page, user_of

LIST = "challenges:list"


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def make_challenge(request: HttpRequest) -> HttpResponse:
    """The form of a new challenge; `?against=Name` fills in whom."""
    user = user_of(request)
    if not list_mages_of(user).exists():
        return lead_to_registration(request, reverse("challenges:new"))
    form = NewChallengeForm(request.POST or None, user=user, initial={"against": request.GET.get("against", "")})
    if request.method == "POST" and form.is_valid():
        try:
            challenge = services.create_challenge(**form.details(), now=timezone.now())
        except InvalidChallenge as error:
            form.add_problems(error.problems)
        else:
            messages.success(request, f"Challenge {challenge.number} stands.")
            return redirect("challenges:detail", challenge.number)
    status = 422 if request.method == "POST" else 200
    return render_page(request, "new", {"form": form, "has_free_mage": form.has_free_mage()}, status=status)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def match(request: HttpRequest) -> HttpResponse:
    """Quick match: take the challenge that has waited longest, or make one. A link here shows the list."""
    if request.method != "POST":
        return redirect(LIST)
    mage = _choose_free_mage(request)
    if mage is None:
        return lead_to_registration(request, reverse(LIST))
    try:
        outcome = services.find_quick_match(mage=mage, now=timezone.now())
    except InvalidChallenge as error:
        return _refuse(request, " ".join(problem.message for problem in error.problems))
    except ChallengeRefused as error:
        return _refuse(request, error.message)
    return follow(request, outcome, f"Nobody waits for a duel at this moment. {mage.name} waits for the next one.")


def _choose_free_mage(request: HttpRequest) -> Mage | None:
    """The mage named, or else the first that is free."""
    names = name_free_mages(request.user)
    if not request.POST.get("mage") and names:
        return list_mages_of(user_of(request)).get(name=names[0])
    return choose_mage(request)


def _refuse(request: HttpRequest, sentence: str) -> HttpResponse:
    messages.error(request, sentence)
    return redirect(LIST)
