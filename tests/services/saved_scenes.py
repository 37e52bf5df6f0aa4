"""Scenes that many tests begin with: played once in each process, then written into the empty tables of each test.

To play the start of a duel takes ten times as long as to write its rows.
"""

import pickle
from collections.abc import Callable
from typing import Any, Generic, TypeVar

import pytest
from django.db import connection, transaction

from tests.services.empty_tables import find_filled_tables

Scene = TypeVar("Scene")
# How each database writes a value of a column so that it reads the same value again.
LITERALS = {"postgresql": "quote_nullable({}::text)", "sqlite": "quote({})"}


class SavedScene(Generic[Scene]):
    """What `play` returns in an empty database, and every row it writes there."""

    def __init__(self, play: Callable[[], Scene]) -> None:
        """Play the scene in a transaction that is undone."""
        self.play = play
        with transaction.atomic():
            self.statements: list[str] = []
            if not find_filled_tables(connection):
                self.pickled = pickle.dumps(play())
                self.statements = [write_insert(table) for table in find_filled_tables(connection)]
            transaction.set_rollback(True)

    def begin(self) -> Scene:
        """Return the scene, with its rows in the database. Where there are rows already, whose numbers may be the
        same, it is played."""
        if not self.statements or find_filled_tables(connection):
            return self.play()
        with transaction.atomic(), connection.cursor() as cursor:
            for statement in self.statements:
                cursor.execute(statement)
        return pickle.loads(self.pickled)


def save_scene(play: Callable[[], Scene]) -> Any:
    """Return a fixture with the SavedScene of `play`. It is one of the session: while it is played, nothing is changed
    for a single test."""

    @pytest.fixture(scope="session")
    def saved(django_db_setup: None, django_db_blocker: Any) -> SavedScene[Scene]:
        with django_db_blocker.unblock():
            return SavedScene(play)

    return saved


def write_insert(table: str) -> str:
    """Return the statement that writes the rows which `table` has now."""
    quote = connection.ops.quote_name
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT * FROM {quote(table)} LIMIT 0")
        columns = [quote(column[0]) for column in cursor.description]
        literals = ", ".join(LITERALS[connection.vendor].format(column) for column in columns)
        cursor.execute(f"SELECT {literals} FROM {quote(table)} ORDER BY 1")
        rows = ", ".join(f"({', '.join(row)})" for row in cursor.fetchall())
    return f"INSERT INTO {quote(table)} ({', '.join(columns)}) VALUES {rows}"
