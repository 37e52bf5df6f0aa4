"""TIME, GIVE, PAUSE and CALLOFF: the clocks of a battle."""

from collections.abc import Callable
from functools import partial
from typing import NamedTuple, TypeVar

from duels.errors import BattleNotFound, DuelsError, NoMoreTime, NotYourCombatant, WrongPause
from duels.models import Combatant, Deadline
from duels.paces import span
from duels.selectors import get_combatant_for_user
from duels.services import ask_pause, call_off_battle, give_time, take_time
from email_gateway.commands.entry import Order
from email_gateway.commands.words import split_words
from email_gateway.compose.classic import join_names
from email_gateway.conversation import Conversation
from email_gateway.errors import OrderRejected
from fm_site.notifications.selectors import zone_of
from fm_site.operations.moments import write_moment

LONGEST_NUMBER = 9
T = TypeVar("T")


class Written(NamedTuple):
    """How an order is written, and the clause it follows."""

    grammar: str
    clause: str


TIME = Written("TIME <battle> {mage}", "FM-SLOW-3")
GIVE = Written("GIVE <battle> <mage> {days}", "FM-SLOW-3")
PAUSE = Written("PAUSE <battle> <days>", "FM-SLOW-7")
CALLOFF = Written("CALLOFF <battle> {NO}", "FM-SLOW-7")


def handle_time(talk: Conversation, rest: str) -> list[str]:
    """TIME battle {mage}: more time for oneself."""
    words = split_words(rest)
    combatant = find_combatant(talk, TIME, words, most=2, mage=words[1] if len(words) > 1 else None)
    row = run(TIME, lambda: take_time(combatant=combatant, now=talk.asked.now))
    return [f"{combatant.mage.name} has more time in battle {combatant.battle.number}{describe_end(row, talk)}."]


def handle_give(talk: Conversation, rest: str) -> list[str]:
    """GIVE battle mage {days}: more time for another."""
    words = split_words(rest)
    if len(words) < 2:
        raise reject(GIVE)
    days = read_days(words[2], GIVE) if len(words) > 2 else None
    combatant = find_combatant(talk, GIVE, words, most=3)
    give = partial(give_time, giver=combatant, mage_name=words[1], days=days, now=talk.asked.now)
    row, length = run(GIVE, give, f"GIVE {words[0]} {words[1]} {{}}")
    number = combatant.battle.number
    return [f"{row.combatant.mage.name} has {span(length)} more in battle {number}{describe_end(row, talk)}."]


def handle_pause(talk: Conversation, rest: str) -> list[str]:
    """PAUSE battle days: all clocks stand still once all want it; 0 is for no pause."""
    words = split_words(rest)
    if len(words) < 2:
        raise reject(PAUSE)
    days = read_days(words[1], PAUSE)
    combatant = find_combatant(talk, PAUSE, words, most=2)
    ask = partial(ask_pause, combatant=combatant, days=days, now=talk.asked.now)
    changed = run(PAUSE, ask, f"PAUSE {words[0]} {{}}")
    number = combatant.battle.number
    if changed:
        return [f"Battle {number} is paused." if days else f"Battle {number} goes on."]
    return [f"The others in battle {number} are asked for a pause." if days else "Your wish is noted."]


def handle_calloff(talk: Conversation, rest: str) -> list[str]:
    """CALLOFF battle {NO}: its end without score, when somebody is absent for too long; NO takes the wish back."""
    words = split_words(rest)
    agrees = len(words) < 2
    if not agrees and words[1].upper() != "NO":
        raise reject(CALLOFF)
    combatant = find_combatant(talk, CALLOFF, words, most=2)
    wish = partial(call_off_battle, combatant=combatant, now=talk.asked.now, agrees=agrees)
    missing, number = run(CALLOFF, wish).missing, combatant.battle.number
    if not agrees:
        return [f"Your wish to end battle {number} is taken back."]
    if missing:
        return [f"Battle {number} ends without score once {join_names(missing)} would end it too."]
    return [f"Battle {number} is over, without score and without a death."]


def find_combatant(
    talk: Conversation, order: Written, words: list[str], *, most: int, mage: str | None = None
) -> Combatant:
    """Return the sender's mage in the battle that the first word names. Raises OrderRejected."""
    user = talk.require_user(order.grammar.split()[0])
    if not 1 <= len(words) <= most or not words[0].isdecimal() or len(words[0]) > LONGEST_NUMBER:
        raise reject(order)
    form = f"{order.grammar.split()[0]} {words[0]} {{}}" if mage else ""
    return run(order, lambda: get_combatant_for_user(number=int(words[0]), user=user, mage_name=mage), form)


def read_days(word: str, order: Written) -> int:
    if not word.isdecimal() or len(word) > 4:
        raise reject(order)
    return int(word)


def reject(order: Written) -> OrderRejected:
    return OrderRejected(f"It is written {order.grammar}.", nearest=order.grammar, clause=order.clause)


def run(order: Written, act: Callable[[], T], form: str = "") -> T:
    """Do it, or refuse the line with what stands against it. `form` is the order with a gap for what would be right."""
    try:
        return act()
    except NotYourCombatant as error:
        nearest = form.format(error.mages[0]) if error.mages and form else None
        raise OrderRejected(str(error), nearest=nearest, clause=order.clause) from error
    except BattleNotFound as error:
        raise OrderRejected(str(error), nearest="GAMES", clause=order.clause) from error
    except (NoMoreTime, WrongPause) as error:
        nearest = form.format(error.most) if form else None
        raise OrderRejected(str(error), nearest=nearest, clause=order.clause) from error
    except DuelsError as error:
        raise OrderRejected(str(error), clause=order.clause) from error


def describe_end(row: Deadline, talk: Conversation) -> str:
    """Say until when there is time now, as the sender's clocks show it; "" where the clock stands still."""
    return f", until {write_moment(row.ends_at, zone_of(talk.done.user))}" if row.ends_at else ""


TIMING: tuple[Order, ...] = (
    Order(
        "TIME",
        TIME.grammar,
        "player",
        "duels.services.take_time",
        "Takes more time for your mage while the battle waits for orders of yours, twice in a battle.",
        TIME.clause,
        handle_time,
        example="TIME 12",
    ),
    Order(
        "GIVE",
        GIVE.grammar,
        "player",
        "duels.services.give_time",
        "Gives another mage, for whom the battle waits, more time: so many days, 14 at most.",
        GIVE.clause,
        handle_give,
        example="GIVE 12 Bung 1",
    ),
    Order(
        "PAUSE",
        PAUSE.grammar,
        "player",
        "duels.services.ask_pause",
        "Asks that all clocks of a battle stand still, and agrees to it: they do once all want it, for as long as the "
        "shortest wish. 0 takes the wish back; in a pause it is the wish to go on.",
        PAUSE.clause,
        handle_pause,
        example="PAUSE 12 7",
    ),
    Order(
        "CALLOFF",
        CALLOFF.grammar,
        "player",
        "duels.services.call_off_battle",
        "Ends a battle without score and without a death, once another was absent for too long and all who are here "
        "want that. NO takes the wish back.",
        CALLOFF.clause,
        handle_calloff,
        example="CALLOFF 12",
    ),
)
