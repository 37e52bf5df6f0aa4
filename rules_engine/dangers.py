"""What the other mages threaten: how heavy it is, how soon it comes, what stops it. From one viewer's view alone.

Every claim is tried out with the rules themselves: the position that the viewer sees is set up, the threatened spell is
cast in it, alone and against each defence, and the results are compared.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from enum import IntEnum
from functools import lru_cache
from typing import Final

from rules_engine.audience import MageView, View
from rules_engine.battle import Asks, advance_silently
from rules_engine.beings import COLOURS, NO_LONGER_IN, NO_MASTER, ORDERS, PERMANENT, READY, Monster, Wizard
from rules_engine.dice import KeyedDice
from rules_engine.gestures import (
    BOTH,
    BREAK,
    FIRE,
    FRIGHTENED,
    HANDS,
    LEFT,
    NOTHING,
    RIGHT,
    STAB,
    UNSEEN,
    WAITED,
    other_hand,
)
from rules_engine.minds import MIND_MARKS
from rules_engine.orders import Sheet
from rules_engine.questions import open_questions
from rules_engine.rules import Ruleset
from rules_engine.rulesets import get_ruleset
from rules_engine.spells import Book, Series
from rules_engine.state import State

NEAR: Final = 2
"""What ends it is named at the latest so many gestures before."""
MOST_STAGES: Final = 6
MANY_POINTS: Final = 100
_COLOURS: Final = tuple(f"Other{colour}" for colour in COLOURS)
"""For names that no creature has yet."""
_ROOM: Final = 8
"""Columns added to every history, in which the hands make all of a series but its last gesture."""
DEFENCES: Final = (
    "Shield",
    "Protection",
    "Counter Spell",
    "Magic Mirror",
    "Dispel Magic",
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
_ILLNESSES: Final = ("sick", "poisoned")
# Marks that decide which gestures a mage plays and when: nobody but their mage and the others' orders know how.
_SET_ASIDE: Final = frozenset({*MIND_MARKS, "fast", "time_stopped"})
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
class Part:
    """A hand with a spell (or "Stab"), a banked spell (hand FIRE), or a creature (no hand) that joins in a threat.

    `rest` are the gestures that it still needs, a letter each, small for both hands.
    """

    hand: str
    what: str
    rest: str
    series: str = ""

    @property
    def both(self) -> bool:
        """Whether both hands play its last gesture."""
        return self.rest[-1:].islower()


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
        """Whether it can kill in this turn."""
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
    trial = _Trial(view, get_ruleset(name, edition), mage, victim)
    found = [*trial.weigh_hands(), *trial.weigh_bank()]
    found += trial.weigh_together(found)
    found = trial.raise_holding(found)
    return tuple(sorted(found, key=lambda each: (each.weight, each.turns, each.more, -(each.damage or 0), each.hand)))


@dataclass(frozen=True, slots=True)
class _Result:
    """The victim after a turn that was tried out. `dead_in`: in how many turns an illness kills; 0 for none."""

    lost: int
    dead: bool
    dead_in: int
    marks: frozenset[str]
    cut: bool
    own: int
    foes: int


class _Trial:
    """One mage against another, as the viewer sees them."""

    def __init__(self, view: View, ruleset: Ruleset, mage: str, victim: str) -> None:
        self.view, self.ruleset = view, ruleset
        self.mage, self.victim = view.mage(mage), view.mage(victim)
        self.hp = self.victim.max_hp if self.victim.hp is None else self.victim.hp
        self.used_once = _has_used_once(ruleset, self.mage)
        self._stages: dict[int, State] = {}
        self._calm: dict[int, _Result] = {}

    # -- threats ------------------------------------------------------------------------------------------------------

    def weigh_hands(self) -> list[Danger]:
        found: list[Danger] = []
        for part, length in self._list_coming():
            danger = self._weigh(part, length)
            near = len(part.rest) == 1
            if near or danger.weight is Weight.ENDS:
                found.append(self._with_defences(danger))
        return found

    def weigh_bank(self) -> list[Danger]:
        if not self.mage.banked or self.mage.banked[1] not in (self.victim.name, self.mage.name):
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
        own, other = _strings(self.mage, hand)
        book = self.ruleset.book
        begun = book.begun(book.state_of(own, other))
        return [(series, made) for series, made in begun if not (series.once and self.used_once)]

    def _is_possible(self, part: Part) -> bool:
        """Return whether the mage can play the next gesture, as far as is known: Fear and Amnesia are."""
        marks = {each.mark for each in self.mage.enchantments}
        gesture = part.rest[0].upper()
        if self.view.extra:
            return True
        if "afraid" in marks and gesture in FRIGHTENED:
            return False
        if "forgetful" in marks:
            own, other = _strings(self.mage, part.hand)
            last = own.rstrip(WAITED)[-1:]
            return last == gesture and (not part.rest[0].islower() or other.rstrip(WAITED)[-1:] == gesture)
        return True

    def _weigh(self, part: Part, length: int) -> Danger:
        more = len(part.rest)
        turns = max(1, -(-more // self.mage.pairs)) + (0 if self.mage.acts else 1)
        calm = self._stay_calm(more)
        result = self._try(more, (part,))
        damage = result.lost - calm.lost
        kills = damage >= self.hp
        ill = result.dead_in if result.dead_in and not calm.dead_in else 0
        spell = self.ruleset.spells[part.what]
        creature = spell.category == "summons" and result.foes > calm.foes
        hurt = damage > 0 or creature
        spoiled = result.cut != calm.cut or result.own < calm.own or bool((result.marks - calm.marks) & _HINDERING)
        robbed = bool(calm.marks - result.marks)
        weight = (
            Weight.ENDS
            if kills or ill
            else Weight.HURTS
            if hurt
            else Weight.HINDERS
            if spoiled or robbed
            else Weight.HARMLESS
        )
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
            outright=kills and self._play(max(1, more), (part,), all_in=False, spared=True).dead,
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
        dagger = {hand: (Part(hand, "Stab", STAB, STAB),) for hand in HANDS if self._may_stab(hand)}
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
                result = self._try(1, parts, all_in=True)
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

    def _may_stab(self, hand: str) -> bool:
        return self._is_possible(Part(hand, "Stab", STAB, STAB))

    def _strikes(self, name: str) -> bool:
        """Return whether a creature can hurt the victim in this turn by itself."""
        calm = self._play(1, (), all_in=False, without=name)
        return self._try(1, (), all_in=True).lost > calm.lost

    def _describe_together(self, parts: tuple[Part, ...], result: _Result) -> Danger:
        more = min(1, sum(1 for part in parts if part.rest))
        danger = Danger(
            mage=self.mage.name,
            victim=self.victim.name,
            weight=Weight.ENDS,
            parts=parts,
            more=more,
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
                stops.append(self._find_hand(spell, on, max(1, danger.more)))
            elif spell in EXPECTED:
                fails.append(spell)
        stops.sort(key=lambda each: (not each.in_time, len(each.rest)))
        return replace(danger, stops=tuple(stops), fails=tuple(fails))

    def _list_subjects(self, spell: str) -> tuple[str, ...]:
        """Return whom a defence may be cast on: oneself; a Counter Spell also on the one who casts for themself."""
        return (self.victim.name, self.mage.name) if spell == "Counter Spell" else (self.victim.name,)

    def _stops(self, danger: Danger, spell: str, on: str) -> bool:
        together = len(danger.parts) > 1 or not danger.parts[0].hand or danger.spell == "Stab"
        parts = tuple(part for part in danger.parts if part.hand)
        more = max(1, danger.more)
        saved = self._play(more, parts, all_in=together, defence=(spell, on))
        if danger.weight is Weight.ENDS and not danger.illness:
            return not saved.dead and saved.lost < self.hp
        if danger.illness:
            return not saved.dead_in
        calm = self._play(more, (), all_in=False, defence=(spell, on))
        if danger.weight is Weight.HURTS:
            return saved.lost <= calm.lost and saved.foes <= calm.foes
        return saved.cut == calm.cut and saved.own >= calm.own and not (saved.marks ^ calm.marks)

    def _find_hand(self, spell: str, on: str, more: int) -> Defence:
        """Return how the victim can cast a defence soonest, best in the very turn in which it is needed."""
        ways = self._list_ways(spell, on, more)
        return min(ways, key=lambda way: (not way.in_time, len(way.rest), way.rest, way.hand))

    def _list_ways(self, spell: str, on: str, more: int) -> list[Defence]:
        """Return how the victim's hands can cast a spell: with what they have begun, or begin now or later."""
        ways = []
        book = self.ruleset.book
        for hand in HANDS:
            begun = book.begun(book.state_of(*_strings(self.victim, hand)))
            for series, made in (*begun, *((series, 0) for series in book.series)):
                if series.spell == spell:
                    rest = series.text[made:]
                    early = not made or spell in LASTING
                    timely = len(rest) == more or (early and len(rest) < more)
                    in_time = timely and (more > 1 or self.victim.acts)
                    ways.append(Defence(spell, on, hand, rest, series.text, in_time))
        return ways

    # -- the turn that is tried out ---------------------------------------------------------------------------------

    def _stay_calm(self, more: int) -> _Result:
        more = max(1, more)
        if more not in self._calm:
            self._calm[more] = self._play(more, (), all_in=False)
        return self._calm[more]

    def _try(self, more: int, parts: tuple[Part, ...], *, all_in: bool = False) -> _Result:
        return self._play(max(1, more), parts, all_in=all_in)

    def _play(
        self,
        more: int,
        parts: tuple[Part, ...],
        *,
        all_in: bool,
        defence: tuple[str, str] | None = None,
        without: str = "",
        spared: bool = False,
    ) -> _Result:
        """Play the turn in which these parts work, and return the victim after it.

        `all_in`: the mage's creatures attack the victim, whomever they attacked before. `defence`: the victim casts
        this spell on that being. `without`: a creature is not there. `spared`: the victim has
        very many hit points.
        """
        state = self._stage(more).copy()
        if without:
            state.monsters.pop(without, None)
        if spared:
            state.wizards[self.victim.name].hp += MANY_POINTS
        sheets = {name: {LEFT: NOTHING, RIGHT: NOTHING} for name in state.still_in}
        attack = sheets[self.mage.name]
        for part in parts:
            self._order(state, attack, part)
        if all_in:
            for monster in state.monsters.values():
                if monster.controller == self.mage.name:
                    attack[f"TARGET {monster.name}"] = self.victim.name
        if defence is not None:
            self._defend(state, sheets[self.victim.name], *defence)
        return self._read(_play_out(state, sheets), state)

    def _order(self, state: State, orders: dict[str, str], part: Part) -> None:
        if part.hand == FIRE:
            orders["FIRE"] = "FIRE"
            return
        slot = _play_hand(orders, part.hand, part.series)
        wizard = state.wizards[self.mage.name]
        if part.what != "Stab":
            _prepare(self.ruleset.book, wizard, part.hand, part.series)
            orders[f"CHOOSE {slot}"] = part.what
            spell = self.ruleset.spells[part.what]
            target = self.victim.name
            if spell.category == "summons":
                orders[f"TARGET {slot}:{self.mage.name}"] = self.victim.name
                target = self.mage.name if spell.default == "self" else ""
            elif part.what == "Charm Monster":
                target = next((m.name for m in state.monsters.values() if m.controller == target), target)
            elif spell.default == "self" and part.what != "Remove Enchantment":
                target = self.mage.name
            if target and (spell.targeted or spell.may_be_aimed):
                orders[f"TARGET {slot}"] = target
        else:
            orders[f"TARGET {slot}"] = self.victim.name

    def _defend(self, state: State, orders: dict[str, str], spell: str, on: str) -> None:
        texts = [series.text for series in self.ruleset.book.series if series.spell == spell]
        wizard = state.wizards[self.victim.name]
        slot = _play_hand(orders, LEFT, texts[0])
        _prepare(self.ruleset.book, wizard, LEFT, texts[0])
        orders[f"CHOOSE {slot}"] = spell
        if self.ruleset.spells[spell].targeted:
            orders[f"TARGET {slot}"] = on

    def _read(self, after: State, before: State) -> _Result:
        victim = after.wizards[self.victim.name]
        marks = victim.marks
        return _Result(
            lost=before.wizards[victim.name].hp - victim.hp,
            dead=victim.phase == "dead",
            dead_in=min((marks[mark] for mark in _ILLNESSES if marks.get(mark, 0) > 0), default=0),
            marks=frozenset(marks) - frozenset(_ILLNESSES),
            cut=BREAK in victim.left[-2:],
            own=sum(1 for each in after.monsters.values() if each.controller == victim.name),
            foes=sum(1 for each in after.monsters.values() if each.controller != victim.name),
        )

    def _stage(self, turns: int) -> State:
        """Return the position `turns` - 1 turns from now, if nothing happens until then."""
        if turns not in self._stages:
            self._stages[turns] = set_up(self.view, self.ruleset, later=turns - 1)
        return self._stages[turns]


