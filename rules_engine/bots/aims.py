"""Rules of thumb: the worth of each spell to a mage now, and its best target."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

from rules_engine.beings import ELEMENTALS, FIRE_ELEMENTAL, ICE_ELEMENTAL, MONSTER_HP, PERMANENT, Monster, Wizard
from rules_engine.bots import prior
from rules_engine.bots.worth import Worth
from rules_engine.rulesets import SPELL_MARKS
from rules_engine.spells import FOE
from rules_engine.state import State
from rules_engine.summoning import find_raisable

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence, Set

KILL = 4.0
"""The worth of killing a mage, besides the hit points."""
LAST_POINT, BEHIND_SHIELDS = 0.25, 0.02
"""The share that harm of one point has of the worth of taking a mage's last one: they may play a shield, and those who
have in each of the last `SHIELDED` turns will."""
SHIELDED = 3
TOGETHER = 0.6
"""The share that a death by all foes together has of the threat of one by a single foe: some may strike others."""
MISSILES = frozenset({"Magic Missile"})
ALREADY = 0.03
BAD_MARKS = ("blind", "sick", "poisoned", "paralysed", "forgetful", "afraid", "confused", "maladroit", "charmed")
MIND_SPELLS = frozenset(
    {"Paralysis", "Amnesia", "Fear", "Confusion", "Maladroitness", "Charm Person", "Anti Spell", "Blindness"}
)
AGAIN = 0.4
"""The worth of a mind spell that its victim already has."""
IDLE_HANDS = 0.35
"""The share of a mind spell's worth that comes from what the victim's hands have begun."""
COUNTERED, MIRRORED, DISPELLED, DELAYED = 0.6, 0.75, 0.5, 0.5
"""The share of a threat that a defence is worth: the threat may not come."""
STRIKES = frozenset(prior.HARM_POINTS) - {"Finger Of Death", "Fire Storm", "Ice Storm", "Clap of Lightning"}
NOT_COUNTERED = frozenset({"Finger Of Death", "Dispel Magic"})


RESISTED = {"Resist Heat": ("Fireball", "Fire Storm"), "Resist Cold": ("Ice Storm",)}
"""The attacks that a resistance stops in the turn in which it is cast, too."""


class Aim(NamedTuple):
    """The worth of casting a spell, and its target; None leaves the target to the rules."""

    worth: float
    target: str | None


class Situation:
    """One mage's view of a state, for weighing moves. `foe` is the strongest of the mage's foes who can be seen.

    In a melee, harm to one foe serves all others, too (`gain`), and several foes may kill together (`worst_threat`).
    `heed`: which part of a threat counts that does not kill; a mage with 0 ignores the others too. `uses`: the only
    spells that the mage sees a use in; all if None.
    """

    __slots__ = (
        *("_aims", "_by_foe", "_odds", "_stab", "_threat", "_uses", "enemies"),
        *("foe", "foes", "heed", "me", "mine", "name", "named", "state", "worth"),
    )

    def __init__(
        self, state: State, name: str, worth: Worth, *, heed: float = 1.0, uses: frozenset[str] | None = None
    ) -> None:
        self.state, self.name, self.worth = state, name, worth
        self.me = state.wizards[name]
        self.foes = [other for other in state.still_in if other != name]
        self._odds: dict[str, float] = {}
        self.foe: Wizard | None = state.wizards[self._pick_foe()] if self.foes else None
        monsters = state.monsters.values()
        self.mine: list[Monster] = [each for each in monsters if each.controller == name]
        self.enemies: list[Monster] = [each for each in monsters if each.controller != name and not each.is_elemental]
        self.named = [] if "blind" in self.me.marks else self.enemies
        """The enemies that the mage can name in orders."""
        self._aims: dict[str, Aim] = {}
        self._stab: Aim | None = None
        self.heed, self._uses = heed, uses
        self._threat: dict[str, float] | None = None if heed else {}
        self._by_foe: list[list[str]] = []

    def _pick_foe(self) -> str:
        """Return the only foe, or the strongest of several that can be seen: everyone targets the leader."""
        if len(self.foes) == 1:
            return self.foes[0]
        strengths, wizards = self.worth.strengths(self.state), self.state.wizards
        most = max([strengths[foe] for foe in self.foes])
        odds = {foe: math.exp(max(strengths[foe] - most, -30.0)) for foe in self.foes}
        total = sum(odds.values())
        self._odds = {foe: share / total for foe, share in odds.items()}
        seen = [foe for foe in self.foes if "invisible" not in wizards[foe].marks]
        return max(seen or self.foes, key=lambda foe: strengths[foe])

    def gain(self, harm: float, foe: str) -> float:
        """Return what the mage gains if a foe loses so much: in a melee only as much as the foe counts among all foes,
        who each win as often as e to their strength says."""
        if len(self.foes) == 1 or harm <= 0.0:
            return harm
        return -math.log(max(1.0 - self._odds[foe] * (1.0 - math.exp(-harm)), 1e-9))

    def gain_of_all(self, harms: Sequence[float]) -> float:
        """Return what the mage gains if every foe loses so much, in their order."""
        if len(self.foes) < 2:
            return sum(harms)
        return -math.log(sum([self._odds[foe] * math.exp(-harm) for foe, harm in zip(self.foes, harms, strict=True)]))

    def pick_prey(self) -> str | None:
        """Return the foe to set creatures on: one whom no lasting shield protects, if possible."""
        if self.foe is None or "shielded" not in self.foe.marks:
            return self.foe.name if self.foe else None
        foes = [self.state.wizards[foe] for foe in self.foes]
        exposed = [foe for foe in foes if not {"shielded", "invisible"} & set(foe.marks)]
        return min(exposed, key=lambda foe: foe.hp, default=self.foe).name

    # -- what may come ------------------------------------------------------------------------------------------------

    def threats(self) -> dict[str, float]:
        """Return the spells that a foe's next gestures may complete → how much they would hurt, by rules of thumb."""
        if self._threat is None:
            found: dict[str, float] = {}
            for foe in self.foes:
                each: list[str] = []
                for spell in completable(self.state.wizards[foe]):
                    harm = self.harm_of(spell, self.me)
                    harm *= 1.0 if harm >= KILL else self.heed
                    if harm > found.get(spell, 0.05):
                        found[spell] = harm
                    if harm > 0.05:
                        each.append(spell)
                self._by_foe.append(each)
            self._threat = found
        return self._threat

    def worst_threat(self, spared: frozenset[str] = frozenset()) -> float:
        """Return the worst that may come next, ignoring `spared`: from one foe, or from several together."""
        threats = self.threats()
        worst = max((harm for spell, harm in threats.items() if spell not in spared), default=0.0)
        if len(self.foes) > 1 and self._may_die_of(threats.keys() - spared):
            return max(worst, TOGETHER * (self.worth.points(self.me.hp) + KILL))
        return worst

    def _may_die_of(self, spells: Set[str]) -> bool:
        """Return whether several foes may take the mage's last points, with one of these spells each and what their
        creatures do."""
        points = 0
        for each in self._by_foe:
            points += max([prior.HARM_POINTS.get(spell, 0) for spell in each if spell in spells], default=0)
        return points > 0 and points + self.hits_by_monsters() >= self.me.hp

    def harm_of(self, spell: str, victim: Wizard) -> float:
        """Return how much harm a hostile spell would do to a mage."""
        marks = victim.marks
        points = prior.HARM_POINTS.get(spell)
        if points is not None:
            if spell == "Magic Missile" and "shielded" in marks:
                return 0.0
            if spell in ("Fireball", "Fire Storm") and "heat_resistant" in marks:
                return 0.0
            if spell == "Ice Storm" and "cold_resistant" in marks:
                return 0.0
            lost = self.worth.points(victim.hp) - self.worth.points(victim.hp - points)
            if points < victim.hp:
                return lost
            # A mage with one point left hides behind a shield whenever they can: a siege needs more than daggers.
            return (_share_of_last(victim) if points == 1 and victim is not self.me else 1.0) * (lost + KILL)
        known = self.state.ruleset.spells.get(spell)
        if known is None or known.default != FOE or spell in ("Remove Enchantment", "Charm Monster"):
            return 0.0
        worth = self.worth.spells.get(spell, 0.5)
        if known.mark in marks:
            worth *= AGAIN
        if spell in MIND_SPELLS:
            if any(turns == PERMANENT for mark, turns in marks.items() if mark in BAD_MARKS):
                worth *= 0.7
            return worth * 0.6 + IDLE_HANDS * self.worth.hands(victim.begun)
        if (spell == "Disease" and "sick" in marks) or (spell == "Poison" and "poisoned" in marks):
            return ALREADY
        return worth

    def hits_by_monsters(self) -> int:
        """Return the hit points that creatures may take from this mage in the next attack."""
        points = sum(monster.strength for monster in self.enemies if monster.target == self.name)
        for kind, safe in ((FIRE_ELEMENTAL, "heat_resistant"), (ICE_ELEMENTAL, "cold_resistant")):
            if kind in self.state.monsters and safe not in self.me.marks:
                points += MONSTER_HP[kind]
        return points

    # -- spells -------------------------------------------------------------------------------------------------------

    def aim(self, spell: str) -> Aim:
        """Return the worth of this spell now, at its best target."""
        found = self._aims.get(spell)
        if found is None:
            weigh = _SPELLS.get(spell)
            found = weigh(self) if weigh else self._aim_harm(spell)
            if self._uses is not None and spell not in self._uses:
                found = Aim(min(found.worth, ALREADY), found.target)
            self._aims[spell] = found
        return found

    def aim_at_foe(self, spell: str) -> Aim:
        """Return the worth of a harmful spell on the foe, not on another mage or a creature."""
        foe = self.foe
        if foe is None:
            return Aim(ALREADY, None)
        worth = ALREADY if self._misses(foe) else self.gain(self.harm_of(spell, foe), foe.name)
        return Aim(worth, foe.name if len(self.foes) > 1 else None)

    def _aim_harm(self, spell: str) -> Aim:
        foe = self.foe
        worth, target = self.aim_at_foe(spell)
        if foe is not None and spell in STRIKES and "blind" not in self.me.marks:
            for other in self.foes:  # kill another foe if that gains more
                victim = self.state.wizards[other]
                if prior.HARM_POINTS[spell] >= victim.hp and other != foe.name and not self._misses(victim):
                    killed = self.gain(self.harm_of(spell, victim), other)
                    if killed > worth:
                        worth, target = killed, other
            for monster in self.named if self.heed else ():
                if prior.HARM_POINTS[spell] >= monster.hp and prior.worth_of_monster(monster.kind) > worth:
                    worth, target = prior.worth_of_monster(monster.kind), monster.name
        return Aim(worth, target)

    def _misses(self, victim: Wizard) -> bool:
        rules = self.state.ruleset.rules
        return "blind" in self.me.marks or ("invisible" in victim.marks and rules.spells_miss_the_invisible)

    def stab(self) -> Aim:
        """Return the worth of a stab now, at its best target."""
        if self._stab is None:
            self._stab = self._aim_stab()
        return self._stab

    def _aim_stab(self) -> Aim:
        foe = self.foe
        if foe is None or "shielded" in foe.marks or "invisible" in foe.marks or "blind" in self.me.marks:
            return Aim(-0.3, None if foe is None or len(self.foes) == 1 else foe.name)
        lost = self.worth.points(foe.hp) - self.worth.points(foe.hp - 1)
        if foe.hp <= 1:
            lost = _share_of_last(foe) * (lost + KILL)
        return Aim(self.gain(lost, foe.name) * 0.8, foe.name if len(self.foes) > 1 else None)

    def shelter(self) -> float:
        """Return the worth of a shield against creatures, missiles and daggers, unless one is already up."""
        if "shielded" in self.me.marks:
            return ALREADY
        hp = self.me.hp
        struck = self.hits_by_monsters()
        worth = self.worth.points(hp) - self.worth.points(hp - struck) + (KILL if struck >= hp else 0.0)
        small = 0.5 * max(self.threats().get("Magic Missile", 0.0), 0.0)
        if len(self.foes) > 1 and struck < hp and self._may_die_of(MISSILES):
            small = TOGETHER * (self.worth.points(hp - struck) + KILL)
        return 0.05 + worth + small + (KILL * 0.3 if hp == 1 else 0.0)


