"""Takes the sheets of mages who owe orders, and finds their spells (FM-ORDMOVE-7..32; spec: engine 2)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from rules_engine.beings import (
    CHOOSE,
    CHOOSE_SPELL,
    CHOOSE_TARGET,
    DECIDE,
    EMPTY,
    HELD,
    JUST_PERMANENT,
    NOBODY,
    ORDERS,
    PERMANENT,
    READY,
    Wizard,
)
from rules_engine.errors import OrdersMissing
from rules_engine.gestures import BOTH, FIRE, HANDS, LEFT, NOTHING, RIGHT, STAB
from rules_engine.occasions import EVERYTHING, NONE, SPELLS
from rules_engine.orders import Sheet
from rules_engine.rules import Ruleset
from rules_engine.spells import FOE, Offers
from rules_engine.state import State
from rules_engine.steps.decisions import decide
from rules_engine.turn import Turn

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

# A mage under one of these for good may be unable to surrender; Fear and Maladroitness allow two palms.
KEEP_FROM_SURRENDER: Final = ("Amnesia", "Charm Person", "Confusion", "Paralysis")


def take_orders(turn: Turn, sheets: dict[str, Sheet]) -> bool:
    """Carry out the sheets of all mages who owe orders, in the mages' order, and note the turn's occasions.

    True if anyone must still answer.
    """
    state = turn.state
    found = EVERYTHING if state.stage or state.extra or state.doubled or state.monsters else NONE
    missing: tuple[str, ...] = ()
    unsettled = False
    for wizard in turn.mages:
        if wizard.owes_orders:
            sheet = sheets.get(wizard.name, _EMPTY)
            if wizard.phase == ORDERS and not (sheet.has_both and (wizard.again is None or sheet.second.has_both)):
                missing += (wizard.name,)
                continue
            carry_out_sheet(state, wizard, sheet)
            found |= sheet.occasions
            if wizard.spells:
                found |= SPELLS
            if wizard.marks or wizard.origins or wizard.stuck or wizard.directed:
                found = EVERYTHING
            if wizard.phase != READY:
                unsettled = True
    if missing:
        raise OrdersMissing(missing)
    turn.occasions = found
    return unsettled


def carry_out_sheet(state: State, wizard: Wizard, sheet: Sheet) -> None:
    """Carry out one mage's sheet: gestures, choices, targets, the rest, END."""
    if wizard.again is not None:
        carry_out_twice(state, wizard, wizard.again, sheet)
        return
    if wizard.phase == ORDERS:
        make_gestures(wizard, sheet)
    elif wizard.phase == DECIDE:
        aim(wizard, sheet)
        retarget(wizard, sheet)
        decide(wizard, sheet)
        return
    if not sheet.is_plain:
        carry_out_rest(state, wizard, sheet)
    if wizard.phase != READY or len(state.wizards) > 2:
        end_orders(state, wizard)


def carry_out_twice(state: State, wizard: Wizard, again: Wizard, sheet: Sheet) -> None:
    """Carry out a sheet for two pairs of gestures. The mage waits if either pair has an open question."""
    if wizard.phase == DECIDE:
        aim(again, sheet.second)
        again.phase = READY
        aim(wizard, sheet)
        retarget(wizard, sheet)
        decide(wizard, sheet)
        return
    if wizard.phase == ORDERS:
        make_gestures(wizard, sheet)
        follow_first_pair(wizard, again)
        make_gestures(again, sheet.second)
    elif wizard.phase == CHOOSE_SPELL and CHOOSE not in wizard.spells.values():
        wizard.phase = READY  # the question was about the other pair
    carry_out_rest(state, wizard, sheet)
    for hand, spell in sheet.second.choices.items():
        choose(again, hand, spell)
    aim(again, sheet.second)
    end_orders(state, wizard)
    end_orders(state, again)
    wait_for_both(wizard, again)


def wait_for_both(wizard: Wizard, again: Wizard) -> None:
    """Make the mage owe the orders that the second pair owes."""
    if wizard.phase == READY:
        wizard.phase = again.phase


def follow_first_pair(wizard: Wizard, again: Wizard) -> None:
    """Continue the second pair of gestures from the first, as the first turned out."""
    again.left, again.right = wizard.left, wizard.right
    again.begun = wizard.reached
    again.short_bolt_used = wizard.short_bolt_used


def carry_out_rest(state: State, wizard: Wizard, sheet: Sheet) -> None:
    """Carry out choices, targets, powers over others, and the mage's own powers."""
    if sheet.choices:
        for hand, spell in sheet.choices.items():
            choose(wizard, hand, spell)
    aim(wizard, sheet)
    if not sheet.has_more:
        return
    retarget(wizard, sheet)
    for victim, hand in sheet.paralyses.items():
        paralyze_hand(state, wizard, victim, hand)
    for victim, (hand, gesture) in sheet.directions.items():
        direct_hand(state, wizard, victim, hand, gesture)
    if sheet.has_powers:
        use_powers(state.ruleset, wizard, sheet)


