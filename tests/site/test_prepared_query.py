"""A prepared query finds the same as its queryset, whatever the values, the thread and the connection."""

from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import connection
from django.db.models import Exists, F, OuterRef, QuerySet
from django.db.models.functions import Now
from django.test.utils import CaptureQueriesContext

from accounts.models import Mage, User, Vacation
from accounts.services import start_vacation
from fm_site.operations.prepared_query import PreparedQuery
from tests.duels.fights import NOW, make_mage

pytestmark = pytest.mark.django_db


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
