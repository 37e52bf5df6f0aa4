"""A turn tried out with the rules themselves: some parts of a threat work on a mage, who may have a defence.

The position is what one viewer sees. Nothing else happens in it: all other hands rest.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from rules_engine.audience import MageView, View
from rules_engine.battle import Asks, advance_silently
from rules_engine.beings import COLOURS, NO_LONGER_IN, ORDERS, PERMANENT, READY, Monster, Wizard
from rules_engine.dice import KeyedDice
from rules_engine.gestures import BOTH, BREAK, FIRE, HANDS, LEFT, NOTHING, RIGHT, WAITED, other_hand
from rules_engine.minds import MIND_MARKS
from rules_engine.orders import Sheet
from rules_engine.questions import open_questions
from rules_engine.rules import Ruleset
from rules_engine.spells import SELF, Book
from rules_engine.state import State
from rules_engine.summoning import find_raisable

DAGGER: Final = "Stab"
"""Stands for a stab where the name of a spell could stand."""
_MOST_STAGES: Final = 6
_MANY_POINTS: Final = 100
_COLOURS: Final = tuple(f"Other{colour}" for colour in COLOURS)
"""For names that no creature has yet."""
_ROOM: Final = 8
"""Columns added to every history, in which the hands make all of a series but its last gesture."""
_ILLNESSES: Final = ("sick", "poisoned")
# Marks that decide which gestures a mage plays and when: nobody but their mage and the others' orders know how.
_SET_ASIDE: Final = frozenset({*MIND_MARKS, "fast", "time_stopped"})


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
class Aftermath:
    """The victim after a turn that was tried out.

    `lost`: hit points; `dead_in`: in how many turns an illness kills, 0 for none; `marks`: those of all else; `cut`: a
    series was cut; `own`, `foes`: how many creatures obey the victim, and how many do not.
    """

    lost: int
    dead: bool
    dead_in: int
    marks: frozenset[str]
    cut: bool
    own: int
    foes: int


class Trial:
    """Turns tried out in which `mage` acts against `victim`, as the viewer sees both."""

    def __init__(self, view: View, ruleset: Ruleset, mage: str, victim: str) -> None:
        self.view, self.ruleset = view, ruleset
        self.mage, self.victim = view.mage(mage), view.mage(victim)
        self._stages: dict[int, State] = {}
        self._calm: dict[int, Aftermath] = {}

    def stay_calm(self, more: int) -> Aftermath:
        """Return the victim after the same turn in which nothing works."""
        if more not in self._calm:
            self._calm[more] = self.play(more)
        return self._calm[more]

    def play(
        self,
        more: int,
        parts: tuple[Part, ...] = (),
        *,
        all_in: bool = False,
        defence: tuple[str, str] | None = None,
        without: str = "",
        spared: bool = False,
    ) -> Aftermath:
        """Play the turn in which these parts work, which still need `more` gestures, and return the victim after it.

        `all_in`: the mage's creatures attack the victim, whomever they attacked before. `defence`: the victim casts
        this spell on that being. `without`: a creature is not there. `spared`: the victim has very many hit points.
        """
        state = self._stage(max(1, more)).copy()
        if without:
            state.monsters.pop(without, None)
        if spared:
            state.wizards[self.victim.name].hp += _MANY_POINTS
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
        """Order a part as its mage would: harm at the victim, what helps for the mage, and the strongest of the dead to
        rise."""
        if part.hand == FIRE:
            orders["FIRE"] = "FIRE"
            return
        slot = _play_hand(orders, part.hand, part.series)
        target = self.victim.name
        if part.what == DAGGER:
            orders[f"TARGET {slot}"] = target
            return
        _prepare(self.ruleset.book, state.wizards[self.mage.name], part.hand, part.series)
        orders[f"CHOOSE {slot}"] = part.what
        spell = self.ruleset.spells[part.what]
        if spell.category == "summons":
            orders[f"TARGET {slot}:{self.mage.name}"] = self.victim.name
            target = self.mage.name if spell.default == SELF else ""
        elif spell.works_on_the_dead:
            target = next(iter(find_raisable(state).values()), self.mage.name)
        elif part.what == "Charm Monster":
            target = next((m.name for m in state.monsters.values() if m.controller == target), target)
        elif spell.default == SELF and part.what != "Remove Enchantment":
            target = self.mage.name
        if target and (spell.targeted or spell.may_be_aimed):
            orders[f"TARGET {slot}"] = target

    def _defend(self, state: State, orders: dict[str, str], spell: str, on: str) -> None:
        text = next(series.text for series in self.ruleset.book.series if series.spell == spell)
        slot = _play_hand(orders, LEFT, text)
        _prepare(self.ruleset.book, state.wizards[self.victim.name], LEFT, text)
        orders[f"CHOOSE {slot}"] = spell
        if self.ruleset.spells[spell].targeted:
            orders[f"TARGET {slot}"] = on

    def _read(self, after: State, before: State) -> Aftermath:
        victim = after.wizards[self.victim.name]
        marks = victim.marks
        return Aftermath(
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
    state.tombstone = list(view.tombstone)
    for seen in view.mages:
        wizard = state.wizards[seen.name]
        wizard.hp = seen.max_hp if seen.hp is None else seen.hp
        wizard.marks = _age(seen, later)
        wizard.bank = seen.banked
        wizard.blind_columns = wizard.unseen_columns = "0" * len(state.columns)
        wizard.controller = seen.name
        left, right = seen.read_series(LEFT)
        wizard.left, wizard.right = left + WAITED * _ROOM, right + WAITED * _ROOM
        wizard.begun = wizard.reached = ruleset.book.start
        wizard.short_bolt_used = has_used_once(ruleset, seen)
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


def has_used_once(ruleset: Ruleset, mage: MageView) -> bool:
    """Return whether a mage has played a series that works once in a battle."""
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
    for _stage in range(_MOST_STAGES):
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
