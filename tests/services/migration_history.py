"""A database as earlier versions made it: `python -m tests.services.migration_history STEP FILE`, for one DATABASE_URL.

The migrations that squashed ones replace are still here, so they alone can make a database.

make FILE     migrates an empty database up to the migrations that FILE lists ("app/migrations/name.py")
tables FILE   writes each table's columns, constraints and indexes to FILE
rows FILE     writes the number of each table's rows, and their checksum, to FILE
"""

import hashlib
import json
import sys
from pathlib import Path
from typing import Any

import django
from django.core.management.sql import emit_post_migrate_signal
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.loader import MigrationLoader

POSTGRES_TABLES = """
SELECT table_name, column_name, concat_ws(' ', data_type, character_maximum_length, is_nullable, column_default,
 identity_generation, collation_name) FROM information_schema.columns WHERE table_schema = 'public'
UNION ALL SELECT conrelid::regclass::text, conname, pg_get_constraintdef(oid) FROM pg_constraint
 WHERE connamespace = 'public'::regnamespace
UNION ALL SELECT tablename, indexname, indexdef FROM pg_indexes WHERE schemaname = 'public'
"""
SQLITE_TABLES = "SELECT tbl_name, name, sql FROM sqlite_master WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%'"


class EarlierLoader(MigrationLoader):
    """The migrations without those that replace others."""

    def load_disk(self) -> None:
        super().load_disk()
        self.disk_migrations = {key: found for key, found in self.disk_migrations.items() if not found.replaces}


def describe_models(loader: type[MigrationLoader]) -> dict[str, Any]:
    """Return what the migrations say of each model, for comparisons."""
    models = loader(None, ignore_no_migrations=True).project_state().models
    described = {}
    for (app, name), model in models.items():
        parts = [*model.options.get("indexes", ()), *model.options.get("constraints", ())]
        described[f"{app}.{name}"] = {
            "bases": model.bases,
            "managers": [(name, manager.deconstruct()) for name, manager in model.managers],
            "parts": sorted(map(repr, parts)),
            "options": {key: told for key, told in model.options.items() if key not in ("indexes", "constraints")},
            "fields": {name: field.deconstruct()[1:] for name, field in model.fields.items()},
        }
    return described


def make(file: Path) -> None:
    executor = MigrationExecutor(connection)
    executor.loader = EarlierLoader(connection)
    paths = (path.split("/") for path in sorted(json.loads(file.read_text())))
    latest = {app: name.removesuffix(".py") for app, _folder, name in paths}
    others = (key for key in executor.loader.graph.leaf_nodes() if key[0] not in latest)
    state = executor.migrate([*latest.items(), *others])
    emit_post_migrate_signal(0, False, connection.alias, apps=state.apps)


def describe_tables(file: Path) -> None:
    described: dict[str, list[str]] = {}
    with connection.cursor() as cursor:
        cursor.execute(SQLITE_TABLES if connection.vendor == "sqlite" else POSTGRES_TABLES)
        for table, name, told in cursor.fetchall():
            parts = split_definition(told) if name == table else [f"{name}: {told}"]
            described.setdefault(table, []).extend(parts)
    file.write_text(json.dumps({table: sorted(parts) for table, parts in described.items()}))


def split_definition(text: str) -> list[str]:
    """Return the columns and constraints of a CREATE TABLE, whose order tells nothing."""
    parts, depth, quote = [""], 0, ""
    for letter in text[text.index("(") + 1 : text.rindex(")")]:
        if quote:
            quote = "" if letter == quote else quote
        elif letter in "'\"":
            quote = letter
        else:
            depth += (letter == "(") - (letter == ")")
        if letter == "," and not depth and not quote:
            parts.append("")
        else:
            parts[-1] += letter
    return [part.strip() for part in parts]


def sum_rows(file: Path) -> None:
    sums = {}
    with connection.cursor() as cursor:
        for table in connection.introspection.table_names(cursor):
            columns = sorted(each.name for each in connection.introspection.get_table_description(cursor, table))
            *names, source = (connection.ops.quote_name(name) for name in (*columns, table))
            cursor.execute(f"SELECT {', '.join(names)} FROM {source}")
            rows = sorted(map(repr, cursor.fetchall()))
            sums[table] = [len(rows), hashlib.sha256("\n".join(rows).encode()).hexdigest()]
    del sums["django_migrations"]
    file.write_text(json.dumps(sums))


if __name__ == "__main__":
    django.setup()
    {"make": make, "tables": describe_tables, "rows": sum_rows}[sys.argv[1]](Path(sys.argv[2]))
