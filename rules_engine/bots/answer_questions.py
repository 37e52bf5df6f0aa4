"""Answers the questions besides gestures by rules of thumb, and completes orders."""

from __future__ import annotations

from typing import Any

from rules_engine.beings import NOBODY, Wizard
from rules_engine.bots.aims import Situation
from rules_engine.bots.seen import Seen
from rules_engine.bots.worth import Worth
from rules_engine.gestures import BOTH, FIRST, GESTURES, HANDS, LEFT, NOTHING, SECOND, STAB
from rules_engine.orders import Sheet
from rules_engine.questions import open_questions
from rules_engine.spells import FOE, HandStates
from rules_engine.state import State

MOST_ANSWERS = 40
TURNS_HELD = 3
"""For so many turns a bot reckons with the hand that it holds by Paralysis."""


def answer_questions(seen: Seen, situation: Situation) -> Sheet:
    """Return the answers of `seen.mage` when the turn has stopped for answers."""
    slots: dict[str, str] = {}
    choices = [question for question in seen.questions if question["kind"] == "choose"]
    slots.update(_choose(choices, situation))
    for question in seen.questions:
        if question["kind"] != "choose":
            value = _answer(question, situation)
            if value is not None and value in question["options"]:
                slots[question["id"]] = value
    return complete(situation.state, seen.mage, Sheet(slots), situation.worth)


def _choose(questions: list[dict[str, Any]], situation: Situation) -> dict[str, str]:
    """Choose, for each pair of gestures, the spell of both hands, or one for each hand with a choice."""
    slots: dict[str, str] = {}
    for hands, both in ((HANDS, BOTH), (tuple(FIRST)[:2], SECOND[BOTH])):
        best: dict[str, tuple[float, str]] = {}
        for question in questions:
            if question["about"] in (*hands, both):
                weighed = [(situation.aim(spell).worth, spell) for spell in question["options"]]
                best[question["about"]] = max(weighed)
        singles = sum(best[hand][0] for hand in hands if hand in best)
        if both in best and (best[both][0] >= singles or len(best) == 1):
            slots[f"CHOOSE {both}"] = best[both][1]
        else:
            slots.update({f"CHOOSE {hand}": best[hand][1] for hand in hands if hand in best})
    return slots


def _answer(question: dict[str, Any], situation: Situation) -> str | None:
    """Return the answer to one question other than a choice of spells; None to leave it open."""
    kind, about = question["kind"], question["about"]
    foe = situation.foe
    if kind == "target":
        aim = situation.stab() if about == "Stab" else situation.aim(about)
        target = aim.target
        if target is None and question["default"] is None and foe is not None:
            target = foe.name
        return target if target is not None else question["default"]
    if kind == "monster":
        return situation.pick_prey() if question["default"] not in situation.foes else None
    if kind in ("paralyze", "charm", "elemental"):
        return decide(situation, kind.upper(), about)
    if kind == "direct":
        victim = situation.state.wizards.get(about)
        options = [option for option in question["options"] if not option.endswith("P")]
        return gesture_to_impose(situation, victim, options) if victim is not None and options else None
    return None


def _best(spells: list[str], situation: Situation) -> str:
    return max(spells, key=lambda spell: situation.aim(spell).worth)


def complete(state: State, mage: str, sheet: Sheet, worth: Worth) -> Sheet:
    """Return the orders with an answer to every required question."""
    situation = None
    for _ in range(MOST_ANSWERS):
        questions = open_questions(state, mage, sheet)
        asked = next((question for question in questions if question.required and question.answered is None), None)
        if asked is None:
            break
        situation = situation or Situation(state, mage, worth)
        options = [option.value for option in asked.options if option.allowed]
        facts = {"kind": asked.kind, "about": asked.about, "default": asked.default, "options": options}
        said = _best(options, situation) if asked.kind == "choose" else _answer(facts, situation)
        if said is None or said not in options:
            said = next((option for option in options if option != NOBODY), options[0])
        sheet = sheet.merged(Sheet({asked.id: said}))
    return sheet


