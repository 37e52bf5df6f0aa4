"""Spells, and the table that finds the spells that two hands complete (FM-GEST-5..18).

A book's series become one automaton. Its symbol is a hand's own gesture, and whether the other hand plays the same; its
state is everything the hand has begun and can still finish. Finding a completed spell is one look-up.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import Enum, auto
from typing import Any, Final, NamedTuple, TypeAlias

from rules_engine.gestures import BOTH, BREAK, FIRE, GESTURES, LEFT, RIGHT, WAITED
from rules_engine.native import mypyc_attr

Effect: TypeAlias = Callable[[Any, Any], None]
"""What a spell does to a turn, given its cast. Both are above this module: `turn.SpellEffect` has their types."""

SELF: Final = "self"
FOE: Final = "foe"
NO_TARGET: Final = "none"


class AtUnborn(Enum):
    """The fate of a spell aimed at a creature that a hand is creating in the same turn."""

    REACHES = auto()
    FAILS = auto()
    WAITS = auto()
    """It works after the creations."""


@dataclass(frozen=True, slots=True)
class Spell:
    """One spell: everything the rules say about it, except in words.

    `effect` works once the gate has let the spell through; `countered` works if a Counter Spell stops it."""

    name: str
    clause: str
    category: str
    default: str
    effect: Effect
    countered: Effect
    mark: str = ""
    """The mark that it leaves on a being; "" if it leaves none. Blindness and Invisibility leave theirs a turn later,
    and Charm Monster's is the creature's charmer."""
    at_unborn: AtUnborn = AtUnborn.REACHES
    works_on_the_dead: bool = False
    can_be_permanent: bool = False
    may_be_aimed: bool = False
    """Needs no target but may have one, and a Counter Spell on that target stops it."""
    needs_subject: bool = False
    """Must be cast on someone: without a target it goes to its caster (WH-SUM-5)."""
    decision: str = ""
    """What is decided once all gestures are shown: "PARALYZE" or "CHARM" (which hand), "ELEMENTAL" (which kind)."""
    universal: bool = False
    """Works whatever happens to its target (Dispel Magic)."""
    targeted: bool = field(init=False)
    """Whether it takes a target at all (FM-TABLE-15)."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "targeted", self.default != NO_TARGET)


class Series(NamedTuple):
    """One way to cast a spell: `text` has a letter per gesture, small if both hands must play it."""

    text: str
    spell: str
    once: bool = False
    """Each mage may use it once in a battle (FM-BOLT-4)."""

    @property
    def two_handed(self) -> bool:
        """Whether both hands play its last gesture."""
        return self.text[-1].islower()


Partial = tuple[int, int]


class Offers(dict[str, tuple[str, ...]]):
    """The spells that a column completes: hand → spells. Do not change it.

    `settled` are the spells that the hands cast (hand → spell); None if the mage must choose (FM-GEST-8, FM-GEST-12).
    """

    __slots__ = ("settled",)

    def __init__(self, lefts: tuple[str, ...], rights: tuple[str, ...], pairs: tuple[str, ...]) -> None:
        super().__init__({LEFT: lefts, RIGHT: rights, BOTH: pairs})
        self.settled: dict[str, str] | None = None
        if not (pairs and (lefts or rights)) and max(len(lefts), len(rights), len(pairs)) <= 1:
            self.settled = {hand: spells[0] for hand, spells in self.items() if spells}


