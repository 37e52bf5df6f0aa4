"""The strength page: the ladder of bots, with the margin of each rating and how it was measured."""

from dataclasses import dataclass

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from accounts.bots import describe_bot
from accounts.models import User
from challenges.selectors.bots import list_bot_matches
from duels.bot_terms import RATED_RULESET
from duels.selectors.battle_lists import list_battles_of_bots
from duels.terms import name_ruleset
from ladder.selectors.bots import (
    BotRating,
    count_rated_with_bots,
    find_last_rated_with_bots,
    list_bot_ratings,
    margin_of,
)
from ladder.selectors.ratings import find_rating
from operations.selectors import recall_policy

LATEST = 5
# The drawing of a rating and its range, in its own units.
WIDTH, EDGE = 200, 6


@dataclass(frozen=True)
class BotRow:
    """A line of the ladder of bots: its place (None before its first rated battle), and where its rating and the ends
    of its range are in the drawing."""

    place: int | None
    bot: BotRating
    words: str
    low: int = 0
    middle: int = 0
    high: int = 0


@require_safe
def show_bots(request: HttpRequest) -> HttpResponse:
    among_bots, with_people = count_rated_with_bots()
    own = find_rating(request.user, "bots", today=timezone.now().date()) if isinstance(request.user, User) else None
    context = {
        "nav_current": "play",
        "rows": list_rows(),
        "as_of": find_last_rated_with_bots(),
        "among_bots": among_bots,
        "with_people": with_people,
        "matches": list_bot_matches(),
        "ruleset": name_ruleset(RATED_RULESET),
        "own": own,
        "own_margin": margin_of(own.deviation) if own else 0,
        "battles": list_battles_of_bots(limit=LATEST),
        "a_day": recall_policy().bot_battles_a_day,
        "width": WIDTH,
    }
    return render(request, "challenges/bots.html", context)


def list_rows() -> list[BotRow]:
    """Return the lines of the ladder, the highest rating first."""
    bots = list_bot_ratings(today=timezone.now().date())
    ends = [
        end for bot in bots if bot.rating and bot.margin for end in (bot.rating - bot.margin, bot.rating + bot.margin)
    ]
    low, high = min(ends, default=0), max(ends, default=1)
    scale = (WIDTH - 2 * EDGE) / max(high - low, 1)
    rows, words = [], {bot.strength: describe_bot(bot.strength) for bot in bots}
    for place, bot in enumerate(bots, start=1):
        if bot.rating is None or bot.margin is None:
            rows.append(BotRow(None, bot, words[bot.strength]))
            continue
        marks = [
            round(EDGE + (each - low) * scale)
            for each in (bot.rating - bot.margin, bot.rating, bot.rating + bot.margin)
        ]
        rows.append(BotRow(place, bot, words[bot.strength], *marks))
    return rows
