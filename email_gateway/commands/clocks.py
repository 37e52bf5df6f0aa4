"""TIME, GIVE, PAUSE, CALLOFF, CLAIM and STANDIN: the clocks of a battle."""

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext_lazy

from duels.errors import BattleNotFound, DuelsError, NotYourCombatant, OverLimit
from duels.models import Battle, Combatant, Deadline
from duels.names import listed
from duels.paces import span
from duels.selectors.absences import Consent
from duels.selectors.stage_keys import key_of
from duels.selectors.viewer import get_combatant_for_user
from duels.services.clocks.call_off import call_off_battle
from duels.services.clocks.claims import claim_battle
from duels.services.clocks.extra_time import give_time, take_time
from duels.services.clocks.pauses import ask_pause
from duels.services.clocks.seat_offers import offer_seat
from email_gateway.commands.battle import find_addressed_stage, reject_other_turn
from email_gateway.commands.order_entry import OPTIONAL, Order, shorten_grammar
from email_gateway.commands.words import read_number, split_words
from email_gateway.conversation import Conversation
from email_gateway.errors import OrderRejected
from email_gateway.text.order_forms import write_form
from notifications.selectors.notices import zone_of
from operations.text.dates import write_moment
from operations.text.suggestions import find_nearest_word

if TYPE_CHECKING:
    from django_stubs_ext import StrPromise

T = TypeVar("T")


class Written(NamedTuple):
    """How an order is written, and the clause it follows."""

    grammar: str
    clause: str


TIME = Written("TIME <battle> {mage}", "FM-SLOW-3")
GIVE = Written("GIVE <battle> <mage> {days}", "FM-SLOW-3")
PAUSE = Written("PAUSE <battle> <days>", "FM-SLOW-7")
CALLOFF = Written("CALLOFF <battle> {NO}", "FM-SLOW-7")
CLAIM = Written("CLAIM <battle> {NO}", "FM-SLOW-7")
STANDIN = Written("STANDIN <battle> {NO}", "FM-SLOW-7")


def handle_time(talk: Conversation, rest: str) -> list[str]:
    """TIME battle {mage}: take more time."""
    words = split_battle(talk, rest)
    combatant = find_combatant(talk, TIME, words, most=2, mage=words[1] if len(words) > 1 else None)
    take = partial(take_time, combatant=combatant, now=talk.request.now, arrived_at=talk.request.received_at)
    row = run(TIME, take)
    slots = {"mage": combatant.mage.name, "number": combatant.battle.number, "moment": write_end(row, talk)}
    if row.ends_at:
        return [_("%(mage)s has more time in battle %(number)s, until %(moment)s.") % slots]
    return [_("%(mage)s has more time in battle %(number)s.") % slots]


def handle_give(talk: Conversation, rest: str) -> list[str]:
    """GIVE battle mage {days}: more time for another."""
    words = split_battle(talk, rest)
    if len(words) < 2:
        raise reject(talk, GIVE, words)
    days = read_days(talk, GIVE, words, 2) if len(words) > 2 else None
    combatant = find_combatant(talk, GIVE, words, most=3)
    reject_unknown_mage(combatant, words)
    give = partial(give_time, giver=combatant, mage_name=words[1], days=days, now=talk.request.now)
    row, length = run(GIVE, give, f"GIVE {words[0]} {words[1]} {{}}")
    slots = {
        "mage": row.combatant.mage.name,
        "length": span(length),
        "number": combatant.battle.number,
        "moment": write_end(row, talk),
    }
    if row.ends_at:
        return [_("%(mage)s has %(length)s more in battle %(number)s, until %(moment)s.") % slots]
    return [_("%(mage)s has %(length)s more in battle %(number)s.") % slots]


def handle_pause(talk: Conversation, rest: str) -> list[str]:
    """PAUSE battle days: stop all clocks once everyone agrees; 0 withdraws the request."""
    words = split_battle(talk, rest)
    if len(words) < 2:
        raise reject(talk, PAUSE, words, _find_pause(talk, words))
    days = read_days(talk, PAUSE, words, 1)
    combatant = find_combatant(talk, PAUSE, words, most=2)
    ask = partial(ask_pause, combatant=combatant, days=days, now=talk.request.now)
    changed = run(PAUSE, ask, f"PAUSE {words[0]} {{}}")
    if changed:
        message = _("Battle %(number)s is paused.") if days else _("Battle %(number)s resumes.")
    else:
        message = _("We asked the others in battle %(number)s for a pause.") if days else _("Your answer is saved.")
    return [message % {"number": combatant.battle.number}]


def handle_calloff(talk: Conversation, rest: str) -> list[str]:
    """CALLOFF battle {NO}: end it without score because it waits too long for someone; NO withdraws the request."""
    return handle_agreement(CALLING_OFF, talk, rest)


def handle_claim(talk: Conversation, rest: str) -> list[str]:
    """CLAIM battle {NO}: make the absence of someone count as their surrender; NO withdraws the request."""
    return handle_agreement(CLAIMING, talk, rest)


