"""A mage's orders for one stage of a turn: slots, each with one value; later ones replace earlier ones.

Slots are ``LH RH``, ``CHOOSE <hand>``, ``TARGET <hand or creature>``, ``PARALYZE <mage>``, ``CHARM <mage>``,
``ELEMENTAL <mage>`` (of one among several ``ELEMENTAL <hand>:<mage>``), ``DIRECT <mage>``, ``RETARGET <creature>``,
``PERMANENT``, ``DELAY``, ``FIRE``, ``SUICIDE`` and ``SAY``. ``FORFEIT``, alone, is the sheet of a mage who ran out of
time, ``ABSENT`` that of one who did so without ever giving an order, and ``CLAIMED`` that of one who was away until the
others claimed the battle: nobody orders them. In a turn with two pairs of gestures, the hands of the second are
``LH2 RH2 BH2``. A slot and its value make one line of the order grammar, and that line reads back as the same slot and
value.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from rules_engine.beings import EMPTY
from rules_engine.gestures import BOTH, FIRST, LEFT, RIGHT, SECOND, SELECTORS, STAB, SURRENDER
from rules_engine.native import mypyc_attr
from rules_engine.occasions import NONE, PALMS, STABS, WORDS

# Every order that a sheet may hold, in the order of writing.
VERBS: Final = (
    "FORFEIT",
    "ABSENT",
    "CLAIMED",
    "LH",
    "RH",
    "LH2",
    "RH2",
    "CHOOSE",
    "TARGET",
    "RETARGET",
    "PARALYZE",
    "CHARM",
    "ELEMENTAL",
    "DIRECT",
    "PERMANENT",
    "DELAY",
    "FIRE",
    "SUICIDE",
    "SAY",
)
# No player writes these. Each is the only line of a sheet.
BY_CLOCK: Final = ("FORFEIT", "ABSENT", "CLAIMED")
# Their lines have no value.
_ALONE: Final = frozenset(("FIRE", "SUICIDE", *BY_CLOCK))
_RANK: Final = {verb: n for n, verb in enumerate(VERBS)}
# In their lines the value comes before the subject: PARALYZE LH Bung.
VALUE_FIRST: Final = ("PARALYZE", "CHARM", "ELEMENTAL", "DIRECT")
_POWERS: Final = frozenset({"PERMANENT", "DELAY", "FIRE", "SUICIDE", "SAY"})


@mypyc_attr(acyclic=True)
class Sheet:
    """An immutable set of orders, in the order of carrying them out."""

    __slots__ = (
        "_directed",
        "_second",
        "choices",
        "column",
        "forfeits",
        "has_both",
        "has_more",
        "has_powers",
        "is_absent",
        "is_by_clock",
        "is_claimed",
        "is_plain",
        "left",
        "monster_orders",
        "occasions",
        "paralyses",
        "retargets",
        "right",
        "slots",
        "targets",
    )

    def __init__(self, slots: Mapping[str, str] | None = None) -> None:
        given = dict(slots or {})
        self.has_both = LEFT in given and RIGHT in given
        """Whether both gestures are there (FM-ORDMOVE-8)."""
        self.left, self.right = given.get(LEFT, ""), given.get(RIGHT, "")
        self.column = sys.intern(self.left + self.right)
        """Both gestures, as the key for where a column leads."""
        self.is_plain = self.has_both and len(given) == 2
        """Whether there are only the two gestures."""
        in_order = (LEFT, RIGHT) if self.is_plain else sorted(given, key=_rank)
        self.slots: dict[str, str] = {slot: given[slot] for slot in in_order}
        groups = EMPTY if self.is_plain else _group(self.slots)
        self.choices: dict[str, str] = groups.get("CHOOSE", EMPTY)
        """hand → spell."""
        self.targets, self.monster_orders = _part_targets(groups.get("TARGET", EMPTY))
        """hand → victim, creature → victim."""
        self.retargets: Mapping[str, str] = groups.get("RETARGET", EMPTY)
        """creature → the target of its second attack."""
        self.paralyses: Mapping[str, str] = groups.get("PARALYZE", EMPTY)
        """victim → hand."""
        self._directed: Mapping[str, str] = groups.get("DIRECT", EMPTY)
        self.has_powers = not _POWERS.isdisjoint(given)
        """Whether there is anything besides gestures and orders about someone."""
        self.has_more = bool(self.has_powers or self.paralyses or self._directed or self.retargets)
        """Whether there is anything besides gestures, choices and targets."""
        self.forfeits = "FORFEIT" in given
        """Whether this mage ran out of time, and dies."""
        self.is_absent = "ABSENT" in given
        """Whether this mage ran out of time without ever giving an order, and leaves alive."""
        self.is_claimed = "CLAIMED" in given
        """Whether the others have claimed the battle from this mage, who was away for too long: a surrender."""
        self.is_by_clock = self.forfeits or self.is_absent or self.is_claimed
        """Whether no player wrote it."""
        self.occasions = _find_occasions(self)
        """The occasions it adds to a turn, besides the spells that its gestures complete (see `occasions`)."""
        self._second: Sheet | None = None

    @classmethod
    def from_lines(cls, lines: Iterable[str]) -> Sheet:
        """Return the sheet with these canonical lines (see `lines`)."""
        return cls(dict(_read_line(line) for line in lines))

    def lines(self) -> list[str]:
        """Return the canonical lines, in the order of carrying them out."""
        return [write_line(slot, value) for slot, value in self.slots.items()]

    def get(self, slot: str) -> str | None:
        return self.slots.get(slot)

    def merged(self, later: Sheet) -> Sheet:
        """Return these orders with later ones put in their slots.

        A choice for both hands replaces choices for single hands, and the other way round. A hand that changes its
        gesture loses its choice of spell and its target: they were meant for the old one.
        """
        slots = dict(self.slots)
        changed = [h for h in (*SECOND, *FIRST) if h in slots and later.slots.get(h, slots[h]) != slots[h]]
        for hand in changed:
            slots.pop(f"TARGET {hand}", None)
            slots.pop(f"TARGET {SECOND[BOTH] if hand in FIRST else BOTH}", None)
        if changed:
            slots = {k: v for k, v in slots.items() if not k.startswith("CHOOSE ")}
        for left, right, both in (tuple(SECOND), tuple(FIRST)):
            if f"CHOOSE {both}" in later.slots:
                slots.pop(f"CHOOSE {left}", None)
                slots.pop(f"CHOOSE {right}", None)
            if f"CHOOSE {left}" in later.slots or f"CHOOSE {right}" in later.slots:
                slots.pop(f"CHOOSE {both}", None)
        slots.update(later.slots)
        return Sheet(slots)

    def without(self, slot: str) -> Sheet:
        return Sheet({k: v for k, v in self.slots.items() if k != slot})

    def __bool__(self) -> bool:
        return bool(self.slots)

    def __iter__(self) -> Iterator[tuple[str, str]]:
        return iter(self.slots.items())

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sheet) and self.slots == other.slots

    def __hash__(self) -> int:
        return hash(tuple(self.slots.items()))

    def __repr__(self) -> str:
        return f"Sheet({self.lines()!r})"

    @classmethod
    def of_forfeit(cls) -> Sheet:
        """Return the sheet of a mage who ran out of time (FM-SLOW-6)."""
        return cls({"FORFEIT": "FORFEIT"})

    @classmethod
    def of_absence(cls) -> Sheet:
        """Return the sheet of a mage who ran out of time without ever giving an order."""
        return cls({"ABSENT": "ABSENT"})

    @classmethod
    def of_claim(cls) -> Sheet:
        """Return the sheet of a mage who was away for too long, so that the others claimed the battle (FM-SLOW-7)."""
        return cls({"CLAIMED": "CLAIMED"})

    # -- for the steps of a turn ---------------------------------------------------------------------------------

    @property
    def gestures(self) -> tuple[str, str]:
        """(left, right); both must be there."""
        return self.left, self.right

    @property
    def second(self) -> Sheet:
        """The orders for the hands of the second pair, as a separate sheet with their plain names."""
        if self._second is None:
            slots = {}
            for slot, value in self.slots.items():
                verb, _, subject = slot.partition(" ")
                if verb in FIRST:
                    slots[FIRST[verb]] = value
                elif subject in FIRST:
                    slots[f"{verb} {FIRST[subject]}"] = value
            self._second = Sheet(slots)
        return self._second

    @property
    def directions(self) -> dict[str, tuple[str, str]]:
        """victim → (hand, gesture)."""
        pairs = {victim: value.split() for victim, value in self._directed.items()}
        return {victim: (hand, gesture) for victim, (hand, gesture) in pairs.items()}

    @property
    def permanent(self) -> str | None:
        """The hand whose spell becomes permanent."""
        return self.slots.get("PERMANENT")

    @property
    def delay(self) -> str | None:
        """The hand whose spell goes into the bank."""
        return self.slots.get("DELAY")

    @property
    def fire(self) -> bool:
        """Whether the banked spell is released."""
        return "FIRE" in self.slots

    @property
    def ends_own_life(self) -> bool:
        return "SUICIDE" in self.slots

    @property
    def says(self) -> str:
        """What the mage says; empty for nothing."""
        return self.slots.get("SAY", "")


def _group(slots: Mapping[str, str]) -> dict[str, dict[str, str]]:
    """Return verb → subject → value."""
    groups: dict[str, dict[str, str]] = {}
    for slot, value in slots.items():
        verb, _, subject = slot.partition(" ")
        if subject not in FIRST:
            groups.setdefault(verb, {})[subject] = value
    return groups


def _find_occasions(sheet: Sheet) -> int:
    found = STABS if STAB in sheet.column else NONE
    if sheet.column == SURRENDER:
        found |= PALMS
    if sheet.has_more or sheet.monster_orders:
        found |= WORDS
    return found


def _part_targets(targets: dict[str, str]) -> tuple[dict[str, str], dict[str, str]]:
    hands = {hand: victim for hand, victim in targets.items() if hand in SELECTORS}
    if len(hands) == len(targets):
        return targets, EMPTY
    return hands, {creature: victim for creature, victim in targets.items() if creature not in SELECTORS}


def _rank(slot: str) -> int:
    return _RANK[slot.partition(" ")[0]]


def slot_of_all(slot: str) -> str:
    """Return the slot for every elemental of that mage, as there was only one before each hand had its own."""
    verb, _, subject = slot.partition(" ")
    return f"{verb} {subject.rpartition(':')[2]}"


def write_line(slot: str, value: str) -> str:
    """Return the line of the order grammar for a slot and its value."""
    verb, _, subject = slot.partition(" ")
    if verb in VALUE_FIRST:
        return f"{verb} {value} {subject}"
    if verb in _ALONE:
        return verb
    return f"{slot} {value}"


def _read_line(line: str) -> tuple[str, str]:
    verb, _, rest = line.partition(" ")
    if verb in ("CHOOSE", "TARGET", "RETARGET"):
        subject, _, value = rest.partition(" ")
        return f"{verb} {subject}", value
    if verb in VALUE_FIRST:
        value, _, subject = rest.rpartition(" ")
        return f"{verb} {subject}", value
    return verb, rest or verb
