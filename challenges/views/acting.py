"""The page of a challenge, and every button on it that one of the visitor's mages presses."""

from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_safe

from accounts.models import Mage
from accounts.selectors import list_blocked_by
from challenges import services
from challenges.errors import CannotVote, ChallengeRefused, InvalidChallenge
from challenges.models import Challenge
from challenges.outcomes import Outcome
from challenges.rows import ChallengeRow
from challenges.selectors import get_challenge_for_user, number_live_links_of
from challenges.views.visiting import (
    address_of_battle,
    choose_mage,
    follow,
    get_row,
    lead_to_registration,
    render_page,
    user_of,
)
from challenges.words import REFUSALS

Service = Callable[..., Challenge | Outcome]


@require_safe
def show_challenge(request: HttpRequest, number: int) -> HttpResponse:
    """One challenge, or the battle that it has become."""
    row = get_row(request, number)
    if row.status == Challenge.Status.STARTED:
        return redirect(address_of_battle(number))
    context = {
        "challenge": row,
        "actions": row.actions,
        "links": _number_links(request, row),
        "strangers": _list_strangers(request, row),
        "ember": _find_ember(row),
    }
    return render_page(request, "detail", context)


def _list_strangers(request: HttpRequest, row: ChallengeRow) -> list[str]:
    """The users here whom the visitor may block."""
    if not request.user.is_authenticated:
        return []
    blocked = {user.username for user in list_blocked_by(user_of(request))}
    return sorted({seat.user for seat in row.seats if seat.user} - blocked - {user_of(request).username})


def _find_ember(row: ChallengeRow) -> tuple[int, str]:
    """The one vote whose button is the main one: the first that is missing. None while the seat itself is."""
    missing = ((poll.number, name) for poll in row.proposals for name in poll.my_silent)
    return (0, "") if row.section == "waiting_for_you" else next(missing, (0, ""))


def _number_links(request: HttpRequest, row: ChallengeRow) -> dict[int, Any]:
    if not row.actions.withdraw:  # Only the challenger makes links.
        return {}
    return number_live_links_of(user=user_of(request), number=row.number, now=timezone.now())


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
    """Start the battle with the mages that have joined, or propose to."""
    return _act(request, number, services.start_challenge, "")


def accept_change(request: HttpRequest, number: int, change: int) -> HttpResponse:
    """Vote for a change."""
    done = f"{{mage}} votes for change {change}."
    return _act(request, number, _vote, done, changes=[change])


def accept_everything(request: HttpRequest, number: int) -> HttpResponse:
    """Vote for every change there is and will be."""
    done = "{mage} says yes to every change, until you oppose one."
    return _act(request, number, _vote, done, everything=True)


def oppose_change(request: HttpRequest, number: int, change: int) -> HttpResponse:
    """Vote against a change."""
    done = f"{{mage}} votes against change {change}."
    return _act(request, number, services.oppose_changes, done, changes=[change])


def take_back(request: HttpRequest, number: int, change: int) -> HttpResponse:
    """Take my own proposal back."""
    done = f"{{mage}} takes change {change} back."
    return _act(request, number, services.take_back_change, done, change=change)


def _vote(*, number: int, mage: Mage, **what: Any) -> Outcome:
    """Say yes with a mage that has a seat. A page may be old: a button about a change gives nobody a seat."""
    row = get_challenge_for_user(number=number, user=mage.user)
    if mage.name not in row.joined and not row.is_over:
        raise CannotVote("not_joined", REFUSALS["not_joined"].format(mage=mage.name, number=number))
    return services.accept_challenge(number=number, mage=mage, **what)


@require_http_methods(["GET", "HEAD", "POST"])
def _act(request: HttpRequest, number: int, service: Service, done: str, **more: object) -> HttpResponse:
    """Do one thing with one of my mages and show what came of it. A link here, as after logging in, shows the page."""
    page = reverse("challenges:detail", args=[number])
    get_row(request, number)
    if request.method != "POST":
        return redirect(page)
    if not request.user.is_authenticated:
        return redirect_to_login(page)
    mage = choose_mage(request)
    if mage is None:
        return lead_to_registration(request, page)
    try:
        outcome = service(number=number, mage=mage, now=timezone.now(), **more)
    except ChallengeRefused as error:
        messages.error(request, error.message)
        return redirect(page)
    except InvalidChallenge as error:
        messages.error(request, str(error))
        return redirect(page)
    if isinstance(outcome, Outcome) and outcome.proposed:
        done = f"{mage.name} proposes to start (change {outcome.proposed}). The others vote on it."
    return follow(request, outcome, done.format(mage=mage.name, number=number))