def handle_standin(talk: Conversation, rest: str) -> list[str]:
    """STANDIN battle {NO}: let a bot play for someone who has left; NO withdraws the request."""
    return handle_agreement(STANDING_IN, talk, rest)


class Agreement(NamedTuple):
    """An order that everyone present must agree to, and what the sender is told: that they no longer agree, that others
    have yet to agree, or that it is done."""

    order: Written
    agree: Callable[..., Consent]
    withdrawn: "StrPromise"
    waits: "StrPromise"
    done: "StrPromise"


CALLING_OFF = Agreement(
    CALLOFF,
    call_off_battle,
    gettext_lazy("You no longer agree to end battle %(number)s."),
    ngettext_lazy(
        "Battle %(number)s ends without score once %(mages)s agrees.",
        "Battle %(number)s ends without score once %(mages)s agree.",
        "missing",
    ),
    gettext_lazy("Battle %(number)s is over. No score changes and nobody dies."),
)
CLAIMING = Agreement(
    CLAIM,
    claim_battle,
    gettext_lazy("You no longer agree to claim battle %(number)s."),
    ngettext_lazy(
        "Battle %(number)s is claimed once %(mages)s agrees.",
        "Battle %(number)s is claimed once %(mages)s agree.",
        "missing",
    ),
    gettext_lazy("Battle %(number)s is claimed."),
)
STANDING_IN = Agreement(
    STANDIN,
    offer_seat,
    gettext_lazy("You no longer agree to let a bot play in battle %(number)s."),
    ngettext_lazy(
        "A bot plays in battle %(number)s once %(mages)s agrees.",
        "A bot plays in battle %(number)s once %(mages)s agree.",
        "missing",
    ),
    gettext_lazy("A bot is now playing in battle %(number)s, and the battle is practice."),
)


def handle_agreement(agreement: Agreement, talk: Conversation, rest: str) -> list[str]:
    """Agree in the sender's name, or with NO withdraw that. Raises OrderRejected."""
    order, words = agreement.order, split_battle(talk, rest)
    agrees = len(words) < 2
    if not agrees and words[1].upper() != "NO":
        raise reject(talk, order, words)
    combatant = find_combatant(talk, order, words, most=2)
    wish = partial(agreement.agree, combatant=combatant, now=talk.request.now, agrees=agrees)
    missing = run(order, wish).missing
    message = agreement.withdrawn if not agrees else agreement.waits if missing else agreement.done
    return [message % {"number": combatant.battle.number, "mages": listed(missing), "missing": len(missing)}]


def _find_pause(talk: Conversation, words: list[str]) -> str:
    """Return the nearest form of a PAUSE with one number, which may be that of the battle or of the days."""
    token = talk.get_token("turn")
    if token is None:
        return PAUSE.grammar
    days = [word for word in words if read_number(word) != token.about]
    return f"PAUSE {token.about} {days[0] if days else '<days>'}"


def split_battle(talk: Conversation, rest: str) -> list[str]:
    """Return the words of an order on a battle. In answer to an email about a turn its number may be left out."""
    words, token = split_words(rest), talk.get_token("turn")
    is_named = bool(words) and read_number(words[0]) is not None
    return words if token is None or is_named else [str(token.about), *words]


def find_combatant(
    talk: Conversation, order: Written, words: list[str], *, most: int, mage: str | None = None
) -> Combatant:
    """Return the sender's mage in the battle that the first word names. Raises OrderRejected.

    Our emails about a turn offer these orders, so the reply address of the open turn is enough."""
    name = order.grammar.split()[0]
    number = read_number(words[0]) if words else None
    if number is None or len(words) > most:
        if talk.get_token("turn") is None:
            talk.require_user(name)
        raise reject(talk, order, words)
    user = talk.require_user_for(name, "turn", number)
    form = f"{name} {number} {{}}" if mage else ""
    combatant = run(order, lambda: get_combatant_for_user(number=number, user=user, mage_name=mage), form)
    reject_if_address_is_old(talk, combatant.battle, order)
    return combatant


def reject_if_address_is_old(talk: Conversation, battle: Battle, order: Written) -> None:
    """Raise OrderRejected if the sender has proved who they are only by the reply address of another turn."""
    addressed = None if talk.is_trusted else find_addressed_stage(talk, battle)
    if addressed is not None and addressed[:2] != key_of(battle)[:2]:
        raise reject_other_turn(battle, addressed, order.clause)


def read_days(talk: Conversation, order: Written, words: list[str], place: int) -> int:
    word = words[place]
    if not word.isdecimal() or len(word) > 4:
        raise reject(talk, order, words)
    return int(word)


def reject(talk: Conversation, order: Written, words: list[str], nearest: str = "") -> OrderRejected:
    """Return the rejection of a line that is not written like this. In answer to an email about the battle that it
    means, the nearest form can be sent as it is."""
    token, grammar = talk.get_token("turn"), order.grammar
    if token is not None and read_number(words[0]) == token.about:
        grammar = shorten_grammar(grammar, "turn")
        nearest = nearest or OPTIONAL.sub("", grammar)
        nearest = nearest.replace("<mage>", _find_other_mage(talk, token.about) or "<mage>")
    usage = _("Usage: %(grammar)s") % {"grammar": write_form(grammar)}
    return OrderRejected(usage, nearest=nearest or grammar, clause=order.clause)


