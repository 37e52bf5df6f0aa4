"""Play now: a battle against a computer opponent that begins at once."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction

from accounts.models import Mage, User
from accounts.services import create_guest, create_guest_mage, engage_mage, register_mage, touch_activity, wake_mage
from challenges.errors import NoSuchBot, TooManyGuests
from challenges.selectors.bots import list_bot_names, list_mages_of_bot
from challenges.services.answers import decline_elsewhere_on_commit
from duels.bot_terms import tidy_hit_points
from duels.models import Battle
from duels.paces import OWN
from duels.services import start_battle, take_number
from duels.terms import Terms
from fm_site.operations.nearest import find_nearest_word
from ladder.stakes import FRIENDLY, VERY_FRIENDLY

# How many guests may begin in a day, on the whole site.
MOST_GUESTS_A_DAY = 1000
DAY = timedelta(days=1)
# A guest's account does not live long enough for the slower paces.
GUEST_PACES = (OWN, "live")


def play_bot(
    *,
    mage: Mage,
    strength: str,
    ruleset: str = "firetop-standard",
    pace: str = OWN,
    hit_points: Sequence[int | str] = (),
    bots_surrender: bool = True,
    now: datetime,
) -> Battle:
    """Start a duel of `mage` against a bot and return it. It is practice: nobody dies for good, and no score changes.

    `hit_points` are those of the mage and of the bot. Raises NoSuchBot for an unknown strength, InvalidTerms, and
    accounts' MageBusy and MageDead.
    """
    terms = make_terms(ruleset=ruleset, pace=pace, hit_points=hit_points, bots_surrender=bots_surrender)
    mages = list_mages_of_bot(strength)
    if not mages:
        names = {name.lower(): name for name in list_bot_names()}
        nearest = find_nearest_word(strength, names)
        raise NoSuchBot(strength, names[nearest] if nearest else "", list(names.values()))
    with transaction.atomic():
        number = take_number()
        engage_mage(mage=mage, kind="battle", number=number)
        wake_mage(mage=mage)
        touch_activity(user=mage.user, mage=mage, now=now)
        battle = start_battle(number=number, terms=terms, mages=[mage, mages[number % len(mages)]], now=now)
        decline_elsewhere_on_commit(mage, now)
    return battle


def make_terms(*, ruleset: str, pace: str, hit_points: Sequence[int | str] = (), bots_surrender: bool = True) -> Terms:
    """Return the terms of a battle against a bot. Raises InvalidTerms."""
    points = tidy_hit_points(hit_points)
    stakes = VERY_FRIENDLY if points else FRIENDLY
    return Terms(ruleset=ruleset, pace=pace, stakes=stakes, hit_points=points, bots_surrender=bots_surrender)


def play_bot_as_new_mage(*, user: User, name: str, now: datetime, **wish: Any) -> Battle:
    """Register a mage called `name`, and start a duel as `play_bot` does. Also raises accounts' InvalidName."""
    with transaction.atomic():
        mage = register_mage(user=user, name=name, now=now)
        return play_bot(mage=mage, now=now, **wish)


def play_bot_as_guest(*, pace: str = OWN, now: datetime, **wish: Any) -> tuple[User, Battle]:
    """Create a guest with a mage, and start a duel as `play_bot` does; return the guest and the battle.

    Also raises TooManyGuests. The entry point limits how many guests one address may create.
    """
    if User.objects.filter(is_guest=True, created_at__gt=now - DAY).count() >= MOST_GUESTS_A_DAY:
        raise TooManyGuests
    if pace not in GUEST_PACES:
        pace = OWN
    with transaction.atomic():
        guest = create_guest(now=now)
        mage = create_guest_mage(user=guest, now=now)
        return guest, play_bot(mage=mage, pace=pace, now=now, **wish)
