"""The moves worth considering: columns of gestures that lead somewhere, with sensible choices, targets and powers.

The automaton's table says where columns lead; they are ranked once for each pair of hand states.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from typing import NamedTuple

from rules_engine.beings import CHOOSE, CHOOSE_SPELL, ORDERS, Wizard
from rules_engine.bots import prior
from rules_engine.bots.aims import STRIKES, Situation
from rules_engine.bots.answer_questions import decide, find_extras, last_gesture
from rules_engine.bots.worth import Worth
from rules_engine.gestures import BOTH, FIRE, FRIGHTENED, HANDS, LEFT, RIGHT, SECOND, STAB
from rules_engine.orders import Sheet
from rules_engine.questions import is_frightened
from rules_engine.spells import SELF, HandStates, Offers
from rules_engine.state import State

_GESTURES = "DFPSW"
COLUMNS = (
    *(left + right for left, right in product(_GESTURES, repeat=2) if left + right != "PP"),
    "CC",
    *(STAB + gesture for gesture in _GESTURES),
    *(gesture + STAB for gesture in _GESTURES),
)
"""All columns except surrenders, single claps, and hands that do nothing."""
SECOND_COLUMNS = 3
SAME_AGAIN = 0.4
"""The worth of a second spell of the same kind in one turn, unless it is harm."""
WASTED = 0.3
"""What a spell costs that the mage's own other hand stops."""
POWER_WORTH = 0.6
WORTH_KEEPING = 0.55


REPEATED, REPEATED_WHILE_HELD = 3, 8
STALE = 6.0
"""What a column loses if it was played so often in a row: otherwise two mages could repeat themselves forever. With one
hand held, holding the other mage's hand for some turns may be right."""


_NEED_ALL = frozenset({"sick", "poisoned", "permanency", "delay"})
"""Marks that make columns worth more than their spells and their promise."""


class Move(NamedTuple):
    """Orders, and how good they are by rules of thumb."""

    sheet: Sheet
    worth: float


class _Ranked(NamedTuple):
    column: str
    promise: float
    reached: HandStates


class _Columns(NamedTuple):
    """All columns, and separately those that cast, those that only stab, and those that only promise."""

    all: list[_Ranked]
    casting: list[_Ranked]
    stabbing: list[_Ranked]
    quiet: list[_Ranked]


# A ranking takes 6 kB, and a long game has thousands of hand states. Those of all rulesets share this limit: a process
# that plays for months, with all of them in turn, must not grow.
MOST_RANKED = 6_000
_RANKED: dict[tuple[int, HandStates], _Columns] = {}
_numbers = itertools.count()


