"""TIME, GIVE, PAUSE and CALLOFF: the clocks of a battle."""

from collections.abc import Callable
from functools import partial
from typing import TypeVar

from accounts.moments import write_moment
from accounts.selectors import zone_of
from duels.errors import BattleNotFound, DuelsError, NoMoreTime, NotYourCombatant, WrongPause
from duels.models import Combatant, Deadline
from duels.paces import span
from duels.selectors import get_combatant_for_user
from duels.services import ask_pause, call_off_battle, give_time, take_time
from email_gateway.conversation import Conversation
from email_gateway.errors import OrderRefused
from email_gateway.orders.entry import Order
from email_gateway.orders.words import split_words

LONGEST_NUMBER = 9
CLAUSE = "FM-SLOW-3"
T = TypeVar("T")


def obey_time(talk: Conversation, rest: str) -> list[str]:
    """TIME battle {mage}: more time for oneself."""
    words = split_words(rest)
    combatant = find_combatant(talk, "TIME <battle> {mage}", words, most=2, mage=words[1] if len(words) > 1 else None)
    row = obey(lambda: take_time(combatant=combatant, now=talk.now))
    return [f"{combatant.mage.name} has more time in battle {combatant.battle.number}{tell_until(row, combatant)}."]


def obey_give(talk: Conversation, rest: str) -> list[str]:
    """GIVE battle mage {days}: more time for another."""
    words, grammar = split_words(rest), "GIVE <battle> <mage> {days}"
    if len(words) < 2:
        raise refuse(grammar)
    days = read_days(words[2], grammar) if len(words) > 2 else None
    combatant = find_combatant(talk, grammar, words, most=3)
    give = partial(give_time, giver=combatant, mage_name=words[1], days=days, now=talk.now)
    row, length = obey(give, f"GIVE {words[0]} {words[1]} {{}}")
    until = tell_until(row, combatant)
    return [f"{row.combatant.mage.name} has {span(length)} more in battle {combatant.battle.number}{until}."]


def obey_pause(talk: Conversation, rest: str) -> list[str]:
    """PAUSE battle days: all clocks stand still once all want it; 0 is for no pause."""
    words, grammar = split_words(rest), "PAUSE <battle> <days>"
    if len(words) < 2:
        raise refuse(grammar)
    days = read_days(words[1], grammar)
    combatant = find_combatant(talk, grammar, words, most=2)
    ask = partial(ask_pause, combatant=combatant, days=days, now=talk.now)
    changed = obey(ask, f"PAUSE {words[0]} {{}}")
    number = combatant.battle.number
    if changed:
        return [f"Battle {number} is paused." if days else f"Battle {number} goes on."]
    return [f"The others in battle {number} are asked for a pause." if days else "Your wish is noted."]


def obey_calloff(talk: Conversation, rest: str) -> list[str]:
    """CALLOFF battle: its end without score, when the others are absent for too long."""
    combatant = find_combatant(talk, "CALLOFF <battle>", split_words(rest), most=1)
    obey(lambda: call_off_battle(combatant=combatant, now=talk.now))
    return [f"Battle {combatant.battle.number} is over, without score and without a death."]


def find_combatant(
    talk: Conversation, grammar: str, words: list[str], *, most: int, mage: str | None = None
) -> Combatant:
    """Return the sender's mage in the battle that the first word names. Raises OrderRefused."""
    user = talk.require_user(grammar.split()[0])
    if not 1 <= len(words) <= most or not words[0].isdecimal() or len(words[0]) > LONGEST_NUMBER:
        raise refuse(grammar)
    form = f"{grammar.split()[0]} {words[0]} {{}}" if mage else ""
    return obey(lambda: get_combatant_for_user(number=int(words[0]), user=user, mage_name=mage), form)


def read_days(word: str, grammar: str) -> int:
    if not word.isdecimal() or len(word) > 4:
        raise refuse(grammar)
    return int(word)


def refuse(grammar: str) -> OrderRefused:
    return OrderRefused(f"It is written {grammar}.", nearest=grammar, clause=CLAUSE)


def obey(act: Callable[[], T], form: str = "") -> T:
    """Do it, or refuse the line with what stands against it. `form` is the order with a gap for what would be right."""
    try:
        return act()
    except NotYourCombatant as error:
        nearest = form.format(error.mages[0]) if error.mages and form else None
        raise OrderRefused(str(error), nearest=nearest, clause=CLAUSE) from error
    except BattleNotFound as error:
        raise OrderRefused(str(error), nearest="GAMES", clause=CLAUSE) from error
    except (NoMoreTime, WrongPause) as error:
        raise OrderRefused(str(error), nearest=form.format(error.most) if form else None, clause=CLAUSE) from error
    except DuelsError as error:
        raise OrderRefused(str(error), clause=CLAUSE) from error


def tell_until(row: Deadline, reader: Combatant) -> str:
    """Say until when the clock gives time, as the reader's clocks show it; "" while it stands still."""
    return f", until {write_moment(row.ends_at, zone_of(reader.mage.user))}" if row.ends_at else ""


TIMING: tuple[Order, ...] = (
    Order(
        "TIME",
        "TIME <battle> {mage}",
        "player",
        "duels.services.take_time",
        "Takes more time for your mage while the battle waits for orders of yours, twice in a battle.",
        "FM-SLOW-3",
        obey_time,
        example="TIME 12",
    ),
    Order(
        "GIVE",
        "GIVE <battle> <mage> {days}",
        "player",
        "duels.services.give_time",
        "Gives another mage, for whom the battle waits, more time: so many days, 14 at most.",
        "FM-SLOW-3",
        obey_give,
        example="GIVE 12 Bung 1",
    ),
    Order(
        "PAUSE",
        "PAUSE <battle> <days>",
        "player",
        "duels.services.ask_pause",
        "Asks that all clocks of a battle stand still, and agrees to it: they do once all want it, for as long as the "
        "shortest wish. 0 takes the wish back; in a pause it is the wish to go on.",
        "FM-SLOW-7",
        obey_pause,
        example="PAUSE 12 7",
    ),
    Order(
        "CALLOFF",
        "CALLOFF <battle>",
        "player",
        "duels.services.call_off_battle",
        "Ends a battle without score and without a death, once the others were absent for too long.",
        "FM-SLOW-7",
        obey_calloff,
        example="CALLOFF 12",
    ),
)