def _share_of_last(victim: Wizard) -> float:
    pairs = zip(victim.left[-SHIELDED:], victim.right[-SHIELDED:], strict=True)
    return BEHIND_SHIELDS if all("P" in pair for pair in pairs) else LAST_POINT


def list_named(state: State, name: str) -> list[Monster]:
    """Return the creatures that a mage can name in orders: a blind one only those that obey them (FM-BLIND-7)."""
    is_blind = "blind" in state.wizards[name].marks
    return [each for each in state.monsters.values() if not is_blind or each.controller == name]


def completable(wizard: Wizard) -> frozenset[str]:
    """Return the spells that the next column of a mage's hands can complete."""
    states = wizard.begun
    found = _COMPLETABLE.get(states)
    if found is None:
        spells = set[str]()
        for left in "DFPSW":
            for right in "DFPSW":
                for offered in states.lead_to(left + right).first.values():
                    spells.update(offered)
        for offered in states.lead_to("CC").first.values():
            spells.update(offered)
        same = frozenset(spells)
        found = _COMPLETABLE[states] = _SETS.setdefault(same, same)
    return found


_COMPLETABLE: dict[object, frozenset[str]] = {}
# The same few sets come again and again; each is stored once.
_SETS: dict[frozenset[str], frozenset[str]] = {}


