"""Mind spells in rulesets where any two on one being undo each other (WL-ENCH-1)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from rules_engine.beings import HELD, JUST_PERMANENT, NOBODY, Being, Monster, Wizard
from rules_engine.minds import (
    MIND_MARKS,
    apply_charm_person,
    apply_mark,
    minds_of,
    report_clash,
    report_mind_spell,
)
from rules_engine.spells import Cast
from rules_engine.steps.casting import duration
from rules_engine.turn import SpellEffect, Turn

DIRECTED: Final = ("paralysed", "charmed", "charmer")
"""The marks of those that one mage directs."""

NONE, ONE, MANY = 0, 1, 2


def clashing(put_on: Callable[[Turn, Cast, Being], bool], *, joins: bool = False) -> SpellEffect:
    """Return a mind spell that undoes, and is undone by, any other on the same being, even of its own kind.

    `put_on` puts it on; it returns False if the spell does not affect this kind of being, but the spell still undoes
    others. A later spell does nothing to a permanent one. If it `joins`, it does not undo its own kind: two act as one.
    """

    def effect(turn: Turn, cast: Cast) -> None:
        being, mark = turn.state.being(cast.target), cast.spell.mark
        assert being is not None
        lasting = [each for each in MIND_MARKS if being.marks.get(each, 0) < 0]
        if lasting:
            turn.report_effect(cast, "already", felt=True, because=being.origins.get(lasting[0], ()))
            return
        met = turn.collided.get(cast.target, ONE if _fresh(turn, being) else NONE)
        alike = joins and met == ONE and _fresh(turn, being) == {mark}
        if alike and not _cancels_its_like(turn, being, mark):
            _join(turn, cast, being, mark)
            report_mind_spell(turn, cast, being, more=True)
            return
        if met != NONE:
            _free(turn, being)
            turn.record_clash(cast.target, MANY)
            report_clash(turn, cast, being, "WL-ENCH-1")
            return
        turn.record_clash(cast.target, ONE)
        if put_on(turn, cast, being):
            report_mind_spell(turn, cast, being)
        else:
            turn.report_effect(cast, "no_effect_on_kind", felt=True)
            turn.record_source(minds_of(being))

    return effect


def _cancels_its_like(turn: Turn, being: Being, mark: str) -> bool:
    return turn.rules.like_charms_cancel and mark in DIRECTED and not (mark == "paralysed" and _was_held(turn, being))


def _was_held(turn: Turn, being: Being) -> bool:
    """Return whether an earlier turn's Paralysis still holds a hand: then nobody is asked for the hand again."""
    return isinstance(being, Wizard) and bool(being.stuck) and not _may_be_decided(turn, being)


def _may_be_decided(turn: Turn, being: Being) -> bool:
    """Return whether anyone was asked for the hand."""
    return any(f"PARALYZE {being.name}" in wizard.decisions for wizard in turn.mages)


def _join(turn: Turn, cast: Cast, being: Being, mark: str) -> None:
    """Join two of a kind, in any order of seats: a permanent one lasts, and one mage directs it.

    Another mage's word counts before the being's own, which holds if nobody else cast one (rulings).
    """
    if mark in being.marks and duration(cast, 1) == JUST_PERMANENT:
        being.marks[mark] = JUST_PERMANENT
    if mark not in DIRECTED or (isinstance(being, Monster) and mark == "paralysed"):
        return
    holder, other = _holder(being, mark), _mind_behind(turn, cast)
    claims = {*turn.claims.get(being.name, (holder,)), other}
    turn.claims = {**turn.claims, being.name: tuple(sorted(claims))}
    words = tuple(sorted(claims - {being.name})) or (being.name,)
    word = words[0] if len(words) == 1 else str(turn.dice.pick("whose word", being.name, words))
    if word != holder:
        _give_word(turn, being, mark, word)


def _holder(being: Being, mark: str) -> str:
    if isinstance(being, Wizard):
        return being.paralyser if mark == "paralysed" else being.controller
    assert isinstance(being, Monster)
    return being.charmer or NOBODY


def _give_word(turn: Turn, being: Being, mark: str, word: str) -> None:
    if isinstance(being, Monster):
        being.charmer = word
        return
    assert isinstance(being, Wizard)
    if mark == "charmed":
        being.controller = word
        hand = _decided(turn, word, f"CHARM {being.name}")
        being.directed = {hand: ""} if hand else {}
        return
    being.paralyser = word
    if _may_be_decided(turn, being):
        hand = _decided(turn, word, f"PARALYZE {being.name}")
        being.stuck = {hand: HELD} if hand else {}


