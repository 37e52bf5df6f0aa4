"""ORM queries whose SQL is compiled once per process and then run with other values.

Django takes longer to compile the SQL of a query with a few joins and subqueries than PostgreSQL takes to answer it:
half the processor time of an order or a battle page went there.
"""

from collections.abc import Callable
from datetime import datetime
from typing import Any, Generic, TypeVar

from django.db import connections
from django.db.models import QuerySet

Row = TypeVar("Row")
Value = int | str | datetime
# Placeholders for a call's values while the SQL is compiled. They fit into an integer column.
MARKS: dict[type, Callable[[int], Value]] = {
    int: lambda place: 2_147_400_000 + place,
    str: lambda place: f"\x02mark {place}\x02",
    datetime: lambda place: datetime.fromisoformat(f"1789-07-14T12:00:00.{place:06}+00:00"),
}


class PreparedQuery(Generic[Row]):
    """Turns a function that returns a queryset into one that returns its rows.

    `write` takes keywords that are annotated as int, str or datetime, each of which becomes a parameter of the query as
    it is: the queryset must not depend on them otherwise, nor on anything that changes while the process runs, nor
    lock rows. It may use select_related and annotations, but no prefetch_related and no lists of any length.
    """

    def __init__(self, write: Callable[..., "QuerySet[Any, Row]"]) -> None:
        self._write = write
        self._written: dict[str, _Written[Row]] = {}
        self.__doc__ = write.__doc__

    def __call__(self, **values: Value) -> list[Row]:
        """Return the rows for these values."""
        written = self._written.get("default")
        if written is None or written.vendor != connections["default"].vendor:
            written = self._written["default"] = _Written(self._write)
        return list(written.bind(values))


class _Written(Generic[Row]):
    """A queryset with its compiled SQL, and the places of each value among its parameters."""

    def __init__(self, write: Callable[..., "QuerySet[Any, Row]"]) -> None:
        connection = connections["default"]
        kinds = {name: kind for name, kind in write.__annotations__.items() if name != "return"}
        marks = {name: MARKS[kind](place) for place, (name, kind) in enumerate(kinds.items())}
        self.vendor = connection.vendor
        self.queryset: Any = write(**marks)
        self.compiler: Any = self.queryset.query.get_compiler(using="default")
        self.sql, parameters = self.compiler.as_sql()
        self.parameters = list(parameters)
        self.places: list[tuple[int, str]] = []
        for name, mark in marks.items():
            places = [at for at, each in enumerate(self.parameters) if each == _adapt(mark, connection)]
            if not places:
                raise ValueError(f"{write.__name__}: {name} is no parameter of the query")
            self.places += [(at, name) for at in places]
        columns = [each[0] for each in self.compiler.select[: self.compiler.col_count]]
        self.converters = self.compiler.get_converters(columns)

    def bind(self, values: dict[str, Value]) -> "QuerySet[Any, Row]":
        """Return the queryset for these values, not run yet."""
        connection = connections["default"]
        parameters = self.parameters.copy()
        for at, name in self.places:
            parameters[at] = _adapt(values[name], connection)
        compiler = _copy(self.compiler)
        compiler.connection = connection
        compiler.as_sql = lambda *_args, **_kwargs: (self.sql, tuple(parameters))
        compiler.get_converters = lambda _columns: self.converters
        query = _copy(self.queryset.query)
        query.get_compiler = lambda *_args, **_kwargs: compiler
        bound: Any = _copy(self.queryset)
        bound._query = query
        return bound  # type: ignore[no-any-return]


def _adapt(value: Value, connection: Any) -> Any:
    return connection.ops.adapt_datetimefield_value(value) if isinstance(value, datetime) else value


def _copy(thing: Any) -> Any:
    """Copy an object shallowly: Django's own ways to copy would run the queryset or copy the whole query."""
    copied = object.__new__(type(thing))
    copied.__dict__.update(thing.__dict__)
    return copied