def set_up(view: View, ruleset: Ruleset, *, later: int = 0) -> State:
    """Return the position that the viewer sees, in which everyone may give orders, `later` turns of nothing from now.

    What decides about gestures and extra turns is set aside, and so is what would kill without any threat.
    """
    state = State(ruleset, tuple(mage.name for mage in view.mages), _COLOURS)
    state.columns = [*view.columns, *view.columns[-1:] * _ROOM]
    state.turn = state.seq = len(state.columns)
    state.out = [mage.name for mage in view.mages if mage.standing != "in"]
    state.movers = tuple(state.still_in)
    for seen in view.mages:
        wizard = state.wizards[seen.name]
        wizard.hp = seen.max_hp if seen.hp is None else seen.hp
        wizard.marks = _age(seen, later)
        wizard.bank = seen.banked
        wizard.blind_columns = wizard.unseen_columns = "0" * len(state.columns)
        wizard.controller = seen.name
        left, right = _strings(seen, LEFT)
        wizard.left, wizard.right = left + WAITED * _ROOM, right + WAITED * _ROOM
        wizard.begun = wizard.reached = ruleset.book.start
        wizard.short_bolt_used = _has_used_once(ruleset, seen)
        if seen.standing != "in":
            wizard.phase = seen.standing if seen.standing in NO_LONGER_IN else READY
            wizard.left += NOTHING
            wizard.right += NOTHING
    for each in view.monsters:
        monster = Monster(each.name, each.kind, each.controller, each.target)
        monster.hp = each.hp
        monster.marks = {mark.mark: PERMANENT if mark.permanent else mark.turns for mark in each.enchantments}
        state.monsters[each.name] = monster
    return state


