"""ORM statements whose SQL is compiled once per process and then run with other values.

Django takes longer to compile the SQL of a query with a few joins and subqueries than PostgreSQL takes to answer it:
half the processor time of an order or a battle page went there.
"""

from collections.abc import Callable, Hashable, Iterable, Sequence
from datetime import UTC, datetime
from functools import cache
from operator import itemgetter
from typing import Any, Generic, TypeVar

from django.db import connections, transaction
from django.db.models import Expression, Model, QuerySet, sql
from django.db.models.base import ModelState
from django.db.models.query import (
    FlatValuesListIterable,
    ModelIterable,
    ValuesListIterable,
    get_related_populators,
)
from django.db.models.query_utils import DeferredAttribute
from django.db.models.signals import post_init, pre_init

Row = TypeVar("Row")
Value = int | str | datetime
Values = Value | Sequence[int]
# Placeholders for a call's values while the SQL is compiled. They fit into an integer column.
MARKS: dict[type, Callable[[int], Value]] = {
    int: lambda place: 2_147_400_000 + place,
    str: lambda place: f"\x02mark {place}\x02",
    datetime: lambda place: datetime.fromisoformat(f"1789-07-14T12:00:00.{place:06}+00:00"),
}
# The longest list of numbers for which a statement is compiled, and the first placeholder for such a list.
LONGEST_LIST = 1024
LIST_MARKS = 2_147_000_000
# The most rows for which an INSERT is compiled.
MOST_INSERTED = 32
TIMESTAMPTZ = "timestamptz"


class _Prepared:
    """What the three kinds have in common: a function that writes a queryset, and its compiled forms.

    `write` takes keywords that are annotated as int, str, datetime or list[int], each of which becomes a parameter of
    the statement as it is: the queryset must not depend on them otherwise, nor on anything that changes while the
    process runs. It may use select_related, annotations and values_list, but neither prefetch_related nor values.

    A list is for `__in`, and with an empty one the statement concerns no row. It is filled up to the next power of two
    by repeating its last number, which means the same, so that a statement has few compiled forms.
    """

    def __init__(self, write: Callable[..., QuerySet[Any, Any]]) -> None:
        self._write = write
        self._kinds = {name: kind for name, kind in write.__annotations__.items() if name != "return"}
        self._forms: dict[Hashable, Any] = {}
        self.__doc__ = write.__doc__

    def _find_form(self, values: dict[str, Any], make: Callable[..., Any], *more: Hashable) -> Any:
        """Return the form for this database, the lengths of the lists and `more`; fill up the lists in `values`."""
        lengths = {name: _fill_up(values, name) for name, kind in self._kinds.items() if kind not in MARKS}
        key = (connections["default"].vendor, *lengths.values(), *more)
        form = self._forms.get(key)
        if form is None:
            form = self._forms[key] = make(self._write, self._mark(lengths))
        return form

    def _mark(self, lengths: dict[str, int]) -> dict[str, Any]:
        marks: dict[str, Any] = {}
        for place, (name, kind) in enumerate(self._kinds.items()):
            first = LIST_MARKS + place * LONGEST_LIST
            marks[name] = MARKS[kind](place) if kind in MARKS else [first + n for n in range(lengths[name])]
        return marks


def _fill_up(values: dict[str, Any], name: str) -> int:
    numbers = list(values[name])
    length = 1 << (len(numbers) - 1).bit_length()
    values[name] = numbers + numbers[-1:] * (length - len(numbers))
    return length


class PreparedQuery(_Prepared, Generic[Row]):
    """Turns a function that returns a queryset into one that returns its rows. It may lock them, in a transaction."""

    def __init__(self, write: "Callable[..., QuerySet[Any, Row]]") -> None:
        super().__init__(write)

    def __call__(self, **values: Values) -> list[Row]:
        """Return the rows for these values."""
        longest = _measure(values)
        if longest == 0:
            return []
        if longest > LONGEST_LIST:
            return list(self._write(**values))
        rows: list[Row] = self._find_form(values, _Select).fetch(values)
        return rows


class PreparedUpdate(_Prepared):
    """Turns a function that returns a queryset into one that updates its rows, and returns how many there were."""

    def __call__(self, fields: dict[str, Any], /, **values: Values) -> int:
        """Set the fields, to plain values, in the rows for these values."""
        longest = _measure(values)
        if longest == 0:
            return 0
        if longest > LONGEST_LIST:
            return self._write(**values).update(**fields)

        def make(write: Callable[..., Any], marks: dict[str, Any]) -> _Update:
            return _Update(write, marks, list(fields))

        updated: int = self._find_form(values, make, *fields).run(values, fields)
        return updated


class PreparedDelete(_Prepared):
    """Turns a function that returns a queryset into one that deletes its rows, and returns how many there were.

    No row of another table may refer to them: nothing else is deleted.
    """

    def __call__(self, **values: Value) -> int:
        """Delete the rows for these values."""
        deleted: int = self._find_form(values, _Delete).run(values)
        return deleted


