"""Spells that do nothing as things stand, and creatures without a victim: from a mage's own view and orders alone.

What the others do in the same turn may change it: someone may be hurt before a cure, or lose a shield before a missile.
Those who read this can still give these orders.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import Final

from rules_engine.audience import Enchantment, MageView, MonsterView, View
from rules_engine.beings import NOBODY
from rules_engine.effects import never_countered
from rules_engine.glossary import name_spell
from rules_engine.minds import MIND_SPELLS, paralyse
from rules_engine.rules import Ruleset
from rules_engine.spells import Spell
from rules_engine.text import say, say_count

CURES: Final = ("Cure Light Wounds", "Cure Heavy Wounds")
SHIELDING: Final = ("Shield", "Protection", "Counter Spell", "Dispel Magic")
STORMS: Final = frozenset({"Fire Storm", "Ice Storm"})
# Spells that do nothing to a being that already has their mark.
_ONCE_ONLY: Final = frozenset({"Invisibility", "Disease", "Poison", "Resist Heat", "Resist Cold"})
_NOT_REMOVED: Final = frozenset({"countering", "reflecting"})
_OUTSIDE_TIME: Final = "T"


@dataclass(frozen=True, slots=True)
class Casting:
    """A spell or "Stab" that the orders cast: with this hand, at this target (None: nobody chose one)."""

    hand: str
    what: str
    target: str | None


@dataclass(frozen=True, slots=True)
class Vain:
    """What would be in vain, and in which words. `hand` is "" for a creature, which `what` then names."""

    hand: str
    what: str
    fact: str
    follows: str = ""


def find_vain(view: View, ruleset: Ruleset, me: str, castings: tuple[Casting, ...]) -> Iterator[Vain]:
    """Yield everything among the castings of `me` that does nothing as things stand, each hand once."""
    found: dict[str, Vain] = {}
    orders = _Orders(view, ruleset, me, castings)
    for vain in (*orders.find_clashes(), *orders.find_useless()):
        found.setdefault(vain.hand, vain)
    yield from found.values()


def find_idle_creatures(view: View, me: str, ordered: Mapping[str, str]) -> tuple[Vain, ...]:
    """Return the creatures of `me` that attack nobody, as the orders stand (creature → victim)."""
    others = [mage for mage in view.mages if mage.standing == "in" and mage.name != me]
    if view.extra or not others:
        return ()
    there = {mage.name for mage in view.mages if mage.standing == "in"} | {each.name for each in view.monsters}
    idle = []
    for each in view.monsters:
        victim = ordered.get(each.name, each.target)
        if victim == NOBODY and each.name in ordered:
            continue  # as its master wants it
        if each.controller == me and victim not in there and ":" not in victim:
            fact = say("As things stand, {creature} attacks nobody.", creature=each.name)
            idle.append(Vain("", each.name, fact, _explain_idleness(view, victim)))
    return tuple(idle)


def find_attacker(view: View, me: str) -> str | None:
    """Return the mage whose creature attacks `me`, of several the one of the strongest creature; None if there is
    none."""
    foes = {mage.name for mage in view.mages if mage.standing == "in" and mage.name != me}
    attacking = [each for each in view.monsters if each.target == me and each.controller in foes]
    return max(attacking, key=lambda each: each.max_hp).controller if attacking else None


def _explain_idleness(view: View, victim: str) -> str:
    advice = say("It stands idle this turn unless you choose a victim.")
    if any(mage.name == victim and mage.standing == "dead" for mage in view.mages):
        return " ".join((say("Its last target, {victim}, is dead.", victim=victim), advice))
    return advice


class _Orders:
    """The spells of one sheet against what their mage sees."""

    def __init__(self, view: View, ruleset: Ruleset, me: str, castings: tuple[Casting, ...]) -> None:
        self.view, self.ruleset, self.me, self.castings = view, ruleset, me, castings
        self.own = view.mage(me)
        self.names = {each.what for each in castings}

    def find_clashes(self) -> Iterator[Vain]:
        """Yield spells that another one of the same mage stops."""
        for one, other in combinations(self.castings, 2):
            for first, second in ((one, other), (other, one)):
                yield from self._find_stopped(first, second)
            yield from self._find_minds(one, other)

    def _find_stopped(self, first: Casting, second: Casting) -> Iterator[Vain]:
        spell = self.ruleset.spells.get(second.what)
        stopper = self.ruleset.spells.get(first.what)
        if spell is None or stopper is None or not self._comes_first(stopper, spell):
            return
        slots = {"spell": name_spell(second.what), "stopper": name_spell(first.what)}
        aimed = first.target is not None and first.target == second.target
        if first.what == "Dispel Magic" and not spell.universal:
            yield Vain(second.hand, second.what, say("Your {stopper} will stop your own {spell}.", **slots))
        elif first.what == "Counter Spell" and aimed and spell.countered is not never_countered:
            if spell.targeted and not spell.universal:
                yield Vain(second.hand, second.what, say("Your {stopper} will stop your own {spell}.", **slots))
        elif first.what == "Fire Storm" and second.what == "Ice Storm":
            yield Vain(second.hand, second.what, say("Your {stopper} and your {spell} cancel each other.", **slots))

    def _comes_first(self, stopper: Spell, spell: Spell) -> bool:
        rank = self.ruleset.rank
        return rank[stopper.name] < rank[spell.name] and self.view.extra != _OUTSIDE_TIME

    def _find_minds(self, one: Casting, other: Casting) -> Iterator[Vain]:
        """Two different mind spells on one being undo each other, or a Paralysis gives way (FM-PARA-9; WL-ENCH-1)."""
        minds = {one.what, other.what}.intersection(MIND_SPELLS)
        if len(minds) != 2 or one.target is None or one.target != other.target:
            return
        if any(not self._fits(each) for each in (one, other)):
            return
        paralysis = self.ruleset.spells["Paralysis"].effect is paralyse
        for first, second in ((one, other), (other, one)):
            slots = {"spell": name_spell(first.what), "other": name_spell(second.what)}
            if not paralysis or "Paralysis" not in minds:
                words = say("Your {spell} will do nothing: your {other} on the same being undoes it.", **slots)
                yield Vain(first.hand, first.what, words)
            elif first.what == "Paralysis":
                words = say("Your {spell} will do nothing: it gives way to your {other}.", **slots)
                yield Vain(first.hand, first.what, words)

    def _fits(self, casting: Casting) -> bool:
        if casting.what == "Charm Monster":
            return self._find_monster(casting.target) is not None
        return casting.what != "Charm Person" or self._find_mage(casting.target) is not None

    def find_useless(self) -> Iterator[Vain]:
        """Yield spells that have nothing to work on, or cannot reach it."""
        for casting in self.castings:
            words = self._find_reason(casting)
            if words is not None:
                fact, follows = words
                yield Vain(casting.hand, casting.what, fact, follows)

    def _find_reason(self, casting: Casting) -> tuple[str, str] | None:
        what, target = casting.what, casting.target
        spell = name_spell(what) if what != "Stab" else say("your stab")
        if target is None or ":" in target:
            return None
        if what == "Charm Monster":
            return self._explain_charm(target, spell)
        if what == "Charm Person" and self._find_monster(target) is not None:
            return say("{spell} will do nothing: {target} is a creature.", spell=spell, target=target), ""
        unseen = self._explain_sight(casting, spell)
        if unseen:
            return unseen, ""
        being = self._find_mage(target) or self._find_monster(target)
        if being is None or (isinstance(being, MageView) and not being.seen):
            return None
        if what in CURES:
            return self._explain_cure(being, what, spell)
        if what in ("Magic Missile", "Stab", "Shield"):
            return self._explain_shield(being, casting, spell)
        if what == "Fireball" and self._has(being, "heat_resistant") and not self._strips(target):
            return self._stand(spell, say("{who} resists heat.", who=target), target, say("you resist heat.")), ""
        if what == "Remove Enchantment" and isinstance(being, MageView):
            return self._explain_removal(being, spell)
        return self._explain_repetition(being, what, spell)

    def _explain_charm(self, target: str, spell: str) -> tuple[str, str] | None:
        if self._find_monster(target) is not None or self.view.blind:
            return None
        if not self.view.monsters:
            return say("{spell} will do nothing: there’s no creature here.", spell=spell), ""
        if self._find_mage(target) is None:
            return None
        if target == self.me:
            return say("{spell} will do nothing: you aren’t a creature.", spell=spell), ""
        return say("{spell} will do nothing: {target} isn’t a creature.", spell=spell, target=target), ""

    def _explain_sight(self, casting: Casting, spell: str) -> str:
        """Return why a spell or stab that must find another being misses it; "" if it does not."""
        known = self.ruleset.spells.get(casting.what)
        target = casting.target or NOBODY
        if target in (self.me, NOBODY) or self.view.extra == _OUTSIDE_TIME or (known and known.universal):
            return ""
        if self._has(self.own, "blind"):
            return say("As things stand, {spell} does nothing: you are blind.", spell=spell)
        mage = self._find_mage(target)
        if mage is None or not mage.seen or not self._has(mage, "invisible"):
            return ""
        if casting.what != "Stab" and not self.ruleset.rules.spells_miss_the_invisible:
            return ""
        return say("As things stand, {spell} does nothing: you can’t see {target}.", spell=spell, target=target)

    def _explain_cure(self, being: MageView | MonsterView, what: str, spell: str) -> tuple[str, str] | None:
        ill = what == "Cure Heavy Wounds" and self._has(being, "sick")
        if being.hp is None or being.hp < being.max_hp or ill or self.names & STORMS:
            return None
        if self.ruleset.rules.cures_come_first:
            follows = say("Cures come before harm.")
        elif being.name == self.me:
            follows = say("It cures only what you lose this turn.")
        else:
            follows = say("It cures only what {who} loses this turn.", who=being.name)
        mine = say("you have all {points}.", points=being.hp)
        return self._stand(spell, say("{who} has all {points}.", who=being.name, points=being.hp), being.name, mine), (
            follows
        )

    def _explain_shield(self, being: MageView | MonsterView, casting: Casting, spell: str) -> tuple[str, str] | None:
        if self.view.extra == _OUTSIDE_TIME or self._strips(being.name):
            return None
        mark = self._find(being, "shielded")
        by_me = casting.what != "Shield" and any(
            each.what in SHIELDING and each.target == being.name and each.hand != casting.hand for each in self.castings
        )
        if mark is None and not by_me:
            return None
        if mark is None or (mark.turns <= 1 and not mark.permanent):
            theirs, mine = say("{who} is shielded.", who=being.name), say("you are shielded.")
        elif mark.permanent:
            theirs, mine = say("{who} is protected.", who=being.name), say("you are protected.")
        else:
            theirs = say_count(
                "{who} is protected for {number} more turn.",
                "{who} is protected for {number} more turns.",
                mark.turns,
                who=being.name,
            )
            mine = say_count(
                "you are protected for {number} more turn.", "you are protected for {number} more turns.", mark.turns
            )
        return self._stand(spell, theirs, being.name, mine), ""

    def _explain_removal(self, mage: MageView, spell: str) -> tuple[str, str] | None:
        if mage.banked or any(each.mark not in _NOT_REMOVED for each in mage.enchantments):
            return None
        if any(each.target == mage.name and each.what != "Remove Enchantment" for each in self.castings):
            return None  # it removes this turn's enchantments too, or what they create
        theirs, mine = say("{who} is under no enchantment.", who=mage.name), say("you are under no enchantment.")
        return self._stand(spell, theirs, mage.name, mine), say("It removes only what comes this turn.")

    def _explain_repetition(self, being: MageView | MonsterView, what: str, spell: str) -> tuple[str, str] | None:
        if what not in _ONCE_ONLY or not self._has(being, self.ruleset.spells[what].mark) or self._strips(being.name):
            return None
        if isinstance(being, MonsterView) or self.view.extra:
            return None
        theirs = say("{who} is already under it.", who=being.name)
        return self._stand(spell, theirs, being.name, say("you are already under it.")), ""

    def _stand(self, spell: str, theirs: str, who: str, mine: str) -> str:
        reason = mine if who == self.me else theirs
        return say("As things stand, {spell} does nothing: {reason}", spell=spell, reason=reason)

    # -- what is seen -------------------------------------------------------------------------------------------------

    def _strips(self, target: str) -> bool:
        """Return whether these orders remove the target's enchantments first."""
        return any(
            each.what == "Dispel Magic" or (each.what == "Remove Enchantment" and each.target == target)
            for each in self.castings
        )

    def _has(self, being: MageView | MonsterView, mark: str) -> bool:
        return self._find(being, mark) is not None

    def _find(self, being: MageView | MonsterView, mark: str) -> Enchantment | None:
        return next((each for each in being.enchantments if each.mark == mark), None)

    def _find_mage(self, name: str | None) -> MageView | None:
        return next((each for each in self.view.mages if each.name == name and each.standing == "in"), None)

    def _find_monster(self, name: str | None) -> MonsterView | None:
        return next((each for each in self.view.monsters if each.name == name), None)