class HandStates:
    """The automaton states of both hands after a column, and the spells it completes. Do not change it.

    `left` and `right` are the hands' states; `first` and `later` are the completed spells (hand → names, each listed
    once) before and after the mage has used a series that works once in a battle; `settled` and `settled_later` are
    what the hands cast of these if there is nothing to choose (`Offers.settled`, which is slow in a compiled engine).
    `after` maps the two gestures of the next column, left and right, to the states they lead to, and stores them: use
    it for columns that are played.
    `lead_to` stores nothing: use it for columns that are only weighed. Equal states in a book are the same object.
    """

    __slots__ = ("_book", "after", "first", "later", "left", "right", "settled", "settled_later")

    def __init__(self, book: Book, left: int, right: int, first: Offers, later: Offers) -> None:
        self.left, self.right = left, right
        self.first, self.later = first, later
        self.settled, self.settled_later = first.settled, later.settled
        self._book = book
        self.after = _After(book, self)

    def lead_to(self, column: str) -> HandStates:
        """Return the states after one more column, without keeping them in `after`."""
        return self._book.reach(self, column)


class _After(dict[str, HandStates]):
    """Where columns lead, each computed at its first use: few of the very many are ever used."""

    __slots__ = ("_book", "_states")

    def __init__(self, book: Book, states: HandStates) -> None:
        self._book, self._states = book, states

    def __missing__(self, column: str) -> HandStates:
        self._book.make_room()
        reached = self[column] = self._book.reach(self._states, column)
        return reached


MOST_KEPT = 20_000
# The most pairs of histories whose states a book keeps.
MOST_HISTORIES = 2_000
"""How many columns `HandStates.after` keeps in one book; with more, it forgets all of them and begins again."""