class PreparedInsert:
    """Inserts new rows of one model as `bulk_create` does, without its signals and options, and sets their keys."""

    def __init__(self, model: type[Model]) -> None:
        self._model = model
        self._texts: dict[Hashable, str] = {}

    def __call__(self, rows: Sequence[Any]) -> None:
        """Insert the rows. Their related rows are saved already."""
        if not rows:
            return
        if len(rows) > MOST_INSERTED:
            self._model._default_manager.bulk_create(rows)
            return
        connection = connections["default"]
        key: Any = self._model._meta.pk
        fields = [field for field in self._model._meta.local_concrete_fields if field is not key]
        text = self._texts.get((connection.vendor, len(rows)))
        if text is None:
            text = self._texts[connection.vendor, len(rows)] = self._write(connection, fields, key, len(rows))
        values = [field.get_db_prep_save(field.pre_save(row, add=True), connection) for row in rows for field in fields]
        with transaction.mark_for_rollback_on_error(using="default"), connection.cursor() as cursor:
            cursor.execute(text, values)
            keys = cursor.fetchall()
        for row, (number,) in zip(rows, keys, strict=True):
            setattr(row, key.attname, number)
            row._state.adding, row._state.db = False, "default"

    def _write(self, connection: Any, fields: Sequence[Any], key: Any, rows: int) -> str:
        if any(field.has_db_default() for field in fields):
            raise TypeError(f"{self._model.__name__} has values that only the database knows")
        quote = connection.ops.quote_name
        columns = ", ".join(quote(field.column) for field in fields)
        places = ", ".join([f"({', '.join(['%s'] * len(fields))})"] * rows)
        table = quote(self._model._meta.db_table)
        return f"INSERT INTO {table} ({columns}) VALUES {places} RETURNING {quote(key.column)}"


def _measure(values: dict[str, Any]) -> int:
    """Return the length of the longest list, 0 if one is empty, and 1 if there is none."""
    lengths = [len(each) for each in values.values() if isinstance(each, list | tuple)]
    return 0 if 0 in lengths else max(lengths, default=1)


def keep_related(instance: Model, name: str, rows: list[Any]) -> None:
    """Let `instance.name.all()` return these rows, which were read by another query, as prefetch_related does."""
    known: Any = getattr(instance, name).all()
    known._result_cache, known._prefetch_done = rows, True
    for row in rows:
        setattr(row, getattr(instance, name).field.name, instance)
    instance.__dict__.setdefault("_prefetched_objects_cache", {})[name] = known


class _Statement:
    """Compiled SQL, and the places of each value among its parameters. `skipped` parameters come before the values."""

    def __init__(self, name: str, compiler: Any, marks: dict[str, Any], skipped: int = 0) -> None:
        connection = connections["default"]
        self.sql, parameters = compiler.as_sql()
        self.parameters = list(parameters)
        self.single: list[tuple[int, str]] = []
        self.listed: list[tuple[int, str, int]] = []
        for field, mark in marks.items():
            places = [
                (at, n)
                for at, each in enumerate(self.parameters)
                for n, one in enumerate(mark if isinstance(mark, list) else [mark])
                if at >= skipped and each == _adapt(one, connection)
            ]
            if not places:
                raise ValueError(f"{name}: {field} is no parameter of the query")
            if isinstance(mark, list):
                self.listed += [(at, field, n) for at, n in places]
            else:
                self.single += [(at, field) for at, _ in places]

    def bind(self, values: dict[str, Any]) -> list[Any]:
        """Return the parameters for these values."""
        connection = connections["default"]
        parameters = self.parameters.copy()
        for at, name in self.single:
            parameters[at] = _adapt(values[name], connection)
        for at, name, n in self.listed:
            parameters[at] = values[name][n]
        return parameters


