"""Pages of the whole site: the front page, a user's home page, and privacy."""

from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods, require_safe

from accounts.models import User
from accounts.selectors import find_vacation, list_addresses_of, list_mages_of
from challenges.selectors import count_missing_votes, list_challenges_involving
from challenges.views.shared import name_free_mages
from challenges.views.stage import open_stage
from duels.board.home import BEADS, NextCard, build_next_card
from duels.board.news import call_results, describe_result
from duels.errors import UnreadableBattle
from duels.selectors import (
    BattleRow,
    OwedBattle,
    glance_at_battle,
    list_own_battles,
    list_running_battles,
    list_unseen_results,
)
from duels.waiting import Waiting, cache_waiting, find_waiting
from fm_site.notifications.selectors import wants_mail, zone_of

SHOWN_ON_FRONT = 4
SHOWN_FINISHED = 5
NUMBERS = (
    "",
    "",
    gettext_lazy("Two"),
    gettext_lazy("Three"),
    gettext_lazy("Four"),
    gettext_lazy("Five"),
    gettext_lazy("Six"),
    gettext_lazy("Seven"),
    gettext_lazy("Eight"),
    gettext_lazy("Nine"),
    gettext_lazy("Ten"),
)


@require_safe
@never_cache
def show_home(request: HttpRequest) -> HttpResponse:
    """Show the front page to strangers, and to users the battles waiting for them, most urgent first."""
    if not request.user.is_authenticated:
        return show_front(request)
    own = list_own_battles(request.user, finished=SHOWN_FINISHED)
    battles = own.running
    waiting = [row for row in battles if row.owes]
    results = list_unseen_results(request.user)
    cache_waiting(request, Waiting(tuple(OwedBattle(row.number, row.kind) for row in waiting), len(results)))
    card = _next_card(request, waiting[0]) if waiting else None
    # Only users with nothing else to do are offered a battle.
    mages = [] if waiting else list(list_mages_of(request.user))
    involved = list_challenges_involving(user=request.user)
    challenges = involved.waiting
    votes = count_missing_votes(user=request.user) if involved.taken_part_in else {}
    reach = find_reach(request.user)
    free = name_free_mages(mages)
    context = {
        "nav_current": "home",
        "call": call_results(results) if results else _home_call(len(waiting), len(challenges), sum(votes.values())),
        "results": [describe_result(each) for each in results],
        "waits": bool(results or waiting),
        "card": card,
        "waiting": waiting[1:] if card else waiting,
        "thinking": [row for row in battles if not row.owes],
        "challenges": challenges,
        "seats": involved.taken_part_in,
        "votes": votes,
        "finished": own.finished,
        "is_mailed": reach == "" and wants_mail(request.user, "turn_resolved"),
        "free_mages": free,
        "step": choose_step(
            is_guest=request.user.is_guest, is_new=not own.finished, has_mage=bool(mages), has_free_mage=bool(free)
        ),
        "unreachable": reach if battles else "",
        "vacation": find_vacation(request.user, now=timezone.now()),
    }
    return render(request, "home.html", context)


@dataclass(frozen=True)
class Step:
    """The next thing to do, for a user for whom nothing waits."""

    name: str
    title: str
    words: str
    button: str
    url: str


def choose_step(*, is_guest: bool, is_new: bool, has_mage: bool, has_free_mage: bool) -> Step:
    """Return the best next step of a user for whom nothing waits; `is_new`: none of their battles is over."""
    if is_new and not is_guest and not has_mage:
        return Step(
            "mage",
            _("Register your mage"),
            _("You need a mage to battle. Registering one takes a minute."),
            _("Register your mage"),
            reverse("accounts:register_mage"),
        )
    if is_new or is_guest:
        told = _("Bots answer at once, and you have nothing to lose.")
        return Step("play", _("Play a bot"), told, _("Play a bot now"), reverse("play"))
    if has_free_mage:
        return Step("match", _("Find an opponent"), _("One of your mages is free."), "", "")
    if has_mage:
        title, told = _("Another mage"), _("Each of your mages fights one battle at a time. Another one can fight now.")
    else:
        title, told = _("Begin again"), _("You have no living mage. Name the next one, and play at once.")
    return Step("mage", title, told, _("Register a mage"), reverse("accounts:register_mage"))


def find_reach(user: Any) -> str:
    """Return why a user cannot be reminded by email: "no address", "unconfirmed", or "" if they can."""
    known = list(list_addresses_of(user))
    if any(address.verified for address in known):
        return ""
    return "unconfirmed" if known else "no address"


def _next_card(request: HttpRequest, row: BattleRow) -> NextCard | None:
    """Return the battle at the top of the home page; None if its rules are not available."""
    try:
        glance = glance_at_battle(row, turns=BEADS + 1)
        return build_next_card(glance, zone=zone_of(request.user), now=timezone.now(), has_draft=row.has_draft)
    except UnreadableBattle:
        return None


def _home_call(battles: int, challenges: int, votes: int) -> str:
    """Return the home page's heading: battles first, then challenges, then proposals."""
    if battles:
        return _count_waiting(
            battles,
            _("One battle is waiting for you"),
            ngettext("%(count)s battle is waiting for you", "%(count)s battles are waiting for you", battles),
        )
    if challenges:
        return _count_waiting(
            challenges,
            _("One challenge is waiting for your answer"),
            ngettext(
                "%(count)s challenge is waiting for your answer",
                "%(count)s challenges are waiting for your answer",
                challenges,
            ),
        )
    if votes:
        return _count_waiting(
            votes,
            _("One proposal is waiting for your vote"),
            ngettext(
                "%(count)s proposal is waiting for your vote", "%(count)s proposals are waiting for your vote", votes
            ),
        )
    return _("Nothing is waiting for you")


def _count_waiting(count: int, one: str, many: str) -> str:
    """Return the sentence for this number, with small numbers as words."""
    if count == 1:
        return one
    return many % {"count": NUMBERS[count] if count < len(NUMBERS) else count}


@csrf_exempt  # so that no visitor gets a cookie before they play; open_stage refuses forms of other sites
@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def show_front(request: HttpRequest) -> HttpResponse:
    """Show the front page with its stage; a POST plays the first turn, or previews the chosen gestures."""
    if isinstance(request.user, User) and not request.user.is_guest:
        return redirect("play")
    stage = open_stage(request)
    if isinstance(stage, HttpResponse):
        return stage
    context = {
        "nav_current": "home",
        "stage": stage,
        "battles": list_running_battles(limit=SHOWN_ON_FRONT, of_people=True),
    }
    return render(request, "front.html", context, status=stage.status if stage else 200)


@require_safe
@never_cache
def show_waiting(request: HttpRequest) -> HttpResponse:
    """Return how much is waiting for the reader, for pages open in other tabs."""
    return JsonResponse({"count": find_waiting(request).count})


@require_safe
def show_privacy(request: HttpRequest) -> HttpResponse:
    """Show what the site stores about its users, for how long, and why."""
    return render(request, "privacy.html")
