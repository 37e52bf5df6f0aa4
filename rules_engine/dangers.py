"""What the other mages threaten: how heavy it is, how soon it comes, what stops it. From one viewer's view alone.

Every claim is tried out with the rules themselves: the position that the viewer sees is set up, the threatened spell is
cast in it, alone and against each defence, and the results are compared.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import IntEnum
from functools import lru_cache
from typing import Final

from rules_engine.audience import View
from rules_engine.beings import NO_MASTER
from rules_engine.gestures import BOTH, FIRE, FRIGHTENED, HANDS, LEFT, RIGHT, STAB, WAITED
from rules_engine.minds import MIND_MARKS
from rules_engine.rules import Ruleset
from rules_engine.rulesets import get_ruleset
from rules_engine.spells import Series
from rules_engine.tried_turn import DAGGER, Aftermath, Part, Trial, has_used_once

NEAR: Final = 2
"""What ends it is named at the latest so many gestures before."""
DEFENCES: Final = (
    "Shield",
    "Protection",
    "Counter Spell",
    "Magic Mirror",
    "Dispel Magic",
    "Delay Effect",
    "Resist Heat",
    "Resist Cold",
    "Remove Enchantment",
    "Raise Dead",
    "Cure Heavy Wounds",
    "Cure Light Wounds",
)
"""The spells that may save a mage from another's."""
EXPECTED: Final = frozenset({"Shield", "Protection", "Counter Spell", "Magic Mirror"})
"""Those of which a player must be told that they do not."""
CURES: Final = frozenset({"Raise Dead", "Cure Heavy Wounds", "Cure Light Wounds"})
"""They save a life, but stop nothing else."""
LASTING: Final = frozenset({"Protection", "Resist Heat", "Resist Cold"})
"""The defences that may be cast some turns before they are needed."""
_HINDERING: Final = frozenset({*MIND_MARKS, "blind", "struck_blind"})


class Weight(IntEnum):
    """What a threat would do, the worst first."""

    ENDS = 0
    """It kills, now or by an illness; or it holds the hand with the only defence against a spell that kills."""
    HURTS = 1
    """It takes hit points, or brings a creature."""
    HINDERS = 2
    """It spoils gestures, sight, protections or creatures."""
    HARMLESS = 3
    """It does the viewer's mage no harm by itself."""


@dataclass(frozen=True, slots=True)
class Defence:
    """A spell that stops a threat, if its effect reaches `on`: cast with `hand`, which still needs the gestures `rest`.

    `in_time`: the hand can cast it in the very turn in which it is needed.
    """

    spell: str
    on: str
    hand: str
    rest: str
    series: str
    in_time: bool

    @property
    def both(self) -> bool:
        """Whether both hands play its last gesture."""
        return self.rest[-1:].islower()


@dataclass(frozen=True, slots=True)
class Danger:
    """Something that `mage` may do to `victim`. One part, or several that kill only together.

    `more`: the gestures still needed, of `length`; 0 if none are. `turns`: this turn and those until it works; for an
    illness until it kills. `damage`: hit points that it takes; None if it takes none. `outright`: it would kill
    whatever hit points the victim has. `holds`: the defence whose hand it would hold. `stops`: what saves the victim;
    `fails`: what one might expect to, but doesn't.
    """

    mage: str
    victim: str
    weight: Weight
    parts: tuple[Part, ...]
    more: int
    length: int
    turns: int
    damage: int | None = None
    hp: int = 0
    creature: bool = False
    illness: bool = False
    outright: bool = False
    holds: str = ""
    stops: tuple[Defence, ...] = ()
    fails: tuple[str, ...] = ()

    @property
    def spell(self) -> str:
        """The spell of a threat of one part, or what its first part is."""
        return self.parts[0].what

    @property
    def hand(self) -> str:
        """The hand of a threat of one part."""
        return self.parts[0].hand

    @property
    def rest(self) -> str:
        """The gestures that a threat of one part still needs."""
        return self.parts[0].rest

    @property
    def made(self) -> int:
        """The gestures of the series that are played."""
        return self.length - self.more

    @property
    def kills_now(self) -> bool:
        return self.weight is Weight.ENDS and self.turns <= 1 and not self.holds


