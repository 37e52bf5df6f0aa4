"""One turn as its reader learnt it: its events with the spells behind them, and what they saw before and after it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from rules_engine.audience import MageView, View
from rules_engine.causes import Learnt, Memory
from rules_engine.events import Event, Fact
from rules_engine.explanations import find_root_cast
from rules_engine.gestures import LEFT, RIGHT, SECOND, STAB
from rules_engine.minds import MIND_SPELLS
from rules_engine.rulesets import get_ruleset


class Bead(NamedTuple):
    """A gesture that completed a spell, or a stab: whose, which hand, in the turn with which `seq`."""

    mage: str
    hand: str
    seq: int


class Entry(NamedTuple):
    """An event of the turn: its `place` among those that the reader learnt in it, and the cast behind it, if known."""

    place: int
    learnt: Learnt
    root: Learnt | None

    @property
    def event(self) -> Event:
        return self.learnt.event

    @property
    def kind(self) -> str:
        return self.learnt.event.kind

    @property
    def facts(self) -> Mapping[str, Fact]:
        return self.learnt.event.facts

    @property
    def who(self) -> str:
        return str(self.facts["who"])

    @property
    def target(self) -> str:
        return str(self.facts["target"])

    @property
    def caster(self) -> str:
        """The mage who cast the spell behind it; "" if the reader does not know."""
        return "" if self.root is None else str(self.root.event.facts["who"])


class LearntTurn:
    """What the reader whose mage is `me` (None: a spectator) knows of a turn."""

    def __init__(self, memory: Memory, seq: int, me: str | None, before: View | None, after: View | None) -> None:
        self.memory, self.seq, self.me = memory, seq, me
        self.before, self.after = before, after
        learnt = memory.list_turn(seq)
        self.label = learnt[0].label if learnt else ""
        self.entries = [Entry(place, each, find_root_cast(memory, each)) for place, each in enumerate(learnt)]
        self.gone = {each.who for each in self.find("mage_dies", "mage_leaves", "never_moves")}
        """The mages who died or left."""
        self.masters = self._find_masters()
        """Creature → its last known master."""

    def _find_masters(self) -> dict[str, str]:
        masters: dict[str, str] = {}
        for view in (self.before, self.after):
            if view is not None:
                masters.update({monster.name: monster.controller for monster in view.monsters})
        for each in self.find_spells("creates", "raises"):
            if "master" in each.facts:
                masters.setdefault(str(each.facts["creature"]), str(each.facts["master"]))
        return masters

    # -- events -------------------------------------------------------------------------------------------------------

    def find(self, *kinds: str) -> Iterator[Entry]:
        """Yield the events of these kinds, in order."""
        return (each for each in self.entries if each.kind in kinds)

    def find_spells(self, *outcomes: str) -> Iterator[Entry]:
        """Yield what spells did, if it was one of these outcomes."""
        return (each for each in self.find("spell") if each.facts["outcome"] in outcomes)

    def trace_beads(self, *roots: Learnt | None) -> tuple[Bead, ...]:
        """Return the gestures that completed these casts; a fired spell has none."""
        beads = [
            Bead(str(root.event.facts["who"]), str(root.event.facts["hand"]), root.seq)
            for root in roots
            if root is not None and root.event.kind == "casts" and not root.event.facts["fired"]
        ]
        return tuple(dict.fromkeys(beads))

    def find_dagger(self, mage: str) -> tuple[Bead, ...]:
        """Return the gesture of a mage's stab, if the reader saw it."""
        for each in self.find("gestures", "gestures_again"):
            if each.who == mage:
                for side, hand in (("left", LEFT), ("right", RIGHT)):
                    if each.facts[side] == STAB:
                        return (Bead(mage, SECOND[hand] if each.kind == "gestures_again" else hand, self.seq),)
        return ()

    # -- who and what is seen -----------------------------------------------------------------------------------------

    @property
    def is_dark(self) -> bool:
        """Whether the reader could not have seen what others did."""
        return self.is_blind or all(each.kind == "turn_begins" for each in self.entries)

    @property
    def is_blind(self) -> bool:
        """Whether the reader's mage, or for a spectator any, is known to be blind before or after the turn."""
        return any(view is not None and view.blind for view in (self.before, self.after))

    def is_me(self, name: object) -> bool:
        return self.me is not None and name == self.me

    def find_old_master(self, creature: str) -> str:
        """Return whom a creature obeyed before the turn, or else its last known master."""
        monsters = self.before.monsters if self.before is not None else ()
        return next((each.controller for each in monsters if each.name == creature), self.masters.get(creature, ""))

    def obeys_me(self, creature: str) -> bool:
        """Return whether a creature obeys the reader's mage, or did before."""
        return self.is_me(self.find_old_master(creature)) or self.is_me(self.masters.get(creature))

    def threatens_me(self, creature: str) -> bool:
        """Return whether a creature attacks the reader's mage next."""
        monsters = self.after.monsters if self.after is not None else ()
        return any(each.name == creature and self.is_me(each.target) for each in monsters)

    def see_after(self, name: str) -> MageView | None:
        """Return a mage after the turn, if the reader sees them then."""
        return _see(self.after, name)

    def see_marks(self, name: str) -> tuple[set[str] | None, set[str] | None]:
        """Return a mage's enchantments before and after the turn; None where the reader does not see them."""
        return _see_marks(self.before, name), _see_marks(self.after, name)

    def is_permanent(self, name: str, mark: str) -> bool:
        """Return whether the reader sees a permanent enchantment on a mage after the turn."""
        mage = self.see_after(name)
        return mage is not None and any(each.mark == mark and each.permanent for each in mage.enchantments)

    def find_old_bank(self, name: str) -> str:
        """Return the spell that a mage had in the bank before the turn; "" if none is known."""
        mages = self.before.mages if self.before is not None else ()
        return next((each.banked[0] for each in mages if each.name == name and each.banked is not None), "")

    def is_undirected(self, effect: Entry) -> bool:
        """Return whether the mage who would decide about a hand that a spell holds is known to be no longer there."""
        director = effect.caster
        for each in self.memory.trace(effect.learnt).learnt[:1]:
            if each.event.kind == "reflected":
                director = str(each.event.facts["mirror"])
        if director not in self.gone or self.after is None:
            return False
        spell, rules = effect.facts["spell"], get_ruleset(self.after.ruleset).rules
        return spell == "Charm Person" or (spell == "Paralysis" and rules.held_hand_is_its_casters)

    def find_next_label(self, spell: str) -> str:
        """Return the label of the turn in which an enchantment of this turn is felt; "" if it is not known. Mind spells
        sleep in extra turns."""
        after = self.after
        if after is None or after.over:
            return ""
        rules, of_mind = get_ruleset(after.ruleset).rules, spell in MIND_SPELLS
        digits = "".join(character for character in after.label if character.isdigit())
        if after.extra == "T" and (of_mind or rules.stopped_turn_lays_aside):
            return digits  # turn 5 follows 5T, and turn 6 follows 5H
        if after.extra == "H" and of_mind and rules.minds_sleep_in_haste:
            return str(int(digits) + 1)
        return after.label


def _see(view: View | None, name: str) -> MageView | None:
    mages = view.mages if view is not None else ()
    return next((each for each in mages if each.name == name and each.seen), None)


def _see_marks(view: View | None, name: str) -> set[str] | None:
    mage = _see(view, name)
    return None if mage is None else {each.mark for each in mage.enchantments}
