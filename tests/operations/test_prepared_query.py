"""A prepared query finds the same as its queryset, whatever the values, the thread and the connection."""

import re
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from django.db import IntegrityError, connection, transaction
from django.db.models import Exists, F, OuterRef, QuerySet
from django.db.models.functions import Now
from django.db.models.sql.compiler import SQLCompiler
from django.test import Client
from django.test.utils import CaptureQueriesContext

from accounts.models import Mage, User, Vacation
from accounts.services.vacations import start_vacation
from operations.database.prepared_insert import MOST_INSERTED, PreparedInsert
from operations.database.prepared_query import PreparedQuery
from tests.duels.fights import start_fight
from tests.scenes import NOW, make_mage

pytestmark = pytest.mark.django_db
ROOT = Path(__file__).parents[2]


def write_mages(user: int, name: str) -> QuerySet[Mage]:
    away = Vacation.objects.filter(user=OuterRef("user"))
    found = Mage.objects.filter(user=user).exclude(name=name).select_related("user", "engagement")
    return found.annotate(is_away=Exists(away), owner=F("user__username"), at=Now()).order_by("-name")


def test_it_finds_the_same_objects_for_each_value():
    prepared = PreparedQuery(write_mages)
    anna, bert = make_mage("Anna"), make_mage("Bert")
    second = Mage.objects.create(user=anna.user, name="Zora", created_at=NOW, last_active_at=NOW)
    start_vacation(user=anna.user, days=2, now=NOW)
    for user, name in ((anna.user_id, ""), (anna.user_id, "Anna"), (bert.user_id, "x' OR 1=1"), (0, "")):
        found, wanted = prepared(user=user, name=name), list(write_mages(user, name))
        assert found == wanted
        assert [(row.user, row.owner, row.is_away) for row in found] == [
            (row.user, row.owner, row.is_away) for row in wanted
        ]
    with CaptureQueriesContext(connection) as queries:
        first = prepared(user=anna.user_id, name="")[0]
        assert (first.user.username, getattr(first, "engagement", None)) == ("Anna_user", None)
    assert (first, len(queries)) == (second, 1)
    assert type(first.at) is type(NOW)  # SQLite gives text, which is converted


def test_a_change_is_seen_and_no_row_is_remembered():
    prepared = PreparedQuery(write_mages)
    anna = make_mage("Anna")
    one, other = prepared(user=anna.user_id, name=""), prepared(user=anna.user_id, name="")
    assert one[0] is not other[0]
    Mage.objects.update(name="Anja")
    assert [row.name for row in prepared(user=anna.user_id, name="")] == ["Anja"]


def test_its_objects_are_like_those_of_the_queryset():
    anna = make_mage("Anna")
    [found], [wanted] = PreparedQuery(write_mages)(user=anna.user_id, name=""), write_mages(anna.user_id, "")
    for one, other in ((found, wanted), (found.user, wanted.user)):
        assert {name: value for name, value in vars(one).items() if name not in ("_state", "at")} == {
            name: value for name, value in vars(other).items() if name not in ("_state", "at")
        }
        assert [type(value) for value in vars(one).values()] == [type(value) for value in vars(other).values()]
        assert (one._state.adding, one._state.db) == (other._state.adding, other._state.db)
    assert found.created_at.tzinfo is wanted.created_at.tzinfo
    found.name = "Anja"
    found.save()
    assert Mage.objects.get().name == "Anja"


def write_names(user: int) -> QuerySet[Mage, tuple[int, str, datetime]]:
    return Mage.objects.filter(user=user).order_by("-name").values_list("pk", "name", "created_at")


def write_dictionaries(user: int) -> QuerySet[Mage, dict[str, str]]:
    return Mage.objects.filter(user=user).values("name")


def test_values_are_those_of_the_queryset():
    anna = make_mage("Anna")
    Mage.objects.create(user=anna.user, name="Zora", created_at=NOW, last_active_at=NOW)
    assert PreparedQuery(write_names)(user=anna.user_id) == list(write_names(anna.user_id))
    with pytest.raises(TypeError, match="write_dictionaries"):
        PreparedQuery(write_dictionaries)(user=anna.user_id)


@pytest.mark.parametrize("number", [0, 1, 3, MOST_INSERTED + 1])
def test_an_insert_stores_the_same_rows_as_bulk_create(number):
    user = make_mage("Anna").user

    def make() -> list[Vacation]:
        return [
            Vacation(user=user, starts_at=NOW, until=NOW + timedelta(days=n + 1), ended_at=NOW + timedelta(hours=n))
            for n in range(number)
        ]

    def read() -> list[dict[str, object]]:
        rows = list(Vacation.objects.order_by("pk").values())
        return [{name: value for name, value in row.items() if name != "id"} for row in rows]

    Vacation.objects.bulk_create(make())
    wanted = read()
    Vacation.objects.all().delete()
    rows = make()
    with CaptureQueriesContext(connection) as queries:
        PreparedInsert(Vacation)(rows)
    assert read() == wanted
    assert len(queries) == min(number, 1)
    assert [row.pk for row in rows] == list(Vacation.objects.order_by("pk").values_list("pk", flat=True))
    assert not any(row._state.adding for row in rows)


