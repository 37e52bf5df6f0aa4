"""SUBSCRIBE and UNSUBSCRIBE: reports of others' battles."""

from datetime import datetime

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts.models import User
from challenges.errors import ChallengeError, ChallengeNotFound
from challenges.selectors.lists import get_challenge_for_user, list_followed_challenges
from challenges.services.followers import follow_challenge, unfollow_challenge
from challenges.shown import ShownChallenge
from duels.errors import BattleNotFound
from duels.models import Battle
from duels.names import listed
from duels.selectors.battle_lists import list_followed_battles
from duels.selectors.viewer import find_battle, list_own_combatants
from duels.services.followers import follow_battle, unfollow_battle
from email_gateway.commands.order_entry import Order
from email_gateway.commands.words import read_numbers, split_words
from email_gateway.conversation import Conversation
from email_gateway.errors import OrderRejected

MOST_NUMBERS = 20
CLAUSE = "FM-ORDINF-19"


def handle_subscribe(talk: Conversation, rest: str) -> list[str]:
    """SUBSCRIBE numbers: reports of each turn of these battles, and of the battles that these challenges become."""
    user = talk.require_user("SUBSCRIBE")
    followable, sentences = read_followable("SUBSCRIBE", rest, user)
    for each in followable:
        try:
            sentences.append(follow(each, user, talk.request.now))
        except OrderRejected as error:
            if len(followable) == 1:
                raise
            sentences.append(error.reason)
    return sentences


def follow(followed: Battle | ShownChallenge, user: User, now: datetime) -> str:
    """Follow a battle or challenge; return what the user will get. Raises OrderRejected if there is nothing to
    follow."""
    if isinstance(followed, ShownChallenge):
        try:
            follow_challenge(number=followed.number, user=user, now=now)
        except ChallengeError as error:
            raise OrderRejected(str(error), nearest="CHALLENGES", clause=CLAUSE) from error
        return _("You will get the reports of challenge %(number)s once it becomes a battle.") % {
            "number": followed.number
        }
    if followed.is_over:
        reason = _("%(battle)s is over.") % {"battle": followed}
        raise OrderRejected(reason, nearest=f"DESCRIBE {followed.number}", clause=CLAUSE)
    if list_own_combatants(followed, user):
        return _("You are fighting in %(battle)s, so you get its reports anyway.") % {"battle": followed}
    follow_battle(battle=followed, user=user, now=now)
    return _("You will get the reports of %(battle)s, with what everyone can see.") % {"battle": followed}


def handle_unsubscribe(talk: Conversation, rest: str) -> list[str]:
    """UNSUBSCRIBE {numbers}: no more reports of these; without numbers, no reports at all."""
    user = talk.require_user("UNSUBSCRIBE")
    if not split_words(rest):
        return [unfollow_everything(user)]
    try:
        followable, sentences = read_followable("UNSUBSCRIBE", rest, user)
    except OrderRejected as error:
        if not any(map(str.isdecimal, rest)):  # "UNSUBSCRIBE all"
            error.nearest = "UNSUBSCRIBE"
        raise
    for each in followable:
        if isinstance(each, ShownChallenge):
            what = name_challenge(each.number)
            followed = unfollow_challenge(number=each.number, user=user)
        else:
            what = str(each)
            followed = unfollow_battle(battle=each, user=user)
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


def read_followable(order: str, rest: str, user: User) -> tuple[list[Battle | ShownChallenge], list[str]]:
    """Return the battles and challenges that a line names, and remarks on unknown ones. Raises OrderRejected if all
    are."""
    numbers, missing = read_numbers(order, rest, most=MOST_NUMBERS, clause=CLAUSE)
    followable = []
    for number in numbers:
        try:
            followable.append(find_followable(number, user))
        except OrderRejected as error:
            missing.append(error.reason)
    if not followable:
        raise OrderRejected(" ".join(missing), nearest="GAMES", clause=CLAUSE)
    return followable, missing


def find_followable(number: int, user: User) -> Battle | ShownChallenge:
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
        "duels.services.followers.follow_battle",
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
        "duels.services.followers.unfollow_battle",
        gettext_lazy("Stops these emails. Without numbers, it stops them for all battles and challenges."),
        "FM-ORDINF-19",
        handle_unsubscribe,
        example="UNSUBSCRIBE 54",
    ),
)
