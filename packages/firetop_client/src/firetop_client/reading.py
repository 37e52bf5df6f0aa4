"""Reads JSON data as the types of models.py. Members that this release does not know are ignored."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import fields, is_dataclass
from datetime import datetime
from functools import cache
from types import NoneType, UnionType
from typing import Any, TypeVar, Union, cast, get_args, get_origin, get_type_hints

from firetop_client.errors import UnexpectedAnswer

T = TypeVar("T")
Read = Callable[[Any, str], Any]


def read_value(kind: type[T], data: Any) -> T:
    """Return JSON data as a value of `kind`. Raises UnexpectedAnswer, which names the place of what is missing or of
    another type."""
    return cast(T, _reader(cast(Hashable, kind))(data, getattr(kind, "__name__", str(kind))))


@cache
def _reader(kind: Hashable) -> Read:
    if kind is Any:
        return lambda data, place: data
    if is_dataclass(kind):
        return _read_model(cast(type, kind))
    if kind is datetime:
        return _read_moment
    origin, inner = get_origin(kind), get_args(kind)
    if origin in (Union, UnionType):
        return _read_union(inner)
    if origin is list:
        read = _reader(inner[0])
        return lambda data, place: [
            read(each, f"{place}.{number}") for number, each in enumerate(_expect(data, list, place))
        ]
    if origin is dict:
        read = _reader(inner[1])
        return lambda data, place: {
            key: read(each, f"{place}.{key}") for key, each in _expect(data, dict, place).items()
        }
    return lambda data, place: _expect(data, cast(type, kind), place)


def _read_model(kind: type) -> Read:
    # Filled in at the first reading, since models may contain each other.
    readers: dict[str, Read] = {}

    def read(data: Any, place: str) -> Any:
        given = _expect(data, dict, place)
        if not readers:
            hints = get_type_hints(kind)
            readers.update({each.name: _reader(hints[each.name]) for each in fields(kind)})
        missing = [name for name in readers if name not in given]
        if missing:
            raise UnexpectedAnswer(f"{place} has no {', '.join(missing)}: the site may be older than this client.")
        return kind(**{name: each(given[name], f"{place}.{name}") for name, each in readers.items()})

    return read


def _read_union(kinds: tuple[Any, ...]) -> Read:
    readers = [_reader(each) for each in kinds if each is not NoneType]
    may_be_none = NoneType in kinds

    def read(data: Any, place: str) -> Any:
        if data is None and may_be_none:
            return None
        for number, each in enumerate(readers):
            try:
                return each(data, place)
            except UnexpectedAnswer:
                if number == len(readers) - 1:
                    raise
        raise UnexpectedAnswer(f"{place} is of no known type.")

    return read


def _read_moment(data: Any, place: str) -> datetime:
    try:
        return datetime.fromisoformat(_expect(data, str, place))
    except ValueError:
        raise UnexpectedAnswer(f"{place} is not a moment: {data!r}") from None


def _expect(data: Any, kind: type, place: str) -> Any:
    if kind is float and isinstance(data, int) and not isinstance(data, bool):
        return float(data)
    if not isinstance(data, kind) or (isinstance(data, bool) and kind is int):
        raise UnexpectedAnswer(f"{place} is {type(data).__name__}, not {kind.__name__}.")
    return data