class Moves:
    """Finds moves in one ruleset, for mages who see a use only in some spells (`uses`; None: in all).

    The rankings of columns are cached, at most `MOST_RANKED` in the process.
    """

    __slots__ = ("_number", "_plain", "_uses", "worth")

    def __init__(self, worth: Worth, uses: frozenset[str] | None = None) -> None:
        self.worth = worth
        self._uses = uses
        self._number = next(_numbers)
        self._plain = {column: Sheet({LEFT: column[0], RIGHT: column[1]}) for column in COLUMNS}

    def find(self, state: State, name: str, most: int, *, heed: float = 1.0) -> list[Move]:
        """Return at most `most` moves of a mage, the likeliest first; always at least one. `heed` is the
        part that counts of threats that do not kill; 0 ignores all."""
        wizard = state.wizards[name]
        situation = Situation(state, name, self.worth, heed=heed, uses=self._uses)
        extras = find_extras(situation)
        if wizard.phase != ORDERS:
            return [Move(answer(situation, wizard, extras), 0.0)]
        if wizard.again is not None:
            return self._find_twice(situation, wizard, extras, most)
        stale = stale_column(wizard)
        weighed = []
        looked_at = len(COLUMNS) if stale and wizard.stuck else most + 1
        for ranked in self._list(situation, wizard, wizard.begun, looked_at):
            worth, slots = self._weigh(situation, wizard, ranked)
            if stale and _repeats(wizard, ranked.column, stale):
                worth -= STALE
            weighed.append((worth, ranked.column, slots))
        weighed.sort(key=lambda each: each[0], reverse=True)
        moves = []
        for worth, column, slots in weighed[:most]:
            if slots or extras:
                moves.append(Move(Sheet({LEFT: column[0], RIGHT: column[1], **slots, **extras}), worth))
            else:
                moves.append(Move(self._plain[column], worth))
        if wizard.marks or wizard.bank is not None:
            self._add_powers(situation, wizard, moves, weighed, extras)
        return moves

    def choose_otherwise(self, state: State, name: str, moves: Sequence[Move]) -> list[Move]:
        """Return these moves with every other choice of spells, where the gestures complete several."""
        wizard = state.wizards[name]
        if wizard.phase != ORDERS or wizard.again is not None:
            return []
        situation = Situation(state, name, self.worth)
        extras = find_extras(situation)
        known = {move.sheet for move in moves}
        others = []
        for column in dict.fromkeys(move.sheet.column for move in moves if move.sheet.has_both):
            reached = wizard.begun.lead_to(column)
            offers = reached.later if wizard.short_bolt_used else reached.first
            for spells in [] if offers.settled is not None else list_choices(offers):
                slots = say_choice(offers, spells)
                worth = self._weigh_spells(situation, spells, slots)
                sheet = Sheet({LEFT: column[0], RIGHT: column[1], **slots, **extras})
                if sheet not in known:
                    known.add(sheet)
                    others.append(Move(sheet, worth))
        return others

    def _list(
        self, situation: Situation, wizard: Wizard, states: HandStates, enough: int = len(COLUMNS)
    ) -> list[_Ranked]:
        """Return the columns that a mage may risk, but only the `enough` most promising of each kind that casts
        nothing."""
        columns, marks = self._rank(states), wizard.marks
        if not marks:
            return [*columns.casting, *columns.stabbing[:enough], *columns.quiet[:enough]]
        if not _NEED_ALL.isdisjoint(marks):
            enough = len(COLUMNS)
        forbidden = risky_gestures(situation.state, wizard)
        if forbidden is None:
            return [*columns.casting, *columns.stabbing[:enough], *columns.quiet[:enough]]
        lefts, rights = forbidden
        kept = [each for each in columns.all if each.column[0] not in lefts and each.column[1] not in rights]
        return kept or [_Ranked("WW", 0.0, states.after["WW"])]

    def _rank(self, states: HandStates) -> _Columns:
        """Return all columns, the most promising first."""
        key = (self._number, states)
        known = _RANKED.get(key)
        if known is None:
            hands = self.worth.hands
            reached = [states.lead_to(column) for column in COLUMNS]
            ranked = [_Ranked(column, hands(each), each) for column, each in zip(COLUMNS, reached, strict=True)]
            ranked.sort(key=lambda each: each.promise, reverse=True)
            casting = [each for each in ranked if any(each.reached.first.values())]
            others = [each for each in ranked if each not in casting]
            stabbing = [each for each in others if STAB in each.column]
            quiet = [each for each in others if STAB not in each.column]
            if len(_RANKED) >= MOST_RANKED:
                _RANKED.clear()
            known = _RANKED[key] = _Columns(ranked, casting, stabbing, quiet)
        return known

    def _weigh(self, situation: Situation, wizard: Wizard, ranked: _Ranked) -> tuple[float, dict[str, str]]:
        """Return the worth of a column with its spells at their best targets, and the orders for it."""
        worth, reached = ranked.promise, ranked.reached
        if "sick" in wizard.marks or "poisoned" in wizard.marks:
            later = {mark: turns - 1 for mark, turns in wizard.marks.items()}
            worth += self.worth.remedy(later, reached)
        slots: dict[str, str] = {}
        offers = reached.later if wizard.short_bolt_used else reached.first
        spells = offers.settled
        if spells is None:
            spells = _choose(situation, offers)
            slots = say_choice(offers, spells)
        if spells:
            worth += self._weigh_spells(situation, spells, slots)
        if STAB in ranked.column:
            stab = situation.stab()
            worth += stab.worth
            if stab.target is not None:
                slots[f"TARGET {LEFT if ranked.column[0] == STAB else RIGHT}"] = stab.target
        return worth, slots

    def _weigh_spells(self, situation: Situation, spells: Mapping[str, str], slots: dict[str, str]) -> float:
        worth, before, killed = 0.0, "", ""
        melee = len(situation.state.wizards) > 2
        undone = find_undone(situation, spells) if len(spells) > 1 else ""
        for hand, spell in spells.items():
            aim = situation.aim(spell)
            if aim.target is not None and aim.target == killed:
                aim = situation.aim_at_foe(spell)
            elif aim.target in situation.state.monsters and spell in STRIKES:
                killed = aim.target or ""
            if hand == undone:
                worth -= WASTED
            elif spell == before and spell not in prior.HARM_POINTS:
                worth += aim.worth * SAME_AGAIN
            else:
                worth += aim.worth
            before = spell
            if aim.target is not None:
                slots[f"TARGET {hand}"] = aim.target
            if melee and spell in _MAKING and (prey := situation.pick_prey()):
                slots[f"TARGET {hand}:{situation.name}"] = prey
        return worth

    def _find_twice(self, situation: Situation, wizard: Wizard, extras: dict[str, str], most: int) -> list[Move]:
        """Return two pairs of gestures: the best first pairs, each with the best second pairs."""
        firsts = []
        for ranked in self._list(situation, wizard, wizard.begun):
            worth, slots = self._weigh(situation, wizard, ranked)
            firsts.append((worth - ranked.promise, worth, ranked, slots))
        firsts.sort(key=lambda each: each[1], reverse=True)
        moves = []
        for done, _, ranked, slots in firsts[: max(most, 4)]:
            begun = {LEFT: ranked.column[0], RIGHT: ranked.column[1], **slots, **extras}
            seconds = []
            for again in self._list(situation, wizard, ranked.reached):
                more, others = self._weigh(situation, wizard, again)
                seconds.append((done + more, again.column, others))
            seconds.sort(key=lambda each: each[0], reverse=True)
            for worth, column, others in seconds[:SECOND_COLUMNS]:
                twice = {SECOND[LEFT]: column[0], SECOND[RIGHT]: column[1], **_for_second(others)}
                moves.append(Move(Sheet({**begun, **twice}), worth))
        moves.sort(key=lambda move: move.worth, reverse=True)
        return moves[:most]

    def _add_powers(
        self,
        situation: Situation,
        wizard: Wizard,
        moves: list[Move],
        weighed: list[tuple[float, str, dict[str, str]]],
        extras: dict[str, str],
    ) -> None:
        """Use Permanency, Delay Effect and the bank, if a good column can use them."""
        automatic = situation.state.ruleset.rules.powers_take_the_next
        moves += fire_too(situation, moves[:3])
        for mark, slot in (("permanency", "PERMANENT"), ("delay", "DELAY")):
            if mark not in wizard.marks or automatic:
                continue
            used = 0
            for worth, column, slots in weighed[:14]:
                hand = self._hand_for_power(situation, wizard, column, slot)
                if hand is not None and used < 2:
                    used += 1
                    gestures = {LEFT: column[0], RIGHT: column[1]}
                    moves.append(Move(Sheet({**gestures, **slots, **extras, slot: hand}), worth + POWER_WORTH))

    def _hand_for_power(self, situation: Situation, wizard: Wizard, column: str, slot: str) -> str | None:
        reached = wizard.begun.after[column]
        offers = reached.later if wizard.short_bolt_used else reached.first
        spells = offers.settled or _choose(situation, offers)
        for hand, spell in spells.items():
            worthy = prior.SPELL_WORTH.get(spell, 0.0) >= WORTH_KEEPING
            if slot == "PERMANENT" and worthy and situation.state.ruleset.spells[spell].can_be_permanent:
                return hand
            if slot == "DELAY" and (worthy or spell == "Counter Spell") and spell != "Delay Effect":
                return hand
        return None


