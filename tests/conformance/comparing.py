"""The first fact in which a replay departs from the record."""

from collections.abc import Mapping
from dataclasses import dataclass

NOT_THERE = "(no such fact)"


@dataclass(frozen=True)
class Difference:
    """Where the engine left the record. `turn` is the label, and which turn of the game it is, counted from 1."""

    turn: str
    what: str
    expected: object
    got: object

    def __str__(self) -> str:
        return f"turn {self.turn}: {self.what}: expected {write_fact(self.expected)}, got {write_fact(self.got)}"


def find_difference(turn: str, expected: Mapping[str, object], got: Mapping[str, object]) -> Difference | None:
    """The first fact of `expected`, in its order, that `got` does not hold just so; None if there is none."""
    for what, value in expected.items():
        found = got.get(what, NOT_THERE)
        if found != value:
            return Difference(turn, what, *_shorten(value, found))
    return None


def _shorten(expected: object, got: object) -> tuple[object, object]:
    """Long lists are cut down to the entries that differ."""
    if isinstance(expected, dict) and isinstance(got, dict):
        keys = [key for key in {**expected, **got} if expected.get(key) != got.get(key)]
        return ({key: expected[key] for key in keys if key in expected}, {key: got[key] for key in keys if key in got})
    if isinstance(expected, frozenset) and isinstance(got, frozenset):
        return expected - got, got - expected
    return expected, got


def write_fact(value: object) -> str:
    """A fact as text; sets are sorted, so that the same difference is always printed in the same words."""
    if isinstance(value, frozenset):
        return "{" + ", ".join(sorted(map(str, value))) + "}"
    if isinstance(value, tuple):
        return "[" + ", ".join(map(str, value)) + "]"
    return str(value)
