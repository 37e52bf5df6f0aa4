"""The features of a position, by name, and the tables of a book from which they come.

``hand:<beginnings>``, ``hp:<points>``, ``mark:<mark>:<turns>`` and others describe one mage. ``held:`` and ``unseen:``
correct what a hand has begun, for a mage who does not fully control their gestures or whose foes cannot be hit.
``finish``, ``due``, ``gripped`` and ``finger`` describe what mages can soon do to each other.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache

from rules_engine.beings import FIRE_ELEMENTAL, JUST_PERMANENT, Wizard
from rules_engine.bots import prior
from rules_engine.gestures import LEFT, NOTHING, RIGHT
from rules_engine.rules import Ruleset
from rules_engine.spells import FOE, Book, HandStates
from rules_engine.state import State

MOST_POINTS = 16
HELD_MARKS = tuple(sorted(prior.HELD))
INPUTS = frozenset({"hand", "hp", "mark", "remedy", "doomed", "bank", "extra", "burnt", "pack", "prey"})
"""The kinds of features that a network gets, too."""


def key_of_state(book: Book, state: int) -> str:
    """Return a hand's state as a key that does not depend on the automaton's numbers: the series it has begun."""
    return " ".join(sorted({series.text[:made] for series, made in book.begun(state)}))


class Tables:
    """By a hand's state, how many gestures are missing to each goal; 0 if none is near."""

    __slots__ = ("breaking", "finger", "grip", "harm", "remedies", "stopping")

    def __init__(self, book: Book) -> None:
        states = range(book.size)
        self.breaking = [prior.missing_to_break(book, state) for state in states]
        self.remedies = {
            mark: [prior.missing_gestures(book, state, spells) for state in states]
            for mark, spells in prior.REMEDIES.items()
        }
        self.harm = [
            [prior.missing_to_harm(book, state, points) for state in states] for points in range(prior.WEAK + 1)
        ]
        self.finger = [prior.missing_to_harm(book, state, MOST_POINTS + 1) for state in states]
        self.stopping = [min(prior.missing_gestures(book, state, prior.STOPPERS), prior.STOPS_IN) for state in states]
        self.grip = [prior.missing_gestures(book, state, frozenset({"Paralysis"})) == 1 for state in states]


@cache
def list_broken(book: Book, becomes: tuple[tuple[str, str], ...]) -> list[int]:
    """Return by a hand's state where it is after the gesture that Paralysis makes it play, if that breaks off a Finger
    Of Death that is near; else the state itself. `becomes` says what Paralysis turns gestures into."""
    broken = list(range(book.size))
    for state in broken[:]:
        for series, made in book.begun(state):
            if series.spell == "Finger Of Death" and 0 < len(series.text) - made <= prior.LAST_STEPS:
                last = series.text[made - 1]
                held = dict(becomes).get(last, last)
                if series.text[made] != held:
                    broken[state] = book.pair(state, book.START).lead_to(f"{held}{NOTHING}").left
    return broken


def begun_of(ruleset: Ruleset, wizard: Wizard) -> HandStates:
    """Return what a mage's hands have begun and may continue: the foe of a paralysed one holds the hand that is near a
    Finger Of Death, if that breaks it off."""
    begun = wizard.begun
    if "paralysed" not in wizard.marks:
        return begun
    broken = list_broken(ruleset.book, tuple(ruleset.rules.paralysis.items()))
    left, right = broken[begun.left], broken[begun.right]
    if left != begun.left and RIGHT not in wizard.stuck:
        return ruleset.book.pair(left, begun.right)
    if right != begun.right and LEFT not in wizard.stuck:
        return ruleset.book.pair(begun.left, right)
    return begun


@cache
def tables_of(book: Book) -> Tables:
    """Return the tables of a book, computed once."""
    return Tables(book)


def nearest(one: int, other: int) -> int:
    """Return the smaller of two counts, where 0 means never."""
    return (one if one < other else other) if one and other else one or other


def remedy_of(marks: Mapping[str, int], begun: HandStates, missing: Mapping[str, Sequence[int]]) -> str:
    """Return the feature of an ill mage: how near a remedy is, or that it would come too late."""
    found = ""
    for mark, states in missing.items():
        turns = marks.get(mark, 0)
        if turns > 0:
            soonest = min(states[begun.left], states[begun.right])
            if soonest > turns:
                return "doomed"
            found = f"remedy:{min(soonest, prior.LONGEST_MARK)}"
    return found


def bank_of(state: State, wizard: Wizard) -> str:
    assert wizard.bank is not None
    return "bank:harm" if state.ruleset.spells[wizard.bank[0]].default == FOE else "bank:help"


