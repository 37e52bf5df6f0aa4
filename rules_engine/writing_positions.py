"""Writes a position as the lines that `rules_engine.positions` reads."""

from __future__ import annotations

from collections.abc import Iterator

from rules_engine.beings import JUST_PERMANENT, PERMANENT, Being
from rules_engine.errors import InvalidRecord, Problem
from rules_engine.gestures import GESTURES, NOTHING, WAITED
from rules_engine.glossary import ENCHANTMENTS
from rules_engine.positions import MOST_GESTURES
from rules_engine.possible import find_possible
from rules_engine.state import State


def write_position(state: State) -> str:
    """Return the lines from which `set_up` makes this position.

    `set_up` does not know the pauses and cuts of a string: they are written as hands that do nothing, before the
    gestures that count. Raises InvalidRecord for a position in the middle of a turn, in an extra turn, or after
    a death.
    """
    if state.stage or state.extra or state.out or state.over:
        raise InvalidRecord((Problem(1, "", "impossible", "Only a position before a normal turn can be written."),))
    return "\n".join(_write(state)) + "\n"


def _write(state: State) -> Iterator[str]:
    yield f"ruleset {state.ruleset.name}"
    done = len(state.columns)
    for wizard in state.wizards.values():
        yield f"mage {wizard.name} {wizard.hp}"
        left, right = _write_strings(wizard.left[1:done], wizard.right[1:done])
        yield f"left {left}"
        yield f"right {right}"
        yield from _write_marks(state, wizard, {"paralysed": wizard.paralyser, "charmed": wizard.controller})
        if wizard.bank is not None:
            spell, target = wizard.bank
            aimed = state.ruleset.spells[spell].targeted or state.ruleset.spells[spell].may_be_aimed
            yield f"banked {spell} at {target}" if aimed else f"banked {spell}"
    for monster in state.monsters.values():
        whose = "" if monster.is_elemental else f" of {monster.controller} at {monster.target}"
        yield f"creature {monster.kind} {monster.hp}{whose}"
        yield from _write_marks(state, monster, {})


def _write_strings(left: str, right: str) -> tuple[str, str]:
    """Return both strings, of the same length: without pauses, and with nothing before and in a cut."""
    columns = [pair for pair in zip(left, right, strict=True) if pair[0] != WAITED]
    cut = max((place for place, pair in enumerate(columns) if pair[0] not in GESTURES), default=-1)
    columns = [(NOTHING, NOTHING)] * (len(left) - len(columns) + cut + 1) + columns[cut + 1 :]
    columns = columns[-MOST_GESTURES:]
    return "".join(pair[0] for pair in columns), "".join(pair[1] for pair in columns)


def _write_marks(state: State, being: Being, casters: dict[str, str]) -> Iterator[str]:
    usual = find_possible(state.ruleset).marks["mage" if being.name in state.wizards else "creature"]
    for mark, turns in being.marks.items():
        if mark in ENCHANTMENTS:
            by = f" by {casters[mark]}" if mark in casters else ""
            lasts = "" if usual.get(mark, 1) < 0 else " permanent"
            left = lasts if turns in (PERMANENT, JUST_PERMANENT) else f" {turns}"
            yield f"has {ENCHANTMENTS[mark]}{left}{by}"


__all__ = ["write_position"]
