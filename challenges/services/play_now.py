"""Play now: a battle against a computer opponent that begins at once."""

from datetime import datetime, timedelta

from django.db import transaction
from django.utils.translation import gettext as _

from accounts.models import Mage, User
from accounts.services import create_guest, create_guest_mage, engage_mage, register_mage, touch_activity, wake_mage
from challenges.errors import CannotBeRated, NoSuchBot, TooManyGuests
from challenges.selectors.bots import list_bot_names, list_mages_of_bot
from challenges.services.answers import decline_elsewhere_on_commit
from duels.models import Battle
from duels.paces import OWN
from duels.services import start_battle, take_number
from duels.terms import Terms
from fm_site.operations.nearest import find_nearest_word
from ladder.stakes import BOTS, FRIENDLY

# One ruleset, so that rated battles can be compared.
RATED_RULESET = "firetop-standard"

# How many guests may begin in a day, on the whole site.
MOST_GUESTS_A_DAY = 1000
DAY = timedelta(days=1)
# A guest's account does not live long enough for the slower paces.
GUEST_PACES = (OWN, "live")


def play_bot(
    *, mage: Mage, strength: str, ruleset: str = RATED_RULESET, pace: str = OWN, rated: bool = False, now: datetime
) -> Battle:
    """Start a duel of `mage` against a bot and return it. Nobody dies for good, and no score changes.

    It is practice, or `rated`: then it changes the rating that both have with bots, and nothing else. Raises NoSuchBot
    for an unknown strength, InvalidTerms, CannotBeRated, and accounts' MageBusy and MageDead.
    """
    if rated and mage.user.is_guest:
        raise CannotBeRated("guest", _("Guests play practice only. Sign up to play rated battles."))
    if rated and ruleset != RATED_RULESET:
        told = _("Rated battles with bots use the ruleset %(ruleset)s.") % {"ruleset": RATED_RULESET}
        raise CannotBeRated("rated_ruleset", told)
    terms = Terms(ruleset=ruleset, pace=pace, stakes=BOTS if rated else FRIENDLY)
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


def play_bot_as_new_mage(
    *,
    user: User,
    name: str,
    strength: str,
    ruleset: str = RATED_RULESET,
    pace: str = OWN,
    rated: bool = False,
    now: datetime,
) -> Battle:
    """Register a mage called `name`, and start a duel as `play_bot` does. Also raises accounts' InvalidName."""
    with transaction.atomic():
        mage = register_mage(user=user, name=name, now=now)
        return play_bot(mage=mage, strength=strength, ruleset=ruleset, pace=pace, rated=rated, now=now)


def play_bot_as_guest(
    *, strength: str, ruleset: str = RATED_RULESET, pace: str = OWN, rated: bool = False, now: datetime
) -> tuple[User, Battle]:
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
        return guest, play_bot(mage=mage, strength=strength, ruleset=ruleset, pace=pace, rated=rated, now=now)
