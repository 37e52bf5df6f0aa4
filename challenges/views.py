"""The pages of challenges, and the buttons on them."""

from collections.abc import Callable

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.http import urlencode
from django.views.decorators.http import require_http_methods, require_safe

from accounts.errors import NoSuchMage
from accounts.models import Mage, User
from accounts.selectors import get_mage_for_user, list_mages_of
from challenges import services
from challenges.errors import ChallengeNotFound, ChallengeRefused, InvalidChallenge
from challenges.forms import NewChallengeForm
from challenges.models import Challenge
from challenges.outcomes import Outcome
from challenges.rows import ChallengeRow
from challenges.selectors import get_challenge_for_user, list_open_challenges

Service = Callable[..., Challenge | Outcome]


@require_safe
def show_challenges(request: HttpRequest) -> HttpResponse:
    """The list: what I take part in, what waits for my answer, what anyone may join."""
    rows = list_open_challenges(viewer=request.user)
    sections = {
        name: [row for row in rows if row.section == name]
        for name in ("taking_part", "waiting_for_you", "open_to_join")
    }
    looking = sections.pop("open_to_join")
    sections["open_to_join"] = [row for row in looking if row.is_open_to_all]
    sections["by_invitation"] = [row for row in looking if not row.is_open_to_all]
    return _render(request, "list", {"challenges": rows, **sections})


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def make_challenge(request: HttpRequest) -> HttpResponse:
    """The form of a new challenge; `?against=Name` fills in whom."""
    user = _user_of(request)
    if not list_mages_of(user).exists():
        return _lead_to_registration(request, reverse("challenges:new"))
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
    return _render(request, "new", {"form": form, "has_free_mage": form.has_free_mage()}, status=status)


@require_safe
def show_challenge(request: HttpRequest, number: int) -> HttpResponse:
    """One challenge, or the battle that it has become."""
    row = _get_row(request, number)
    if row.status == Challenge.Status.STARTED:
        return redirect(_address_of_battle(number))
    return _render(request, "detail", {"challenge": row, "actions": row.actions})


def accept(request: HttpRequest, number: int) -> HttpResponse:
    """Take a seat."""
    return _act(request, number, services.accept_challenge, "{mage} has a seat in challenge {number}.")


def decline(request: HttpRequest, number: int) -> HttpResponse:
    """Turn an invitation down, or leave."""
    return _act(request, number, services.decline_challenge, "{mage} is out of challenge {number}.")


def withdraw(request: HttpRequest, number: int) -> HttpResponse:
    """Call my challenge off."""
    return _act(request, number, services.withdraw_challenge, "You withdraw challenge {number}.")


def start(request: HttpRequest, number: int) -> HttpResponse:
    """Start the battle with the mages that have joined."""
    return _act(request, number, services.start_challenge, "")


@require_http_methods(["GET", "HEAD", "POST"])
def _act(request: HttpRequest, number: int, service: Service, done: str) -> HttpResponse:
    """Do one thing with one of my mages and show what came of it. A link here, as after logging in, shows the page."""
    page = reverse("challenges:detail", args=[number])
    _get_row(request, number)
    if request.method != "POST":
        return redirect(page)
    if not request.user.is_authenticated:
        return redirect_to_login(page)
    mage = _choose_mage(request)
    if mage is None:
        return _lead_to_registration(request, page)
    try:
        challenge = service(number=number, mage=mage, now=timezone.now())
    except ChallengeRefused as error:
        messages.error(request, error.message)
        return redirect(page)
    if challenge.status == Challenge.Status.STARTED:
        return redirect(_address_of_battle(number))
    if isinstance(challenge, Outcome) and challenge.proposed:
        done = f"{mage.name} proposes to start (change {challenge.proposed}). The others vote on it."
    messages.success(request, done.format(mage=mage.name, number=number))
    return redirect(page)


def _choose_mage(request: HttpRequest) -> Mage | None:
    """The mage named by the button; the only one there is when none is named; None if the user has none at all.

    Raises Http404 for somebody else's mage, with the same words as for a mage that does not exist.
    """
    user = _user_of(request)
    name = request.POST.get("mage", "")
    if name:
        try:
            return get_mage_for_user(user=user, name=name)
        except NoSuchMage as error:
            raise Http404("You have no mage of this name.") from error
    mages = list(list_mages_of(user)[:2])
    if len(mages) > 1:
        raise Http404("Say which of your mages.")
    return mages[0] if mages else None


def _get_row(request: HttpRequest, number: int) -> ChallengeRow:
    try:
        return get_challenge_for_user(number=number, user=request.user)
    except ChallengeNotFound as error:
        raise Http404(str(error)) from error


def _user_of(request: HttpRequest) -> User:
    assert isinstance(request.user, User)
    return request.user


def _lead_to_registration(request: HttpRequest, then: str) -> HttpResponse:
    messages.info(request, "A challenge needs a mage. Register one first.")
    return redirect(f"{reverse('accounts:register_mage')}?{urlencode({'next': then})}")


def _address_of_battle(number: int) -> str:
    return reverse("duels:battle", args=[number])


def _render(request: HttpRequest, name: str, context: dict[str, object], status: int = 200) -> HttpResponse:
    return render(request, f"challenges/{name}.html", {"nav_current": "challenges", **context}, status=status)