def _fresh(turn: Turn, being: Being) -> set[str]:
    """Return the marks of mind spells on a being from this turn, or from the turn before an extra turn."""
    found = {mark for mark in MIND_MARKS if being.marks.get(mark, 0) > 0}
    if not found and not isinstance(being, Monster):
        return found
    old = {mark for name, mark in turn.gripped if name == being.name and being.marks.get(mark) == 1}
    charmed = {"charmer"} if isinstance(being, Monster) and being.charmer is not None else set()
    return (found - old) | charmed


def _free(turn: Turn, being: Being) -> None:
    """Remove the mind spell that another one undid."""
    for mark in _fresh(turn, being) - {"charmer"}:
        del being.marks[mark]
    if isinstance(being, Monster):
        being.charmer = None
    else:
        being.controller = being.name


def apply_paralysis(turn: Turn, cast: Cast, being: Being) -> bool:
    """The same caster holds the same hand again; another caster chooses again (WL-ENCH-9)."""
    being.marks["paralysed"] = duration(cast, 1)
    holder = _mind_behind(turn, cast)
    if isinstance(being, Wizard) and being.paralyser != holder:
        being.stuck = {}
        being.paralyser = holder
    return True


def _mind_behind(turn: Turn, cast: Cast) -> str:
    """Return who directs it: the caster, or the master of the creature whose mirror sent it back."""
    creature = turn.state.monsters.get(cast.caster)
    return cast.caster if creature is None else creature.controller


def apply_charm(turn: Turn, cast: Cast, being: Being) -> bool:
    """Charm Person; the master of a creature whose mirror sent it back directs the hand."""
    if not apply_charm_person(turn, cast, being):
        return False
    being.controller = _mind_behind(turn, cast)
    return True


def apply_paralysis_at_once(turn: Turn, cast: Cast, being: Being) -> bool:
    """Paralysis whose hand is decided in the same turn; a monster stands still in the next (WH-ENCH-13..15)."""
    if isinstance(being, Monster):
        being.marks["paralysed"] = duration(cast, _turns_for_monsters(turn))
        return not being.is_elemental or _is_immune(being, "paralysed")
    assert isinstance(being, Wizard)
    being.marks["paralysed"] = duration(cast, 1)
    being.paralyser = _mind_behind(turn, cast)
    hand = _decided(turn, being.paralyser, f"PARALYZE {being.name}")
    if hand and not being.stuck:
        being.stuck = {hand: HELD}
    return True


def apply_charm_at_once(turn: Turn, cast: Cast, being: Being) -> bool:
    """Charm Person whose hand is decided in the same turn, and its gesture in the next (WH-ENCH-8, WH-ENCH-9)."""
    if not isinstance(being, Wizard):
        return False
    being.controller = _mind_behind(turn, cast)
    being.marks["charmed"] = duration(cast, 1)
    hand = _decided(turn, being.controller, f"CHARM {being.name}")
    being.directed = {hand: ""} if hand else {}
    return True


def apply_amnesia_to_all(turn: Turn, cast: Cast, being: Being) -> bool:
    """In the next turn a monster repeats its attack of this turn; elementals always attack everyone (WH-ENCH-1)."""
    if isinstance(being, Monster):
        being.marks["forgetful"] = duration(cast, _turns_for_monsters(turn))
        return not being.is_elemental or _is_immune(being, "forgetful")
    return apply_mark(turn, cast, being)


def apply_fear_to_mages(turn: Turn, cast: Cast, being: Being) -> bool:
    """Fear does nothing to monsters (WH-ENCH-17)."""
    return isinstance(being, Wizard) and apply_mark(turn, cast, being)


def _turns_for_monsters(turn: Turn) -> int:
    """Return the count of a spell that works on monsters in the next turn: stopped time is no turn of theirs."""
    return 1 if turn.extra and turn.rules.stopped_minds_hold_next else 2


def _is_immune(being: Being, mark: str) -> bool:
    del being.marks[mark]
    return False


def _decided(turn: Turn, mage: str, slot: str) -> str:
    wizard = turn.state.wizards.get(mage)
    return "" if wizard is None else wizard.decisions.get(slot, "")