def find_dangers(view: View, ruleset: Ruleset, mage: str, victim: str | None = None) -> tuple[Danger, ...]:
    """Return what `mage` may do to `victim` soon, the worst first.

    What ends it is there from half of its series on, or from two gestures before; everything else when one gesture is
    missing. Spells of a single gesture are left out: they are always possible. Without a `victim` it is the viewer's
    mage, or for a spectator the opponent, and of several the weakest.
    """
    harmed = victim or choose_victim(view, mage)
    if harmed is None or view.over or view.stage or view.mage(mage).standing != "in" or harmed == mage:
        return ()
    return _find(replace(view, label="", seq=0), ruleset.name, ruleset.edition, mage, harmed)


def choose_victim(view: View, mage: str) -> str | None:
    """Return whom a mage's threats are about, for this viewer; None if there is nobody."""
    others = [each for each in view.mages if each.name != mage and each.standing == "in"]
    mine = [each for each in others if each.mine] or others
    return min(mine, key=lambda each: each.max_hp if each.hp is None else each.hp).name if mine else None


@lru_cache(maxsize=512)
def _find(view: View, name: str, edition: int, mage: str, victim: str) -> tuple[Danger, ...]:
    # A page is drawn again after every choice of a gesture, and the others' hands stay as they are.
    threats = _Threats(view, get_ruleset(name, edition), mage, victim)
    found = [*threats.weigh_hands(), *threats.weigh_bank()]
    found += threats.weigh_together(found)
    found = threats.raise_holding(found)
    return tuple(sorted(found, key=lambda each: (each.weight, each.turns, each.more, -(each.damage or 0), each.hand)))


