"""Findings of an analysis, as facts and in words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from enum import StrEnum
from itertools import pairwise
from typing import Any, Final, Protocol, TypeAlias

from rules_engine.gestures import NOTHING
from rules_engine.glossary import name_being, name_gesture, name_hand, name_spell
from rules_engine.narration import find_preposition
from rules_engine.text import mark_text, say

SURRENDER: Final = "surrender"
FORCED_SURRENDER: Final = "forced_surrender"
MISSED_KILL: Final = "missed_kill"
OWN_TARGET: Final = "own_target"
UNREAD_THREAT: Final = "unread_threat"
DEATH: Final = "death"
"""A death that another move would have avoided; no blunder, because nobody may have expected it."""
DIED: Final = "died"
"""The fate of a threat that killed the mage who did not answer it."""
BETTER_MOVE: Final = "better_move"
WASTED: Final = "wasted"
NEARLY_SURE: Final = "nearly_sure"
"""The fate of a kill that was nearly certain, but would not have worked against what the foe did play."""


class AimedAt(StrEnum):
    """The fate of something aimed at the wrong side: a spell by its target, a creature's order, or a stab."""

    SELF = "self"
    CREATURE = "creature"
    FOE = "foe"
    ORDER = "order"
    STAB = "stab"


EDITION: Final = 2
"""The edition of an analysis, raised when it says more. Those of the first edition have no mixes, rolls or next best
moves, and judge every move by everything."""
ACCURACY: Final = ((0.0, 0), (0.5, 10), (0.8, 58), (0.985, 94), (1.0, 100))
"""How a share of the chances that was preserved reads as accuracy; linear in between. Even random moves preserve most
of it: in 48 duels between bots an Apprentice 0.81, a Journeyman 0.86, a Warder 0.91 and a Magus 0.99. They read 60, 70,
80 and 95."""

BLUNDERS: Final = (SURRENDER, FORCED_SURRENDER, MISSED_KILL, OWN_TARGET, UNREAD_THREAT)
"""The kinds that have a name of their own; a better move is one that none of them explains."""

_SURE_KILL: Final = mark_text(
    "{mage} could have ended it for {foe} with {better}, whatever {foe} did, but played {gestures}."
)
_KILL: Final = mark_text(
    "{mage} missed {better}, which would have ended it for {foe} this turn, and played {gestures}."
)
_NEARLY_SURE_KILL: Final = mark_text(
    "{mage} missed {better}, which {foe} could hardly have survived, and played {gestures}."
)
_AIMED: Final = {
    AimedAt.SELF: mark_text("{mage} aimed {spell} at the wrong mage: {mage}."),
    AimedAt.CREATURE: mark_text("{mage} aimed {spell} at a creature of their own, {foe}."),
    AimedAt.FOE: mark_text("{mage} aimed {spell} at an opponent, {foe}."),
    AimedAt.ORDER: mark_text("{mage} set {spell} on the wrong side: {foe}."),
    AimedAt.STAB: mark_text("{mage} aimed a stab at the wrong side: {foe}."),
}
_TEMPLATES: Final = {
    SURRENDER: mark_text("{mage} showed both palms, which is a surrender, with a {best} chance to win."),
    FORCED_SURRENDER: mark_text(
        "An enchantment made {mage} show both palms, which is a surrender. {better} would have avoided the risk."
    ),
    UNREAD_THREAT: mark_text(
        "{mage} missed {foe}'s threat of {spell}. {better} would have answered it: a chance of {best} instead of "
        "{chance}."
    ),
    DEATH: mark_text("{mage} died. {better} would have saved them: a chance of {best} instead of {chance}."),
    BETTER_MOVE: mark_text("{gestures} gave {mage} a chance of {chance}; {better} would have given {best}."),
}
_DEADLY_THREAT: Final = mark_text(
    "{mage} missed {foe}'s threat of {spell}, and died. {better} would have answered it: a chance of {best} "
    "instead of {chance}."
)
# Analyses from before the answer to a threat was played say no more than that the move was better.
_OLD_THREAT: Final = mark_text("{mage} missed {foe}'s threat of {spell}. {better} would have been better.")
_WASTED: Final = {
    "countered": mark_text("{mage}'s {spell} was wasted: a Counter Spell stopped it."),
    "reflected": mark_text("{mage}'s {spell} was reflected by a mirror."),
    "shielded": mark_text("{mage}'s {spell} was wasted: a shield or a resistance stopped it."),
    "failed": mark_text("{mage}'s {spell} was wasted: it had no effect."),
}


