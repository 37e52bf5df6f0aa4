"""The page of a challenge, the form that proposes a change, and every button on the page."""

from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from accounts.models import Mage, User
from accounts.requests import user_of
from accounts.selectors.ties import list_blocked_by
from accounts.selectors.without_push import explain_without_push
from challenges.changes import ActionOutcome
from challenges.errors import ChallengeRefused, InvalidChallenge
from challenges.forms.change import ChangeForm
from challenges.models import Challenge
from challenges.selectors.fitting import find_duel_of_another_pace
from challenges.selectors.hosting import find_hosted_duel
from challenges.selectors.links import number_live_links_of
from challenges.selectors.state import get_conditions
from challenges.services.answers import accept_challenge, decline_challenge, withdraw_challenge
from challenges.services.proposals import propose_change, start_challenge, take_back_change
from challenges.services.votes import accept_changes, oppose_changes
from challenges.shown import ShownChallenge
from challenges.views.shared import (
    address_of_battle,
    check_exists,
    choose_mage,
    get_row,
    redirect_after,
    redirect_to_registration,
    render_page,
)
from notifications.preferences import NEVER
from notifications.selectors.notices import preferences_of
from operations.web.cards import Card
from pictures.answers import answer_card

Service = Callable[..., Challenge | ActionOutcome]


@require_safe
def show_challenge(request: HttpRequest, number: int) -> HttpResponse:
    """Show one challenge, or redirect to the battle it has become."""
    challenge = get_row(request, number)
    if challenge.status == Challenge.Status.STARTED:
        return redirect(address_of_battle(number))
    links, is_alone = _number_links(request, challenge), challenge.waits_alone and challenge.seating.is_duel
    context = {
        "challenge": challenge,
        "actions": challenge.own.actions,
        "links": links,
        "offers_link": is_alone and not links and challenge.own.actions.link,
        "meanwhile": _find_duel_meanwhile(user_of(request), number) if is_alone else None,
        "strangers": _list_strangers(request, challenge),
        "hosted": find_hosted_duel(number=number) if not challenge.is_over else None,
        "main_vote": _find_main_vote(challenge),
        "card": _make_card(challenge),
        "is_alone_in_duel": is_alone,
        "without_push": explain_without_push(user_of(request)) if challenge.own.section == "taking_part" else "",
    }
    return render_page(request, "detail", context)


@require_safe
def show_challenge_card(request: HttpRequest, number: int) -> HttpResponse:
    """Show the picture for links to a challenge, the same to everyone."""
    card = _make_card(get_row(request, number))
    return answer_card(card.title, [card.description])


def _make_card(row: ShownChallenge) -> Card:
    """Return the card of a challenge: its terms, in the same words for everyone."""
    title = _("Challenge %(number)s") % {"number": row.number}
    description = f"{row.words.size}, {row.words.rest}. {row.words.pace}"
    return Card.of(
        title=title,
        description=description,
        image=reverse("challenges:card", args=[row.number]),
        alt=f"{title}. {description}",
        path=reverse("challenges:detail", args=[row.number]),
    )


def _find_duel_meanwhile(user: User, number: int) -> tuple[ShownChallenge, str] | None:
    """Return an open duel of another pace for somebody who waits in a challenge, with a sentence about it, unless they
    want to hear of none."""
    if user.is_guest or preferences_of(user)["page_seeks"] == NEVER:
        return None
    found = find_duel_of_another_pace(user, number=number, today=timezone.now().date())
    if found is None:
        return None
    fitting, pace = found
    words = (
        _("%(mage)s is waiting for a duel at a turn a day.") if pace == "day" else _("%(mage)s is waiting for a duel.")
    )
    return fitting.duel, words % {"mage": fitting.duel.challenger}


def _list_strangers(request: HttpRequest, row: ShownChallenge) -> list[str]:
    """Return the users in this challenge whom the visitor may block."""
    if not request.user.is_authenticated or user_of(request).is_guest:
        return []
    blocked = {user.username for user in list_blocked_by(user_of(request))}
    return sorted({seat.user for seat in row.seating.seats if seat.user} - blocked - {user_of(request).username})


def _find_main_vote(challenge: ShownChallenge) -> tuple[int, str]:
    """Return the vote (change and mage) with the main button: the first that is missing, once the mage has joined."""
    missing = ((poll.number, name) for poll in challenge.proposals for name in poll.my_silent)
    return (0, "") if challenge.own.section == "waiting_for_you" else next(missing, (0, ""))


def _number_links(request: HttpRequest, challenge: ShownChallenge) -> dict[int, Any]:
    if not challenge.own.actions.withdraw:  # Only the challenger creates links.
        return {}
    return number_live_links_of(user=user_of(request), number=challenge.number, now=timezone.now())


