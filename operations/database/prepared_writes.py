"""INSERT, UPDATE and DELETE statements whose SQL is compiled once per process (see prepared_query)."""

from collections.abc import Callable, Hashable, Sequence
from typing import Any

from django.db import connections, transaction
from django.db.models import Expression, Model, QuerySet, sql

from operations.database.prepared_query import LONGEST_LIST, Prepared, Statement, Value, Values, measure_lists

# The most rows for which an INSERT is compiled.
MOST_INSERTED = 32


class PreparedUpdate(Prepared):
    """Turns a function that returns a queryset into one that updates its rows, and returns how many there were."""

    def __call__(self, fields: dict[str, Any], /, **values: Values) -> int:
        """Set the fields, to plain values, in the rows for these values."""
        longest = measure_lists(values)
        if longest == 0:
            return 0
        if longest > LONGEST_LIST:
            return self._write(**values).update(**fields)

        def make(write: Callable[..., Any], placeholders: dict[str, Any]) -> _Update:
            return _Update(write, placeholders, list(fields))

        updated: int = self._find_statement(values, make, *fields).run(values, fields)
        return updated


class PreparedDelete(Prepared):
    """Turns a function that returns a queryset into one that deletes its rows, and returns how many there were.

    No row of another table may refer to them: nothing else is deleted.
    """

    def __call__(self, **values: Value) -> int:
        """Delete the rows for these values."""
        deleted: int = self._find_statement(values, _Delete).run(values)
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
        if any(field.has_db_default() and not field.has_default() for field in fields):
            raise TypeError(f"{self._model.__name__} has values that only the database knows")
        quote = connection.ops.quote_name
        columns = ", ".join(quote(field.column) for field in fields)
        places = ", ".join([f"({', '.join(['%s'] * len(fields))})"] * rows)
        table = quote(self._model._meta.db_table)
        return f"INSERT INTO {table} ({columns}) VALUES {places} RETURNING {quote(key.column)}"


class _Update(Statement):
    def __init__(
        self, write: Callable[..., QuerySet[Any, Any]], placeholders: dict[str, Any], names: list[str]
    ) -> None:
        query: Any = write(**placeholders).query.chain(sql.UpdateQuery)
        query.add_update_values({name: _Later() for name in names})
        self.fields = [query.get_meta().get_field(name) for name in names]
        super().__init__(write.__name__, query.get_compiler(using="default"), placeholders, skipped=len(names))

    def run(self, values: dict[str, Any], fields: dict[str, Any]) -> int:
        connection = connections["default"]
        parameters = self.bind(values)
        for at, field in enumerate(self.fields):
            parameters[at] = field.get_db_prep_save(fields[field.name], connection)
        return _run(connection, self.sql, parameters)


class _Delete(Statement):
    def __init__(self, write: Callable[..., QuerySet[Any, Any]], placeholders: dict[str, Any]) -> None:
        query: Any = write(**placeholders).query.chain(sql.DeleteQuery)
        super().__init__(write.__name__, query.get_compiler(using="default"), placeholders)

    def run(self, values: dict[str, Any]) -> int:
        return _run(connections["default"], self.sql, self.bind(values))


class _Later(Expression):
    """A value that is known only when the statement runs."""

    def as_sql(self, compiler: Any, connection: Any) -> tuple[str, Any]:
        return "%s", [self]


def _run(connection: Any, text: str, parameters: list[Any]) -> int:
    with transaction.mark_for_rollback_on_error(using="default"), connection.cursor() as cursor:
        cursor.execute(text, parameters)
        return int(cursor.rowcount)
