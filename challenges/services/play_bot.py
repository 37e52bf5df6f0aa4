"""Play now: a battle against a computer opponent that begins at once."""

from datetime import datetime

from django.db import transaction

from accounts.models import Mage
from accounts.services import engage_mage, touch_activity, wake_mage
from challenges.errors import NoSuchBot
from challenges.selectors.bots import list_bot_names, list_mages_of_bot
from challenges.services.answers import decline_elsewhere_on_commit
from duels.models import Battle
from duels.paces import OWN
from duels.services import start_battle, take_number
from duels.terms import Terms
from fm_site.operations.nearest import find_nearest_word
from ladder.stakes import FRIENDLY


def play_bot(
    *, mage: Mage, strength: str, ruleset: str = "firetop-standard", pace: str = OWN, now: datetime
) -> Battle:
    """Start a duel of `mage` against a bot and return it. It is practice: nobody dies for good, and no score changes.

    Raises NoSuchBot for an unknown strength, InvalidTerms, and accounts' MageBusy and MageDead.
    """
    terms = Terms(ruleset=ruleset, pace=pace, stakes=FRIENDLY)
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
