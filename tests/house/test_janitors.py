"""Who is a janitor, and what the two groups may do in the admin."""

import pytest
from django.contrib.auth.models import Group
from django.test import Client
from django.utils import timezone

from accounts.janitors import JANITORS, READ_ONLY_JANITORS, is_janitor, is_reading_janitor
from accounts.models import User
from accounts.services import create_user

pytestmark = pytest.mark.django_db


def make_person(name, *, group=None, **marks):
    user = create_user(name=name, now=timezone.now())
    User.objects.filter(pk=user.pk).update(**marks)
    if group:
        user.groups.add(Group.objects.get_or_create(name=group)[0])
    return User.objects.get(pk=user.pk)


@pytest.mark.parametrize(
    ("group", "marks", "reads", "acts"),
    [
        (None, {}, False, False),
        (None, {"is_staff": True}, False, False),
        (JANITORS, {}, False, False),
        (READ_ONLY_JANITORS, {"is_staff": True}, True, False),
        (JANITORS, {"is_staff": True}, True, True),
        (JANITORS, {"is_staff": True, "is_active": False}, False, False),
        (None, {"is_staff": True, "is_superuser": True}, True, True),
    ],
)
def test_who_reads_and_who_acts(group, marks, reads, acts):
    person = make_person("Jane", group=group, **marks)
    assert (is_reading_janitor(person), is_janitor(person)) == (reads, acts)


def test_nobody_and_strangers_are_no_janitors():
    from django.contrib.auth.models import AnonymousUser

    assert not is_reading_janitor(None) and not is_reading_janitor(AnonymousUser())


def test_a_read_only_janitor_reads_the_lists_and_changes_no_user():
    reader = make_person("Rita", group=READ_ONLY_JANITORS, is_staff=True)
    pavel = make_person("Pavel")
    client = Client()
    client.force_login(reader)
    for table in ("accounts/user", "duels/battle", "email_gateway/inboundmail", "challenges/challenge"):
        assert client.get(f"/admin/{table}/").status_code == 200, table
    page = f"/admin/accounts/user/{pavel.pk}/change/"
    assert client.get(page).status_code == 200
    assert client.post(page, {}).status_code == 403
    assert User.objects.get(pk=pavel.pk).is_active
