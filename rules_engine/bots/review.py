"""What an analysis teaches: marks of moves, the turns that mattered, and skill apart from luck.

Everything here is computed from the facts of analysed turns (`rules_engine.bots.analyse`), in the order of the turns.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final, TypeAlias

from rules_engine.bots.findings import (
    BETTER_MOVE,
    DEATH,
    FORCED_SURRENDER,
    MISSED_KILL,
    OWN_TARGET,
    SURRENDER,
    UNREAD_THREAT,
    grade_of,
)
from rules_engine.glossary import name_being, name_spell
from rules_engine.text import mark_text, say

Facts: TypeAlias = Mapping[str, Any]

BLUNDER_FROM, MISTAKE_FROM, ONLY_BY = 0.195, 0.065, 0.095
"""A move that loses as much chance is a blunder or a mistake, in whole points; the only good move is better than every
other by as much."""
MATTERED = 3
_EXPLAINS = (SURRENDER, FORCED_SURRENDER, MISSED_KILL, UNREAD_THREAT, OWN_TARGET, DEATH, BETTER_MOVE)


_ROLLS: Final = {
    "paralysed hand": mark_text("{who}'s paralysed hand: {picked}"),
    "confused hand": mark_text("{who}'s confused hand: {picked}"),
    "confused gesture": mark_text("{who}'s confused gesture: {picked}"),
    "confused monster": mark_text("{who}'s confused attack: {picked}"),
    "random foe": mark_text("{who}'s target: {picked}"),
    "whose word": mark_text("Whose word {who} obeys: {picked}"),
}


class Mark(StrEnum):
    """How good a move was, as a reader sees it."""

    BLUNDER = "??"
    MISTAKE = "?"
    ONLY = "!"


@dataclass(frozen=True, slots=True)
class Change:
    """A turn that changed a mage's chance: its place among the analysed turns, and the chance before and after it."""

    place: int
    before: float
    after: float


@dataclass(frozen=True, slots=True)
class Split:
    """A change of a mage's chance in two parts: what their move lost or gained against their mix, before anything was
    rolled, and the rest: rolls, and which of both mixes came up."""

    skill: float
    luck: float


def split_change(facts: Facts, mage: str, change: Change) -> Split | None:
    """Tell skill from luck in a turn; None if the mage chose no gestures."""
    move = facts["moves"].get(mage)
    if move is None:
        return None
    grade = grade_of(move)
    skill = grade["chance"] - grade.get("mix", facts["chances"][mage])
    return Split(skill, change.after - change.before - skill)


def sum_splits(turns: Sequence[Facts], mage: str, winners: Sequence[str]) -> Split | None:
    """Tell skill from luck over a battle: the sums over the turns in which the mage chose gestures; None without any.
    What changed in the other turns is luck, too."""
    chances = list_chances(turns, mage, winners)
    changes = [Change(place, *chances[place : place + 2]) for place in range(len(turns))]
    splits = [split_change(facts, mage, change) for facts, change in zip(turns, changes, strict=True)]
    skills = [split.skill for split in splits if split is not None]
    return Split(sum(skills), chances[-1] - chances[0] - sum(skills)) if skills else None


def describe_roll(roll: Facts) -> str:
    """Say what was rolled, such as ``Bung's confused gesture: W``."""
    who, _, hand = roll["who"].partition(" ")
    purpose = next((words for kind, words in _ROLLS.items() if roll["purpose"].startswith(kind)), None)
    picked = name_being(str(roll["picked"]), None)
    if purpose is None:
        return say("A roll for {who}: {picked}", who=name_being(who, None), picked=picked)
    return say(purpose, who=name_being(who, None), hand=hand, picked=picked)


def mark_move(move: Facts) -> Mark | None:
    """Return the mark of a judged move, by what its mage could know; None for a move that is as good as most."""
    grade = grade_of(move)
    lost = grade["best"] - grade["chance"]
    if lost >= BLUNDER_FROM:
        return Mark.BLUNDER
    if lost >= MISTAKE_FROM:
        return Mark.MISTAKE
    following = grade.get("next")  # unknown to analyses of the first edition, and where there was no other move
    return Mark.ONLY if following and grade["chance"] - following["chance"] >= ONLY_BY else None


def list_chances(turns: Sequence[Facts], mage: str, winners: Sequence[str]) -> tuple[float, ...]:
    """Return the mage's chance before the first turn, then after each turn; winners share the end."""
    at_end = 1 / len(winners) if mage in winners else 0.0
    return (*(facts["chances"].get(mage, 0.0) for facts in turns), at_end)


def find_changes(chances: Sequence[float], most: int = MATTERED) -> tuple[Change, ...]:
    """Return the turns with the largest changes of the chance, in the order of the turns; of equals the later ones."""
    changes = [Change(place, *chances[place : place + 2]) for place in range(len(chances) - 1)]
    largest = sorted(changes, key=lambda each: (-abs(each.after - each.before), -each.place))[:most]
    return tuple(sorted(largest, key=lambda each: each.place))