class _Threats:
    """What one mage threatens to do to another, as the viewer sees them."""

    def __init__(self, view: View, ruleset: Ruleset, mage: str, victim: str) -> None:
        self.view, self.ruleset = view, ruleset
        self.mage, self.victim = view.mage(mage), view.mage(victim)
        self.hp = self.victim.max_hp if self.victim.hp is None else self.victim.hp
        self.trial = Trial(view, ruleset, mage, victim)

    # -- threats ------------------------------------------------------------------------------------------------------

    def weigh_hands(self) -> list[Danger]:
        """Return what a hand threatens: with its next gesture, or by something that kills."""
        found = [self._weigh(part, length) for part, length in self._list_coming()]
        return [self._with_defences(each) for each in found if each.more == 1 or each.weight is Weight.ENDS]

    def weigh_bank(self) -> list[Danger]:
        at = (self.victim.name, self.mage.name, *self.view.tombstone)
        if not self.mage.banked or self.mage.banked[1] not in at:
            return []
        return [self._with_defences(self._weigh(Part(FIRE, self.mage.banked[0], ""), 0))]

    def _list_coming(self) -> Iterator[tuple[Part, int]]:
        """Yield every series that a hand has begun and that is near enough, the nearest of each spell of a hand."""
        nearest: dict[tuple[str, str], int] = {}
        pairs: set[tuple[str, str]] = set()
        coming = [
            (Part(hand, series.spell, series.text[made:], series.text), made)
            for hand in HANDS
            for series, made in self._begun(hand)
        ]
        for part, made in sorted(coming, key=lambda each: len(each[0].rest)):
            more, length = len(part.rest), len(part.series)
            near = more <= NEAR or made * 2 >= length
            if length == 1 or not near or nearest.setdefault((part.hand, part.what), more) != more:
                continue
            if part.rest.islower() and (part.what, part.rest) in pairs:
                continue  # both hands have begun it, and either completes it
            if not self._is_possible(part):
                continue
            pairs.add((part.what, part.rest))
            yield part, length

    def _begun(self, hand: str) -> list[tuple[Series, int]]:
        book, used_once = self.ruleset.book, has_used_once(self.ruleset, self.mage)
        begun = book.begun(book.state_of(*self.mage.read_series(hand)))
        return [(series, made) for series, made in begun if not (series.once and used_once)]

    def _is_possible(self, part: Part) -> bool:
        """Return whether the mage can play the next gesture, as far as is known: Fear and Amnesia are."""
        marks = {each.mark for each in self.mage.enchantments}
        gesture = part.rest[0].upper()
        if self.view.extra:
            return True
        if "afraid" in marks and gesture in FRIGHTENED:
            return False
        if "forgetful" in marks:
            own, other = self.mage.read_series(part.hand)
            last = own.rstrip(WAITED)[-1:]
            return last == gesture and (not part.rest[0].islower() or other.rstrip(WAITED)[-1:] == gesture)
        return True

    def _weigh(self, part: Part, length: int) -> Danger:
        more = len(part.rest)
        turns = max(1, -(-more // self.mage.pairs)) + (0 if self.mage.acts else 1)
        calm = self.trial.stay_calm(more)
        result = self.trial.play(more, (part,))
        damage = result.lost - calm.lost
        kills = damage >= self.hp
        ill = result.dead_in if result.dead_in and not calm.dead_in else 0
        spell = self.ruleset.spells[part.what]
        creature = (spell.category == "summons" or spell.works_on_the_dead) and result.foes > calm.foes
        spoiled = result.cut != calm.cut or result.own < calm.own or bool((result.marks - calm.marks) & _HINDERING)
        weight = Weight.HARMLESS
        if kills or ill:
            weight = Weight.ENDS
        elif damage > 0 or creature:
            weight = Weight.HURTS
        elif spoiled or calm.marks - result.marks:
            weight = Weight.HINDERS
        return Danger(
            mage=self.mage.name,
            victim=self.victim.name,
            weight=weight,
            parts=(part,),
            more=more,
            length=length,
            turns=turns + ill,
            damage=damage if damage > 0 else None,
            hp=self.hp,
            creature=creature,
            illness=bool(ill),
            outright=kills and self.trial.play(more, (part,), spared=True).dead,
        )

    def weigh_together(self, found: list[Danger]) -> list[Danger]:
        """Return the parts that kill in this turn together, if none of them does so alone: hands, dagger, creatures."""
        if any(each.kills_now for each in found) or not self.mage.acts:
            return []
        creatures = tuple(
            Part("", each.name, "")
            for each in self.view.monsters
            if each.controller == self.mage.name or (each.target == self.victim.name and not each.mine)
        )
        elementals = tuple(Part("", each.name, "") for each in self.view.monsters if each.controller == NO_MASTER)
        best = {hand: self._find_hardest(found, hand) for hand in (LEFT, RIGHT, BOTH, FIRE)}
        daggers = (Part(hand, DAGGER, STAB, STAB) for hand in HANDS)
        dagger = {each.hand: (each,) for each in daggers if self._is_possible(each)}
        for hands in (
            (),
            dagger.get(RIGHT) or dagger.get(LEFT) or (),
            (*best[LEFT], *best[RIGHT]),
            (*best[LEFT], *dagger.get(RIGHT, ())),
            (*dagger.get(LEFT, ()), *best[RIGHT]),
            best[BOTH],
        ):
            for parts in {hands, (*hands, *best[FIRE])}:
                if not (parts or creatures or elementals):
                    continue
                result = self.trial.play(1, parts, all_in=True)
                if result.dead or result.lost >= self.hp:
                    joining = tuple(each for each in (*creatures, *elementals) if self._strikes(each.what))
                    return [self._describe_together((*parts, *joining), result)]
        return []

    def _find_hardest(self, found: list[Danger], hand: str) -> tuple[Part, ...]:
        """Return the part of this hand that takes most hit points in this turn."""
        fitting = [
            each
            for each in found
            if each.damage
            and each.more <= 1
            and (each.parts[0].both if hand == BOTH else each.hand == hand and not each.parts[0].both)
        ]
        return max(fitting, key=lambda each: each.damage or 0).parts if fitting else ()

    def _strikes(self, name: str) -> bool:
        """Return whether a creature can hurt the victim in this turn by itself."""
        return self.trial.play(1, all_in=True).lost > self.trial.play(1, without=name).lost

    def _describe_together(self, parts: tuple[Part, ...], result: Aftermath) -> Danger:
        danger = Danger(
            mage=self.mage.name,
            victim=self.victim.name,
            weight=Weight.ENDS,
            parts=parts,
            more=int(any(part.rest for part in parts)),
            length=0,
            turns=1,
            damage=result.lost,
            hp=self.hp,
        )
        return self._with_defences(danger)

    # -- a hand held, and with it the only defence -----------------------------------------------------------------

    def raise_holding(self, found: list[Danger]) -> list[Danger]:
        """Return the threats, with a Paralysis that holds the only defence against one that kills raised to the
        heaviest weight."""
        deadly = [each for each in found if each.weight is Weight.ENDS and not each.illness and each.turns >= 2]
        return [self._raise(each, deadly) for each in found]

    def _raise(self, danger: Danger, deadly: list[Danger]) -> Danger:
        if danger.weight is not Weight.HINDERS or danger.more != 1 or danger.spell != "Paralysis":
            return danger
        for other in deadly:
            if other.turns != danger.turns + 1 or other.hand == danger.hand:
                continue
            ways = [way for stop in other.stops for way in self._list_ways(stop.spell, stop.on, other.more)]
            timely = [way for way in ways if way.in_time]
            if timely and any(all(self._breaks(way, held, other.more) for way in timely) for held in HANDS):
                return replace(danger, weight=Weight.ENDS, holds=timely[0].spell)
        return danger

    def _breaks(self, way: Defence, held: str, more: int) -> bool:
        """Return whether a hand that repeats its next gesture in the turn after cannot do its part (FM-PARA-4)."""
        rest = way.rest if way.hand == held else "".join(letter if letter.islower() else " " for letter in way.rest)
        last = rest[-1].upper()
        if last == " " or (len(rest) < min(2, more) and way.spell in LASTING):
            return False
        before = rest[-2:-1].strip().upper() or "FPSWDC"
        repeats = self.ruleset.rules.paralysis
        return all(repeats.get(gesture, gesture) != last for gesture in before)

    # -- defences -----------------------------------------------------------------------------------------------------

    def _with_defences(self, danger: Danger) -> Danger:
        if danger.weight is Weight.HARMLESS or self.view.extra == "T":
            return danger
        stops: list[Defence] = []
        fails: list[str] = []
        for spell in DEFENCES:
            if spell not in self.ruleset.order or (spell in CURES and danger.weight is not Weight.ENDS):
                continue
            on = next((on for on in self._list_subjects(spell) if self._stops(danger, spell, on)), None)
            if on is not None:
                ways = self._list_ways(spell, on, max(1, danger.more))
                stops.append(min(ways, key=lambda way: (not way.in_time, len(way.rest), way.rest, way.hand)))
            elif spell in EXPECTED:
                fails.append(spell)
        stops.sort(key=lambda each: (not each.in_time, len(each.rest)))
        return replace(danger, stops=tuple(stops), fails=tuple(fails))

    def _list_subjects(self, spell: str) -> tuple[str, ...]:
        """Return whom it may help the victim to cast a defence on."""
        victim, mage = self.victim.name, self.mage.name
        if spell == "Counter Spell":
            return victim, mage  # the mage may cast for themself
        if spell == "Delay Effect":  # it banks what the mage casts in the same turn
            return (mage,) if self.ruleset.rules.gifts_catch_their_own_turn else ()
        return (victim,)

    def _stops(self, danger: Danger, spell: str, on: str) -> bool:
        """Return whether a defence cast on this being saves the victim from a threat."""
        together = len(danger.parts) > 1 or not danger.parts[0].hand or danger.spell == DAGGER
        parts = tuple(part for part in danger.parts if part.hand)
        saved = self.trial.play(danger.more, parts, all_in=together, defence=(spell, on))
        if danger.illness:
            return not saved.dead_in
        if danger.weight is Weight.ENDS:
            return not saved.dead and saved.lost < self.hp
        calm = self.trial.play(danger.more, defence=(spell, on))
        if danger.weight is Weight.HURTS:
            return saved.lost <= calm.lost and saved.foes <= calm.foes
        return saved.cut == calm.cut and saved.own >= calm.own and saved.marks == calm.marks

    def _list_ways(self, spell: str, on: str, more: int) -> list[Defence]:
        """Return how the victim's hands can cast a spell: with what they have begun, or begin now or later."""
        ways = []
        book = self.ruleset.book
        for hand in HANDS:
            begun = book.begun(book.state_of(*self.victim.read_series(hand)))
            for series, made in (*begun, *((series, 0) for series in book.series)):
                if series.spell == spell:
                    rest = series.text[made:]
                    early = not made or spell in LASTING
                    timely = len(rest) == more or (early and len(rest) < more)
                    in_time = timely and (more > 1 or self.victim.acts)
                    ways.append(Defence(spell, on, hand, rest, series.text, in_time))
        return ways
