"""INSERT statements whose SQL is written once per process."""

from collections.abc import Hashable, Sequence
from typing import Any

from django.db import connections, transaction
from django.db.models import Model

# The most rows for which an INSERT is written.
MOST_INSERTED = 32


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