class How(StrEnum):
    """What a move does besides its gestures: with spells, with stabs, with creatures, and with others' hands."""

    CAST = "cast"
    FIRE = "fire"
    PERMANENT = "permanent"
    DELAY = "delay"
    STAB = "stab"
    ATTACK = "attack"
    DIRECT = "direct"
    PARALYZE = "paralyze"
    CHARM = "charm"
    ELEMENTAL = "elemental"


Part: TypeAlias = tuple[str, str, str]
"""A part of a move: one of `How`, what it is about, and whom it is for.

That is a spell and its target ("": the one that it has without an order), a creature and its victim, a hand and the
mage whose hand it is (to direct one, with its gesture: ``RH F``), or the kind of an elemental.
"""

_PARTS: Final = {
    How.FIRE: mark_text("{spell} from the bank"),
    How.PERMANENT: mark_text("{spell} made permanent"),
    How.DELAY: mark_text("{spell} into the bank"),
}
_HANDS: Final = {
    How.DIRECT: mark_text("{gesture} with {mage}'s {hand}"),
    How.PARALYZE: mark_text("{mage}'s {hand} paralysed"),
    How.CHARM: mark_text("{mage}'s {hand} charmed"),
}
_KINDS: Final = {"fire": mark_text("fire"), "ice": mark_text("ice")}


@dataclass(frozen=True, slots=True)
class NextBest:
    """The best move with other gestures than the best."""

    gestures: str
    spells: tuple[str, ...]
    orders: tuple[str, ...]
    chance: float

    def facts(self) -> dict[str, Any]:
        moved = {"gestures": self.gestures, "spells": list(self.spells), "orders": list(self.orders)}
        return {**moved, "chance": round(self.chance, 3)}


class Graded(Protocol):
    """What both judgements of a move have."""

    @property
    def chance(self) -> float: ...
    @property
    def best(self) -> float: ...
    @property
    def mix(self) -> float: ...
    @property
    def better(self) -> str: ...
    @property
    def better_spells(self) -> tuple[str, ...]: ...
    @property
    def better_orders(self) -> tuple[str, ...]: ...
    @property
    def next(self) -> NextBest | None: ...


def write_grade(grade: Graded) -> dict[str, Any]:
    """Return a judgement as JSON data, with chances to a thousandth."""
    return {
        "chance": round(grade.chance, 3),
        "best": round(grade.best, 3),
        "mix": round(grade.mix, 3),
        "better": grade.better,
        "better_spells": list(grade.better_spells),
        "better_orders": list(grade.better_orders),
        "next": grade.next.facts() if grade.next else None,
    }


@dataclass(frozen=True, slots=True)
class Grade:
    """A move judged against the best one: `chance` is its worth, `best` that of the best move (`better`), `mix` that of
    playing the mix of the search."""

    chance: float
    best: float
    mix: float
    better: str
    better_spells: tuple[str, ...]
    better_orders: tuple[str, ...]
    next: NextBest | None


