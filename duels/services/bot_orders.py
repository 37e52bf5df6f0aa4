"""Orders of the computer opponents. They see what their mage sees, and order through the same service as everyone."""

import datetime
import re

import structlog
from django.db import transaction

from accounts.models import User
from duels.errors import StaleOrders
from duels.keys import StageKey
from duels.models import Battle, OrderSheet
from duels.selectors.battle_rows import read_battle_state
from duels.selectors.bot_sheets import due_sheets, name_strength, seed_of
from duels.selectors.fair_play import find_mirrored
from duels.selectors.stage_keys import key_of
from duels.selectors.stories import list_past_turns
from duels.services.clocks.call_off import call_off_endless_battle, is_endless
from duels.services.lock import lock_battle
from duels.services.orders import submit_orders
from duels.terms import Terms
from rules_engine import Sheet, State, is_complete, open_questions, read_orders
from rules_engine.bots import Seen, Strength, choose_orders, see
from rules_engine.gestures import NOTHING

log = structlog.get_logger(__name__)

# How long a worker may think about a sheet that it has taken; then another may take it.
LEASE = datetime.timedelta(seconds=30)
# When a sheet is due again after its orders failed, for example because the database was busy.
RETRY = datetime.timedelta(seconds=2)
# The bot that plays if a bot's own search fails: the weakest one has the simplest code.
FALLBACK = "Apprentice"
# Where a player mirrors their running battle in practice, a bot plays nothing: what it would do is advice.
GESTURE_LINE = re.compile(r"([LR]H2?) \S+$")


def give_bot_orders(*, sheet: OrderSheet, now: datetime.datetime) -> bool:
    """Give the orders that a bot owes on `sheet`; return whether this call gave them.

    It may be called at any time, any number of times, by several workers at once. A conditional update claims the
    sheet for a while; the orders are computed without a lock, and count only if the sheet still waits for them. After
    an error, which is logged, the sheet is soon due again, so that it does not hold up other battles.
    """
    if not due_sheets(now).filter(pk=sheet.pk).update(bot_due_at=now + LEASE):
        return False
    try:
        return _give_orders(sheet, now)
    except Exception:
        log.exception("bot orders failed", battle=sheet.stage.battle_id, mage=sheet.combatant.mage.name)
        OrderSheet.objects.filter(pk=sheet.pk, bot_due_at=now + LEASE).update(bot_due_at=now + RETRY)
        return False


def _give_orders(sheet: OrderSheet, now: datetime.datetime) -> bool:
    battle = Battle.objects.get(pk=sheet.stage.battle_id)
    if is_endless(battle):
        return call_off_endless_battle(battle=battle, now=now)
    key = key_of(battle)
    mage = sheet.combatant.mage
    state = read_battle_state(battle)
    if mage.name not in state.owing or battle.is_over:
        return False
    terms = Terms.from_json(battle.terms)
    strength = sheet.combatant.stand_in or name_strength(terms, mage.user.bot_strength)
    lines = _think(
        see(state, mage.name, list_past_turns(battle)), strength, seed_of(battle, mage.name, key), terms.bots_surrender
    )
    people = User.objects.filter(mages__combatants__battle=battle, is_bot=False).distinct()
    if battle.practice and not state.stage and find_mirrored(state, list(people)) is not None:
        lines = [f"{found[1]} {NOTHING}" for line in lines if (found := GESTURE_LINE.match(line))]
    return _submit(sheet, _mend(state, mage.name, lines), key, now)


def _think(seen: Seen, strength: str | Strength, seed: str, may_surrender: bool) -> list[str]:
    """Return the order lines. An error in one bot's search must not stop the battle."""
    try:
        return choose_orders(
            seen, mage=seen.mage, strength=strength or FALLBACK, seed=seed, may_surrender=may_surrender
        )
    except Exception:
        log.exception("bot failed", mage=seen.mage, strength=str(strength))
        return choose_orders(seen, mage=seen.mage, strength=FALLBACK, seed=seed, may_surrender=False)


def _mend(state: State, mage: str, lines: list[str]) -> list[str]:
    """Return the lines if they are legal and complete; else the legal ones, with a simple answer to whatever must still
    be decided. Otherwise the bot would give the same lines again and again, and the battle would wait for ever."""
    read = read_orders(state, mage, "\n".join(lines))
    sheet = read.sheet
    if not read.problems and is_complete(state, mage, sheet):
        return lines
    log.error("bot gave illegal orders", mage=mage, lines=lines, rejected=[problem.text for problem in read.problems])
    while missing := [q for q in open_questions(state, mage, sheet) if q.required and q.answered is None]:
        question = missing[0]
        # The last gesture that is offered is nothing: it can't be a palm, with which the other hand might surrender.
        answer = question.default or [option.value for option in question.options if option.allowed][-1]
        sheet = sheet.merged(Sheet({question.id: answer}))
    return sheet.lines()


def _submit(sheet: OrderSheet, lines: list[str], key: StageKey, now: datetime.datetime) -> bool:
    with transaction.atomic():
        battle = lock_battle(sheet.combatant.battle_id)
        # Not a seat that its player has taken back from the bot.
        waits = OrderSheet.objects.filter(pk=sheet.pk, ready=False, stage__closed_at=None, bot_due_at__isnull=False)
        if key_of(battle) != key or not waits.exists():
            return False
        try:
            submit_orders(
                combatant=sheet.combatant,
                text="\n".join([*lines, "END"]),
                via="bot",
                now=now,
                stage=key,
                replace=True,
            )
        except StaleOrders:
            return False
    return True


def give_orders_like_a_bot(*, sheet: OrderSheet, strength: str, most_turns: int, now: datetime.datetime) -> bool:
    """Give the orders that a bot would give on the sheet of a made-up user of the demonstration; return whether this
    call gave them. After `most_turns` the one who came later gives up, so that no battle goes on for ever."""
    mage, battle = sheet.combatant.mage, Battle.objects.get(pk=sheet.combatant.battle_id)
    state = read_battle_state(battle)
    if battle.is_over or mage.name not in state.owing:
        return False
    if battle.seq > most_turns and not state.stage and sheet.combatant.position:
        lines = ["LH P", "RH P"]
    else:
        seen = see(state, mage.name, list_past_turns(battle))
        lines = _think(seen, strength, f"{battle.number} {mage.name}", may_surrender=True)
        lines = _mend(state, mage.name, lines)
    try:
        text = "\n".join([*lines, "END"])
        submit_orders(combatant=sheet.combatant, text=text, via="web", now=now, stage=key_of(battle), replace=True)
    except StaleOrders:
        return False
    return True
