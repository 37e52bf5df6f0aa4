"""What a mage remembers of what they do not see now, from the turns in which they saw or were told more.

It is part of the view, and is worked out anew from the whole battle each time: nothing is kept between two decisions.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from rules_engine.audience import MageView, MonsterView, View, look
from rules_engine.beings import ELEMENTALS, MONSTER_HP, NO_MASTER, NOBODY
from rules_engine.causes import Learnt, Memory
from rules_engine.events import Event, Viewer
from rules_engine.explanations import find_root_cast
from rules_engine.gestures import FIRST, UNSEEN
from rules_engine.state import State

LAST_POINT = 1
"""A mage who is still in has at least so many hit points."""
_LOSSES = {"hurt": "who", "stabs": "target", "strikes": "target"}
_ATTACKS = ("strikes", "attack_missed")
_ENDS = {"monster_dies": "who", "drops_dead": "who", "evaporates": "who", "dispelled_monster": "who"}
_SPELL_ENDS = {"destroys": "target", "engulfs": "creature", "spent_on_elemental": "creature"}


class PastTurn(NamedTuple):
    """A turn that was played: the battle before it, and all its events in order."""

    before: State
    events: Sequence[Event]


def is_partly_hidden(view: View) -> bool:
    """Return whether any part of the position is hidden from the viewer."""
    return view.blind or any(UNSEEN in mage.left for mage in view.mages)


def recall(past: Iterable[PastTurn], now: View, mage: str) -> dict[str, Any]:
    """Return what `mage` knows of what `now` does not show, as JSON data.

    `mages` has those whom they do not see now but saw before, with the hit points and enchantments of that time, as
    far as the mage knows what became of them, and how many turns ago it was. `monsters` are the creatures that a blind
    mage knows of. `casts` are the spells that were cast in columns that the mage did not see. `known` lists the columns
    of which it was told anything at all.
    """
    viewer = Viewer.of(mage)
    memory = Memory(viewer)
    mages: dict[str, dict[str, Any]] = {}
    monsters: dict[str, dict[str, Any]] = {}
    casts: list[dict[str, Any]] = []
    known: list[int] = []
    for before, events in past:
        view = look(before, viewer)
        _see_mages(mages, view)
        if not view.blind:
            monsters = {each.name: write_monster(each) for each in view.monsters}
        memory.learn(view.seq, view.label, events)
        learnt = memory.list_turn(view.seq)
        column = len(view.columns)
        columns = range(column, column + 1 + before.doubled)
        known += columns
        casts += _list_casts(memory, learnt, now, columns)
        for each in learnt:
            _follow_mages(mages, each.event)
            _follow_monsters(monsters, each, memory, view)
        for remembered in mages.values():
            remembered["ago"] += 1
    hidden = {each.name for each in now.mages if not each.seen and each.standing == "in"}
    return {
        "mages": [each for name, each in mages.items() if name in hidden],
        "monsters": list(monsters.values()) if now.blind else [],
        "casts": casts,
        "known": known,
    }


def _see_mages(mages: dict[str, dict[str, Any]], view: View) -> None:
    for each in view.mages:
        if each.seen and not each.mine:
            mages[each.name] = {"name": each.name, "hp": each.hp, "marks": write_marks(each), "ago": 0}


def write_marks(seen: MageView | MonsterView) -> dict[str, int]:
    """Return mark → turns left, -1 for permanent."""
    return {each.mark: -1 if each.permanent else each.turns for each in seen.enchantments}


def write_monster(seen: MonsterView) -> dict[str, Any]:
    """Return a creature as JSON data."""
    return {
        "name": seen.name,
        "kind": seen.kind,
        "hp": seen.hp,
        "controller": seen.controller,
        "target": seen.target,
        "marks": write_marks(seen),
    }


def _follow_mages(mages: dict[str, dict[str, Any]], event: Event) -> None:
    """Count the hit points that an event says a mage lost or gained."""
    victim = event.facts.get(_LOSSES.get(event.kind, ""))
    points = int(event.facts.get("points") or 0)
    if victim in mages:
        mages[str(victim)]["hp"] = max(LAST_POINT, mages[str(victim)]["hp"] - points)
    elif event.kind == "healed" and event.facts["who"] in mages:
        mages[str(event.facts["who"])]["hp"] += points


def _follow_monsters(monsters: dict[str, dict[str, Any]], learnt: Learnt, memory: Memory, view: View) -> None:
    """Add a creature that an event says has come or attacks, remove one that has gone, and note whom it obeys and
    attacks."""
    event = learnt.event
    facts = event.facts
    mages = [each.name for each in view.mages]
    gone = facts.get(_ENDS.get(event.kind, ""))
    if event.kind == "spell":
        gone = facts.get(_SPELL_ENDS.get(str(facts["outcome"]), ""))
        if facts["outcome"] == "creates" and "creature" in facts:
            name = str(facts["creature"])
            monsters[name] = _make_known(name, str(facts["master"]))
        elif facts["outcome"] == "raises" and facts["target"] not in mages:
            name, cast = str(facts["target"]), find_root_cast(memory, learnt)
            monsters[name] = _make_known(name, _guess_master(view) if cast is None else str(cast.event.facts["who"]))
    elif event.kind == "looks_to" and facts["who"] in monsters:
        monsters[str(facts["who"])] |= {"controller": facts["master"], "target": None}
    elif event.kind in _ATTACKS and facts["who"] not in mages:
        creature = monsters.setdefault(str(facts["who"]), _make_known(str(facts["who"]), _guess_master(view)))
        if creature["controller"] != NO_MASTER:
            creature["target"] = facts["target"]
    monsters.pop(str(gone), None)


def _make_known(name: str, master: str) -> dict[str, Any]:
    """Return a creature as JSON data, with all its hit points. Whom it attacks is not known; elementals have neither a
    master nor a victim."""
    kind = next(each for each in MONSTER_HP if each in name)
    known: dict[str, Any] = {"name": name, "kind": kind, "hp": MONSTER_HP[kind], "marks": {}}
    alone = kind in ELEMENTALS
    return known | {"controller": NO_MASTER if alone else master, "target": NO_MASTER if alone else None}


def _guess_master(view: View) -> str:
    """Return whom a creature obeys that the mage has not heard of before: the only other mage, or nobody knows."""
    others = [each.name for each in view.mages if each.standing == "in" and not each.mine]
    return others[0] if len(others) == 1 else NOBODY


def _list_casts(memory: Memory, learnt: Sequence[Learnt], now: View, columns: range) -> Iterator[dict[str, Any]]:
    """Yield the spells that the mage knows were cast in a turn by mages whose gestures they did not see in it."""
    hidden = [each.name for each in now.mages if UNSEEN in each.left[columns.start : columns.stop]]
    told = set[tuple[object, object]]()
    for each in learnt:
        facts = each.event.facts
        spell = facts.get("spell")
        if each.event.kind == "casts" and facts["who"] in hidden and not facts["fired"]:
            hand = str(facts["hand"])
            told.add((facts["who"], spell))
            column = columns[-1] if hand in FIRST else columns.start
            yield {"mage": facts["who"], "column": column, "spell": spell, "hand": FIRST.get(hand, hand)}
        elif (
            # Somebody cast it whom the mage did not see, and there is only one.
            each.event.kind == "spell"
            and len(hidden) == 1
            and (hidden[0], spell) not in told
            and find_root_cast(memory, each) is None
        ):
            told.add((hidden[0], spell))
            yield {"mage": hidden[0], "column": columns.start, "spell": spell, "hand": None}


__all__ = ["PastTurn", "is_partly_hidden", "recall", "write_marks", "write_monster"]