@dataclass(frozen=True, slots=True)
class Judged:
    """A mage's move in a turn. `chance` is its worth against the others' best mixes, `best` the worth of the best
    move, `mix` that of the mage's own mix; `faced` is its worth against the moves that were really played. `known` is
    the judgement by what the mage could see, if something was hidden from them."""

    gestures: str
    spells: tuple[str, ...]
    chance: float
    best: float
    faced: float
    better: str
    better_spells: tuple[str, ...]
    parts: tuple[Part, ...] = ()
    better_parts: tuple[Part, ...] = ()
    orders: tuple[str, ...] = ()
    better_orders: tuple[str, ...] = ()
    mix: float = 0.0
    next: NextBest | None = None
    known: Grade | None = None

    def facts(self) -> dict[str, Any]:
        """Return the finding as JSON data, with chances to a thousandth."""
        return {
            "gestures": self.gestures,
            "spells": list(self.spells),
            "orders": list(self.orders),
            "faced": round(self.faced, 3),
            **write_grade(self),
            "known": write_grade(self.known) if self.known else None,
        }

    @property
    def grade(self) -> Graded:
        """The judgement by what the mage could know."""
        return self.known or self


@dataclass(frozen=True, slots=True)
class Finding:
    """One remarkable thing about a mage's move. `foe` is the other mage it concerns, `spell` the spell, `hand` the one
    that cast it, `target` whom a threat was aimed at if that was not the mage, `fate` its fate; `better` is the move
    that should have been played, if there was one, and `better_orders` its lines. `chance` and `best` are worth against
    the others' best mixes; for a threat and a death, against what they did play."""

    kind: str
    mage: str
    gestures: str
    chance: float
    best: float
    better: str = ""
    better_spells: tuple[str, ...] = ()
    parts: tuple[Part, ...] = ()
    better_parts: tuple[Part, ...] = ()
    better_orders: tuple[str, ...] = ()
    foe: str = ""
    spell: str = ""
    hand: str = ""
    target: str = ""
    fate: str = ""
    sure: bool = False
    clause: str = ""

    def facts(self) -> dict[str, Any]:
        """Return the finding as JSON data, with chances to a thousandth."""
        rounded = {"chance": round(self.chance, 3), "best": round(self.best, 3)}
        lists = {
            "better_spells": list(self.better_spells),
            "parts": list(map(list, self.parts)),
            "better_parts": list(map(list, self.better_parts)),
            "better_orders": list(self.better_orders),
        }
        return {**asdict(self), **rounded, **lists}


def describe_finding(facts: Mapping[str, Any]) -> str:
    """Return one or two sentences in the active language."""
    slots = {
        "mage": facts["mage"],
        "foe": facts["foe"],
        "gestures": name_move(facts["gestures"], facts.get("parts", ())),
        "spell": _name_subject(facts),
        "better": name_move(facts["better"], facts.get("better_parts", _cast_only(facts["better_spells"]))),
        "chance": percent(facts["chance"]),
        "best": percent(facts["best"]),
    }
    return say(_template(facts), **slots)


def _name_subject(facts: Mapping[str, Any]) -> str:
    """Return the spell of a finding, with the target if that was not the mage; or the creature that was ordered."""
    if not facts["spell"] or facts["fate"] == AimedAt.ORDER:
        return str(facts["spell"])
    return _name_part(How.CAST, facts["spell"], facts.get("target", ""))


def _template(facts: Mapping[str, Any]) -> str:
    kind = facts["kind"]
    if kind == WASTED:
        return _WASTED.get(facts["fate"], _WASTED["failed"])
    if kind == MISSED_KILL:
        return _SURE_KILL if facts["sure"] else _NEARLY_SURE_KILL if facts["fate"] == NEARLY_SURE else _KILL
    if kind == OWN_TARGET:
        # Analyses from before there was a fate here say only the target.
        return _AIMED[facts["fate"] or (AimedAt.SELF if facts["foe"] == facts["mage"] else AimedAt.ORDER)]
    if kind == UNREAD_THREAT:
        if "better_parts" not in facts:
            return _OLD_THREAT
        return _DEADLY_THREAT if facts["fate"] == DIED else _TEMPLATES[kind]
    return _TEMPLATES[kind]