def _age(mage: MageView, later: int) -> dict[str, int]:
    marks: dict[str, int] = {}
    for each in mage.enchantments:
        if each.mark in _SET_ASIDE:
            continue
        if each.permanent:
            marks[each.mark] = PERMANENT
        elif each.mark in _ILLNESSES:
            marks[each.mark] = max(2, each.turns - later)
        elif each.turns > later:
            marks[each.mark] = each.turns - later
    return marks


def _strings(mage: MageView, hand: str) -> tuple[str, str]:
    """Return the history of a hand and of the other one; what the viewer did not see ends a series."""
    left, right = mage.left.replace(UNSEEN, BREAK), mage.right.replace(UNSEEN, BREAK)
    return (left, right) if hand == LEFT else (right, left)


def _has_used_once(ruleset: Ruleset, mage: MageView) -> bool:
    strings = [mage.left.replace(WAITED, ""), mage.right.replace(WAITED, "")]
    return any(series.once and series.text.upper() in string for series in ruleset.book.series for string in strings)


def _play_hand(orders: dict[str, str], hand: str, series: str) -> str:
    """Order the last gesture of a series. Return the slot of its spell."""
    last = series[-1]
    orders[hand] = last.upper()
    if last.islower():
        orders[other_hand(hand)] = last.upper()
        return BOTH
    return hand


