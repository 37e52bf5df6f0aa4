"""Orders that use a power: over another mage (PARALYZE, CHARM, ELEMENTAL, DIRECT), over the mage's own spells
(PERMANENT, DELAY, FIRE), and SUICIDE."""

from __future__ import annotations

from collections.abc import Sequence

from rules_engine.gestures import GESTURES, LEFT, NOTHING, RIGHT, STAB
from rules_engine.glossary import join_with_or, name_spell
from rules_engine.keywords import HAND_NAMES
from rules_engine.order_reader import NOT_ALLOWED, Reader, being_among, find_foe, find_mage, hand_among, reject_gesture
from rules_engine.orders import slot_of_all, write_line
from rules_engine.steps.taking_orders import can_be_directed, find_holding_spells, may_end_own_life
from rules_engine.text import say


def read_paralyze(reader: Reader, words: Sequence[str]) -> None:
    """Read ``PARALYZE LH Bung``."""
    hand = HAND_NAMES.get(words[1].upper()) if len(words) == 3 else None
    if hand not in (LEFT, RIGHT):
        reader.miss(say("PARALYZE needs LH or RH, and a mage."), f"PARALYZE {_mend_hand_and_mage(reader, words[1:])}")
        return
    victim = find_mage(reader, words[2])
    if victim is None:
        return
    subject = reader.state.wizards[victim]
    if f"PARALYZE {victim}" in reader.state.wizards[reader.mage].decisions:
        reader.slots[f"PARALYZE {victim}"] = hand
    elif "paralysed" not in subject.marks or subject.paralyser != reader.mage:
        reader.reject(NOT_ALLOWED, say("You have not paralysed {mage}.", mage=victim))
    elif subject.stuck:
        reader.reject(NOT_ALLOWED, say("{mage}'s paralysed hand is already decided.", mage=victim))
    else:
        reader.slots[f"PARALYZE {victim}"] = hand


def _mend_hand_and_mage(reader: Reader, words: Sequence[str]) -> str:
    """Return the hand and the mage that the words name, in this order."""
    hand = hand_among(reader, words, LEFT, allowed=(LEFT, RIGHT))
    return f"{hand} {being_among(reader, words, find_foe(reader), mages_only=True)}"


def read_decision(reader: Reader, words: Sequence[str]) -> None:
    """Read ``CHARM LH Bung`` and ``ELEMENTAL fire Bung``, in a turn that asks for it. If one mage makes two elementals,
    ``ELEMENTAL ice LH:Bung`` is about one of them, and the mage's name alone about both."""
    verb = words[0].upper()
    values = (
        {"FIRE": "fire", "ICE": "ice"} if verb == "ELEMENTAL" else {k: v for k, v in HAND_NAMES.items() if v != "BH"}
    )
    value = values.get(words[1].upper()) if len(words) == 3 else None
    decisions = [slot for slot in sorted(reader.state.wizards[reader.mage].decisions) if slot.startswith(f"{verb} ")]
    if not decisions:
        reader.reject(NOT_ALLOWED, say("You cannot give {order} now.", order=verb))
        return
    if value is None:
        if verb == "ELEMENTAL":
            message, first = say("ELEMENTAL needs fire or ice, and a mage."), "fire"
        else:
            message, first = say("CHARM needs LH or RH, and a mage."), "LH"
        reader.miss(message, f"{verb} {first} {find_foe(reader)}")
        return
    hand, colon, name = words[2].rpartition(":")
    mage = find_mage(reader, name)
    if mage is None:
        return
    asked = [slot for slot in decisions if slot_of_all(slot) == f"{verb} {mage}"]
    meant = f"{verb} {HAND_NAMES.get(hand.upper(), hand.upper())}:{mage}"
    slots = [slot for slot in asked if slot == meant or not colon]
    reader.slots.update(dict.fromkeys(slots, value))
    if not slots:
        order = f"{verb} {words[2]}" if asked else verb
        nearest = write_line(asked[0], value) if asked else None
        reader.reject(NOT_ALLOWED, say("You cannot give {order} now.", order=order), nearest)