def turns_to_live(wizard: Wizard, struck: int) -> int:
    """Return in how many turns creatures that do `struck` damage kill a mage with no more protection than now."""
    shielded = wizard.marks.get("shielded", 0)
    return -(-wizard.hp // struck) + (shielded if shielded > 0 else 0)


def list_features(state: State, mage: str) -> dict[str, float]:
    """Return the features of one mage's position, with counts: strength is the sum of weight times count."""
    wizard, book = state.wizards[mage], state.ruleset.book
    tables = tables_of(book)
    begun, marks = begun_of(state.ruleset, wizard), wizard.marks
    hands = (begun.left, begun.right)
    keys = [key_of_state(book, hand) for hand in hands]
    found: dict[str, float] = {}

    def add(feature: str) -> None:
        found[feature] = found.get(feature, 0.0) + 1.0

    for key in keys:
        add(f"hand:{key}")
    add(f"hp:{wizard.hp if 0 < wizard.hp < MOST_POINTS else MOST_POINTS}")
    for mark, turns in marks.items():
        add(f"mark:{mark}:{-1 if turns == JUST_PERMANENT else turns}")
    remedy = remedy_of(marks, begun, tables.remedies)
    if remedy:
        add(remedy)
    if wizard.bank is not None:
        add(bank_of(state, wizard))
    if state.extra and mage in state.movers:
        add("extra")
    pack = prey = 0
    for monster in state.monsters.values():
        if monster.is_elemental:
            safe = "heat_resistant" if monster.kind == FIRE_ELEMENTAL else "cold_resistant"
            if safe not in marks:
                add(f"burnt:{monster.kind}")
            continue
        if monster.controller == mage:
            pack += monster.strength
        if monster.target == mage != monster.controller:
            prey += monster.strength
    if any(not monster.is_elemental for monster in state.monsters.values()):
        missing = nearest(*(tables.breaking[hand] for hand in hands))
        if missing:
            add(f"breaker:{missing}")
    if pack:
        add(f"pack:{min(pack, prior.LARGEST_PACK)}")
    if prey:
        add(f"prey:{min(prey, prior.LARGEST_PACK)}")
        turns = turns_to_live(wizard, prey)
        if turns < len(prior.DUE):
            add(f"due:{turns}")
    foes = [state.wizards[name] for name in state.still_in if name != mage]
    if foes:
        for feature in _list_contests(tables, wizard, hands, keys, foes):
            add(feature)
    return found


def list_inputs(state: State, mage: str) -> list[str]:
    """Return the inputs of one mage for a network; an input that counts twice is listed twice.

    Besides features, these are what hands have begun with each mark of a mage who does not fully control them, and how
    near a Finger Of Death is with it: what Fear, Amnesia or Paralysis makes impossible is worth nothing.
    """
    wizard = state.wizards[mage]
    held = [mark for mark in HELD_MARKS if mark in wizard.marks]
    fingers = tables_of(state.ruleset.book).finger
    begun = begun_of(state.ruleset, wizard)
    finger = nearest(fingers[begun.left], fingers[begun.right])
    found = [f"{mark} finger:{finger}" for mark in held if finger]
    for name, count in list_features(state, mage).items():
        kind = name.partition(":")[0]
        if kind in INPUTS:
            found += [name] * int(count)
        if kind == "hand":
            found += [f"{mark} {name}" for mark in held] * int(count)
    return found


def _list_contests(
    tables: Tables, wizard: Wizard, hands: tuple[int, int], keys: Sequence[str], foes: Sequence[Wizard]
) -> Iterator[str]:
    """Yield what a mage with these states of their hands and the others can soon do to each other."""
    if not wizard.marks.keys().isdisjoint(prior.HELD):
        yield from (f"held:{key}" for key in keys)
    if "blind" in wizard.marks or all("invisible" in foe.marks for foe in foes):
        yield from (f"unseen:{key}" for key in keys)
    weakest = min(points_to_kill(foe) for foe in foes)
    if weakest <= prior.WEAK:
        missing = nearest(*(tables.harm[weakest][hand] for hand in hands))
        if missing:
            yield f"finish:{missing}"
    finger = nearest(*(tables.finger[hand] for hand in hands))
    if finger:
        stop = min(min(tables.stopping[foe.begun.left], tables.stopping[foe.begun.right]) for foe in foes)
        yield f"finger:{finger}:{stop}"
    gripping = any(tables.grip[foe.begun.left] or tables.grip[foe.begun.right] for foe in foes)
    if gripping and "paralysed" in wizard.marks:
        yield "gripped"


def points_to_kill(wizard: Wizard) -> int:
    """Return how much harm kills a mage. A mage with one point left hides behind shields, which stop the smallest."""
    return max(wizard.hp, 2)


__all__ = [
    "HELD_MARKS",
    "MOST_POINTS",
    "Tables",
    "bank_of",
    "begun_of",
    "key_of_state",
    "list_features",
    "list_inputs",
    "nearest",
    "points_to_kill",
    "remedy_of",
    "tables_of",
    "turns_to_live",
]