def sum_up_turn(facts: Facts, mage: str, change: Change, *, you: bool) -> str:
    """Say in a sentence or two what changed the mage's chance in a turn: a mistake, the only good move, or what was
    cast. `you`: the mage is the reader's."""
    rises = change.after >= change.before
    movers = [name for name in facts["mages"] if name in facts["moves"]]
    # A chance falls because of the mage's own mistake or another's good move, and rises the other way round.
    to_blame = [name for name in movers if (name == mage) != rises]
    for name in to_blame:
        found = _find_worst(facts, name)
        if found is not None:
            return _say_mistake(found, _Named(mage if you else ""))
        if mark_move(facts["moves"][name]) in (Mark.BLUNDER, Mark.MISTAKE):
            move = facts["moves"][name]
            grade = grade_of(move)
            better = name_short(grade["better"], grade["better_spells"])
            return _Named(mage if you else "").say(
                _MISTAKES[BETTER_MOVE], name, gestures=move["gestures"], better=better
            )
    for name in movers:
        if name not in to_blame and mark_move(facts["moves"][name]) == Mark.ONLY:
            return _Named(mage if you else "").say(_ONLY, name, move=_name_played(facts["moves"][name]))
    return _say_played(facts, mage if you else "", [mage, *(name for name in movers if name != mage)])


class _Named:
    """Sentences about mages for a reader, who is `you`."""

    def __init__(self, you: str) -> None:
        self.you = you

    def say(self, words: tuple[str, str], mage: str, **slots: object) -> str:
        """Say the first of the sentences of the reader's mage, the second of another one."""
        return say(words[mage != self.you], mage=mage, **slots)


_ONLY: Final = (
    mark_text("You found the only good move: {move}."),
    mark_text("{mage} found the only good move: {move}."),
)
_CAST: Final = (mark_text("You cast {spells}."), mark_text("{mage} cast {spells}."))
_PLAYED: Final = (mark_text("You played {gestures}."), mark_text("{mage} played {gestures}."))
_MISTAKES: Final = {
    SURRENDER: (
        mark_text("You showed both palms, which is a surrender."),
        mark_text("{mage} showed both palms, which is a surrender."),
    ),
    FORCED_SURRENDER: (
        mark_text("An enchantment made you show both palms, which is a surrender."),
        mark_text("An enchantment made {mage} show both palms, which is a surrender."),
    ),
    MISSED_KILL: (
        mark_text("You could have ended it for {foe}: {better}."),
        mark_text("{mage} could have ended it for {foe}: {better}."),
    ),
    OWN_TARGET: (
        mark_text("You aimed {spell} at the wrong side."),
        mark_text("{mage} aimed {spell} at the wrong side."),
    ),
    UNREAD_THREAT: (
        mark_text("You missed {foe}'s threat of {spell}."),
        mark_text("{mage} missed {foe}'s threat of {spell}."),
    ),
    DEATH: (mark_text("{better} would have saved you."), mark_text("{better} would have saved {mage}.")),
    BETTER_MOVE: (
        mark_text("You played {gestures}. {better} was better."),
        mark_text("{mage} played {gestures}. {better} was better."),
    ),
}
# What is done to the reader, or would have been.
_TO_READER: Final = {
    MISSED_KILL: mark_text("{mage} could have ended it for you: {better}."),
    UNREAD_THREAT: mark_text("{mage} missed your threat of {spell}."),
}
_STAB: Final = (mark_text("You aimed a stab at the wrong side."), mark_text("{mage} aimed a stab at the wrong side."))


def _find_worst(facts: Facts, mage: str) -> Facts | None:
    """Return the finding that explains best why a mage lost chance in a turn."""
    found = [each for each in facts["findings"] if each["mage"] == mage and each["kind"] in _EXPLAINS]
    return min(found, key=lambda each: _EXPLAINS.index(each["kind"]), default=None)


def _say_mistake(finding: Facts, named: _Named) -> str:
    kind, mage, foe = finding["kind"], finding["mage"], finding["foe"]
    slots = {
        "foe": foe,
        "spell": name_spell(finding["spell"]) if finding["spell"] else "",
        "gestures": finding["gestures"],
        "better": name_short(finding["better"], finding["better_spells"]),
    }
    if kind == OWN_TARGET and not finding["spell"]:
        return named.say(_STAB, mage)
    if kind == OWN_TARGET and finding["fate"] == "order":
        slots["spell"] = finding["spell"]
    if foe and foe == named.you and kind in _TO_READER:
        return say(_TO_READER[kind], mage=mage, **slots)
    return named.say(_MISTAKES[kind], mage, **slots)


def name_short(gestures: str, spells: Sequence[str]) -> str:
    """Return ``F/P (Counter Spell)``, the shortest name of a move that says what it does."""
    return f"{gestures} ({', '.join(map(name_spell, spells))})" if spells else gestures


def _name_played(move: Facts) -> str:
    return name_short(move["gestures"], move["spells"])


def _say_played(facts: Facts, you: str, mages: Sequence[str]) -> str:
    """Say what the mages cast, or played if nobody cast anything."""
    named, moves = _Named(you), facts["moves"]
    cast = [name for name in mages if name in moves and moves[name]["spells"]]
    if cast:
        return " ".join(
            named.say(_CAST, name, spells=", ".join(map(name_spell, moves[name]["spells"]))) for name in cast
        )
    return " ".join(named.say(_PLAYED, name, gestures=moves[name]["gestures"]) for name in mages if name in moves)


__all__ = [
    "MATTERED",
    "Change",
    "Facts",
    "Mark",
    "Split",
    "describe_roll",
    "find_changes",
    "list_chances",
    "mark_move",
    "name_short",
    "split_change",
    "sum_splits",
    "sum_up_turn",
]
