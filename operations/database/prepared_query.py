"""ORM queries whose SQL is compiled once per process and then run with other values.

Django takes longer to compile the SQL of a query with a few joins and subqueries than PostgreSQL takes to answer it:
half the processor time of an order or a battle page went there.

So a function from values to a queryset is called once with placeholders, values that occur nowhere else, and Django
compiles what it returns. Where a placeholder turns up among the parameters of the SQL, later calls have their values.
"""

from collections.abc import Callable, Hashable, Iterable, Sequence
from datetime import UTC, datetime
from functools import cache
from typing import Any, Generic, TypeVar

from django.db import connections
from django.db.models import QuerySet
from django.db.models.query import ModelIterable, ValuesListIterable, get_related_populators

from operations.database.row_makers import find_maker, use_makers

Row = TypeVar("Row")
Value = int | str | datetime
Values = Value | Sequence[int]
# Placeholders for a call's values while the SQL is compiled. They fit into an integer column.
PLACEHOLDERS: dict[type, Callable[[int], Value]] = {
    int: lambda place: 2_147_400_000 + place,
    str: lambda place: f"\x02placeholder {place}\x02",
    datetime: lambda place: datetime.fromisoformat(f"1789-07-14T12:00:00.{place:06}+00:00"),
}
# The longest list of numbers for which a statement is compiled, and the first placeholder for such a list.
LONGEST_LIST = 1024
LIST_PLACEHOLDERS = 2_147_000_000
TIMESTAMPTZ = "timestamptz"
# No column holds more, and SQLite refuses to compare with it.
LARGEST = 2**63 - 1


class PreparedQuery(Generic[Row]):
    """Turns a function that returns a queryset into one that returns its rows. It may not lock them.

    The function takes keywords that are annotated as int, str, datetime or list[int], each of which becomes a
    parameter of the statement as it is: the queryset must not depend on them otherwise, nor on anything that changes
    while the process runs. It may use select_related, annotations and values_list with several columns, but neither
    prefetch_related nor values.

    A list is for `__in`, and with an empty one there are no rows. It is filled up to the next power of two by
    repeating its last number, which means the same, so that few statements are compiled.
    """

    def __init__(self, write: "Callable[..., QuerySet[Any, Row]]") -> None:
        self._write = write
        self._kinds = {name: kind for name, kind in write.__annotations__.items() if name != "return"}
        self._statements: dict[Hashable, _Statement] = {}
        self.__doc__ = write.__doc__

    def __call__(self, **values: Values) -> list[Row]:
        """Return the rows for these values."""
        lengths = [len(value) for value in values.values() if isinstance(value, list | tuple)]
        if 0 in lengths:
            return []
        if max(lengths, default=0) > LONGEST_LIST:
            return list(self._write(**values))
        rows: list[Row] = self._find_statement(values).fetch(values)
        return rows

    def _find_statement(self, values: dict[str, Any]) -> "_Statement":
        """Return the statement for this database and these lengths of lists; fill up the lists in `values`."""
        lengths = {name: _fill_up(values, name) for name, kind in self._kinds.items() if kind not in PLACEHOLDERS}
        key = (connections["default"].vendor, *lengths.values())
        statement = self._statements.get(key)
        if statement is None:
            statement = self._statements[key] = _Statement(self._write, self._choose_placeholders(lengths))
        return statement

    def _choose_placeholders(self, lengths: dict[str, int]) -> dict[str, Any]:
        placeholders: dict[str, Any] = {}
        for place, (name, kind) in enumerate(self._kinds.items()):
            first = LIST_PLACEHOLDERS + place * LONGEST_LIST
            placeholders[name] = (
                PLACEHOLDERS[kind](place) if kind in PLACEHOLDERS else [first + n for n in range(lengths[name])]
            )
        return placeholders


def _fill_up(values: dict[str, Any], name: str) -> int:
    numbers = list(values[name])
    length = 1 << (len(numbers) - 1).bit_length()
    values[name] = numbers + numbers[-1:] * (length - len(numbers))
    return length