def name_move(gestures: str, parts: Sequence[Sequence[str]]) -> str:
    """Return a move as a reader knows it: ``S/D (Magic Missile at Bung, Shield into the bank)``."""
    named = ", ".join([_name_part(*part) for part in parts])
    return f"{gestures} ({named})" if named else gestures


def _name_part(how: str, about: str, target: str) -> str:
    if how == How.STAB:
        return say("a stab at {target}", target=name_being(target, None))
    if how == How.ATTACK:
        return say("{monster} set on {target}", monster=name_being(about, None), target=name_being(target, None))
    if how == How.ELEMENTAL:
        return say(_KINDS[about])
    if how in _HANDS:
        hand, _, gesture = about.partition(" ")
        played = name_gesture(gesture) if gesture == NOTHING else gesture
        return say(_HANDS[How(how)], gesture=played, mage=target, hand=name_hand(hand))
    return _name_spell(how, about, target)


def _name_spell(how: str, spell: str, target: str) -> str:
    named = name_spell(spell)
    if target:
        slots = {"spell": named, "target": name_being(target, None)}
        preposition = find_preposition(spell)
        if preposition == "for":
            named = say("{spell} for {target}", **slots)
        elif preposition == "at":
            named = say("{spell} at {target}", **slots)
        else:
            named = say("{spell} on {target}", **slots)
    return say(_PARTS[How(how)], spell=named) if how in _PARTS else named


def _cast_only(spells: Sequence[str]) -> list[Part]:
    """Return the parts of a move of which only the spells are known, as in analyses from before there were parts."""
    return [(How.CAST, spell, "") for spell in spells]


def percent(chance: float) -> str:
    """Return a chance in whole percent, but 0 or 100 only if it is certain."""
    whole = min(max(round(100 * chance), 1), 99) if 0.0 < chance < 1.0 else round(100 * chance)
    return say("{percent}%", percent=whole)


def grade_of(move: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the judgement of a move by what its mage could know; old analyses have only one."""
    return move.get("known") or move


def stretch_accuracy(kept: float) -> int:
    """Return how accurate a mage was who preserved this share of their chances, from 0 to 100."""
    for (low, begins), (high, ends) in pairwise(ACCURACY):
        if kept <= high:
            return round(begins + (ends - begins) * (kept - low) / (high - low))
    return ACCURACY[-1][1]


def summarise(turns: Sequence[Mapping[str, Any]], winners: Sequence[str]) -> dict[str, Any]:
    """Sum up the turns: ``decided`` (the seq of the turn that won most for the winners, None without
    winners), ``accuracy``, the share of their chance that each mage's moves preserved, stretched, and ``edition``."""
    kept: dict[str, float] = {}
    had: dict[str, float] = {}
    for facts in turns:
        for mage in (each for each in facts["mages"] if each in facts["moves"]):
            move = grade_of(facts["moves"][mage])
            kept[mage] = kept.get(mage, 0.0) + min(move["chance"], move["best"])
            had[mage] = had.get(mage, 0.0) + move["best"]
    accuracy = {mage: stretch_accuracy(kept[mage] / had[mage]) for mage in had if had[mage] > 0}
    decided, most = None, 0.0
    shares = [sum(facts["chances"].get(mage, 0.0) for mage in winners) for facts in turns]
    for place, facts in enumerate(turns):
        after = shares[place + 1] if place + 1 < len(turns) else 1.0
        if winners and after - shares[place] > most:
            decided, most = facts["seq"], after - shares[place]
    return {"decided": decided, "gain": round(most, 3), "accuracy": accuracy, "edition": EDITION}


def read_accuracy(summary: Mapping[str, Any]) -> Mapping[str, int]:
    """Return each mage's accuracy from a summary of any edition."""
    accuracy: Mapping[str, int] = summary["accuracy"]
    if summary.get("edition", 1) > 1:
        return accuracy
    return {mage: stretch_accuracy(kept / 100) for mage, kept in accuracy.items()}
