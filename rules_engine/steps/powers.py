"""Permanency and Delay Effect in rulesets where they work on the next spell that fits (WH-ENCH-31, -34, -38)."""

from __future__ import annotations

from rules_engine.beings import Wizard
from rules_engine.gestures import FIRE, FIRST
from rules_engine.spells import Spell
from rules_engine.steps.decisions import aim_of, list_coming
from rules_engine.turn import Turn


def take_next(turn: Turn, wizard: Wizard, slot: str, spell: Spell) -> None:
    """Use a power without an order on the first spell that fits (WH-ENCH-31, WH-ENCH-34).

    A spell that an order gave to one power is not for the other: that one works on the next spell (WH-ENCH-38).
    """
    if slot in wizard.saving or (slot in wizard.permanent and spell.can_be_permanent):
        return
    if slot != FIRE and spell.name != "Delay Effect" and _takes(turn, wizard, slot, "delay", "Delay Effect"):
        wizard.saving = (*wizard.saving, slot)
    elif slot == FIRE and turn.rules.banked_is_never_permanent:
        return
    elif spell.can_be_permanent and _takes(turn, wizard, slot, "permanency", "Permanency"):
        wizard.permanent = (*wizard.permanent, slot)


def _takes(turn: Turn, wizard: Wizard, slot: str, power: str, giver: str) -> bool:
    """Use up a power that a mage has, or gets in the same turn: from their other hand, or from another mage."""
    if wizard.marks.pop(power, 0):
        return True
    if not turn.rules.powers_catch_their_own_turn or (wizard.name, power) in turn.caught:
        return False
    given = any(
        s == giver and half.targets.get(hand, wizard.name) == wizard.name and (not half.second or slot in FIRST)
        for half in wizard.halves
        for hand, s in half.spells.items()
    )
    gift = not given and turn.rules.gifts_catch_their_own_turn and _is_gift(turn, wizard, slot, giver)
    if not gift and (not given or _is_stopped(turn, wizard, slot)):
        return False
    turn.caught += ((wizard.name, power),)
    return True


def _is_gift(turn: Turn, wizard: Wizard, slot: str, giver: str) -> bool:
    """Return whether another mage's spell gives the power: one who can see and banks nothing. Every Counter Spell,
    mirror and Dispel Magic against it works, so the power does not take those."""
    coming = list_coming(turn.state)
    if turn.mark(wizard.name, "reflecting") or any(_wards_off(turn, wizard, half, hand) for half, hand in coming):
        return False
    for half, hand in coming:
        mage = turn.state.wizards[half.name]
        free = not (mage.marks.get("delay") or mage.saving or turn.is_sightless(mage.name))
        if half.spells[hand] == giver and half.targets.get(hand) == wizard.name != mage.name and free:
            return not half.second or slot in FIRST
    return False


def _wards_off(turn: Turn, wizard: Wizard, half: Wizard, hand: str) -> bool:
    spell = half.spells[hand]
    wards = spell in ("Counter Spell", "Magic Mirror") and aim_of(turn.state, half, hand) == wizard.name
    return wards or spell == "Dispel Magic"


def _is_stopped(turn: Turn, wizard: Wizard, slot: str) -> bool:
    """Return whether a spell other than the one that the power would take stops its source (FM-COUNTER-2,
    FM-DISPEL-2)."""
    for half, hand in list_coming(turn.state):
        if half.name == wizard.name and half.hand(hand) == slot:
            continue
        name = half.spells[hand]
        if name == "Dispel Magic" or (name == "Counter Spell" and aim_of(turn.state, half, hand) == wizard.name):
            return True
    return False


def restore_powers(wizard: Wizard) -> None:
    """Give back a power ordered for a hand that cast no fitting spell."""
    if wizard.permanent and "permanency" in wizard.spent:
        _give_back(wizard, "permanency")
        wizard.permanent = ()
    if wizard.saving and "delay" in wizard.spent:
        _give_back(wizard, "delay")
        wizard.saving = ()


def _give_back(wizard: Wizard, power: str) -> None:
    wizard.marks[power] = wizard.spent[power]
    wizard.spent = {spent: turns for spent, turns in wizard.spent.items() if spent != power}
