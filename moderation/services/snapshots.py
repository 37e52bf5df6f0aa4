"""Snapshots of rows before and after a janitor's action, so that it can be undone exactly or not at all."""

from __future__ import annotations

import datetime
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django.apps import apps
from django.db.models import Model, QuerySet
from django.utils.translation import gettext as _

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

Snapshot = dict[str, dict[str, dict[str, Any]]]
"""Model → primary key → column → value, all of it JSON."""


@dataclass(frozen=True)
class Watched:
    """Rows of one model that an action may change, and their columns (none named: all).

    `words` say why the action cannot be undone if something else has changed them. Rows that change `by_themselves`,
    like clocks, are restored regardless. With `only` (primary keys), the other rows may change; with `may_go`, rows may
    be gone since. Each model is watched once.
    """

    rows: QuerySet[Any]
    columns: tuple[str, ...] = ()
    words: StrOrPromise = ""
    by_themselves: bool = False
    only: tuple[int, ...] | None = None
    may_go: bool = False

    def list_fields(self) -> list[Any]:
        """Return the fields that are kept, by default all."""
        meta = self.rows.model._meta
        names = self.columns or [field.name for field in meta.concrete_fields if not field.primary_key]
        return [meta.get_field(name) for name in names]

    def choose(self, snapshot: Snapshot) -> dict[str, dict[str, Any]]:
        rows = snapshot.get(self.rows.model._meta.label_lower, {})
        return rows if self.only is None else {str(pk): rows[str(pk)] for pk in self.only if str(pk) in rows}


def take_snapshot(watched: Iterable[Watched]) -> Snapshot:
    """Return the watched rows as they are now."""
    snapshot: Snapshot = {}
    for each in watched:
        by_key = snapshot.setdefault(_label(each), {})
        rows = each.rows if each.only is None else each.rows.filter(pk__in=each.only)
        fields = each.list_fields()
        for pk, *values in rows.order_by("pk").values_list("pk", *(field.attname for field in fields)):
            by_key[str(pk)] = {field.column: _write(value) for field, value in zip(fields, values, strict=True)}
    return snapshot


def find_change(watched: Iterable[Watched], after: Snapshot, current: Snapshot | None = None) -> str | None:
    """Return what has changed since the snapshot `after`, in words, or None. Pass `current`, a snapshot of now, to
    check many."""
    for each in watched:
        if each.by_themselves:
            continue
        then = after.get(_label(each), {})
        now = each.choose(take_snapshot([each]) if current is None else current)
        if now != ({pk: row for pk, row in then.items() if pk in now} if each.may_go else then):
            return str(each.words) or _("the battle has changed")
    return None


def restore(watched: Iterable[Watched], before: Snapshot, after: Snapshot) -> None:
    """Restore the rows to `before`: delete new rows, recreate deleted ones, and reset the others."""
    after = after | take_snapshot(each for each in watched if each.by_themselves)
    for label, rows in after.items():
        new = set(rows) - set(before.get(label, {}))
        _model(label).objects.filter(pk__in=new).delete()
    for label, rows in before.items():
        for pk, columns in rows.items():
            if pk not in after.get(label, {}):
                _model(label).objects.create(pk=int(pk), **_read(label, columns))
            elif columns != after[label][pk]:
                _model(label).objects.filter(pk=int(pk)).update(**_read(label, columns))


def _label(watched: Watched) -> str:
    label: str = watched.rows.model._meta.label_lower
    return label


def _model(label: str) -> Any:
    model: type[Model] = apps.get_model(label)
    return model


def _write(value: Any) -> Any:
    if isinstance(value, datetime.timedelta):
        return value.total_seconds()
    return value.isoformat() if isinstance(value, datetime.datetime) else value


def _read(label: str, columns: dict[str, Any]) -> dict[str, Any]:
    meta = _model(label)._meta
    fields = {field.column: field for field in meta.concrete_fields}
    return {fields[column].attname: _parse(fields[column], value) for column, value in columns.items()}


def _parse(field: Any, value: Any) -> Any:
    if value is not None and field.get_internal_type() == "DateTimeField":
        return datetime.datetime.fromisoformat(value)
    if value is not None and field.get_internal_type() == "DurationField":
        return datetime.timedelta(seconds=value)
    return value
