"""Play now: a battle against a computer opponent, by page and by API. No account is needed on the page."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any

from django.contrib.auth import login
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from accounts.errors import AccountsError, NoSuchMage
from accounts.models import Mage, User
from accounts.selectors import get_mage_for_user
from challenges import services
from challenges.errors import ChallengeRefused, TooManyGuests
from challenges.selectors.bots import list_bots
from challenges.services.play_now import GUEST_PACES
from challenges.views.shared import list_busy_mages, list_living_mages, name_free_mages
from duels.api import find_unwritable, find_wrong_members, read_object
from duels.api_access import api_call
from duels.errors import InvalidTerms
from duels.models import Battle
from duels.paces import OWN, PACES, describe_pace, get_pace
from duels.terms import list_offers
from fm_site.operations.client_address import client_address, network_of
from fm_site.operations.errors import TooManyAttempts
from fm_site.operations.problems import refuse
from fm_site.operations.selectors import recall_policy
from fm_site.operations.throttle import Throttle

# How many guests one network may create in a day.
GUESTS_OF_NETWORK = Throttle("guests", limit=10, seconds=24 * 3600)
BACKEND = "django.contrib.auth.backends.ModelBackend"
LONGEST_TEXT = 100


@dataclass(frozen=True)
class Wish:
    """What somebody wants to play, as they sent it."""

    strength: str
    ruleset: str
    pace: str
    mage: str = ""
    new_mage: str = ""

    @classmethod
    def of(cls, sent: Any) -> "Wish":
        """Return the wish in a form; what is missing has its usual value."""
        return cls(
            strength=sent.get("strength", "")[:LONGEST_TEXT] or "Apprentice",
            ruleset=sent.get("ruleset", "")[:LONGEST_TEXT] or "firetop-standard",
            pace=sent.get("pace", "")[:LONGEST_TEXT] or OWN,
            mage=sent.get("mage", "")[:LONGEST_TEXT],
            new_mage=sent.get("new_mage", "")[:LONGEST_TEXT].strip(),
        )


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def show_play(request: HttpRequest) -> HttpResponse:
    """Show what can be played against bots; a POST starts the battle and leads to it."""
    wish = Wish.of(request.POST if request.method == "POST" else request.GET)
    problem = ""
    if request.method == "POST":
        try:
            battle = _start(request, wish)
        except (ChallengeRefused, InvalidTerms, AccountsError) as error:
            problem = str(error)
        else:
            return redirect("duels:battle", battle.number)
    living = list_living_mages(request.user)
    is_guest = isinstance(request.user, User) and request.user.is_guest
    paces = [OWN, *(name for name in PACES if not is_guest or name in GUEST_PACES)] if living else list(GUEST_PACES)
    context = {
        "nav_current": "play",
        "bots": list_bots(),
        "offers": list_offers(),
        "paces": [(name, capfirst(describe_pace(get_pace(name, recall_policy())))) for name in paces],
        "wish": wish,
        "problem": problem,
        "free_mages": name_free_mages(living),
        "busy_mages": list_busy_mages(living),
        "is_guest": is_guest,
    }
    return render(request, "challenges/play.html", context, status=422 if problem else 200)


def _start(request: HttpRequest, wish: Wish) -> Battle:
    """Start the battle for this visitor; a stranger becomes a guest and is logged in."""
    now = timezone.now()
    terms = {"strength": wish.strength, "ruleset": wish.ruleset, "pace": wish.pace}
    if isinstance(request.user, User):
        if wish.new_mage and not request.user.is_guest:
            return services.play_bot_as_new_mage(user=request.user, name=wish.new_mage, now=now, **terms)
        return services.play_bot(mage=_find_mage(request.user, wish.mage), now=now, **terms)
    with limit_guests(request):
        guest, battle = services.play_bot_as_guest(now=now, **terms)
    login(request, guest, backend=BACKEND)
    return battle


@contextmanager
def limit_guests(request: HttpRequest, *, is_new: bool = True) -> Iterator[None]:
    """Count what is done here as a guest of the request's network if it succeeds. Raises TooManyGuests before."""
    network = network_of(client_address(request)) if is_new else ""
    try:
        GUESTS_OF_NETWORK.check(network)
    except TooManyAttempts as error:
        raise TooManyGuests from error
    yield
    GUESTS_OF_NETWORK.count(network)


def _find_mage(user: User, name: str) -> Mage:
    """Return the mage named, or else the first free one. Raises NoSuchMage, and ChallengeRefused for none."""
    if not name:
        living = list_living_mages(user)
        free = name_free_mages(living)
        if not free:
            told = _("None of your mages is free.") if living else _("You need a mage to play. Give it a name.")
            raise ChallengeRefused("no_mage", told)
        name = free[0]
    return get_mage_for_user(user=user, name=name)


KINDS = {"strength": (str,), "ruleset": (str,), "pace": (str,), "mage": (str,)}


@api_call("POST")
def start_by_api(request: HttpRequest) -> JsonResponse:
    """Start a battle against a bot: `{"strength": "Warder", "ruleset": name, "pace": name, "mage": name}`.

    Only `strength` is required. Returns the number of the battle.
    """
    if not isinstance(request.user, User):
        answer = refuse(HTTPStatus.UNAUTHORIZED, "log_in", _("Log in or send a token to play."))
        answer["WWW-Authenticate"] = "Bearer"
        return answer
    data = read_object(request, _find_problems)
    if isinstance(data, JsonResponse):
        return data
    try:
        battle = _start(request, Wish.of(data))
    except NoSuchMage as error:
        return refuse(HTTPStatus.FORBIDDEN, "not_your_mage", str(error))
    except (ChallengeRefused, InvalidTerms, AccountsError) as error:
        return refuse(HTTPStatus.CONFLICT, "cannot_play", str(error))
    return JsonResponse(
        {"battle": battle.number, "url": reverse("duels:battle", args=[battle.number])}, status=HTTPStatus.CREATED
    )


def _find_problems(data: dict[str, Any]) -> list[str]:
    found = [*find_wrong_members(data, KINDS), *find_unwritable(data, KINDS)]
    return found if "strength" in data else [*found, _('"strength" is missing. Name a bot there.')]