def test_an_insert_that_breaks_a_constraint_rolls_the_transaction_back():
    user = make_mage("Anna").user
    start_vacation(user=user, days=2, now=NOW)
    with pytest.raises(IntegrityError), transaction.atomic():
        PreparedInsert(Vacation)([Vacation(user=user, starts_at=NOW, until=NOW + timedelta(days=1))])
    assert Vacation.objects.count() == 1


def test_rows_with_defaults_of_the_database_are_left_to_django():
    with pytest.raises(TypeError, match="Mage"):
        PreparedInsert(Mage)([Mage(name="Zora")])


def test_an_unknown_parameter_is_an_error():
    def write(number: int) -> QuerySet[User]:
        return User.objects.all()

    with pytest.raises(ValueError, match="number"):
        PreparedQuery(write)(number=1)


@pytest.mark.django_db(transaction=True)
def test_threads_use_their_own_connections():
    prepared = PreparedQuery(write_mages)
    mages = [make_mage(name) for name in ("Anna", "Bert", "Carl", "Dora")]

    def ask(mage):
        try:
            return {row.name for _ in range(20) for row in prepared(user=mage.user_id, name="")}
        finally:
            connection.close()

    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(ask, mages)) == [{mage.name} for mage in mages]


def write_named(users: list[int], name: str) -> QuerySet[Mage]:
    return Mage.objects.filter(user__in=users).exclude(name=name).order_by("pk")


def test_a_list_of_any_length_finds_the_same_with_few_compiled_forms():
    prepared = PreparedQuery(write_named)
    mages = [make_mage(f"Mage{letter}") for letter in "abcdefg"]
    for length in range(len(mages) + 1):
        users = [mage.user_id for mage in mages[:length]]
        assert prepared(users=users, name="Mageb") == list(write_named(users, "Mageb"))
    assert len(prepared._statements) == 4  # for 1, 2, 4 and 8
    many = [*range(10_000, 12_000), mages[0].user_id]
    assert (prepared(users=many, name=""), len(prepared._statements)) == ([mages[0]], 4)


def test_the_document_says_what_each_prepared_statement_buys():
    apps = [each for each in ROOT.iterdir() if (each / "apps.py").exists()]
    code = "\n".join(path.read_text() for app in apps for path in app.rglob("*.py"))
    queries = re.findall(r"@PreparedQuery\ndef (\w+)", code)
    inserts = re.findall(r"PreparedInsert\((\w+)\)", code)
    text = (ROOT / "docs" / "performance.md").read_text()
    assert f"There are {len(queries) + len(inserts)}." in text
    assert [name for name in queries if f"`{name}`)" not in text] == []
    words = {"Deadline": "clocks", "Notice": "notices", "OrderSheet": "sheets", "TurnEvent": "events"}
    assert sorted(inserts) == sorted(words) and "new clocks, notices, sheets and events (four inserts)" in text


def test_what_a_player_waits_for_is_compiled_once_in_a_process(monkeypatch):
    fight = start_fight(make_mage("Froodal"), make_mage("Bung"))
    client = Client()
    client.force_login(fight.user("Froodal"))

    def play() -> None:
        fight.order("Bung", "LH -\nRH -")
        pages = [client.get(path) for path in ("/", f"/battles/{fight.number}/")]
        orders = {"act": "ready", "mage": "Froodal", "stage": str(fight.key()), "LH": "-", "RH": "-"}
        answer = client.post(f"/battles/{fight.number}/?fragment=board", orders)
        assert [each.status_code for each in (*pages, answer)] == [200] * 3

    play()
    seq = fight.key().seq
    compiled: list[str] = []
    compile_query = SQLCompiler.as_sql

    def note(self, *args, **more):
        compiled.append(self.query.model.__name__)
        return compile_query(self, *args, **more)

    # A query that is prepared a second time would raise here.
    monkeypatch.setattr("operations.database.prepared_query._Statement", None)
    monkeypatch.setattr(SQLCompiler, "as_sql", note)
    play()
    assert fight.key().seq == seq + 1
    # What is plain is compiled each time; sheets are only read by prepared queries.
    assert "Session" in compiled and "OrderSheet" not in compiled, sorted(compiled)
