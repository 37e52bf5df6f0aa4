"""SUBSCRIBE and UNSUBSCRIBE: the reports of battles of others."""

from accounts.models import User
from challenges.errors import ChallengeError, ChallengeNotFound
from challenges.rows import ChallengeRow
from challenges.selectors import get_challenge_for_user, list_followed_challenges
from challenges.services import follow_challenge, unfollow_challenge
from duels.errors import BattleNotFound
from duels.models import Battle
from duels.selectors import find_battle, list_followed_battles, list_own_combatants
from duels.services import follow_battle, unfollow_battle
from email_gateway.commands.words import read_numbers, split_words
from email_gateway.compose.classic import join_names
from email_gateway.conversation import Conversation
from email_gateway.errors import OrderRejected

MOST_NUMBERS = 20
CLAUSE = "FM-ORDINF-19"


def handle_subscribe(talk: Conversation, rest: str) -> list[str]:
    """SUBSCRIBE numbers: each turn of these battles, and of what these challenges become."""
    user = talk.require_user("SUBSCRIBE")
    things, told = read_things("SUBSCRIBE", rest, user)
    alone = len(things) == 1
    for found in things:
        if isinstance(found, ChallengeRow):
            try:
                follow_challenge(number=found.number, user=user, now=talk.asked.now)
            except ChallengeError as error:
                if alone:
                    raise OrderRejected(str(error), nearest="CHALLENGES", clause=CLAUSE) from error
                told.append(str(error))
                continue
            told.append(f"You get the reports of challenge {found.number} once it is a battle.")
        elif found.is_over and not alone:
            told.append(f"{found} is over.")
        elif found.is_over:
            raise OrderRejected(f"{found} is over.", nearest=f"DESCRIBE {found.number}", clause=CLAUSE)
        elif list_own_combatants(found, user):
            told.append(f"You fight in {found.kind} {found.number} and get its reports anyway.")
        else:
            follow_battle(battle=found, user=user, now=talk.asked.now)
            told.append(f"You get the reports of {found.kind} {found.number}, as everybody may see them.")
    return told


def handle_unsubscribe(talk: Conversation, rest: str) -> list[str]:
    """UNSUBSCRIBE {numbers}: no more reports of these; of nothing, without numbers."""
    user = talk.require_user("UNSUBSCRIBE")
    if not split_words(rest):
        return [unfollow_everything(user)]
    things, told = read_things("UNSUBSCRIBE", rest, user)
    for found in things:
        what = f"challenge {found.number}" if isinstance(found, ChallengeRow) else f"{found.kind} {found.number}"
        if isinstance(found, ChallengeRow):
            followed = unfollow_challenge(number=found.number, user=user)
        else:
            followed = unfollow_battle(battle=found, user=user)
        told.append(f"You follow {what} no more." if followed else f"You do not follow {what}.")
    return told


def unfollow_everything(user: User) -> str:
    """End all subscriptions of a user and name them."""
    battles = [find_battle(number=row.number) for row in list_followed_battles(user)]
    challenges = list_followed_challenges(user=user)
    for battle in battles:
        unfollow_battle(battle=battle, user=user)
    for number in challenges:
        unfollow_challenge(number=number, user=user)
    ended = [f"{battle.kind} {battle.number}" for battle in battles] + [f"challenge {number}" for number in challenges]
    return f"You follow nothing any more. You followed {join_names(ended)}." if ended else "You follow nothing."


def read_things(order: str, rest: str, user: User) -> tuple[list[Battle | ChallengeRow], list[str]]:
    """Return the battles and challenges that a line names, and what to say of numbers that are none's. Raises
    OrderRejected where all are."""
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
        reason = f"There is no battle and no challenge {number}."
        raise OrderRejected(reason, nearest="GAMES", clause=CLAUSE) from error
