"""PLAY: a battle against a computer opponent that begins at once."""

import re
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts.bots import BOTS
from accounts.errors import AccountsError
from accounts.models import Mage, User
from accounts.selectors.users import list_mages_of
from challenges.errors import ChallengeError, NoSuchBot
from challenges.services.play_now import find_opponents, play_bot
from duels.errors import InvalidTerms
from duels.names import listed
from duels.paces import OWN, PACES
from duels.terms import list_offers
from email_gateway.commands.challenge_orders import find_own_mage, reject
from email_gateway.commands.order_entry import Order
from email_gateway.commands.words import split_words
from email_gateway.conversation import Conversation
from email_gateway.errors import OrderRejected

CLAUSE = "FM-ORDNEW-1"
# The stakes; no mage can have either word as a name.
STAKES = {"practice": False, "rated": True}
HANDICAP = ("HITPOINTS", "HP")
NUMBER = re.compile(r"-?\d{1,9}")
FORM = "PLAY <bot> {mage} {ruleset} {pace} {RATED} {HP <n> <n>} {NOSURRENDER}"


def handle_play(talk: Conversation, rest: str) -> list[str]:
    """PLAY bot {mage} {ruleset} {pace} {RATED} {HITPOINTS yours bot's} {NOSURRENDER}: a duel against the bot."""
    user = talk.require_user("PLAY")
    words = split_words(rest.partition(";")[0].replace(",", " "))
    if not words:
        strengths = ", ".join(bot.strength for bot in BOTS)
        needed = _("PLAY needs one of these after it: %(bots)s.") % {"bots": strengths}
        raise OrderRejected(needed, nearest="PLAY Apprentice", clause=CLAUSE)
    strength, *others = words
    wish, names = read_wish(others)
    if len(names) > 1:
        several = _("PLAY takes one mage, not %(mages)s.") % {"mages": listed(names)}
        raise OrderRejected(several, nearest=FORM, clause=CLAUSE)
    form = " ".join(["PLAY", strength, *("{}" if word in names else word for word in others)])
    try:
        find_opponents(strength=strength)
        mage = find_own_mage(user, names[0], form) if names else find_free_mage(user)
        battle = play_bot(mage=mage, strength=strength, now=talk.request.now, **wish)
    except NoSuchBot as error:
        nearest = " ".join(["PLAY", error.nearest or "Apprentice", *others])
        raise reject(error, CLAUSE, nearest) from error
    except (ChallengeError, AccountsError) as error:
        raise reject(error, CLAUSE) from error
    except InvalidTerms as error:
        raise OrderRejected(str(error), clause=CLAUSE) from error
    begun = _("%(battle)s has begun: %(mage)s against a bot. It is practice: nobody dies for good.")
    if wish.get("rated"):
        begun = _("%(battle)s has begun: %(mage)s against a bot. It is rated: only your rating with bots changes.")
    return [begun % {"battle": battle, "mage": mage.name}]


def read_wish(words: list[str]) -> tuple[dict[str, Any], list[str]]:
    """Return the arguments for play_bot, and the words left over, which must name a mage. Raises OrderRejected for a
    handicap without both numbers."""
    rulesets = {offer.name.lower(): offer.name for offer in list_offers()}
    wish: dict[str, Any] = {}
    names, waiting = [], list(words)
    while waiting:
        word = waiting.pop(0)
        if word.lower() in rulesets:
            wish["ruleset"] = rulesets[word.lower()]
        elif word.lower() in (OWN, *PACES):
            wish["pace"] = word.lower()
        elif word.lower() in STAKES:
            wish["rated"] = STAKES[word.lower()]
        elif word.upper() in HANDICAP:
            points = [waiting.pop(0) for _number in range(2) if waiting and NUMBER.fullmatch(waiting[0])]
            if len(points) < 2:
                message = _("%(word)s needs two numbers after it: your hit points and the bot's.")
                raise OrderRejected(message % {"word": word.upper()}, nearest="HITPOINTS 15 10", clause=CLAUSE)
            wish["hit_points"] = points
        elif word.upper() == "NOSURRENDER":
            wish["bots_surrender"] = False
        else:
            names.append(word)
    return wish, names


def find_free_mage(user: User) -> Mage:
    """Return the first of the user's mages who is free. Raises OrderRejected."""
    free = [mage for mage in list_mages_of(user) if mage.busy_with is None]
    if not free:
        raise OrderRejected(_("None of your mages is free."), nearest="REGISTER <mage>", clause=CLAUSE)
    return next((mage for mage in free if not mage.is_retired), free[0])


PLAY = Order(
    "PLAY",
    FORM,
    "player",
    "challenges.services.play_now.play_bot",
    gettext_lazy(
        "Begins a duel against a bot at once: Apprentice, Journeyman, Warder, Magus or Archmage, from "
        "weak to strong. Nobody dies for good. It is practice, or with RATED it changes your rating with "
        "bots. There is no clock unless you name a pace. HP gives a handicap: the starting hit points of "
        "your mage and of the bot, at most 15. With NOSURRENDER the bot never surrenders."
    ),
    "FM-ORDNEW-1",
    handle_play,
    example="PLAY Warder Merlyn",
)
