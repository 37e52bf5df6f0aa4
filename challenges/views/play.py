"""The Play page: bots (even without an account), open challenges, finding an opponent, a link for a friend."""

from collections.abc import Iterable
from typing import Any

from django.contrib.auth import login
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.text import capfirst
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from accounts.backends import BY_NAME
from accounts.errors import AccountsError
from accounts.models import User
from challenges.errors import ChallengeRefused
from challenges.guest_limit import limit_guests
from challenges.own_mages import list_busy_mages, list_living_mages, name_free_mages
from challenges.selectors.bots import list_bots
from challenges.selectors.lists import list_open_challenges
from challenges.selectors.mages import choose_stake_of_match
from challenges.selectors.tell_me import describe_tell_me
from challenges.services.play_now import GUEST_PACES, play_bot_as_guest
from challenges.services.play_wish import Wish, play_wish
from challenges.shown import ShownChallenge
from duels.bot_terms import MOST_POINTS
from duels.errors import InvalidTerms
from duels.paces import OWN, PACES, describe_pace, get_pace
from duels.selectors.battle_lists import list_running_battles
from duels.terms import list_offers
from ladder.stakes import explain_limit
from operations.request_policy import recall_policy
from pictures.selectors.small_boards import read_small_boards

# How many open challenges and running battles the page shows; it links to the rest.
SHOWN_CHALLENGES, SHOWN_BATTLES = 8, 3
# The paces that the page offers for a match, and for a friend.
LIVE, DAILY = "live3", "day"


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def show_play(request: HttpRequest) -> HttpResponse:
    """Show everything that can be played; a POST starts a battle with a bot and redirects to it.

    With `?fragment=lobby` only the open challenges, for a page that keeps itself up to date.
    """
    if request.method != "POST" and request.GET.get("fragment") == "lobby":
        return render(request, "challenges/_lobby.html", describe_lobby(request))
    wish = Wish.of(request.POST if request.method == "POST" else request.GET)
    problem = ""
    if request.method == "POST":
        try:
            number = start_play(request, wish)
        except (ChallengeRefused, InvalidTerms, AccountsError) as error:
            problem = str(error)
        else:
            return redirect("duels:battle", number)
    living = list_living_mages(request.user)
    free = name_free_mages(living)
    user = request.user if isinstance(request.user, User) else None
    is_guest = user is not None and user.is_guest
    running = list_running_battles(user, limit=SHOWN_BATTLES, of_people=True)
    context = {
        "nav_current": "play",
        "bots": list_bots(),
        "offers": list_offers(),
        "paces": _describe_paces(GUEST_PACES if is_guest or not living else (OWN, *PACES)),
        "wish": wish,
        "most_points": MOST_POINTS,
        "problem": problem,
        "free_mages": free,
        # A match is one click, so the page says first what it risks.
        "match_stakes": choose_stake_of_match(user) if user and free and not is_guest else None,
        "match_limit": explain_limit(recall_policy().wins_that_count),
        "busy_mages": list_busy_mages(living),
        "is_guest": is_guest,
        "can_match": bool(free) and not is_guest,
        "live_pace": LIVE,
        "daily_pace": DAILY,
        "friend_paces": _describe_paces(PACES),
        "tell_me": describe_tell_me(user) if user and not is_guest else None,
        "boards": list(read_small_boards(running).values()),
        **describe_lobby(request),
    }
    return render(request, "challenges/play.html", context, status=422 if problem else 200)


def _describe_paces(names: Iterable[str]) -> list[tuple[str, str]]:
    policy = recall_policy()
    return [(name, capfirst(describe_pace(get_pace(name, policy)))) for name in names]


def describe_lobby(request: HttpRequest) -> dict[str, Any]:
    """Return the open challenges as the visitor sees them: first those that wait for them, then those they may join."""
    rows = list_open_challenges(viewer=request.user)
    shown = sorted(rows, key=_order_in_lobby)[:SHOWN_CHALLENGES]
    return {"lobby": shown, "more_challenges": len(rows) - len(shown)}


def _order_in_lobby(challenge: ShownChallenge) -> tuple[bool, bool, bool, bool, int]:
    waits, taken = challenge.own.section == "waiting_for_you", challenge.own.section == "taking_part"
    return (not waits, not taken, not challenge.own.may_join, challenge.is_of_bot, challenge.number)


def start_play(request: HttpRequest, wish: Wish) -> int:
    """Start the battle for this visitor and return its number; a stranger becomes a guest and is logged in.

    Raises ChallengeRefused, InvalidTerms and AccountsError.
    """
    now = timezone.now()
    if isinstance(request.user, User):
        return play_wish(user=request.user, wish=wish, now=now).number
    with limit_guests(request):
        guest, battle = play_bot_as_guest(now=now, **wish.terms)
    login(request, guest, backend=BY_NAME)
    return battle.number