class Book:
    """The series of a ruleset as an automaton. States are small integers; 0 is a hand that has begun nothing."""

    START = 0

    def __init__(self, series: Mapping[str, str], once: frozenset[str] = frozenset()) -> None:
        self.series = tuple(Series(text, spell, text in once) for text, spell in sorted(series.items()))
        self._states: dict[frozenset[Partial], int] = {}
        self._partials: list[frozenset[Partial]] = []
        self._next: list[dict[tuple[str, bool], int]] = []
        self._single: list[tuple[Series, ...]] = []
        self._both: list[tuple[Series, ...]] = []
        self._pairs: dict[tuple[int, int], HandStates] = {}
        self._histories: dict[tuple[str, str], HandStates] = {}
        self._kept = 0
        self._offers: dict[tuple[tuple[str, ...], ...], Offers] = {}
        self._number(frozenset(), frozenset())
        done = 0
        while done < len(self._partials):
            self._expand(done)
            done += 1
        self.start = self.pair(self.START, self.START)
        """Both hands with nothing begun."""

    def _number(self, partials: frozenset[Partial], completed: frozenset[int]) -> int:
        key = partials | {(index, 0) for index in completed}
        known = self._states.get(key)
        if known is not None:
            return known
        number = self._states[key] = len(self._partials)
        found = tuple(self.series[index] for index in sorted(completed))
        self._partials.append(partials)
        self._next.append({})
        self._single.append(tuple(s for s in found if not s.two_handed))
        self._both.append(tuple(s for s in found if s.two_handed))
        return number

    def _expand(self, state: int) -> None:
        always: dict[str, list[Partial]] = {gesture: [] for gesture in GESTURES}
        if_alike: dict[str, list[Partial]] = {gesture: [] for gesture in GESTURES}
        for index, position in self._partials[state] | {(index, 0) for index in range(len(self.series))}:
            wanted = self.series[index].text[position]
            (if_alike if wanted.islower() else always)[wanted.upper()].append((index, position + 1))
        for gesture in GESTURES:
            for alike in (False, True):
                made = always[gesture] + if_alike[gesture] if alike else always[gesture]
                ended = [partial for partial in made if partial[1] == len(self.series[partial[0]].text)]
                completed = frozenset(index for index, _length in ended)
                self._next[state][gesture, alike] = self._number(frozenset(made).difference(ended), completed)

    @property
    def size(self) -> int:
        """How many states there are."""
        return len(self._partials)

    def step(self, state: int, gesture: str, alike: bool) -> int:
        """Return the state after one more column; `alike`: the other hand plays the same gesture."""
        if gesture == WAITED:
            return state
        if gesture == BREAK:
            return self.START
        return self._next[state].get((gesture, alike), self.START)

    def single(self, state: int) -> tuple[Series, ...]:
        """Return the one-handed series that the last gesture of a hand in this state completed."""
        return self._single[state]

    def both(self, state: int) -> tuple[Series, ...]:
        """Return the two-handed series that the last gesture completed with this hand as the main one."""
        return self._both[state]

    def begun(self, state: int) -> list[tuple[Series, int]]:
        """Return the series that a hand in this state has begun: (series, gestures already played), longest first."""
        return [(self.series[i], made) for i, made in sorted(self._partials[state], key=lambda p: (-p[1], p[0]))]

    def state_of(self, own: str, other: str) -> int:
        """Return the state after a whole history of one hand (`own`), given the other hand's."""
        state = self.START
        for mine, theirs in zip(own, other, strict=False):
            state = self.step(state, mine, mine == theirs)
        return state

    def states_of(self, left: str, right: str) -> HandStates:
        """Return the states of both hands after two whole histories, which are equally long.

        The histories asked for lately are kept: a battle is read again and again, and grows by a column.
        """
        found = self._histories.get((left, right))
        if found is None:
            begun = self._histories.get((left[:-1], right[:-1]))
            if begun is None or len(left) != len(right):
                found = self.pair(self.state_of(left, right), self.state_of(right, left))
            else:
                found = self.reach(begun, left[-1] + right[-1])
            if len(self._histories) >= MOST_HISTORIES:
                self._histories.clear()
            self._histories[left, right] = found
        return found

    def pair(self, left: int, right: int) -> HandStates:
        """Return both hands with these two states, always the same object."""
        known = self._pairs.get((left, right))
        if known is None:
            lefts, rights = self._single[left], self._single[right]
            pairs = self._both[right] + self._both[left]
            first, later = (
                self._share(*(_names(found, used) for found in (lefts, rights, pairs))) for used in (False, True)
            )
            known = self._pairs[left, right] = HandStates(self, left, right, first, later)
        return known

    def reach(self, states: HandStates, column: str) -> HandStates:
        """Return where one more column leads, for `HandStates.after`."""
        left, right = column[0], column[1]
        return self.pair(self.step(states.left, left, left == right), self.step(states.right, right, left == right))

    def make_room(self) -> None:
        """Count one more column that `HandStates.after` keeps."""
        if self._kept >= MOST_KEPT:
            self._kept = 0
            for states in list(self._pairs.values()):  # other threads may add some meanwhile
                states.after.clear()
        self._kept += 1

    def _share(self, lefts: tuple[str, ...], rights: tuple[str, ...], pairs: tuple[str, ...]) -> Offers:
        """Make equal offers the same object: a small table stays in the processor's cache."""
        return self._offers.setdefault((lefts, rights, pairs), Offers(lefts, rights, pairs))


def _names(series: tuple[Series, ...], once_used: bool) -> tuple[str, ...]:
    if not series:
        return ()
    return tuple(dict.fromkeys(s.spell for s in series if not (s.once and once_used)))


@mypyc_attr(acyclic=True, free_list_len=1)
class Cast:
    """One spell in flight. A mirror swaps `caster` and `target`; `summoner` never changes."""

    __slots__ = (
        "caster",
        "event",
        "fired",
        "hand",
        "mirror",
        "ordered",
        "outcome",
        "permanent",
        "spell",
        "summoner",
        "target",
    )

    def __init__(self, spell: Spell, caster: str, target: str, hand: str) -> None:
        self.spell = spell
        self.caster = self.summoner = caster
        self.ordered = self.target = target
        self.hand = hand
        self.permanent = False
        self.fired = hand == FIRE
        self.outcome: list[str] = []
        self.mirror: str | None = None  # the owner of the mirror that turned it back, until an event says so
        self.event = 0  # key of its last event: that it was cast, or that a mirror turned it back
