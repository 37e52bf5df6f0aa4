"""Every address that takes a POST, for everyone: without a CSRF token nothing happens, and with one, those without the
right change no row of anyone's."""

import pytest
from django.apps import apps
from django.contrib.auth.models import Group
from django.db import connection
from django.utils import timezone

from accounts.janitors import READ_ONLY_JANITORS
from accounts.models import User
from accounts.services.users import create_guest, create_user
from tests.services.empty_tables import find_filled_tables
from tests.services.plugin import LONG
from tests.site.test_addresses import ALLAUTHS, OURS, browse, people, token, write_address

__all__ = ["people", "token"]

pytestmark = [pytest.mark.django_db, pytest.mark.once]
METHODS = ("put", "patch", "delete", "options", "trace")
# The calls of the API take a token, and no cookie.
PAGES = [name for name in (*OURS, *ALLAUTHS) if ":" not in name or name.split(":")[0] not in ("api", "old_api")]
# Forms for strangers whose effect is theirs alone: no form of another site gains anything (each view says why). The
# front page refuses a foreign Origin by itself; providers and mail programs have no cookie.
WITHOUT_TOKEN = {
    "stage",
    "email_gateway:stop",
    "email_gateway:webhook_inbound",
    "email_gateway:webhook_tracking",
    # Lessons refuse other sites by the Origin, and store only what a solution solves.
    "studies:lesson",
    "studies:lesson_start",
}
# Rows that any visit may write.
OWN_TRACES = {"sessions.Session", "usersessions.UserSession", "accounts.Trace", "admin.LogEntry"}


@pytest.fixture
def everybody(people):
    now = timezone.now()
    reader = create_user(name="Reader", email="reader@example.org", now=now, email_verified=True)
    User.objects.filter(pk=reader.pk).update(is_staff=True)
    reader.groups.add(Group.objects.get_or_create(name=READ_ONLY_JANITORS)[0])
    return {**people, "guest": create_guest(now=now), "reader": User.objects.get(pk=reader.pk)}


def list_addresses(text):
    return {name: write_address(name, text) for name in PAGES}


def test_no_form_of_another_site_does_anything_for_anyone(everybody, token):
    """A POST with a cookie and without a CSRF token is rejected everywhere, before its view runs."""
    taken = set()
    # The check comes before the view and asks nothing of the user: two are enough at the short count.
    for who in everybody if LONG else ("visitor", "owner"):
        for name, address in list_addresses(token).items():
            answer = browse(everybody[who], raise_request_exception=False, enforce_csrf_checks=True).post(
                address, {}, headers={"origin": "https://evil.example"}
            )
            if answer.status_code not in (403, 404, 405):
                taken.add((name, who, answer.status_code))
    assert {name for name, _, _ in taken} <= WITHOUT_TOKEN, sorted(taken)


def read_rows(mine):
    """Return all rows but those that a visit writes, and those of `mine` alone."""
    rows_by_model = {}
    filled = find_filled_tables(connection)
    for model in (each for each in apps.get_models() if each._meta.db_table in filled):
        rows = model._default_manager.all()
        if mine is not None and model is User:
            rows = rows.exclude(pk=mine.pk)
        elif mine is not None:
            owned = {"user", "owner"} & {field.name for field in model._meta.fields}
            rows = rows.exclude(**dict.fromkeys(owned, mine)) if owned else rows
        if model._meta.label not in OWN_TRACES:
            rows_by_model[model._meta.label] = sorted(map(repr, rows.values_list()))
    return rows_by_model


@pytest.mark.parametrize("who", ["visitor", "reader"])
def test_a_post_by_the_wrong_person_changes_no_row(everybody, token, who):
    """A stranger, and a janitor who only reads: whatever they post, everyone's rows stay as they are."""
    addresses = list_addresses(token)
    # Reading may draw up rows that are kept, such as counts: not between the two looks.
    for address in addresses.values():
        browse(everybody[who], raise_request_exception=False).get(address)
    before = read_rows(everybody[who])
    strangers = {"account_signup", "accounts:language"} | WITHOUT_TOKEN
    for name, address in addresses.items():
        if name in strangers:
            continue
        answer = browse(everybody[who], raise_request_exception=False).post(
            address, {"orders": "LH F", "name": "x", "confirm": "1"}
        )
        assert answer.status_code < 500, (name, answer.status_code)
    after = read_rows(everybody[who])
    changed = {label for label in before | after if before.get(label, []) != after.get(label, [])}
    assert changed == set()


def test_no_other_method_does_anything(everybody, token):
    """Pages have GET, HEAD and POST; any other method is rejected, and never causes an error of ours."""
    found = set()
    for place, (name, address) in enumerate(list_addresses(token).items()):
        # At the short count, one method for each address, by turns.
        for method in METHODS if LONG else METHODS[place % len(METHODS) :][:1]:
            browser = browse(everybody["owner"], raise_request_exception=False)
            status = getattr(browser, method)(address).status_code
            if status not in (302, 400, 403, 404, 405):
                found.add((name, method, status))
    # Views of the library that only know POST answer anything else as a GET; OPTIONS says what there is.
    assert {(name, method, status) for name, method, status in found if name in OURS} == set()
    assert all(status < 500 for _, _, status in found)