def _adapt(value: Any, connection: Any) -> Any:
    if isinstance(value, datetime):
        return connection.ops.adapt_datetimefield_value(value)
    return max(-LARGEST, min(value, LARGEST)) if isinstance(value, int) else value


class _Statement:
    """Compiled SQL, the places of each value among its parameters, and how to make rows of what it returns."""

    def __init__(self, write: Callable[..., QuerySet[Any, Any]], placeholders: dict[str, Any]) -> None:
        self.queryset: Any = write(**placeholders)
        self.compiler: Any = self.queryset.query.get_compiler(using="default")
        self.sql, parameters = self.compiler.as_sql()
        self.parameters = list(parameters)
        self.single: list[tuple[int, str]] = []
        self.listed: list[tuple[int, str, int]] = []
        for field, placeholder in placeholders.items():
            self._find_places(write.__name__, field, placeholder)
        columns = [each[0] for each in self.compiler.select[: self.compiler.col_count]]
        self.converters = self.compiler.get_converters(columns)
        kind = self.queryset._iterable_class
        self.make: Callable[[Any], Any]
        if kind is ModelIterable:
            self._prepare_instances()
            self.make = self._make_instance
        elif kind is ValuesListIterable:
            self.make = tuple
        else:
            raise TypeError(f"{write.__name__}: rows of this kind are not supported")

    def _find_places(self, name: str, field: str, placeholder: Any) -> None:
        connection = connections["default"]
        numbered = list(enumerate(placeholder if isinstance(placeholder, list) else [placeholder]))
        places = [
            (at, n)
            for at, parameter in enumerate(self.parameters)
            for n, value in numbered
            if parameter == _adapt(value, connection)
        ]
        if not places:
            raise ValueError(f"{name}: {field} is no parameter of the query")
        if isinstance(placeholder, list):
            self.listed += [(at, field, n) for at, n in places]
        else:
            self.single += [(at, field) for at, _ in places]

    def _bind(self, values: dict[str, Any]) -> list[Any]:
        connection = connections["default"]
        parameters = self.parameters.copy()
        for at, name in self.single:
            parameters[at] = _adapt(values[name], connection)
        for at, name, n in self.listed:
            parameters[at] = _adapt(values[name][n], connection)
        return parameters

    def _prepare_instances(self) -> None:
        """Work out once what Django's ModelIterable works out for every query."""
        known, select = self.compiler.klass_info, self.compiler.select
        fields = known["select_fields"]
        self.model: Any = find_maker(known["model"])
        self.first, self.last = fields[0], fields[-1] + 1
        self.names = [each[0].target.attname for each in select[self.first : self.last]]
        self.related = get_related_populators(known, select, "default")  # type: ignore[call-arg]  # stubs of a later Django
        use_makers(self.related)
        self.extra = list(self.compiler.annotation_col_map.items())

    def fetch(self, values: dict[str, Any]) -> list[Any]:
        """Return the rows for these values."""
        connection = connections["default"]
        parameters = self._bind(values)
        with connection.cursor() as cursor:
            if connection.vendor == "postgresql" and connection.timezone is UTC:
                # Django's loader, in Python, only sets the zone. This one is in C and has UTC from the connection.
                cursor.cursor.adapters.register_loader(TIMESTAMPTZ, _timestamp_loader())
            cursor.execute(self.sql, parameters)
            rows: Iterable[Any] = cursor.fetchall()
        if self.converters:
            rows = self.compiler.apply_converters(rows, self.converters)
        return [self.make(row) for row in rows]

    def _make_instance(self, row: Any) -> Any:
        instance: Any = self.model.from_db("default", self.names, row[self.first : self.last])
        for populator in self.related:
            populator.populate(row, instance)
        for name, at in self.extra:
            setattr(instance, name, row[at])
        return instance


@cache
def _timestamp_loader() -> Any:
    import psycopg

    return psycopg.adapters.get_loader(psycopg.adapters.types[TIMESTAMPTZ].oid, psycopg.pq.Format.TEXT)
