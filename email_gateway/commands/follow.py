"""SUBSCRIBE and UNSUBSCRIBE: reports of others' battles."""

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts.models import User
from challenges.errors import ChallengeError, ChallengeNotFound
from challenges.rows import ChallengeRow
from challenges.selectors import get_challenge_for_user, list_followed_challenges
from challenges.services import follow_challenge, unfollow_challenge
from duels.errors import BattleNotFound
from duels.models import Battle
from duels.names import listed
from duels.selectors import find_battle, list_followed_battles, list_own_combatants
from duels.services import follow_battle, unfollow_battle
from email_gateway.commands.order_entry import Order
from email_gateway.commands.words import read_numbers, split_words
from email_gateway.conversation import Conversation
from email_gateway.errors import OrderRejected

MOST_NUMBERS = 20
CLAUSE = "FM-ORDINF-19"


def handle_subscribe(talk: Conversation, rest: str) -> list[str]:
    """SUBSCRIBE numbers: reports of each turn of these battles, and of the battles that these challenges become."""
    user = talk.require_user("SUBSCRIBE")
    things, sentences = read_things("SUBSCRIBE", rest, user)
    alone = len(things) == 1
    for found in things:
        if isinstance(found, ChallengeRow):
            try:
                follow_challenge(number=found.number, user=user, now=talk.asked.now)
            except ChallengeError as error:
                if alone:
                    raise OrderRejected(str(error), nearest="CHALLENGES", clause=CLAUSE) from error
                sentences.append(str(error))
                continue
            sentences.append(
                _("You will get the reports of challenge %(number)s once it becomes a battle.")
                % {"number": found.number}
            )
        elif found.is_over and not alone:
            sentences.append(_("%(battle)s is over.") % {"battle": found})
        elif found.is_over:
            raise OrderRejected(
                _("%(battle)s is over.") % {"battle": found}, nearest=f"DESCRIBE {found.number}", clause=CLAUSE
            )
        elif list_own_combatants(found, user):
            sentences.append(_("You are fighting in %(battle)s, so you get its reports anyway.") % {"battle": found})
        else:
            follow_battle(battle=found, user=user, now=talk.asked.now)
            sentences.append(
                _("You will get the reports of %(battle)s, with what everyone can see.") % {"battle": found}
            )
    return sentences


def handle_unsubscribe(talk: Conversation, rest: str) -> list[str]:
    """UNSUBSCRIBE {numbers}: no more reports of these; without numbers, no reports at all."""
    user = talk.require_user("UNSUBSCRIBE")
    if not split_words(rest):
        return [unfollow_everything(user)]
    things, sentences = read_things("UNSUBSCRIBE", rest, user)
    for found in things:
        if isinstance(found, ChallengeRow):
            what = name_challenge(found.number)
            followed = unfollow_challenge(number=found.number, user=user)
        else:
            what = str(found)
            followed = unfollow_battle(battle=found, user=user)
        ended = _("You no longer follow %(what)s.") if followed else _("You don't follow %(what)s.")
        sentences.append(ended % {"what": what})
    return sentences


def unfollow_everything(user: User) -> str:
    """End all subscriptions of a user and name them."""
    battles = [find_battle(number=row.number) for row in list_followed_battles(user)]
    challenges = list_followed_challenges(user=user)
    for battle in battles:
        unfollow_battle(battle=battle, user=user)
    for number in challenges:
        unfollow_challenge(number=number, user=user)
    ended = [*map(str, battles), *map(name_challenge, challenges)]
    if not ended:
        return _("You don't follow any battles.")
    return _("You no longer follow any battles. You followed %(what)s.") % {"what": listed(ended)}


def name_challenge(number: int) -> str:
    return _("Challenge %(number)s") % {"number": number}


def read_things(order: str, rest: str, user: User) -> tuple[list[Battle | ChallengeRow], list[str]]:
    """Return the battles and challenges that a line names, and remarks on unknown ones. Raises OrderRejected if all
    are."""
    numbers, missing = read_numbers(order, rest, most=MOST_NUMBERS, clause=CLAUSE)
    found = []
    for number in numbers:
        try:
            found.append(find_thing(number, user))
        except OrderRejected as error:
            missing.append(error.reason)
    if not found:
        raise OrderRejected(" ".join(missing), nearest="GAMES", clause=CLAUSE)
    return found, missing


def find_thing(number: int, user: User) -> Battle | ChallengeRow:
    try:
        return find_battle(number=number)
    except BattleNotFound:
        pass
    try:
        return get_challenge_for_user(number=number, user=user)
    except ChallengeNotFound as error:
        reason = _("There is no battle or challenge %(number)s.") % {"number": number}
        raise OrderRejected(reason, nearest="GAMES", clause=CLAUSE) from error


ORDERS: tuple[Order, ...] = (
    Order(
        "SUBSCRIBE",
        "SUBSCRIBE <numbers>",
        "player",
        "duels.services.follow_battle",
        gettext_lazy(
            "Emails you each turn of these battles, as everyone can see it. You can also name a challenge, to get "
            "the reports of its battle."
        ),
        "FM-ORDINF-19",
        handle_subscribe,
        example="SUBSCRIBE 54",
    ),
    Order(
        "UNSUBSCRIBE",
        "UNSUBSCRIBE {numbers}",
        "player",
        "duels.services.unfollow_battle",
        gettext_lazy("Stops these emails. Without numbers, it stops them for all battles and challenges."),
        "FM-ORDINF-19",
        handle_unsubscribe,
        example="UNSUBSCRIBE 54",
    ),
)
