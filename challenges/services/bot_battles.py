"""Battles of the site's bots with each other, which measure them."""

from collections.abc import Sequence
from datetime import datetime
from itertools import combinations

from django.db import transaction

from accounts.bots import BOTS as STRENGTHS
from accounts.models import Mage
from challenges.selectors.bots import list_bot_names, list_mages_of_bot
from duels.bot_terms import RATED_RULESET
from duels.models import Battle
from duels.paces import OWN
from duels.selectors.battle_lists import count_running_battles_of_bots
from duels.services.start import start_battle, take_number
from duels.terms import Terms
from ladder.selectors.bots import count_bot_meetings
from ladder.stakes import BOTS
from operations.selectors import is_clock_in_doubt, read_policy
from operations.services.chores import claim_chore, finish_chore

# Few enough that people never wait for a bot that is playing another one.
MOST_AT_ONCE = 2
DAY_SECONDS = 24 * 3600

Pair = tuple[str, str]


def start_due_bot_battle(*, now: datetime) -> Battle | None:
    """Start a rated duel of two bots if one is due now; otherwise return None.

    The site policy sets how many begin in a day; each has its own part of the day, and its row is claimed once.
    """
    a_day = read_policy().bot_battles_a_day
    if not a_day or is_clock_in_doubt(now=now) or count_running_battles_of_bots() >= MOST_AT_ONCE:
        return None
    seconds = now.hour * 3600 + now.minute * 60 + now.second
    with transaction.atomic():
        chore = claim_chore(name=f"bots {seconds * a_day // DAY_SECONDS + 1} of {a_day}", now=now)
        pair = choose_pair() if chore else None
        if chore is None or pair is None:
            return None
        battle = start_bot_battle(pair=pair, now=now)
        finish_chore(chore=chore, remark=str(battle), now=now)
        return battle


def start_bot_battle(*, pair: Pair, now: datetime) -> Battle:
    """Start a rated duel between the bots of these two strengths. Raises LookupError if one has no mage."""
    with transaction.atomic():
        number = take_number()
        # Each has the first seat in every other battle, and all their mages play.
        mages = [_choose_mage(strength, number) for strength in (pair if number % 2 else pair[::-1])]
        terms = Terms(ruleset=RATED_RULESET, pace=OWN, stakes=BOTS)
        return start_battle(number=number, terms=terms, mages=mages, now=now)


def list_pairs(*, strengths: Sequence[str] = ()) -> list[Pair]:
    """Return every pair of this site's bots, or of the given ones; pairs of similar strength come first, because
    their results say the most."""
    known = [name for name in list_bot_names() if not strengths or name in strengths]
    order = {bot.strength: place for place, bot in enumerate(STRENGTHS)}
    return sorted(combinations(known, 2), key=lambda pair: (order[pair[1]] - order[pair[0]], order[pair[0]]))


def choose_pair() -> Pair | None:
    """Return the pair of bots that met least, or None if the site has fewer than two."""
    met = count_bot_meetings()
    return min(list_pairs(), key=lambda pair: met.get(frozenset(pair), 0), default=None)


def _choose_mage(strength: str, number: int) -> Mage:
    mages = list_mages_of_bot(strength)
    if not mages:
        raise LookupError(f"{strength} has no mage")
    return mages[number // 2 % len(mages)]