def find_extras(situation: Situation) -> dict[str, str]:
    """Return the orders besides gestures: creatures without a victim, and others' held and charmed hands."""
    slots: dict[str, str] = {}
    foe = situation.foe
    if foe is None:
        return slots
    prey = situation.pick_prey() if situation.mine else None
    for monster in situation.mine:
        if monster.target != prey and not monster.is_elemental and not _can_attack(situation, monster.target):
            slots[f"TARGET {monster.name}"] = prey or foe.name
    for name in situation.foes:
        victim = situation.state.wizards[name]
        if not victim.marks:
            continue
        if "paralysed" in victim.marks and victim.paralyser == situation.name and not victim.stuck:
            slots[f"PARALYZE {name}"] = hand_to_paralyze(situation, victim)
        charmed = "charmed" in victim.marks and victim.controller == situation.name
        if charmed and not any(victim.directed.values()):
            gestures = "DFSW>" if not situation.state.ruleset.rules.charm_may_impose_nothing else "DFSW>-"
            options = [f"{hand} {gesture}" for hand in (victim.directed or HANDS) for gesture in gestures]
            slots[f"DIRECT {name}"] = gesture_to_impose(situation, victim, options)
    return slots


def _can_attack(situation: Situation, target: str) -> bool:
    if target not in situation.foes or len(situation.foes) == 1:
        return target in situation.foes
    return not {"shielded", "invisible"} & set(situation.state.wizards[target].marks)


# -- others' hands ----------------------------------------------------------------------------------------------------


def decide(situation: Situation, verb: str, about: str) -> str | None:
    """Return which hand to hold or to charm, or the kind of an elemental; None for other decisions."""
    victim = situation.state.wizards.get(about)
    if verb == "ELEMENTAL":
        fire = situation.aim("Summon Fire Elemental").worth >= situation.aim("Summon Ice Elemental").worth
        return "fire" if fire else "ice"
    if victim is not None and verb == "PARALYZE":
        return hand_to_paralyze(situation, victim)
    return hand_to_charm(situation, victim) if victim is not None and verb == "CHARM" else None


def hand_to_charm(situation: Situation, victim: Wizard) -> str:
    """Return the hand through which a charm can do the most harm."""
    options = [f"{hand} {gesture}" for hand in HANDS for gesture in "DFSW>"]
    return gesture_to_impose(situation, victim, options).split()[0]


def hand_to_paralyze(situation: Situation, victim: Wizard) -> str:
    """Return the hand that loses more if it is held for some turns: it plays its last gesture again, or what becomes of
    that. A mage who is held again is held by the same hand (FM-PARA-3).
    """
    becomes = situation.state.ruleset.rules.paralysis

    def keeps(hand: str) -> tuple[float, str]:
        gesture = last_gesture(victim.left if hand == LEFT else victim.right)
        begun, total = victim.reached, 0.0
        for _ in range(TURNS_HELD):
            gesture = becomes.get(gesture, gesture) if gesture in GESTURES else NOTHING
            worth, begun = _play_beside(situation, begun, hand, gesture)
            total += worth
        return total, hand

    return min(HANDS, key=keeps)


def gesture_to_impose(situation: Situation, victim: Wizard, options: list[str]) -> str:
    """Return the option, such as ``LH P``, that harms the victim's hands most."""

    def keeps(option: str) -> tuple[float, str]:
        hand, gesture = option.split()
        return _play_beside(situation, victim.reached, hand, gesture)[0] + (0.2 if gesture == STAB else 0.0), option

    return min(options, key=keeps)


def _play_beside(situation: Situation, begun: HandStates, hand: str, gesture: str) -> tuple[float, HandStates]:
    """Return what a foe's hands are worth at best after a turn in which one of them plays this gesture, with what they
    cast, and where that leaves them."""
    spells = situation.state.ruleset.spells

    def worth_of(spell: str) -> float:
        if spells[spell].default == FOE:
            return situation.harm_of(spell, situation.me)
        return situation.worth.spells.get(spell, 0.0)

    best, left = 0.0, begun
    for other in "DFPSW":
        reached = begun.lead_to(gesture + other if hand == LEFT else other + gesture)
        done = sum(max(map(worth_of, offered), default=0.0) for offered in reached.first.values())
        if situation.worth.hands(reached) + done > best or left is begun:
            best, left = max(best, situation.worth.hands(reached) + done), reached
    return best, left


def last_gesture(history: str) -> str:
    """Return the last gesture that a hand played, ignoring waiting."""
    return next((gesture for gesture in reversed(history) if gesture not in ".#"), "")


__all__ = ["answer_questions", "complete", "decide", "find_extras", "last_gesture"]
