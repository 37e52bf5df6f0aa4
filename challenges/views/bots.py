"""The strength page: the ladder of bots, with the margin of each rating and how it was measured."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from accounts.models import User
from challenges.selectors.bot_ladder import WIDTH, list_bot_rows, list_pool_bots, list_pool_rows
from challenges.selectors.bots import list_bot_matches
from duels.bot_terms import RATED_RULESET
from duels.selectors.battle_lists import list_battles_of_bots
from duels.terms import name_ruleset
from ladder.pool import ABOUT, pool_number
from ladder.selectors.bots import (
    count_rated_with_bots,
    find_last_rated_with_bots,
    margin_of,
)
from ladder.selectors.ratings import find_rating
from operations.request_policy import recall_policy

LATEST = 5


@require_safe
def show_bots(request: HttpRequest) -> HttpResponse:
    among_bots, with_people = count_rated_with_bots()
    today = timezone.now().date()
    own = find_rating(request.user, "bots", today=today) if isinstance(request.user, User) else None
    context = {
        "nav_current": "ladder",
        "bots": list_bot_rows(today=today),
        "as_of": find_last_rated_with_bots(),
        "among_bots": among_bots,
        "with_people": with_people,
        "matches": list_bot_matches(),
        "about": ABOUT,
        "pool_number": pool_number(),
        "pool_bots": list_pool_bots(),
        "pool": list_pool_rows(),
        "ruleset": name_ruleset(RATED_RULESET),
        "own": own,
        "own_margin": margin_of(own.deviation) if own else 0,
        "battles": list_battles_of_bots(limit=LATEST),
        "a_day": recall_policy().bot_battles_a_day,
        "width": WIDTH,
    }
    return render(request, "challenges/bots.html", context)