def accept(request: HttpRequest, number: int) -> HttpResponse:
    seen = request.POST.get("terms", "")
    return _act(request, number, accept_challenge, _("%(mage)s has joined challenge %(number)s."), terms_key=seen)


def decline(request: HttpRequest, number: int) -> HttpResponse:
    done = _("%(mage)s has left challenge %(number)s.")
    return _act(request, number, decline_challenge, done, reason=request.POST.get("reason", ""))


def withdraw(request: HttpRequest, number: int) -> HttpResponse:
    return _act(request, number, withdraw_challenge, _("Challenge %(number)s is withdrawn."))


def start(request: HttpRequest, number: int) -> HttpResponse:
    """Start the battle with the mages who have joined, or propose to."""
    return _act(request, number, start_challenge, "")


def accept_change(request: HttpRequest, number: int, change: int) -> HttpResponse:
    done = _("%(mage)s votes for change %(change)s.")
    return _act(request, number, accept_changes, done, about=change, changes=[change])


def accept_everything(request: HttpRequest, number: int) -> HttpResponse:
    """Vote for every change, now and in future."""
    done = _("%(mage)s accepts all proposals until you oppose one.")
    return _act(request, number, accept_changes, done, everything=True)


def oppose_change(request: HttpRequest, number: int, change: int) -> HttpResponse:
    done = _("%(mage)s votes against change %(change)s.")
    return _act(request, number, oppose_changes, done, about=change, changes=[change])


def take_back(request: HttpRequest, number: int, change: int) -> HttpResponse:
    done = _("%(mage)s withdraws change %(change)s.")
    return _act(request, number, take_back_change, done, about=change, change=change)


@require_http_methods(["GET", "HEAD", "POST"])
def _act(
    request: HttpRequest, number: int, service: Service, done: str, *, about: int = 0, **more: object
) -> HttpResponse:
    """Do one thing with one of the visitor's mages and show the result. A GET, as after logging in, shows the page.

    `done` says what was done, with slots for mage, number and change (`about`)."""
    page = reverse("challenges:detail", args=[number])
    check_exists(number)
    if request.method != "POST":
        return redirect(page)
    if not request.user.is_authenticated:
        return redirect_to_login(page)
    mage = choose_mage(request)
    if mage is None:
        return redirect_to_registration(request, page)
    try:
        outcome = service(number=number, mage=mage, now=timezone.now(), **more)
    except ChallengeRefused as error:
        messages.error(request, str(error))
        return redirect(page)
    except InvalidChallenge as error:
        messages.error(request, str(error))
        return redirect(page)
    if isinstance(outcome, ActionOutcome) and outcome.proposed:
        done = _("%(mage)s proposes to start (change %(change)s). The others now vote on it.")
        about = outcome.proposed
    return redirect_after(request, outcome, done % {"mage": mage.name, "number": number, "change": about})


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def propose(request: HttpRequest, number: int) -> HttpResponse:
    """Show the form; change the challenge, or propose the change if others vote on it."""
    challenge = get_row(request, number)
    mage = choose_mage(request) if request.method == "POST" else None
    form = ChangeForm(request.POST or None, conditions=get_conditions(number=number))
    if mage is not None and form.is_valid():
        answer = _propose(request, number, mage, form)
        if answer is not None:
            return answer
    if not challenge.own.actions.propose:
        not_yours = _("You can't change challenge %(number)d. Only mages who have joined and may vote can.")
        messages.error(request, challenge.own.why_not if challenge.is_over else not_yours % {"number": number})
        return redirect("challenges:detail", number)
    context = {
        "form": form,
        "challenge": challenge,
        "actions": challenge.own.actions,
        "chosen": request.POST.get("mage", ""),
    }
    return render_page(request, "change", context, status=422 if request.method == "POST" else 200)


def _propose(request: HttpRequest, number: int, mage: Mage, form: ChangeForm) -> HttpResponse | None:
    """Return the response to a change that was made, proposed or rejected; None if the form has errors to show."""
    everyone = form.cleaned_data["everyone"]
    try:
        outcome = propose_change(number=number, mage=mage, change=form.change(), everyone=everyone, now=timezone.now())
    except InvalidChallenge as error:
        form.add_problems(error.problems)
        return None
    except ChallengeRefused as error:
        messages.error(request, str(error))
        return redirect("challenges:detail", number)
    if not outcome.proposed:
        return redirect_after(request, outcome, "")
    done = _("%(mage)s proposes change %(change)d. The others now vote on it.")
    return redirect_after(request, outcome, done % {"mage": mage.name, "change": outcome.proposed})
