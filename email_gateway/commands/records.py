"""SHOW and DESCRIBE: a battle as a table or as a story, for anybody, without a USER line (FM-ORDINF-16 to 18)."""

from collections.abc import Callable
from functools import partial

from challenges.errors import ChallengeNotFound
from challenges.selectors import get_challenge_for_user
from duels.errors import BattleNotFound, DuelsError
from duels.selectors import get_story_for_anybody, get_table_for_anybody
from email_gateway.commands.words import read_numbers
from email_gateway.compose.challenge_status import write_challenge_status
from email_gateway.conversation import Conversation
from email_gateway.errors import OrderRejected
from fm_site.notifications.selectors import zone_of

MOST_BATTLES = 5


def handle_show(talk: Conversation, rest: str) -> list[str]:
    """SHOW numbers: each battle as a table, or how the challenge stands."""
    return _tell(talk, "SHOW", "FM-ORDINF-16", get_table_for_anybody, rest)


def handle_describe(talk: Conversation, rest: str) -> list[str]:
    """DESCRIBE numbers: all that happened in each battle, as far as everybody knows it."""
    return _tell(talk, "DESCRIBE", "FM-ORDINF-18", get_story_for_anybody, rest)


def _tell(talk: Conversation, order: str, clause: str, write: Callable[..., str], rest: str) -> list[str]:
    numbers, missing = read_numbers(order, rest, most=MOST_BATTLES, clause=clause)
    told = {}
    refusal = None
    for number in numbers:
        try:
            told[number] = _write(talk, number, order, clause, write)
        except OrderRejected as error:
            refusal = error
            missing.append(error.reason)
    if refusal is not None and not told:
        raise OrderRejected(" ".join(missing), nearest=refusal.nearest, clause=refusal.clause) from refusal
    for number, text in told.items():
        talk.report(f"{order} {number}", partial(str, text))
    return missing


def _write(talk: Conversation, number: int, order: str, clause: str, write: Callable[..., str]) -> str:
    try:
        return write(number=number).rstrip("\n")
    except BattleNotFound:
        return _write_challenge(talk, number, order, clause)
    except DuelsError as error:
        raise OrderRejected(str(error), clause=clause) from error


def _write_challenge(talk: Conversation, number: int, order: str, clause: str) -> str:
    try:
        return write_challenge_status(
            get_challenge_for_user(number=number, user=talk.done.user), zone_of(talk.done.user)
        )
    except ChallengeNotFound as error:
        reason = f"There is no battle and no challenge {number}."
        raise OrderRejected(reason, nearest=f"{order} <number>", clause=clause) from error
