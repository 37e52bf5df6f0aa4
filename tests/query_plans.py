"""Shows how PostgreSQL would run queries."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from django.db import connection

EXPLAINABLE = ("SELECT", "UPDATE", "DELETE", "INSERT")


def explain(work: Callable[[], Any]) -> list[str]:
    """Return the plan of every query that `work` makes, in order."""
    with note_plans() as plans:
        work()
    return plans


@contextmanager
def note_plans() -> Iterator[list[str]]:
    """Collect the plan of every query made inside the block."""
    plans: list[str] = []

    def note(execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        if sql.startswith(EXPLAINABLE):
            with connection.cursor() as cursor:
                cursor.execute(f"EXPLAIN {sql}", params)
                plans.append("\n".join(row for (row,) in cursor.fetchall()))
        return execute(sql, params, many, context)

    with connection.execute_wrapper(note):
        yield plans