def make_gestures(wizard: Wizard, sheet: Sheet) -> None:
    """Add a column and find the spells it completes."""
    wizard.left += sheet.left
    wizard.right += sheet.right
    reached = wizard.reached = wizard.begun.after[sheet.column]
    settled = reached.settled_later if wizard.short_bolt_used else reached.settled
    if settled is not None and not wizard.spells:
        wizard.spells = settled
        wizard.phase = READY
    else:
        settle_spells(wizard, reached.later if wizard.short_bolt_used else reached.first)


def find_spells(wizard: Wizard) -> Offers:
    """Find the states after the last column, and the spells it completes: hand → spells (FM-GEST-5..18). Do not change
    it."""
    reached = wizard.reached = wizard.begun.after[wizard.left[-1] + wizard.right[-1]]
    return reached.later if wizard.short_bolt_used else reached.first


def settle_spells(wizard: Wizard, offers: Mapping[str, tuple[str, ...]]) -> None:
    """Set the spell of each hand, or that its mage must choose (FM-GEST-8, FM-GEST-12; spec: engine 2.4)."""
    lefts, rights, pairs = offers[LEFT], offers[RIGHT], offers[BOTH]
    torn = bool(pairs) and bool(lefts or rights)
    spells = {k: v for k, v in wizard.spells.items() if k in (FIRE, BOTH)}
    if torn or len(lefts) > 1 or len(rights) > 1 or len(pairs) > 1:
        for hand in HANDS:
            if offers[hand]:
                spells[hand] = CHOOSE if pairs or len(offers[hand]) > 1 else offers[hand][0]
        if torn or len(pairs) > 1:
            spells[BOTH] = CHOOSE
        wizard.offers = offers
        wizard.phase = CHOOSE_SPELL
    else:
        spells.pop(BOTH, None)
        if pairs:
            spells[BOTH] = pairs[0]
        else:
            spells.update({hand: offers[hand][0] for hand in HANDS if offers[hand]})
        wizard.offers = EMPTY
        wizard.phase = READY
    wizard.spells = spells


def choose(wizard: Wizard, hand: str, spell: str) -> None:
    """CHOOSE: one spell per hand, or one for both (FM-ORDMOVE-22). Ignored if that spell is not offered."""
    if wizard.phase != CHOOSE_SPELL or spell not in wizard.offers.get(hand, ()):
        return
    if hand == BOTH:
        wizard.spells = {**_without(wizard.spells, HANDS), BOTH: spell}
    elif wizard.spells.get(hand) == CHOOSE:
        wizard.spells = {**_without(wizard.spells, (BOTH,)), hand: spell}
    if CHOOSE not in wizard.spells.values():
        wizard.offers = EMPTY
        wizard.phase = READY


def _without(spells: Mapping[str, str], hands: Sequence[str]) -> dict[str, str]:
    return {hand: spell for hand, spell in spells.items() if hand not in hands}


def find_longest(ruleset: Ruleset, spells: tuple[str, ...]) -> str:
    """Return the spell with the longest series, the first of equals."""
    return max(spells, key=lambda spell: ruleset.lengths[spell])


def choose_longest(ruleset: Ruleset, wizard: Wizard) -> None:
    """Without a choice: the spell of both hands, or else the longest of each hand (rulings: warlocks)."""
    if wizard.spells.get(BOTH) == CHOOSE:
        choose(wizard, BOTH, find_longest(ruleset, wizard.offers[BOTH]))
    for hand in HANDS:
        if wizard.spells.get(hand) == CHOOSE:
            choose(wizard, hand, find_longest(ruleset, wizard.offers[hand]))


def settle_unasked(ruleset: Ruleset, wizard: Wizard, sheet: Sheet | None) -> None:
    """Settle changed gestures without asking again: by the orders' choice, otherwise the longest."""
    for hand, spell in (sheet.choices if sheet is not None else {}).items():
        choose(wizard, hand, spell)
    choose_longest(ruleset, wizard)


def aim(wizard: Wizard, sheet: Sheet) -> None:
    """TARGET for hands and for monsters (FM-ORDMOVE-9..20): hand or monster → victim."""
    if sheet.targets:
        wizard.targets = {**wizard.targets, **sheet.targets} if wizard.targets else sheet.targets
    if sheet.monster_orders:
        wizard.monster_orders = {**wizard.monster_orders, **sheet.monster_orders}
    if not (sheet.targets or sheet.monster_orders):
        return
    if wizard.phase == CHOOSE_TARGET:
        wizard.phase = READY


def retarget(wizard: Wizard, sheet: Sheet) -> None:
    """RETARGET: the targets of hastened creatures' second attacks (WH-ENCH-29)."""
    if sheet.retargets:
        wizard.retargets = {**wizard.retargets, **sheet.retargets}


