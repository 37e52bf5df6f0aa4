"""Converts states to JSON and back, with a schema number (DESIGN section 5).

Computable values are not stored: the hands' automaton states follow from the histories.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rules_engine.beings import LEFT_THE_BATTLE, NO_ORIGINS, Being, Monster, Origins, Wizard
from rules_engine.errors import UnknownState
from rules_engine.events import EVENTS_PER_TURN
from rules_engine.outcome import read_outcome, write_outcome
from rules_engine.rulesets import get_ruleset
from rules_engine.state import State, share_columns

SCHEMA = 2
# Older schemas that can still be read: 1 did not store which events a being's marks come from.
_READ = (1, SCHEMA)
# An older turn that waits for answers has no count of its events: more than it can have had.
_MUCH = EVENTS_PER_TURN // 2

_PLAIN = [
    "hp",
    "left",
    "right",
    "blind_columns",
    "unseen_columns",
    "phase",
    "says",
    "paralyser",
    "controller",
    "short_bolt_used",
    "surrendered",
]
_SHARED = ("stuck", "directed", "habit", "origins")
"""What the second self of a mage shares with the first, unless one of them has changed since."""
_MAPS = (
    "marks",
    "spells",
    "targets",
    "offers",
    "stuck",
    "directed",
    "forced",
    "spent",
    "decisions",
    "habit",
    "retargets",
)


def write_state(state: State) -> dict[str, Any]:
    """Return a state as JSON values; `read_state` gives the same state back."""
    return {
        "schema": SCHEMA,
        "ruleset": state.ruleset.name,
        "edition": state.ruleset.edition,
        "turn": state.turn,
        "extra": state.extra,
        "seq": state.seq,
        "stage": state.stage,
        "substituted": state.substituted,
        "at": state.at,
        **({"doubled": True} if state.doubled else {}),
        "told": state.event_count,
        "created": state.created,
        "colours": list(state.colours),
        "columns": list(state.columns),
        "movers": list(state.movers),
        "out": list(state.out),
        "tombstone": list(state.tombstone),
        "outcome": write_outcome(state.outcome),
        "wizards": [_write_wizard(w) for w in state.wizards.values()],
        "monsters": [_write_monster(m) for m in state.monsters.values()],
    }


def read_state(data: Mapping[str, Any]) -> State:
    """Return the state that `write_state` wrote. Raises UnknownState for a schema it does not know, UnknownRuleset."""
    if data.get("schema") not in _READ:
        raise UnknownState(f"state of schema {data.get('schema')!r}, this version reads up to {SCHEMA}")
    names = tuple(w["name"] for w in data["wizards"])
    state = State(get_ruleset(data["ruleset"], data["edition"]), names, tuple(data["colours"]))
    state.turn, state.extra, state.seq, state.stage = data["turn"], data["extra"], data["seq"], data["stage"]
    state.substituted, state.created = data["substituted"], data["created"]
    state.doubled = data.get("doubled", False)
    state.at, state.event_count = data.get("at", 0), data.get("told", _MUCH if state.stage else 0)
    state.columns, state.movers = share_columns(data["columns"]), tuple(data["movers"])
    state.out, state.tombstone = list(data["out"]), list(data["tombstone"])
    state.outcome = read_outcome(data["outcome"])
    state.wizards = {w["name"]: _read_wizard(state, w) for w in data["wizards"]}
    state.monsters = {m["name"]: _read_monster(m) for m in data["monsters"]}
    return state


def _write_wizard(wizard: Wizard) -> dict[str, Any]:
    data: dict[str, Any] = {"name": wizard.name}
    data.update({key: getattr(wizard, key) for key in _PLAIN})
    data.update({key: _plain_map(getattr(wizard, key)) for key in _MAPS if getattr(wizard, key)})
    if wizard.monster_orders:
        data["monster_orders"] = [list(pair) for pair in wizard.monster_orders.items()]  # carried out in this order
    data.update(_write_origins(wizard))
    data["permanent"], data["saving"] = list(wizard.permanent), list(wizard.saving)
    data["bank"] = list(wizard.bank) if wizard.bank else None
    if wizard.again is not None:
        data["again"] = _write_again(wizard, wizard.again)
    return data


def _write_again(wizard: Wizard, again: Wizard) -> dict[str, Any]:
    """Return the second self, without what it shares with the first."""
    data = _write_wizard(again)
    for what in _SHARED:
        own, first = getattr(again, what), getattr(wizard, what)
        data.pop(_key_of(what), None)
        if own != first:
            data[_key_of(what)] = _plain_map(own)
    return data


def _key_of(what: str) -> str:
    return "laid" if what == "origins" else what


def _plain_map(values: Mapping[str, Any]) -> dict[str, Any]:
    return {key: list(value) if isinstance(value, tuple | list) else value for key, value in values.items()}


def _read_wizard(state: State, data: Mapping[str, Any]) -> Wizard:
    wizard = Wizard(data["name"], state.ruleset.book.start)
    for key in _PLAIN:
        setattr(wizard, key, data[key])
    for key in _MAPS:
        setattr(wizard, key, dict(data.get(key, {})))
    wizard.monster_orders = dict(data.get("monster_orders", {}))  # a mapping in states stored before it kept its order
    wizard.origins = _read_origins(data)
    wizard.offers = {hand: tuple(spells) for hand, spells in wizard.offers.items()}
    wizard.forced = {hand: (cause, vain) for hand, (cause, vain) in wizard.forced.items()}
    wizard.permanent, wizard.saving = tuple(data["permanent"]), tuple(data["saving"])
    wizard.bank = (data["bank"][0], data["bank"][1]) if data["bank"] else None
    _find_again(state, wizard)
    if "again" in data:
        again = wizard.again = _read_wizard(state, data["again"])
        again.second = True
        own = {what: getattr(again, what) for what in _SHARED if _key_of(what) in data["again"]}
        again.bear(wizard)
        for what, value in own.items():
            setattr(again, what, value)
        _line_up(wizard, again)
    return wizard


def _line_up(wizard: Wizard, again: Wizard) -> None:
    """Let the second pair of gestures continue from the first, if that is played."""
    again.begun = again.reached = wizard.begun
    if len(again.left) > len(wizard.left):
        again.begun = wizard.reached
        again.reached = again.begun.after["".join(again.gestures)]


def _find_again(state: State, wizard: Wizard) -> None:
    """Compute the series that the hands have begun in the finished columns; the dead have begun none."""
    if wizard.phase in LEFT_THE_BATTLE:
        return
    shown = (2 if state.doubled else 1) if state.at else 0  # a waiting turn has already added its own columns
    length = len(state.columns) - shown
    left, right = wizard.left[:length], wizard.right[:length]
    wizard.begun = wizard.reached = state.ruleset.book.states_of(left, right)
    if len(wizard.left) > length:
        wizard.reached = wizard.begun.after[wizard.left[length] + wizard.right[length]]


def _write_monster(monster: Monster) -> dict[str, Any]:
    return {
        "name": monster.name,
        "kind": monster.kind,
        "hp": monster.hp,
        "controller": monster.controller,
        "target": monster.target,
        "marks": dict(monster.marks),
        **({"habit": monster.habit} if monster.habit else {}),
        **_write_origins(monster),
    }


def _write_origins(being: Being) -> dict[str, Any]:
    return {"laid": {what: list(keys) for what, keys in being.origins.items()}} if being.origins else {}


def _read_origins(data: Mapping[str, Any]) -> Origins:
    """Return the events that the marks come from; empty for states from before this was stored."""
    origins = data.get("laid")
    return {what: tuple(keys) for what, keys in origins.items()} if origins else NO_ORIGINS


def _read_monster(data: Mapping[str, Any]) -> Monster:
    monster = Monster(data["name"], data["kind"], data["controller"], data["target"])
    monster.hp, monster.marks = data["hp"], dict(data["marks"])
    monster.habit = data.get("habit", "")
    monster.origins = _read_origins(data)
    return monster