# -- spells other than simple harm ------------------------------------------------------------------------------------


def _aim_shield(situation: Situation) -> Aim:
    return Aim(situation.shelter(), None)


def _aim_protection(situation: Situation) -> Aim:
    if situation.me.marks.get("shielded", 0) not in (0, 1):
        return Aim(ALREADY, None)
    return Aim(0.35 + situation.shelter(), None)


def _aim_counter(situation: Situation) -> Aim:
    worth = situation.shelter() + COUNTERED * situation.worst_threat(NOT_COUNTERED)
    foe = situation.foe
    if foe is not None and foe.marks and _needs_cure(foe):
        saved = COUNTERED * (situation.worth.points(foe.hp) + KILL)
        if saved > worth:
            return Aim(saved, foe.name)
    return Aim(worth, None)


def _needs_cure(foe: Wizard) -> bool:
    """Return whether a mage dies of an illness this turn without a cure that a Counter Spell on them would stop."""
    return any(
        foe.marks.get(mark) == 1 and not completable(foe).isdisjoint(cures - NOT_COUNTERED)
        for mark, cures in prior.REMEDIES.items()
    )


def _aim_mirror(situation: Situation) -> Aim:
    return Aim(MIRRORED * situation.worst_threat(), None)


def _aim_dispel(situation: Situation) -> Aim:
    worth = DISPELLED * situation.worst_threat() + situation.shelter()
    worth += sum(prior.worth_of_monster(monster.kind) for monster in situation.enemies)
    worth -= sum(prior.worth_of_monster(monster.kind) for monster in situation.mine)
    worth -= _marks_of(situation, situation.me)
    if situation.foe is not None:
        worth += _marks_of(situation, situation.foe)
    return Aim(worth, None)