def paralyze_hand(state: State, wizard: Wizard, victim: str, hand: str) -> None:
    """PARALYZE: only the paralyser, only while no hand is held yet (FM-PARA-2, FM-PARA-3)."""
    subject = state.wizards.get(victim)
    if subject and "paralysed" in subject.marks and subject.paralyser == wizard.name and not subject.stuck:
        subject.stuck = {**subject.stuck, hand: HELD}


def can_be_directed(state: State, victim: Wizard) -> bool:
    """Return whether DIRECT reaches a charmed mage: where it is given anew each turn, only if they act under the charm
    in this one (WL-ENCH-39, WL-ENCH-43)."""
    rules = state.ruleset.rules
    if not rules.charm_is_directed_anew:
        return True
    return victim.name in state.movers and not (state.extra == "T" and rules.stopped_turn_lays_aside)


def direct_hand(state: State, wizard: Wizard, victim: str, hand: str, gesture: str) -> None:
    """DIRECT: only the charmer, one hand, once (FM-CHARMP-3); "nothing" only if allowed (WH-ENCH-10)."""
    subject = state.wizards.get(victim)
    if not subject or "charmed" not in subject.marks or subject.controller != wizard.name:
        return
    if gesture == NOTHING and not state.ruleset.rules.charm_may_impose_nothing:
        return
    if not subject.directed or subject.directed == {hand: ""}:
        subject.directed = {**subject.directed, hand: gesture}


def use_powers(ruleset: Ruleset, wizard: Wizard, sheet: Sheet) -> None:
    """PERMANENT, DELAY, FIRE, SUICIDE and SAY. An order uses up a power (FM-PERM-8; spec: engine 2.3)."""
    if sheet.permanent and _spend(wizard, "permanency"):
        wizard.permanent = (sheet.permanent,)
    if sheet.delay and _spend(wizard, "delay"):
        wizard.saving = (*wizard.saving, sheet.delay)
    if sheet.fire and wizard.bank:
        spell, target = wizard.bank
        wizard.spells, wizard.targets = {**wizard.spells, FIRE: spell}, {**wizard.targets, FIRE: target}
        wizard.bank = None
    if sheet.ends_own_life and may_end_own_life(ruleset, wizard):
        wizard.decisions = {**wizard.decisions, "SUICIDE": "SUICIDE"}
    if sheet.says:
        wizard.says = sheet.says


def find_holding_spells(spells: Collection[str]) -> list[str]:
    """Return which of a ruleset's spells, once permanent, let a mage end their own life."""
    return [name for name in KEEP_FROM_SURRENDER if name in spells]


def name_holding_spells(spells: Collection[str]) -> str:
    """Return the same as words for the rule texts: ``Amnesia or Paralysis``."""
    *most, last = find_holding_spells(spells)
    return f"{', '.join(most)} or {last}"


def may_end_own_life(ruleset: Ruleset, wizard: Wizard) -> bool:
    """Return whether a permanent mind spell may prevent surrender, and the ruleset allows SUICIDE (rulings)."""
    if not ruleset.rules.held_minds_may_end_life:
        return False
    counts = [wizard.marks.get(ruleset.spells[name].mark, 0) for name in KEEP_FROM_SURRENDER]
    return any(count in (PERMANENT, JUST_PERMANENT) for count in counts)


def _spend(wizard: Wizard, power: str) -> bool:
    """Use up a power. Nobody sees this before the turn is over (spec: engine 8.6)."""
    if power not in wizard.marks:
        return False
    wizard.spent = {**wizard.spent, power: wizard.marks.pop(power)}
    return True


def end_orders(state: State, wizard: Wizard) -> None:
    """END: targets are final; in a melee, ask once about harm aimed at nobody (spec: engine 2.3)."""
    if wizard.phase == CHOOSE_TARGET:
        wizard.phase = READY
    if wizard.phase == CHOOSE_SPELL and state.ruleset.rules.choice_has_default:
        choose_longest(state.ruleset, wizard)
    if wizard.phase != READY or len(state.wizards) - len(state.out) <= 2:
        return
    if not (wizard.spells or wizard.left[-1] == STAB or wizard.right[-1] == STAB):
        return
    if state.ruleset.rules.harm_strikes_at_random or state.ruleset.rules.targets_are_decided:
        return
    spells = state.ruleset.spells
    for hand in (RIGHT, LEFT, BOTH):
        if hand in wizard.targets:
            continue
        spell = wizard.spells.get(hand)
        if (spell is not None and spells[spell].default == FOE) or stabs_with(wizard, hand):
            wizard.targets = {**wizard.targets, hand: NOBODY}
            wizard.phase = CHOOSE_TARGET


def stabs_with(wizard: Wizard, hand: str) -> bool:
    """Return whether this hand plays a stab in the last column."""
    return (hand == LEFT and wizard.left[-1] == STAB) or (hand == RIGHT and wizard.right[-1] == STAB)


_EMPTY: Final = Sheet()
