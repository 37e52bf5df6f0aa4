"""Shared by the views: the challenge, the visitor's mage, and the redirect after an action."""

from collections.abc import Iterable

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.translation import gettext as _

from accounts.errors import NoSuchMage
from accounts.models import Mage
from accounts.requests import user_of
from accounts.selectors.names import get_mage_for_user
from accounts.selectors.users import read_mages_of
from challenges.changes import ActionOutcome
from challenges.errors import ChallengeNotFound
from challenges.models import Challenge
from challenges.selectors.lists import challenge_exists, get_challenge_for_user
from challenges.shown import ShownChallenge
from challenges.vote_words import describe_decision


def get_row(request: HttpRequest, number: int) -> ShownChallenge:
    """Return the challenge as the visitor sees it. Raises Http404."""
    try:
        return get_challenge_for_user(number=number, user=request.user)
    except ChallengeNotFound as error:
        raise Http404(str(error)) from error


def check_exists(number: int) -> None:
    """Raise Http404 unless there is a challenge with this number."""
    if not challenge_exists(number=number):
        raise Http404(str(ChallengeNotFound(number)))


def choose_mage(request: HttpRequest) -> Mage | None:
    """Return the mage named by the button; the only mage if none is named; None if the user has no mage.

    Raises Http404 for another user's mage, with the same text as for a mage who does not exist.
    """
    user = user_of(request)
    name = request.POST.get("mage", "")
    if name:
        try:
            return get_mage_for_user(user=user, name=name)
        except NoSuchMage as error:
            raise Http404(_("You have no mage with this name.")) from error
    mages = read_mages_of(user)[:2]
    if len(mages) > 1:
        raise Http404(_("Choose one of your mages."))
    return mages[0] if mages else None


def redirect_to_registration(request: HttpRequest, then: str) -> HttpResponse:
    messages.info(request, _("You need a mage to play. Register one first."))
    return redirect(f"{reverse('accounts:register_mage')}?{urlencode({'next': then})}")


def redirect_after(request: HttpRequest, outcome: Challenge | ActionOutcome, done: str) -> HttpResponse:
    """Redirect to the battle if the action has started it, or else to the challenge, with messages about the result."""
    if outcome.status == Challenge.Status.STARTED:
        return redirect(address_of_battle(outcome.number))
    decided = outcome.decided if isinstance(outcome, ActionOutcome) else ()
    for sentence in (done, *map(describe_decision, decided)):
        if sentence:
            messages.success(request, sentence)
    return redirect("challenges:detail", outcome.number)


def address_of_battle(number: int) -> str:
    return reverse("duels:battle", args=[number])


def lead_to_link(number: int, token: str) -> HttpResponse:
    """Redirect to the page that shows a new invite link."""
    return redirect(f"{reverse('challenges:make_link', args=[number])}?{urlencode({'token': token})}")


def render_page(request: HttpRequest, name: str, context: dict[str, object], status: int = 200) -> HttpResponse:
    return render(request, f"challenges/{name}.html", {"nav_current": "challenges", **context}, status=status)


def list_section(shown: Iterable[ShownChallenge], section: str) -> list[ShownChallenge]:
    return [challenge for challenge in shown if challenge.own.section == section]