def read_direct(reader: Reader, words: Sequence[str]) -> None:
    """Read ``DIRECT LH P Bung``."""
    hand = HAND_NAMES.get(words[1].upper()) if len(words) == 4 else None
    if hand not in (LEFT, RIGHT):
        hand, mage = _mend_hand_and_mage(reader, words[1:]).split()
        gesture = next((word.upper() for word in words[1:] if word.upper() in GESTURES), "P")
        reader.miss(say("DIRECT needs LH or RH, a gesture, and a mage."), f"DIRECT {hand} {gesture} {mage}")
        return
    gesture = STAB if words[2] == "." else words[2].upper()
    if gesture not in GESTURES:
        reader.reject("not_a_gesture", reject_gesture(words[2]), f"DIRECT {hand} P {words[3]}")
        return
    victim = find_mage(reader, words[3])
    if victim is None:
        return
    if gesture == NOTHING and not reader.state.ruleset.rules.charm_may_impose_nothing:
        message = say("In this battle, Charm Person cannot make a hand do nothing.")
        reader.reject(NOT_ALLOWED, message, f"DIRECT {hand} P {victim}")
        return
    subject = reader.state.wizards[victim]
    if "charmed" not in subject.marks or subject.controller != reader.mage:
        reader.reject(NOT_ALLOWED, say("You have not charmed {mage}.", mage=victim))
    elif not can_be_directed(reader.state, subject):
        reader.reject(NOT_ALLOWED, say("{mage} plays no gestures under your charm in this turn.", mage=victim))
    elif any(subject.directed.values()) or (subject.directed and hand not in subject.directed):
        reader.reject(NOT_ALLOWED, say("{mage}'s charmed hand is already decided.", mage=victim))
    else:
        reader.slots[f"DIRECT {victim}"] = f"{hand} {gesture}"


def read_power(reader: Reader, words: Sequence[str]) -> None:
    """Read ``PERMANENT LH`` and ``DELAY BH``."""
    verb = words[0].upper().rstrip(":,")
    hand = reader.hand(words[1]) if len(words) == 2 else None
    if hand is None:
        reader.miss(say("{order} needs LH, RH or BH.", order=verb), f"{verb} RH")
        return
    marks = reader.state.wizards[reader.mage].marks
    if verb == "PERMANENT" and "permanency" not in marks:
        reader.reject(NOT_ALLOWED, say("You have no power to make a spell permanent now."))
    elif verb == "DELAY" and "delay" not in marks:
        reader.reject(NOT_ALLOWED, say("You have no power to bank a spell now."))
    else:
        reader.slots[verb] = hand


def read_fire(reader: Reader, words: Sequence[str]) -> None:
    if reader.state.wizards[reader.mage].bank is None:
        reader.reject(NOT_ALLOWED, say("You have no banked spell to fire."))
    elif len(words) > 1:
        reader.reject("too_many_words", say("Put {order} on a line of its own.", order="FIRE"), "FIRE")
    else:
        reader.slots["FIRE"] = "FIRE"


def read_suicide(reader: Reader, words: Sequence[str]) -> None:
    """Read ``SUICIDE``; a misspelt word is never taken for it."""
    wizard = reader.state.wizards[reader.mage]
    if not reader.state.ruleset.rules.held_minds_may_end_life:
        reader.reject(NOT_ALLOWED, say("These rules have no SUICIDE. To surrender, play two palms."), "P/P")
    elif not may_end_own_life(reader.state.ruleset, wizard):
        spells = join_with_or([name_spell(each) for each in find_holding_spells(reader.state.ruleset.order)])
        message = say("SUICIDE needs a permanent {spells} on you. To surrender, play two palms.", spells=spells)
        reader.reject(NOT_ALLOWED, message, "P/P")
    elif len(words) > 1:
        reader.reject("too_many_words", say("Put {order} on a line of its own.", order="SUICIDE"), "SUICIDE")
    else:
        reader.slots["SUICIDE"] = "SUICIDE"
