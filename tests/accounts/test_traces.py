"""Traces of where users come from: keyed hashes, once a day, for 30 days."""

from datetime import timedelta

import pytest
from django.test import Client

from accounts.models import Trace
from accounts.selectors.users import find_shared_traces
from accounts.services.traces import forget_traces, record_traces
from accounts.services.users import create_user
from tests.scenes import NOW, log_in

pytestmark = pytest.mark.django_db


def test_neither_address_nor_device_can_be_read_from_a_trace(anna):
    record_traces(user=anna, address="192.0.2.7", device="a-mark", now=NOW)
    rows = str(list(Trace.objects.values()))
    assert "192.0.2.7" not in rows and "a-mark" not in rows
    assert Trace.objects.count() == 3


def test_a_log_in_leaves_its_traces_once_a_day_and_a_visitor_none(anna):
    answer = Client().get("/privacy/")
    assert "device" not in answer.cookies and not Trace.objects.exists()
    client = log_in(anna, REMOTE_ADDR="192.0.2.7")
    cookie = client.get("/privacy/").cookies["device"]
    assert cookie["httponly"] and cookie["max-age"] == 30 * 24 * 3600
    assert Trace.objects.count() == 3
    Trace.objects.all().delete()
    client.get("/privacy/")
    assert not Trace.objects.exists()


def test_two_users_of_one_browser_share_its_mark_and_neighbours_their_network(anna):
    boris, clara = (create_user(name=name, now=NOW) for name in ("Boris", "Clara"))
    first = log_in(anna, REMOTE_ADDR="192.0.2.7")
    mark = first.get("/privacy/").cookies["device"].value
    second = log_in(boris, REMOTE_ADDR="192.0.2.8")
    second.cookies["device"] = mark
    second.get("/privacy/")
    log_in(clara, REMOTE_ADDR="192.0.2.7").get("/privacy/")
    assert find_shared_traces([anna.pk, boris.pk, clara.pk]) == {
        frozenset({anna.pk, boris.pk}): frozenset({"device", "network"}),
        frozenset({anna.pk, clara.pk}): frozenset({"address", "network"}),
        frozenset({boris.pk, clara.pk}): frozenset({"network"}),
    }


def test_after_thirty_days_they_are_gone(anna):
    record_traces(user=anna, address="192.0.2.7", device="old", now=NOW)
    record_traces(user=anna, address="192.0.2.7", device="new", now=NOW + timedelta(days=20))
    assert forget_traces(now=NOW + timedelta(days=30)) == 0
    assert forget_traces(now=NOW + timedelta(days=31)) == 1
    assert Trace.objects.count() == 3