def _marks_of(situation: Situation, wizard: Wizard) -> float:
    return sum(situation.worth.mark(mark, turns) for mark, turns in wizard.marks.items())


def _summon(kind: str) -> Callable[[Situation], Aim]:
    def aim(situation: Situation) -> Aim:
        pack = sum(monster.strength for monster in situation.mine)
        worth = 1.6 * (situation.worth.pack(pack + MONSTER_HP[kind]) - situation.worth.pack(pack))
        return Aim(worth, None)

    return aim


def _elemental(kind: str, safe: str) -> Callable[[Situation], Aim]:
    def aim(situation: Situation) -> Aim:
        if kind in situation.state.monsters:
            return Aim(ALREADY, None)
        burnt = -situation.worth.value(f"burnt:{kind}")
        worth = 0.0 if situation.foe is None or safe in situation.foe.marks else burnt
        worth -= 0.0 if safe in situation.me.marks else situation.heed * burnt
        worth += 0.3 * sum(prior.worth_of_monster(monster.kind) for monster in situation.enemies)
        other = FIRE_ELEMENTAL if kind == ICE_ELEMENTAL else ICE_ELEMENTAL
        if other in situation.state.monsters:
            worth = situation.hits_by_monsters() * 0.3
        return Aim(worth, None)

    return aim


def _aim_either(situation: Situation) -> Aim:
    return max(_SPELLS[f"Summon {kind} Elemental"](situation) for kind in ("Fire", "Ice"))


def _resist(spell: str, kind: str) -> Callable[[Situation], Aim]:
    mark = SPELL_MARKS[spell]

    def aim(situation: Situation) -> Aim:
        if mark in situation.me.marks:
            return Aim(ALREADY, None)
        worth = situation.worth.mark(mark, -1) + (1.0 if kind in situation.state.monsters else 0.0)
        threats = situation.threats()
        return Aim(worth + max([threats.get(each, 0.0) for each in RESISTED[spell]]), None)

    return aim


def _lasting(spell: str) -> Callable[[Situation], Aim]:
    mark = SPELL_MARKS[spell]

    def aim(situation: Situation) -> Aim:
        return Aim(ALREADY if mark in situation.me.marks else situation.worth.spells[spell], None)

    return aim