def reject_unknown_mage(giver: Combatant, words: list[str]) -> None:
    """Raise OrderRejected if the mage after GIVE is not in the giver's battle; the nearest form has the most similar
    name of another user's mage."""
    number, written, *days = words
    rows = Combatant.objects.filter(battle=giver.battle_id).values_list("mage__name", "mage__user")
    names = {name.lower(): (name, user) for name, user in rows}
    if written.lower() in names:
        return
    others = {key: name for key, (name, user) in names.items() if user != giver.mage.user_id}
    near = find_nearest_word(written, others)
    name = others[near] if near else next(iter(others.values())) if len(others) == 1 else "<mage>"
    message = _("%(mage)s is not in this battle.") % {"mage": written[:40]}
    raise OrderRejected(message, nearest=" ".join(["GIVE", number, name, *days]), clause=GIVE.clause)


def _find_other_mage(talk: Conversation, number: int) -> str | None:
    """Return the only mage of others in the sender's battle; None if there are several."""
    others = Combatant.objects.filter(battle__number=number).exclude(mage__user=talk.state.user)
    names = list(others.values_list("mage__name", flat=True)[:2])
    return names[0] if len(names) == 1 else None


def run(order: Written, act: Callable[[], T], form: str = "") -> T:
    """Call the service, or reject the line with its reason. `form` is the order with a gap for the right value."""
    try:
        return act()
    except NotYourCombatant as error:
        nearest = form.format(error.mages[0]) if error.mages and form else None
        raise OrderRejected(str(error), nearest=nearest, clause=order.clause) from error
    except BattleNotFound as error:
        raise OrderRejected(str(error), nearest="GAMES", clause=order.clause) from error
    except OverLimit as error:
        nearest = form.format(error.most) if form else None
        raise OrderRejected(str(error), nearest=nearest, clause=order.clause) from error
    except DuelsError as error:
        raise OrderRejected(str(error), clause=order.clause) from error


def write_end(row: Deadline, talk: Conversation) -> str:
    """Return the new deadline in the sender's time zone; "" if the clock is stopped."""
    return write_moment(row.ends_at, zone_of(talk.state.user)) if row.ends_at else ""


TIMING: tuple[Order, ...] = (
    Order(
        "TIME",
        TIME.grammar,
        "player",
        "duels.services.clocks.extra_time.take_time",
        gettext_lazy(
            "Gives your mage more time while the battle is waiting for your orders. You can do this twice in a battle."
        ),
        TIME.clause,
        handle_time,
        example="TIME 12",
    ),
    Order(
        "GIVE",
        GIVE.grammar,
        "player",
        "duels.services.clocks.extra_time.give_time",
        gettext_lazy("Gives another mage more time while the battle is waiting for them: this many days, at most 14."),
        GIVE.clause,
        handle_give,
        example="GIVE 12 Bung 1",
    ),
    Order(
        "PAUSE",
        PAUSE.grammar,
        "player",
        "duels.services.clocks.pauses.ask_pause",
        gettext_lazy(
            "Asks for all clocks in a battle to stop, or agrees to it. They stop once everyone agrees within seven "
            "days, for the shortest time that anyone asked for. 0 takes it back; during a pause, it asks to resume."
        ),
        PAUSE.clause,
        handle_pause,
        example="PAUSE 12 7",
    ),
    Order(
        "CALLOFF",
        CALLOFF.grammar,
        "player",
        "duels.services.clocks.call_off.call_off_battle",
        gettext_lazy(
            "Ends a battle with no score and no death, once a mage has been absent for too long and everyone present "
            "agrees. Until the first turn is over, you can do it a day after the start (live: a minute) if only others "
            "have not sent orders; in a melee, everyone who has must agree. NO takes it back."
        ),
        CALLOFF.clause,
        handle_calloff,
        example="CALLOFF 12",
    ),
    Order(
        "CLAIM",
        CLAIM.grammar,
        "player",
        "duels.services.clocks.claims.claim_battle",
        gettext_lazy(
            "Claims a battle, once a mage has been absent for too long and everyone present agrees. It counts as that "
            "mage's surrender: they live, a duel is won, and a melee continues. NO takes it back."
        ),
        CLAIM.clause,
        handle_claim,
        example="CLAIM 12",
    ),
    Order(
        "STANDIN",
        STANDIN.grammar,
        "player",
        "duels.services.clocks.seat_offers.offer_seat",
        gettext_lazy(
            "Lets a bot play for a mage whose player has been absent for too long or, where no scores are at stake, "
            "has run out of time, until they come back. It begins once everyone present agrees, and the battle is then "
            "practice. NO takes it back."
        ),
        STANDIN.clause,
        handle_standin,
        example="STANDIN 12",
    ),
)
