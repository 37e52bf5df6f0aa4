"""Empties the tables after a test with real transactions.

Django's own way empties every table, full or not, and then recreates all permissions: a tenth of a second of processor
time after each such test. This takes a tenth of that.
"""

from typing import Any

from django.db import connections, transaction

# Django fills these itself, or a migration does; no test changes what is in them.
KEPT = {"auth_group", "auth_permission", "django_content_type"}


def empty_tables(test_case: Any) -> None:
    """Delete every row that a test may have written; replaces `TransactionTestCase._fixture_teardown`."""
    for name in test_case._databases_names(include_mirrors=False):
        delete_rows(connections[name])


def find_filled_tables(connection: Any) -> list[str]:
    """Return the names of all tables with rows, except those in KEPT, by one query."""
    tables = sorted(set(connection.introspection.django_table_names(include_views=False)) - KEPT)
    asked = " UNION ALL ".join(
        f"SELECT {place} WHERE EXISTS (SELECT 1 FROM {connection.ops.quote_name(table)})"
        for place, table in enumerate(tables)
    )
    with connection.cursor() as cursor:
        cursor.execute(asked)
        return [tables[place] for (place,) in cursor.fetchall()]


def delete_rows(connection: Any) -> None:
    """Delete every row but those in KEPT."""
    # Foreign keys are checked when the transaction ends, so the order does not matter.
    with transaction.atomic(using=connection.alias), connection.cursor() as cursor:
        for table in find_filled_tables(connection):
            cursor.execute(f"DELETE FROM {connection.ops.quote_name(table)}")


def restart_numbers(connection: Any, *, at: int = 1) -> None:
    """Let the primary keys of PostgreSQL begin with `at`. Truncating the tables, which does the same, makes hundreds
    of new files."""
    kept = [f"{table}_id_seq" for table in sorted(KEPT)]
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT setval(format('%%I.%%I', schemaname, sequencename)::regclass, %s, false) FROM pg_sequences"
            " WHERE schemaname = current_schema() AND last_value IS NOT NULL AND sequencename <> ALL(%s)",
            [at, kept],
        )
