"""Memorable feats, found in the events of a battle."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from rules_engine.records.chronicle import Chronicle, PlayedTurn
from rules_engine.records.fates import TurnEvents
from rules_engine.records.openings import list_first_pairs

MIRROR_KILL: Final = "mirror_kill"
OWN_SPELL: Final = "own_spell"
FINGER_OF_DEATH: Final = "finger_of_death"
LAST_POINT: Final = "last_point"
UNHURT: Final = "unhurt"
GIANT: Final = "giant"
RETURNED: Final = "returned"
LAST_OF_MANY: Final = "last_of_many"
FEATS: Final = (MIRROR_KILL, OWN_SPELL, FINGER_OF_DEATH, LAST_POINT, UNHURT, GIANT, RETURNED, LAST_OF_MANY)

MANY: Final = 4


@dataclass(frozen=True, slots=True)
class Feat:
    """One of FEATS, its mage, and the label of its turn."""

    kind: str
    mage: str
    turn: str


def find_feats(chronicle: Chronicle) -> tuple[Feat, ...]:
    """Return the feats of a battle that is over, each once for a mage, in the first turn it happened.

    * mirror_kill: the mage's mirror reflected a spell, which killed its caster; own_spell: that caster.
    * finger_of_death: the mage completed a Finger of Death, and it killed another mage.
    * last_point: the mage won with one hit point left; unhurt: they won and never lost one.
    * giant: the mage summoned a giant. returned: Raise Dead brought them back to life.
    * last_of_many: of four mages or more, only this one won.

    Nothing is a feat against mages of whom none ever moved.
    """
    found: dict[tuple[str, str], Feat] = {}
    for turn in chronicle.turns:
        for feat in (*_killed(turn), *_made(turn)):
            found.setdefault((feat.kind, feat.mage), feat)
    for feat in _won(chronicle):
        found.setdefault((feat.kind, feat.mage), feat)
    return tuple(found.values())


def _killed(turn: PlayedTurn) -> Iterator[Feat]:
    """Yield the mages killed in this turn by their own spells, or by a Finger of Death."""
    mages = turn.after.wizards
    died = {name for name, wizard in mages.items() if wizard.hp <= 0 < turn.before.wizards[name].hp}
    if not died:
        return
    events = TurnEvents(turn)
    for cast, event in events.casts():
        caster, work = str(event.facts["who"]), [events.by_key[key] for key in events.work_of(cast)]
        hit = {str(each.facts["who"]) for each in work if each.kind in ("hurt", "drops_dead")} & died
        mirror = next((each for each in work if each.kind == "reflected"), None)
        if mirror is not None and caster in hit:
            yield Feat(OWN_SPELL, caster, turn.label)
            yield Feat(MIRROR_KILL, str(mirror.facts["mirror"]), turn.label)
        if any(each.kind == "drops_dead" and each.facts["who"] in died - {caster} for each in work):
            yield Feat(FINGER_OF_DEATH, caster, turn.label)


def _made(turn: PlayedTurn) -> Iterator[Feat]:
    events = TurnEvents(turn)
    for cast, event in events.casts():
        for each in (events.by_key[key] for key in events.work_of(cast)):
            outcome, target = each.facts.get("outcome"), str(each.facts.get("target"))
            if outcome == "creates" and event.facts["spell"] == "Summon Giant":
                yield Feat(GIANT, str(event.facts["who"]), turn.label)
            if outcome == "raises" and target in turn.after.wizards:
                yield Feat(RETURNED, target, turn.label)


def _won(chronicle: Chronicle) -> Iterator[Feat]:
    outcome = chronicle.outcome
    if outcome is None or len(outcome.winners) != 1 or not chronicle.turns:
        return
    (winner,), end = outcome.winners, chronicle.turns[-1]
    if not any(list_first_pairs(chronicle, mage, 1) for mage in chronicle.mages if mage != winner):
        return
    hp = end.after.wizards[winner].hp
    losers = {"hurt": "who", "drops_dead": "who", "stabs": "target", "strikes": "target"}
    events = [event for turn in chronicle.turns for event in turn.events]
    if hp == 1:
        yield Feat(LAST_POINT, winner, end.label)
    if not any(event.facts.get(losers.get(event.kind, "")) == winner for event in events):
        yield Feat(UNHURT, winner, end.label)
    if len(chronicle.mages) >= MANY:
        yield Feat(LAST_OF_MANY, winner, end.label)
