"""Mind spells and how they cancel each other on one being (FM-AMNESIA-4.., FM-PARA-9, FM-PARA-10; spec: engine 5.7)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from rules_engine.beings import IGNORED_BY_ELEMENTALS, Being, Monster, Wizard
from rules_engine.spells import Cast
from rules_engine.steps.casting import duration
from rules_engine.turn import SpellEffect, Turn

FRAGILE: Final[tuple[str, ...]] = ("forgetful", "confused", "charmed", "afraid")
"""The marks of the mind spells that cancel each other in pairs. A monster's Charm Monster is marked by its charmer."""

MIND_MARKS: Final = (*FRAGILE, "paralysed", "maladroit")
"""The marks of all mind spells except Charm Monster."""

MIND_SPELLS: Final = ("Amnesia", "Charm Monster", "Charm Person", "Confusion", "Fear", "Maladroitness", "Paralysis")
"""The mind spells of all rulesets, by name."""

INTACT, PARALYSES_CANCELLED, ALL_CANCELLED = 0, 1, 2


def minds_of(being: Being) -> str:
    """Return the key under which a turn remembers the mind spells on a being."""
    return f"minds of {being.name}"


def report_mind_spell(turn: Turn, cast: Cast, being: Being, *, more: bool = False) -> None:
    """Report that a mind spell takes hold; `more`: another one already has. An elemental may have no mind to affect."""
    if turn.silent:
        return
    mark = cast.spell.mark
    ignored = isinstance(being, Monster) and being.is_elemental and mark in IGNORED_BY_ELEMENTALS
    turn.report_effect(cast, "no_effect_on_kind" if ignored else "works", felt=True)
    turn.record_mark(being, mark, more=more)
    turn.record_source(minds_of(being))


def report_clash(turn: Turn, cast: Cast, being: Being, clause: str = "") -> None:
    """Report that it meets mind spells cast on the being earlier in this turn, or still on it."""
    if turn.silent:
        return
    because = turn.sources.get(minds_of(being)) or tuple(
        key for mark in MIND_MARKS for key in being.origins.get(mark, ())
    )
    turn.report_effect(cast, "minds_clash", clause, felt=True, because=because)
    turn.record_source(minds_of(being))


def _is_fresh(being: Being, mark: str) -> bool:
    return being.marks.get(mark, 0) > 0


def _other_is_fresh(being: Being) -> bool:
    if isinstance(being, Monster) and being.charmer is not None:
        return True
    return bool(being.marks) and any(_is_fresh(being, mark) for mark in FRAGILE)


def _clear_others(being: Being) -> None:
    for mark in FRAGILE:
        if _is_fresh(being, mark):
            del being.marks[mark]
    if isinstance(being, Monster):
        being.charmer = None


def paralyse(turn: Turn, cast: Cast) -> None:
    """Paralysis gives way to any other mind spell, and to a second Paralysis (FM-PARA-9, FM-PARA-10)."""
    being = turn.state.being(cast.target)
    assert being is not None
    flag = turn.collided.get(cast.target, INTACT) if turn.collided else INTACT
    if flag != INTACT:
        _note(turn, cast, flag, flag, stopped=True)
        report_clash(turn, cast, being, "FM-PARA-9")
    elif _is_fresh(being, "paralysed"):
        del being.marks["paralysed"]
        turn.record_clash(cast.target, PARALYSES_CANCELLED)
        _note(turn, cast, flag, PARALYSES_CANCELLED, stopped=True)
        report_clash(turn, cast, being, "FM-PARA-10")
    else:
        if _other_is_fresh(being):
            _note(turn, cast, flag, flag, stopped=False)
        _apply_paralysis(turn, cast, being)


def _apply_paralysis(turn: Turn, cast: Cast, being: Being) -> None:
    if being.marks.get("paralysed", 0) >= 0:
        being.marks["paralysed"] = duration(cast, 1)
    if isinstance(being, Wizard):
        if being.stuck:
            turn.report_effect(cast, "same_hand", "FM-PARA-3", felt=True, because=being.origins.get("paralysed", ()))
            turn.record_mark(being, "paralysed", more=True)
            return
        being.paralyser = cast.caster
    report_mind_spell(turn, cast, being)


def mind_spell(put_on: Callable[[Turn, Cast, Being], bool]) -> SpellEffect:
    """Return a mind spell other than Paralysis. `put_on` puts it on, or returns False if it cannot affect this kind of
    being."""

    def effect(turn: Turn, cast: Cast) -> None:
        being = turn.state.being(cast.target)
        assert being is not None
        flag = turn.collided.get(cast.target, INTACT) if turn.collided else INTACT
        if flag == ALL_CANCELLED:
            _note(turn, cast, flag, flag, stopped=True)
            report_clash(turn, cast, being)
            return
        if _is_fresh(being, "paralysed") or flag == PARALYSES_CANCELLED:
            if _is_fresh(being, "paralysed"):
                del being.marks["paralysed"]
            stopped = flag == PARALYSES_CANCELLED and not turn.rules.paralyses_cancel_alone
            _note(turn, cast, flag, flag, stopped=stopped)
            if stopped:
                report_clash(turn, cast, being, "FM-PARA-9")
                return
            if flag == PARALYSES_CANCELLED:
                turn.record_clash(cast.target, INTACT)
        elif _other_is_fresh(being):
            _clear_others(being)
            turn.record_clash(cast.target, ALL_CANCELLED)
            _note(turn, cast, flag, ALL_CANCELLED, stopped=True)
            report_clash(turn, cast, being)
            return
        permanent = being.marks.get(cast.spell.mark, 0) < 0
        if permanent and turn.rules.permanent_mind_spells_stay:
            turn.report_effect(cast, "already", felt=True, because=being.origins.get(cast.spell.mark, ()))
        elif put_on(turn, cast, being):
            report_mind_spell(turn, cast, being, more=permanent)
        else:
            turn.record_clash(cast.target, ALL_CANCELLED)
            turn.report_effect(cast, "no_effect_on_kind", felt=True)
            turn.record_source(minds_of(being))

    return effect


def apply_mark(turn: Turn, cast: Cast, being: Being) -> bool:
    """Amnesia, Fear, Confusion, Maladroitness: a mark for one turn, on anything."""
    mark = cast.spell.mark
    if being.marks.get(mark, 0) >= 0:
        being.marks[mark] = duration(cast, 1)
    return True


def apply_charm_person(turn: Turn, cast: Cast, being: Being) -> bool:
    """The caster directs a hand of a wizard; monsters are not affected (FM-CHARMP-2, FM-CHARMP-3)."""
    if not isinstance(being, Wizard):
        return False
    being.controller = cast.caster
    being.marks["charmed"] = duration(cast, 1)
    being.directed = {}
    return True


def apply_charm_monster(turn: Turn, cast: Cast, being: Being) -> bool:
    """The caster becomes a monster's master in the results of this turn (FM-CHARMM-3); wizards are not affected."""
    if not isinstance(being, Monster):
        return False
    being.charmer = cast.caster
    return True


def _note(turn: Turn, cast: Cast, before: int, after: int, *, stopped: bool) -> None:
    collision = {
        "spell": cast.spell.name,
        "caster": cast.caster,
        "target": cast.target,
        "before": before,
        "after": after,
        "stopped": stopped,
    }
    turn.collisions += (collision,)