def _aim_delay(situation: Situation) -> Aim:
    """Where a gift works at once, it banks the spell of a foe that would kill."""
    foe, worst = situation.foe, situation.worst_threat()
    if foe is not None and worst >= KILL and situation.state.ruleset.rules.gifts_catch_their_own_turn:
        return Aim(DELAYED * worst, foe.name)
    return _lasting("Delay Effect")(situation)


def _cure(spell: str) -> Callable[[Situation], Aim]:
    def aim(situation: Situation) -> Aim:
        me, rules = situation.me, situation.state.ruleset.rules
        healed = min(me.hp + prior.CURE_POINTS[spell], me.max_hp + rules.hit_point_surplus)
        worth = situation.worth.points(healed) - situation.worth.points(me.hp)
        if spell == "Cure Heavy Wounds" and "sick" in me.marks:
            worth -= situation.worth.mark("sick", me.marks["sick"])
        return Aim(worth, None)

    return aim


def _aim_raise_dead(situation: Situation) -> Aim:
    healed, foe = _cure("Raise Dead")(situation), situation.foe
    for kind, name in find_raisable(situation.state).items():
        if kind in ELEMENTALS:
            continue
        worth = prior.worth_of_monster(kind)
        if foe is not None and len(situation.foes) == 1 and foe.hp <= MONSTER_HP[kind] and "shielded" not in foe.marks:
            worth += situation.worth.points(foe.hp) + KILL  # it attacks at once
        if worth > healed.worth:
            healed = Aim(worth, name)
    return healed


def _aim_charm_monster(situation: Situation) -> Aim:
    best = max(situation.named, key=lambda monster: monster.strength, default=None)
    if best is None:
        return Aim(ALREADY, situation.name)
    return Aim(2 * prior.worth_of_monster(best.kind), best.name)


def _aim_removal(situation: Situation) -> Aim:
    options = [Aim(ALREADY, situation.name), Aim(-_marks_of(situation, situation.me), situation.name)]
    if situation.foe is not None:
        options.append(Aim(_marks_of(situation, situation.foe), situation.foe.name))
    options += [Aim(prior.worth_of_monster(monster.kind), monster.name) for monster in situation.named]
    return max(options, key=lambda aim: aim.worth)


def _storm(spell: str, safe: str, own: str) -> Callable[[Situation], Aim]:
    def aim(situation: Situation) -> Aim:
        worth = -situation.heed * situation.harm_of(spell, situation.me)
        worth += situation.gain_of_all(
            [situation.harm_of(spell, situation.state.wizards[foe]) for foe in situation.foes]
        )
        worth += sum(prior.worth_of_monster(monster.kind) for monster in situation.enemies)
        worth -= sum(prior.worth_of_monster(monster.kind) for monster in situation.mine)
        return Aim(worth, None)

    return aim


_SPELLS: dict[str, Callable[[Situation], Aim]] = {
    "Shield": _aim_shield,
    "Protection": _aim_protection,
    "Counter Spell": _aim_counter,
    "Magic Mirror": _aim_mirror,
    "Dispel Magic": _aim_dispel,
    "Summon Fire Elemental": _elemental(FIRE_ELEMENTAL, "heat_resistant"),
    "Summon Ice Elemental": _elemental(ICE_ELEMENTAL, "cold_resistant"),
    "Summon Elemental": _aim_either,
    "Resist Heat": _resist("Resist Heat", FIRE_ELEMENTAL),
    "Resist Cold": _resist("Resist Cold", ICE_ELEMENTAL),
    "Haste": _lasting("Haste"),
    "Time Stop": _lasting("Time Stop"),
    "Invisibility": _lasting("Invisibility"),
    "Permanency": _lasting("Permanency"),
    "Delay Effect": _aim_delay,
    "Cure Light Wounds": _cure("Cure Light Wounds"),
    "Cure Heavy Wounds": _cure("Cure Heavy Wounds"),
    "Raise Dead": _aim_raise_dead,
    "Charm Monster": _aim_charm_monster,
    "Remove Enchantment": _aim_removal,
    "Fire Storm": _storm("Fire Storm", "heat_resistant", FIRE_ELEMENTAL),
    "Ice Storm": _storm("Ice Storm", "cold_resistant", ICE_ELEMENTAL),
    **{f"Summon {kind}": _summon(kind) for kind in ("Goblin", "Ogre", "Troll", "Giant")},
}


__all__ = ["Aim", "Situation", "completable", "list_named"]
