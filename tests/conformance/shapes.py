"""Recorded games of other shapes: each key dropped, and each value replaced by one of another type."""

import copy
from collections.abc import Iterator, Mapping
from typing import Any

Place = tuple[str | int, ...]
DROPPED = object()
# What stands in place of a value.
OTHERS = (DROPPED, None, 7, "x", [], {}, ["x"], {"x": "x"}, True)


def list_places(value: Any, place: Place = ()) -> Iterator[Place]:
    """Every place in a record."""
    if place:
        yield place
    entries = value.items() if isinstance(value, Mapping) else enumerate(value) if isinstance(value, list) else ()
    for key, each in entries:
        yield from list_places(each, (*place, key))


def list_kinds(record: Mapping[str, Any], names: frozenset[str]) -> dict[Place, Place]:
    """One place of each kind, the last one: places that differ only in numbers, or in `names`, are of one kind."""
    return {
        tuple("*" if isinstance(key, int) or key in names else key for key in place): place
        for place in list_places(record)
    }


def change(record: Mapping[str, Any], place: Place, other: Any) -> dict[str, Any]:
    """A copy of the record with another value, or none, in this place."""
    changed = copy.deepcopy(dict(record))
    part: Any = changed
    for key in place[:-1]:
        part = part[key]
    if other is DROPPED:
        del part[place[-1]]
    else:
        part[place[-1]] = copy.deepcopy(other)
    return changed
