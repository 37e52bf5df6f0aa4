"""Mind spells where any two on one being undo each other (WL-ENCH-1)."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from rules_engine.beings import Being, Monster, Wizard
from rules_engine.minds import FRAGILE, lay_charm_monster, lay_charm_person, lay_mark
from rules_engine.steps.casting import duration

if TYPE_CHECKING:
    from rules_engine.spells import Effect
    from rules_engine.turn import Cast, Turn

MIND_MARKS = (*FRAGILE, "paralysed", "maladroit")
"""The marks of all mind spells but Charm Monster, whose mark is the monster's charmer."""

NONE, ONE, MANY = 0, 1, 2


def clashing(lay: Callable[[Turn, Cast, Being], bool]) -> Effect:
    """A mind spell that undoes, and is undone by, any other at the same being, one of its own kind too.

    `lay` puts it on; False if this kind of being is not touched by it: then it undoes others all the same. Against a
    permanent one a later one is nothing.
    """

    def effect(turn: Turn, cast: Cast) -> None:
        being = turn.state.being(cast.target)
        assert being is not None
        if any(being.marks.get(mark, 0) < 0 for mark in MIND_MARKS):
            turn.tell_effect(cast, "already", felt=True)
            return
        met = turn.collided.get(cast.target, ONE if _carries_one(being) else NONE)
        if met != NONE:
            _free(being)
            turn.collided[cast.target] = MANY
            turn.tell_effect(cast, "minds_clash", "WL-ENCH-1", felt=True)
            return
        turn.collided[cast.target] = ONE
        if lay(turn, cast, being):
            turn.tell_effect(cast, "works", felt=True)
        else:
            turn.tell_effect(cast, "no_effect_on_kind", felt=True)

    return effect


def _carries_one(being: Being) -> bool:
    """Whether a mind spell of the turn before an extra turn lies on it still."""
    return any(being.marks.get(mark, 0) > 0 for mark in MIND_MARKS)


def _free(being: Being) -> None:
    """Take off the mind spell that met its match."""
    for mark in MIND_MARKS:
        if being.marks.get(mark, 0) > 0:
            del being.marks[mark]
    if isinstance(being, Monster):
        being.charmer = None
    else:
        being.controller = being.name


def lay_paralysis(turn: Turn, cast: Cast, being: Being) -> bool:
    """The same hand again for the same caster; another caster chooses anew (WL-ENCH-9)."""
    being.marks["paralysed"] = duration(cast, 1)
    holder = _mind_behind(turn, cast)
    if isinstance(being, Wizard) and being.paralyser != holder:
        being.stuck = {}
        being.paralyser = holder
    return True


def _mind_behind(turn: Turn, cast: Cast) -> str:
    """Whose word directs it: the caster's, or that of the master of the creature whose mirror sent it back."""
    creature = turn.state.monsters.get(cast.caster)
    return cast.caster if creature is None else creature.controller


def lay_charm(turn: Turn, cast: Cast, being: Being) -> bool:
    """Charm Person; the master of a creature whose mirror sent it back directs the hand."""
    if not lay_charm_person(turn, cast, being):
        return False
    being.controller = _mind_behind(turn, cast)
    return True


amnesia = clashing(lay_mark("forgetful"))
fear = clashing(lay_mark("afraid"))
confusion = clashing(lay_mark("confused"))
maladroitness = clashing(lay_mark("maladroit"))
charm_monster = clashing(lay_charm_monster)
charm_person = clashing(lay_charm)
paralysis = clashing(lay_paralysis)
