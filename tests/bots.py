"""The computer opponents in a test's database, without the cost of registering them again."""

from datetime import datetime
from typing import Any

from django.apps import apps
from django.db import connection
from django.db.models import DateTimeField, Max, Model

from accounts.services.bots import ensure_bots

# The rows of the first call in this process, and its moment.
kept: list[tuple[type[Model], list[Any]]] = []
kept_since: list[datetime] = []


def bring_bots(*, now: datetime) -> None:
    """Do what ensure_bots does in a database without bots, whose names are free."""
    if not kept:
        before = {model: _last(model) for model in _list_models()}
        ensure_bots(now=now)
        kept_since.append(now)
        for model, last in before.items():
            if rows := list(model._base_manager.filter(pk__gt=last).order_by("pk")):
                kept.append((model, rows))
    elif any(_are_ids_taken(model, rows) for model, rows in kept):
        ensure_bots(now=now)
    else:
        for model, rows in kept:
            model._base_manager.bulk_create([_copy(row, now) for row in rows])


def _are_ids_taken(model: Any, rows: list[Any]) -> bool:
    """Return whether other rows have these ids. On PostgreSQL none has: a rollback does not turn its sequences back."""
    if connection.vendor == "postgresql":
        return False
    return bool(model._base_manager.filter(pk__in=[row.pk for row in rows]).exists())


def _list_models() -> list[Any]:
    """Return the models with a number as their key, those that others refer to first."""
    first = [apps.get_model("accounts", name) for name in ("User", "Mage")]
    rest = [each for each in apps.get_models() if each not in first and each._meta.managed and not each._meta.proxy]
    return [*first, *(each for each in rest if each._meta.pk.get_internal_type().endswith("AutoField"))]


def _last(model: Any) -> int:
    return model._base_manager.aggregate(last=Max("pk"))["last"] or 0


def _copy(row: Any, now: datetime) -> Any:
    values = {field.attname: getattr(row, field.attname) for field in row._meta.concrete_fields}
    for field in row._meta.concrete_fields:
        if isinstance(field, DateTimeField) and values[field.attname] == kept_since[0]:
            values[field.attname] = now
    return type(row)(**values)
