"""Imagines a battle from what one mage sees, with random guesses for what is hidden."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rules_engine.beings import (
    COLOURS,
    HELD,
    MONSTER_HP,
    NO_MASTER,
    NOBODY,
    ORDERS,
    PERMANENT,
    READY,
    SEEN_HELD,
    Monster,
    Wizard,
)
from rules_engine.bots.chance import Chance, SearchDice
from rules_engine.bots.seen import Seen
from rules_engine.bots.worth import Worth
from rules_engine.gestures import FIRE, GESTURES, HANDS, LEFT, NOTHING, RIGHT, UNSEEN, WAITED
from rules_engine.rulesets import get_ruleset
from rules_engine.state import State
from rules_engine.steps.next_turn import blank_minds
from rules_engine.turn import Turn

# Names that no creature of the battle can have, so that imagined creatures do not replace real ones.
_COLOURS = tuple(f"Imagined{colour}" for colour in COLOURS)
_LIKELY_GESTURES = "DFPSWDFPSWDFPSW>-"
UNKNOWN_HP = (4, 6, 8, 10, 11, 12, 13, 14, 15, 15)


def hides_something(seen: Seen) -> bool:
    """Return whether any part of the position must be guessed."""
    facts = seen.facts
    return bool(facts["blind"]) or any(UNSEEN in mage["left"] for mage in facts["mages"])


def imagine(seen: Seen, worth: Worth, chance: Chance) -> State:
    """Return a state in which `seen.mage` would see exactly what they see. Same seed, same state."""
    facts = seen.facts
    ruleset = get_ruleset(facts["ruleset"], facts["edition"])
    names = tuple(mage["name"] for mage in facts["mages"])
    state = State(ruleset, names, _COLOURS)
    state.turn, state.extra, state.seq = facts["turn"], facts["extra"], facts["seq"]
    state.columns = list(facts["columns"])
    state.tombstone = list(facts["tombstone"])
    state.out = [mage["name"] for mage in facts["mages"] if mage["standing"] != "in"]
    state.movers = tuple(mage["name"] for mage in facts["mages"] if mage["acts"])
    for mage in facts["mages"]:
        _fill(state, state.wizards[mage["name"]], mage, seen, worth, chance)
    for monster in facts["monsters"]:
        state.monsters[monster["name"]] = _make_monster(monster)
    targets = {asked["about"]: asked["default"] for asked in seen.questions if asked["kind"] == "monster"}
    for name in facts["obey_me"]:
        if name not in state.monsters:  # the blind know which creatures obey them
            state.monsters[name] = Monster(name, _kind_of(name), seen.mage, targets.get(name) or NOBODY)
    _settle_controllers(state, seen, chance)
    if facts["doubled"]:
        for mage in facts["mages"]:
            if mage["pairs"] == 2 and mage["name"] not in state.out:
                state.wizards[mage["name"]].go_again()
                state.doubled = True
    if not facts["stage"]:
        blank_minds(Turn(state, SearchDice(chance)))
    _obey_own_phase(state.wizards[seen.mage], facts["own"])
    return state


def _fill(state: State, wizard: Wizard, mage: Mapping[str, Any], seen: Seen, worth: Worth, chance: Chance) -> None:
    length = len(state.columns)
    wizard.hp = mage["hp"] if mage["hp"] is not None else chance.choose(UNKNOWN_HP)
    wizard.marks = {mark: turns if turns > 0 else PERMANENT for mark, turns in mage["marks"].items()}
    wizard.bank = (mage["banked"][0], mage["banked"][1]) if mage["banked"] else None
    wizard.blind_columns = wizard.unseen_columns = "0" * length
    wizard.left, wizard.right = _guess_strings(state, mage, worth, chance)
    wizard.controller = wizard.name
    if wizard.name in state.out:
        wizard.phase = mage["standing"]
        wizard.hp = min(wizard.hp, 0) if wizard.phase == "dead" else wizard.hp
        wizard.left += NOTHING
        wizard.right += NOTHING
        return
    wizard.begun = wizard.reached = state.ruleset.book.states_of(wizard.left, wizard.right)
    wizard.short_bolt_used = _has_used_bolt(state, wizard)
    if not mage["acts"]:
        wizard.phase = READY
        wizard.left += WAITED
        wizard.right += WAITED


def _guess_strings(state: State, mage: Mapping[str, Any], worth: Worth, chance: Chance) -> tuple[str, str]:
    """Return both histories; for an unseen column, gestures that continue something."""
    left, right = mage["left"], mage["right"]
    if UNSEEN not in left:
        return left, right
    states = state.ruleset.book.start
    lefts, rights = [], []
    for one, other in zip(left, right, strict=True):
        if one == UNSEEN:
            tried = [(chance.choose(_LIKELY_GESTURES), chance.choose(_LIKELY_GESTURES)) for _ in range(4)]
            tried = [pair for pair in tried if pair != ("P", "P")] or [("D", "W")]
            one, other = max(tried, key=lambda pair: worth.hands(states.lead_to(pair[0] + pair[1])))
        states = states.after[one + other]
        lefts.append(one)
        rights.append(other)
    return "".join(lefts), "".join(rights)


def _has_used_bolt(state: State, wizard: Wizard) -> bool:
    """Return whether the columns complete a series that works once in a battle."""
    texts = [series.text for series in state.ruleset.book.series if series.once]
    strings = [wizard.left.replace(WAITED, ""), wizard.right.replace(WAITED, "")]
    return any(text.upper() in string for text in texts for string in strings)


def _make_monster(seen: Mapping[str, Any]) -> Monster:
    monster = Monster(seen["name"], seen["kind"], seen["controller"], seen["target"])
    monster.hp = seen["hp"]
    monster.marks = {mark: turns if turns > 0 else PERMANENT for mark, turns in seen["marks"].items()}
    return monster


def _kind_of(name: str) -> str:
    return next((kind for kind in MONSTER_HP if kind in name), "Goblin")


def _settle_controllers(state: State, seen: Seen, chance: Chance) -> None:
    """Decide who directs paralysed and charmed hands: the mage who is asked, or else one of the others."""
    mine = {question["id"]: question["options"] for question in seen.questions}
    held = {mage["name"]: mage["held"] for mage in seen.facts["mages"]}
    for name in state.still_in:
        wizard = state.wizards[name]
        if "paralysed" in wizard.marks:
            if f"PARALYZE {name}" in mine:
                wizard.paralyser = seen.mage
            else:
                wizard.paralyser = _other_holder(state, name, seen.mage, chance)
                hand = held[name] or (chance.choose(HANDS) if name != seen.mage else None)
                if hand:
                    wizard.stuck = {hand: SEEN_HELD if held[name] else HELD}
        if "charmed" in wizard.marks:
            options = mine.get(f"DIRECT {name}")
            if options is None:
                wizard.controller = _other_holder(state, name, seen.mage, chance)
                wizard.directed = {chance.choose(HANDS): chance.choose(GESTURES[:5])} if name != seen.mage else {}
            else:
                wizard.controller = seen.mage
                hands = {option.partition(" ")[0] for option in options}
                wizard.directed = {hand: "" for hand in (LEFT, RIGHT) if hand in hands} if len(hands) == 1 else {}


def _other_holder(state: State, victim: str, viewer: str, chance: Chance) -> str:
    """Return someone other than the victim; the viewer only if there is nobody else."""
    others = [name for name in state.still_in if name not in (victim, viewer)]
    if others:
        return chance.choose(others)
    return viewer if viewer != victim else NO_MASTER


def _obey_own_phase(wizard: Wizard, own: Mapping[str, Any]) -> None:
    """Carry out the mage's earlier orders in a turn that has stopped for answers."""
    wizard.short_bolt_used = own["bolt_used"]
    wizard.phase = own["phase"]
    if own["phase"] == ORDERS:
        return
    wizard.offers = {hand: tuple(spells) for hand, spells in own["offers"].items()}
    wizard.spells = dict(own["spells"])
    if FIRE in wizard.spells and wizard.bank is not None:
        wizard.targets, wizard.bank = {FIRE: wizard.bank[1]}, None
    for left, right in own["made"][len(wizard.left) - len(wizard.blind_columns) :]:
        wizard.left += left
        wizard.right += right


__all__ = ["hides_something", "imagine"]