class _Select(_Statement):
    def __init__(self, write: Callable[..., QuerySet[Any, Any]], marks: dict[str, Any]) -> None:
        self.queryset: Any = write(**marks)
        self.is_locking = self.queryset.query.select_for_update
        self.compiler: Any = self.queryset.query.get_compiler(using="default")
        super().__init__(write.__name__, self.compiler, marks)
        columns = [each[0] for each in self.compiler.select[: self.compiler.col_count]]
        self.converters = self.compiler.get_converters(columns)
        kind = self.queryset._iterable_class
        self.make: Callable[[Any], Any]
        if kind is ModelIterable:
            self._read_classes()
            self.make = self._make
        elif kind is ValuesListIterable:
            self.make = tuple
        elif kind is FlatValuesListIterable:
            self.make = itemgetter(0)
        else:
            raise TypeError(f"{write.__name__}: rows of this kind are not supported")

    def _read_classes(self) -> None:
        """Note what Django's ModelIterable finds out anew for every query."""
        known, select = self.compiler.klass_info, self.compiler.select
        fields = known["select_fields"]
        self.model: Any = _find_maker(known["model"])
        self.first, self.last = fields[0], fields[-1] + 1
        self.names = [each[0].target.attname for each in select[self.first : self.last]]
        self.related = get_related_populators(known, select, "default")  # type: ignore[call-arg]  # stubs of a later Django
        _use_makers(self.related)
        self.extra = list(self.compiler.annotation_col_map.items())

    def fetch(self, values: dict[str, Any]) -> list[Any]:
        """Return the rows for these values."""
        connection = connections["default"]
        if self.is_locking and not connection.in_atomic_block:
            raise transaction.TransactionManagementError("Rows are locked only in a transaction.")
        parameters = self.bind(values)
        with connection.cursor() as cursor:
            if connection.vendor == "postgresql" and connection.timezone is UTC:
                # Django's loader, in Python, only sets the zone. This one is in C and has UTC from the connection.
                cursor.cursor.adapters.register_loader(TIMESTAMPTZ, _timestamp_loader())
            cursor.execute(self.sql, parameters)
            rows: Iterable[Any] = cursor.fetchall()
        if self.converters:
            rows = self.compiler.apply_converters(rows, self.converters)
        return [self.make(row) for row in rows]

    def _make(self, row: Any) -> Any:
        made: Any = self.model.from_db("default", self.names, row[self.first : self.last])
        for each in self.related:
            each.populate(row, made)
        for name, at in self.extra:
            setattr(made, name, row[at])
        return made


class _Maker:
    """Makes the objects of a model as its `from_db` does, but sets all fields at once."""

    def __init__(self, model: type[Model]) -> None:
        self.model = model

    def from_db(self, database: str, names: Sequence[str], values: Sequence[Any]) -> Any:
        made = object.__new__(self.model)
        state = ModelState()
        state.adding, state.db = False, database
        fields = made.__dict__
        fields["_state"] = state
        fields.update(zip(names, values, strict=True))
        return made


def _find_maker(model: type[Model]) -> Any:
    """Return the model itself if its objects need more than their fields to be set."""
    is_plain = (
        model.__init__ is Model.__init__
        and getattr(model.from_db, "__func__", None) is getattr(Model.from_db, "__func__", 0)
        and all(
            isinstance(_find_in_class(model, field.attname), DeferredAttribute) for field in model._meta.concrete_fields
        )
        and not pre_init.has_listeners(model)
        and not post_init.has_listeners(model)
    )
    return _Maker(model) if is_plain else model


def _find_in_class(model: type[Model], name: str) -> Any:
    return next((vars(each)[name] for each in model.__mro__ if name in vars(each)), None)


def _use_makers(populators: Iterable[Any]) -> None:
    for each in populators:
        each.model_cls = _find_maker(each.model_cls)
        _use_makers(each.related_populators)


@cache
def _timestamp_loader() -> Any:
    import psycopg

    return psycopg.adapters.get_loader(psycopg.adapters.types[TIMESTAMPTZ].oid, psycopg.pq.Format.TEXT)


class _Update(_Statement):
    def __init__(self, write: Callable[..., QuerySet[Any, Any]], marks: dict[str, Any], names: list[str]) -> None:
        query: Any = write(**marks).query.chain(sql.UpdateQuery)
        query.add_update_values({name: _Later() for name in names})
        self.fields = [query.get_meta().get_field(name) for name in names]
        super().__init__(write.__name__, query.get_compiler(using="default"), marks, skipped=len(names))

    def run(self, values: dict[str, Any], fields: dict[str, Any]) -> int:
        connection = connections["default"]
        parameters = self.bind(values)
        for at, field in enumerate(self.fields):
            parameters[at] = field.get_db_prep_save(fields[field.name], connection)
        return _run(connection, self.sql, parameters)


class _Delete(_Statement):
    def __init__(self, write: Callable[..., QuerySet[Any, Any]], marks: dict[str, Any]) -> None:
        query: Any = write(**marks).query.chain(sql.DeleteQuery)
        super().__init__(write.__name__, query.get_compiler(using="default"), marks)

    def run(self, values: dict[str, Any]) -> int:
        return _run(connections["default"], self.sql, self.bind(values))


class _Later(Expression):
    """A value that is known only when the statement runs."""

    def as_sql(self, compiler: Any, connection: Any) -> tuple[str, Any]:
        del compiler, connection
        return "%s", [self]


def _run(connection: Any, text: str, parameters: list[Any]) -> int:
    with transaction.mark_for_rollback_on_error(using="default"), connection.cursor() as cursor:
        cursor.execute(text, parameters)
        return int(cursor.rowcount)


def _adapt(value: Any, connection: Any) -> Any:
    return connection.ops.adapt_datetimefield_value(value) if isinstance(value, datetime) else value
