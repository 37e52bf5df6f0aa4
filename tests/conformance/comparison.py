"""Compares the facts of a record with the engine's, and counts what was compared and what was not."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from re import Pattern

NOT_THERE = "(no such fact)"


@dataclass(frozen=True)
class Difference:
    """Where the engine differs from the record. `turn` is the label, and the turn's number in the game, from 1."""

    turn: str
    what: str
    expected: object
    got: object

    def __str__(self) -> str:
        return f"turn {self.turn}: {self.what}: expected {write_fact(self.expected)}, got {write_fact(self.got)}"


@dataclass(frozen=True)
class Excuse:
    """Facts that may differ in a turn, as a pattern of their names, with a named reason."""

    facts: Pattern[str]
    reason: str


@dataclass
class Tally:
    """How many facts were compared and agree, and how many were not, by reason.

    A `skipped` fact was never compared; an `excused` one was, and differs for a named reason. A list counts as one fact
    for each entry, and at least one.
    """

    compared: int = 0
    skipped: Counter[str] = field(default_factory=Counter)
    excused: Counter[str] = field(default_factory=Counter)

    def __add__(self, other: "Tally") -> "Tally":
        return Tally(self.compared + other.compared, self.skipped + other.skipped, self.excused + other.excused)

    @property
    def share(self) -> float:
        """The share of all facts that was compared and agrees."""
        whole = self.compared + self.skipped.total() + self.excused.total()
        return self.compared / whole if whole else 1.0

    def lines(self) -> Iterator[str]:
        """The counts as text: one line for those compared, one for each reason not to."""
        if not self.compared + self.skipped.total() + self.excused.total():
            return
        yield f"{self.compared} facts compared ({self.share:.2%})"
        for word, counts in (("skipped", self.skipped), ("excused", self.excused)):
            for reason, count in counts.most_common():
                yield f"  {count} {word}: {reason}"


def weigh(value: object) -> int:
    """How many facts a value counts for."""
    return max(1, len(value)) if isinstance(value, tuple | frozenset | dict) else 1


def compare_facts(
    turn: str,
    expected: Mapping[str, object],
    got: Mapping[str, object],
    tally: Tally,
    excuses: Iterable[Excuse] = (),
) -> Difference | None:
    """The first fact of `expected` that differs in `got` without an excuse; counts all facts before it."""
    for what, value in expected.items():
        found = got.get(what, NOT_THERE)
        if found == value:
            tally.compared += weigh(value)
            continue
        excuse = next((one for one in excuses if one.facts.fullmatch(what)), None)
        if excuse is None:
            return Difference(turn, what, *_shorten(value, found))
        tally.excused[excuse.reason] += weigh(value)
    return None


def _shorten(expected: object, got: object) -> tuple[object, object]:
    """Reduce long lists to the entries that differ."""
    if isinstance(expected, dict) and isinstance(got, dict):
        keys = [key for key in {**expected, **got} if expected.get(key) != got.get(key)]
        return ({key: expected[key] for key in keys if key in expected}, {key: got[key] for key in keys if key in got})
    if isinstance(expected, frozenset) and isinstance(got, frozenset):
        return expected - got, got - expected
    return expected, got


def write_fact(value: object) -> str:
    """A fact as text; sets are sorted, so that the same difference always prints the same."""
    if isinstance(value, frozenset):
        return "{" + ", ".join(sorted(map(str, value))) + "}"
    if isinstance(value, tuple):
        return "[" + ", ".join(map(str, value)) + "]"
    return str(value)
