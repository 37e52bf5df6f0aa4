"""Decisions after all gestures are shown: held and charmed hands, kinds of elementals, late targets.

WH-SUM-4, WH-ENCH-8, WH-ENCH-13; SC-TURN-2, SC-TURN-3.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from rules_engine.beings import CHOOSE, DECIDE, NOBODY, READY, Wizard
from rules_engine.gestures import BOTH, FIRE, LEFT, RIGHT, STAB
from rules_engine.orders import Sheet, slot_of_all
from rules_engine.spells import FOE, SELF, Spell
from rules_engine.state import State, opponent
from rules_engine.turn import Turn

SLOTS: Final = (RIGHT, LEFT, BOTH, FIRE)


def ask_decisions(turn: Turn) -> bool:
    """Stop the turn until everyone has made their decisions. It stops once, and continues from here."""
    state = turn.state
    if state.at:
        return False
    found = list(find_decisions(state))
    for mage, slot in found:
        _put(state.wizards[mage], slot)
    asked = {mage for mage, _ in found}
    if turn.rules.targets_are_decided:
        asked |= {wizard.name for wizard in turn.moving if _may_aim(state, wizard)}
    for mage in asked:
        state.wizards[mage].phase = DECIDE
    return bool(asked)


def _may_aim(state: State, wizard: Wizard) -> bool:
    asked = state.ruleset.rules.elementals_have_victims
    owns = any(
        monster.controller == wizard.name and (asked or not monster.is_elemental) for monster in state.monsters.values()
    )
    spells = state.ruleset.spells
    return owns or any(
        STAB in half.gestures or any(spells[s].targeted or spells[s].may_be_aimed for s in half.spells.values())
        for half in wizard.halves
    )


def ask_elementals(turn: Turn) -> bool:
    """In rulesets that decide targets, stop again: now the targets of the elemental spells are known (SC-SUM-5)."""
    state = turn.state
    wanted = [
        (mage, slot)
        for mage, slot in find_elementals(state)
        if {slot, slot_of_all(slot)}.isdisjoint(state.wizards[mage].decisions)
    ]
    for mage, slot in wanted:
        _put(state.wizards[mage], slot)
        state.wizards[mage].phase = DECIDE
    return bool(wanted)


def _put(wizard: Wizard, slot: str) -> None:
    """Ask for a decision that is still open."""
    wizard.decisions = {**wizard.decisions, slot: ""}


def list_coming(state: State) -> list[tuple[Wizard, str]]:
    """Return (mage in one pair of gestures, slot) for every completed spell."""
    movers = (half for name in state.movers for half in state.wizards[name].halves)
    return [(half, slot) for half in movers for slot in SLOTS if half.spells.get(slot, CHOOSE) != CHOOSE]


def find_elementals(state: State) -> Iterator[tuple[str, str]]:
    """Yield (mage who decides, slot of the answer), for every elemental to come. If one mage makes several, each has
    its own answer (WH-SUM-4), and its slot names the hand."""
    found = []
    for wizard, slot in list_coming(state):
        if state.ruleset.spells[wizard.spells[slot]].decision == "ELEMENTAL" and not _is_saved(state, wizard, slot):
            victim = aim_of(state, wizard, slot)
            mage = victim if victim in state.still_in else wizard.name
            found.append((mage, f"ELEMENTAL {wizard.hand(slot)}:{wizard.name}"))
    alike = [(mage, slot_of_all(slot)) for mage, slot in found]
    for one, all_of_them in zip(found, alike, strict=True):
        yield all_of_them if alike.count(all_of_them) == 1 else one


def _is_saved(state: State, wizard: Wizard, slot: str) -> bool:
    return wizard.hand(slot) in state.wizards[wizard.name].saving


def find_decisions(state: State) -> Iterator[tuple[str, str]]:
    """Yield (mage who decides, slot of the answer), for every completed spell that needs a decision."""
    if not state.ruleset.rules.targets_are_decided:
        yield from find_elementals(state)
    coming = list_coming(state)
    mirrored = {
        aim_of(state, w, slot) for w, slot in coming if state.ruleset.spells[w.spells[slot]].name == "Magic Mirror"
    }
    owners = [w.name for w, slot in coming if w.spells[slot] == "Magic Mirror"]
    for wizard, slot in coming:
        spell = state.ruleset.spells[wizard.spells[slot]]
        if spell.decision in ("", "ELEMENTAL") or _is_saved(state, wizard, slot):
            continue
        victim = aim_of(state, wizard, slot)
        if state.ruleset.rules.targets_are_decided:
            yield from _about_any_foe(state, wizard.name, spell)
            if state.ruleset.rules.mirror_casters_are_asked:
                for owner in owners:
                    if owner != wizard.name:
                        yield from _about(state, owner, wizard.name, spell)
            continue
        yield from _about(state, wizard.name, victim, spell)
        if victim in mirrored and victim in state.still_in:
            yield from _about(state, victim, wizard.name, spell)


def _about_any_foe(state: State, mage: str, spell: Spell) -> Iterator[tuple[str, str]]:
    """For every foe, because the target is decided at the same time."""
    for victim in state.still_in:
        if victim != mage:
            yield from _about(state, mage, victim, spell)


def _about(state: State, mage: str, victim: str, spell: Spell) -> Iterator[tuple[str, str]]:
    """For one victim; a hand that is already held is held again, and nobody is asked (WH-ENCH-14)."""
    if victim in state.still_in and not (spell.decision == "PARALYZE" and state.wizards[victim].stuck):
        yield mage, f"{spell.decision} {victim}"


def aim_of(state: State, wizard: Wizard, slot: str) -> str:
    """Return the target of a spell, if it is known before the announcement."""
    spell = state.ruleset.spells[wizard.spells[slot]]
    ordered = wizard.targets.get(slot)
    if spell.needs_subject:
        return ordered if ordered not in (None, NOBODY) else wizard.name
    if spell.default == SELF:
        return ordered or wizard.name
    return ordered or (opponent(state, wizard.name) if spell.default == FOE else NOBODY)


def decide(wizard: Wizard, sheet: Sheet) -> None:
    """Take the answers. Anything left open is decided in the next turn if it still can be, or else by chance."""
    wizard.decisions = {
        slot: sheet.get(slot) or sheet.get(slot_of_all(slot)) or said for slot, said in wizard.decisions.items()
    }
    wizard.phase = READY
