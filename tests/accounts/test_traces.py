"""Traces of where users come from: keyed hashes, once a day, for 30 days."""

from datetime import timedelta

import pytest
from django.test import Client

from accounts.models import Trace
from accounts.selectors.users import find_shared_traces
from accounts.services.leave import close_user
from accounts.services.traces import answer_browser_id, forget_traces, record_traces
from accounts.services.users import create_user
from fm_site.pages.export import export_user
from ladder.models import Ladder, LadderPlace
from league.models import Entry
from tests.scenes import NOW, log_in, make_mage

pytestmark = pytest.mark.django_db


def test_neither_address_nor_device_can_be_read_from_a_trace(anna):
    record_traces(user=anna, address="192.0.2.7", device="a-mark", now=NOW)
    rows = str(list(Trace.objects.values()))
    assert "192.0.2.7" not in rows and "a-mark" not in rows
    assert Trace.objects.count() == 3


def compete(*users):
    """Give each user a mage with a rank."""
    ladder, _ = Ladder.objects.get_or_create(kind="duel", defaults={"as_of": NOW, "mages": 0})
    for user in users:
        mage = make_mage(f"{user}s", user)
        LadderPlace.objects.create(ladder=ladder, mage=mage, place=1, rank=1, score=0)


def kinds_of(user):
    return set(Trace.objects.filter(user=user).values_list("kind", flat=True))


def test_a_log_in_leaves_hashes_of_its_network_once_a_day_and_nothing_on_the_device(anna):
    answer = Client().get("/privacy/")
    assert "device" not in answer.cookies and not Trace.objects.exists()
    client = log_in(anna, REMOTE_ADDR="192.0.2.7")
    assert "device" not in client.get("/privacy/").cookies
    assert kinds_of(anna) == {"address", "network"}
    Trace.objects.all().delete()
    client.get("/privacy/")
    assert not Trace.objects.exists()


@pytest.mark.parametrize(
    ("is_in", "answer", "marked"),
    [(False, None, False), (True, None, False), (True, "no", False), (False, "yes", False), (True, "yes", True)],
)
def test_a_browser_keeps_an_id_only_of_someone_who_competes_and_agrees(anna, is_in, answer, marked):
    if is_in:
        compete(anna)
    client = log_in(anna, REMOTE_ADDR="192.0.2.7")
    client.get("/privacy/")
    told = client.post("/accounts/browser-id/", {"answer": answer} if answer else {})
    assert ("device" in told.cookies) == marked and ("device" in kinds_of(anna)) == marked
    if marked:
        cookie = told.cookies["device"]
        assert cookie["httponly"] and cookie["max-age"] == 30 * 24 * 3600


def test_the_question_is_asked_once_where_someone_competes_and_answered_twice_changes_nothing(anna):
    client, question = log_in(anna), "May we recognise your browser?"
    assert question not in client.get("/ladder/").text
    compete(anna)
    page = client.get("/ladder/").text
    assert question in page and question not in client.get("/league/").text
    Entry.objects.create(user=anna, mage=anna.mages.get(), signed_up_at=NOW)
    assert question in client.get("/league/").text
    assert question not in client.get("/").text and question not in Client().get("/ladder/").text
    for _ in range(2):
        answer = client.post("/accounts/browser-id/", {"answer": "no", "next": "/ladder/"}, follow=True)
        assert question not in answer.text and answer.redirect_chain[0][0] == "/ladder/"
    assert "You don't agree." in client.get("/accounts/browser-id/").text


def test_who_withdraws_their_consent_is_forgotten_at_once_and_so_is_a_browser_known_without_one(anna):
    compete(anna)
    client = log_in(anna)
    client.post("/accounts/browser-id/", {"answer": "yes"})
    assert client.cookies["device"].value and "device" in kinds_of(anna)
    client.post("/accounts/browser-id/", {"answer": "no"})
    assert client.cookies["device"].value == "" and "device" not in kinds_of(anna)
    # Before users were asked, every browser had an ID.
    boris = create_user(name="Boris", now=NOW)
    record_traces(user=boris, address="192.0.2.7", device="a-mark", now=NOW)
    forget_traces(now=NOW)
    assert kinds_of(boris) == {"address", "network"}
    other = log_in(boris)
    other.cookies["device"] = "a-mark"
    other.get("/privacy/")
    assert other.cookies["device"].value == ""


def test_consent_is_exported_and_goes_with_the_account(anna):
    answer_browser_id(user=anna, is_allowed=True, now=NOW)
    exported = export_user(anna, now=NOW)["user"]
    assert (exported["browser_id_allowed"], exported["browser_id_answered_at"]) == (True, NOW)
    close_user(user=anna, now=NOW)
    anna.refresh_from_db()
    assert anna.browser_id_allowed is anna.browser_id_answered_at is None


def test_two_users_of_one_browser_share_its_mark_and_neighbours_their_network(anna):
    boris, clara = (create_user(name=name, now=NOW) for name in ("Boris", "Clara"))
    compete(anna, boris, clara)
    for user in (anna, boris, clara):
        answer_browser_id(user=user, is_allowed=True, now=NOW)
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
    answer_browser_id(user=anna, is_allowed=True, now=NOW)
    record_traces(user=anna, address="192.0.2.7", device="old", now=NOW)
    record_traces(user=anna, address="192.0.2.7", device="new", now=NOW + timedelta(days=20))
    assert forget_traces(now=NOW + timedelta(days=30)) == 0
    assert forget_traces(now=NOW + timedelta(days=31)) == 1
    assert Trace.objects.count() == 3