def fire_too(situation: Situation, moves: Sequence[Move]) -> list[Move]:
    """Return the moves again with the banked spell fired too, where they are otherwise complete; none without one."""
    bank = situation.me.bank
    if bank is None:
        return []
    worth = situation.aim(bank[0]).worth
    return [
        Move(Sheet({**move.sheet.slots, FIRE: FIRE}), move.worth + worth)
        for move in moves
        if move.sheet.has_both and not move.sheet.fire
    ]


def find_undone(situation: Situation, spells: Mapping[str, str]) -> str:
    """Return the hand whose spell the other hand's stops: a mage's own Counter Spell or Dispel Magic; "" if neither."""
    (one, first), (other, second) = spells.items()
    for hand, spell, stopper in ((one, first, second), (other, second, first)):
        if stopper == "Dispel Magic" and spell != stopper:
            return hand
        if stopper == "Counter Spell" and spell not in _UNSTOPPED:
            known, target = situation.state.ruleset.spells[spell], situation.aim(spell).target
            guards = situation.aim(stopper).target in (None, situation.name)
            if guards and (target == situation.name or (target is None and known.default == SELF)):
                return hand
    return ""


_UNSTOPPED = frozenset({"Counter Spell", "Dispel Magic"})
_MAKING = frozenset({"Summon Goblin", "Summon Ogre", "Summon Troll", "Summon Giant"})


