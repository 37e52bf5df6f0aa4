"""Findings of an analysis, as facts and in words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import Any, Final

from rules_engine.glossary import name_spell
from rules_engine.text import mark_text, say

SURRENDER: Final = "surrender"
FORCED_SURRENDER: Final = "forced_surrender"
MISSED_KILL: Final = "missed_kill"
OWN_TARGET: Final = "own_target"
UNREAD_THREAT: Final = "unread_threat"
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
    UNREAD_THREAT: mark_text("{mage} missed {foe}'s threat of {spell}. {better} would have answered it."),
    BETTER_MOVE: mark_text("{gestures} gave {mage} a chance of {chance}; {better} would have given {best}."),
}
_WASTED: Final = {
    "countered": mark_text("{mage}'s {spell} was wasted: a Counter Spell stopped it."),
    "reflected": mark_text("{mage}'s {spell} was reflected by a mirror."),
    "shielded": mark_text("{mage}'s {spell} was wasted: a shield or a resistance stopped it."),
    "failed": mark_text("{mage}'s {spell} was wasted: it had no effect."),
}


@dataclass(frozen=True, slots=True)
class Judged:
    """A mage's move in a turn. `chance` is its worth against the others' best mixes, `best` the worth of the best
    move; `faced` is its worth against the moves that were really played."""

    gestures: str
    spells: tuple[str, ...]
    chance: float
    best: float
    faced: float
    better: str
    better_spells: tuple[str, ...]

    def facts(self) -> dict[str, Any]:
        """Return the finding as JSON data, with chances to a thousandth."""
        return {
            "gestures": self.gestures,
            "spells": list(self.spells),
            "chance": round(self.chance, 3),
            "best": round(self.best, 3),
            "faced": round(self.faced, 3),
            "better": self.better,
            "better_spells": list(self.better_spells),
        }


@dataclass(frozen=True, slots=True)
class Finding:
    """One remarkable thing about a mage's move. `foe` is the other mage it concerns, `spell` the spell, `fate` its
    fate; `better` is the move that should have been played, if there was one."""

    kind: str
    mage: str
    gestures: str
    chance: float
    best: float
    better: str = ""
    better_spells: tuple[str, ...] = ()
    foe: str = ""
    spell: str = ""
    fate: str = ""
    sure: bool = False
    clause: str = ""

    def facts(self) -> dict[str, Any]:
        """Return the finding as JSON data, with chances to a thousandth."""
        rounded = {"chance": round(self.chance, 3), "best": round(self.best, 3)}
        return {**asdict(self), **rounded, "better_spells": list(self.better_spells)}


def describe_finding(facts: Mapping[str, Any]) -> str:
    """Return one or two sentences in the active language."""
    slots = {
        "mage": facts["mage"],
        "foe": facts["foe"],
        "gestures": facts["gestures"],
        "spell": name_spell(facts["spell"]) if facts["spell"] and facts["fate"] != AimedAt.ORDER else facts["spell"],
        "better": name_move(facts["better"], facts["better_spells"]),
        "chance": percent(facts["chance"]),
        "best": percent(facts["best"]),
    }
    return say(_template(facts), **slots)


def _template(facts: Mapping[str, Any]) -> str:
    kind = facts["kind"]
    if kind == WASTED:
        return _WASTED.get(facts["fate"], _WASTED["failed"])
    if kind == MISSED_KILL:
        return _SURE_KILL if facts["sure"] else _NEARLY_SURE_KILL if facts["fate"] == NEARLY_SURE else _KILL
    if kind == OWN_TARGET:
        # Analyses from before there was a fate here say only the target.
        return _AIMED[facts["fate"] or (AimedAt.SELF if facts["foe"] == facts["mage"] else AimedAt.ORDER)]
    return _TEMPLATES[kind]


def name_move(gestures: str, spells: Sequence[str]) -> str:
    """Return a move as a reader knows it: ``S/D (Magic Missile)``."""
    named = ", ".join(map(name_spell, spells))
    return f"{gestures} ({named})" if named else gestures


def percent(chance: float) -> str:
    """Return a chance in whole percent, but 0 or 100 only if it is certain."""
    return f"{min(max(round(100 * chance), 1), 99)} %" if 0.0 < chance < 1.0 else f"{round(100 * chance)} %"


def summarise(turns: Sequence[Mapping[str, Any]], winners: Sequence[str]) -> dict[str, Any]:
    """Sum up the turns: ``decided`` (the seq of the turn that won most for the winners, None without
    winners) and ``accuracy``, how many percent of their chance each mage's moves preserved."""
    kept: dict[str, float] = {}
    had: dict[str, float] = {}
    for facts in turns:
        for mage in (each for each in facts["mages"] if each in facts["moves"]):
            move = facts["moves"][mage]
            kept[mage] = kept.get(mage, 0.0) + min(move["chance"], move["best"])
            had[mage] = had.get(mage, 0.0) + move["best"]
    accuracy = {mage: round(100 * kept[mage] / had[mage]) for mage in had if had[mage] > 0}
    decided, most = None, 0.0
    shares = [sum(facts["chances"].get(mage, 0.0) for mage in winners) for facts in turns]
    for place, facts in enumerate(turns):
        after = shares[place + 1] if place + 1 < len(turns) else 1.0
        if winners and after - shares[place] > most:
            decided, most = facts["seq"], after - shares[place]
    return {"decided": decided, "gain": round(most, 3), "accuracy": accuracy}