def _prepare(book: Book, wizard: Wizard, hand: str, series: str) -> None:
    """Let a hand have made all of a series but its last gesture, the other one too where both must."""
    made = series[:-1]
    own, other = (wizard.left, wizard.right) if hand == LEFT else (wizard.right, wizard.left)
    own = own[: len(own) - len(made)] + made.upper()
    spared = len(other) - len(made)
    other = other[:spared] + "".join(
        letter.upper() if letter.islower() else kept if kept != WAITED else NOTHING
        for letter, kept in zip(made, other[spared:], strict=True)
    )
    wizard.left, wizard.right = (own, other) if hand == LEFT else (other, own)
    wizard.begun = wizard.reached = book.states_of(wizard.left, wizard.right)


def _play_out(state: State, orders: Mapping[str, dict[str, str]]) -> State:
    """Play one turn with these orders; whatever else is asked gets the first answer that is allowed."""
    asked = state
    for _stage in range(MOST_STAGES):
        sheets = {name: _complete(asked, name, orders[name]) for name in asked.owing}
        result = advance_silently(asked, sheets, KeyedDice("danger"))
        if not isinstance(result, Asks):
            return result.state
        asked = result.state
    return asked


def _complete(state: State, name: str, orders: dict[str, str]) -> Sheet:
    if state.wizards[name].phase == ORDERS:
        return Sheet(orders)
    sheet = Sheet({slot: value for slot, value in orders.items() if slot not in HANDS})
    for question in open_questions(state, name, sheet):
        if question.answered is None and (question.required or question.kind in ("paralyze", "charm")):
            options = [option.value for option in question.options if option.allowed]
            sheet = sheet.merged(Sheet({question.id: options[0]})) if options else sheet
    return sheet