def _choose(situation: Situation, offers: Offers) -> dict[str, str]:
    """Return the combination worth most of spells that exclude each other."""

    def best(hand: str) -> str:
        return max(offers[hand], key=lambda spell: situation.aim(spell).worth)

    singles = {hand: best(hand) for hand in HANDS if offers[hand]}
    if not offers[BOTH]:
        return singles
    both = best(BOTH)
    if singles and sum(situation.aim(spell).worth for spell in singles.values()) > situation.aim(both).worth:
        return singles
    return {BOTH: both}


def list_choices(offers: Offers) -> Iterator[dict[str, str]]:
    """Yield every combination of spells that the gestures allow, by hand."""
    hands = [hand for hand in HANDS if offers[hand]]
    if hands:
        for spells in product(*[offers[hand] for hand in hands]):
            yield dict(zip(hands, spells, strict=True))
    for spell in offers[BOTH]:
        yield {BOTH: spell}


def say_choice(offers: Mapping[str, tuple[str, ...]], chosen: Mapping[str, str]) -> dict[str, str]:
    torn = bool(offers[BOTH])
    return {f"CHOOSE {hand}": spell for hand, spell in chosen.items() if torn or len(offers[hand]) > 1}


def _for_second(slots: dict[str, str]) -> dict[str, str]:
    """Return the same orders for the hands of a second pair of gestures."""
    second = {}
    for slot, value in slots.items():
        verb, _, subject = slot.partition(" ")
        hand, colon, mage = subject.partition(":")
        second[f"{verb} {SECOND.get(hand, hand)}{colon}{mage}"] = value
    return second


def risky_gestures(state: State, wizard: Wizard) -> tuple[str, str] | None:
    """Return the gestures that the hands should avoid: (left, right); None for no limit.

    Fear's gestures, and palms if an enchantment may turn the other hand into a palm too: two palms are a surrender.
    """
    marks = wizard.marks
    lefts = rights = ""
    if "afraid" in marks and (is_frightened(state, wizard) or state.ruleset.rules.fear_makes is not None):
        lefts = rights = "".join(FRIGHTENED)
    if state.extra and state.ruleset.rules.minds_sleep_in_haste:
        return (lefts, rights) if lefts else None
    if "confused" in marks or "charmed" in marks:
        lefts, rights = lefts + "P", rights + "P"
    if "maladroit" in marks:
        rights += "P"
    if "paralysed" in marks or wizard.stuck:
        frozen = state.ruleset.rules.paralysis
        last_left, last_right = last_gesture(wizard.left), last_gesture(wizard.right)
        if frozen.get(last_left, last_left) == "P":
            rights += "P"
        if frozen.get(last_right, last_right) == "P":
            lefts += "P"
    return (lefts, rights) if lefts or rights else None


def stale_column(wizard: Wizard) -> str:
    """Return the column that a mage keeps repeating; usually none."""
    left, right = wizard.left[-1], wizard.right[-1]
    times = REPEATED_WHILE_HELD if wizard.stuck else REPEATED
    return left + right if wizard.left[-times:] == left * times and wizard.right[-times:] == right * times else ""


def _repeats(wizard: Wizard, column: str, stale: str) -> bool:
    """Return whether a mage who orders this column plays the stale one again: a held hand repeats itself anyway."""
    return all(
        ordered == made or hand in wizard.stuck for hand, ordered, made in zip(HANDS, column, stale, strict=True)
    )


def answer(situation: Situation, wizard: Wizard, extras: dict[str, str]) -> Sheet:
    """Return the orders of a mage who plays no gestures now: a choice of spells, and targets."""
    slots = dict(extras)
    for slot in wizard.decisions:
        verb, _, about = slot.partition(" ")
        if (answer := decide(situation, verb, about)) is not None:
            slots[slot] = answer
    for half in wizard.halves:
        orders: dict[str, str] = {}
        spells = {hand: spell for hand, spell in half.spells.items() if spell != CHOOSE}
        if half.phase == CHOOSE_SPELL and half.offers:
            chosen = _choose(situation, half.offers)  # type: ignore[arg-type]
            orders = say_choice(half.offers, chosen)
            spells = chosen
        for hand, spell in spells.items():
            target = situation.aim(spell).target if hand != FIRE else None
            if target is not None:
                orders[f"TARGET {hand}"] = target
        if len(situation.foes) > 1:
            for hand, gesture in zip(HANDS, half.gestures, strict=True):
                if gesture == STAB and situation.foe is not None:
                    orders[f"TARGET {hand}"] = situation.foe.name
        slots.update(_for_second(orders) if half.second else orders)
    return Sheet(slots)


__all__ = ["COLUMNS", "Move", "Moves", "answer", "fire_too", "list_choices", "risky_gestures", "say_choice"]
