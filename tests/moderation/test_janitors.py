"""The two groups of janitors, and their permissions in the admin."""

import pytest
from django.contrib import admin
from django.contrib.auth.models import Group
from django.test import RequestFactory
from django.utils import timezone

from accounts.janitors import JANITORS, READ_ONLY_JANITORS, is_janitor, is_reading_janitor
from accounts.models import User
from accounts.services.users import create_user
from tests.duels.fights import start_fight
from tests.scenes import log_in, make_mage

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
def test_reading_and_acting_janitors(group, marks, reads, acts):
    """FM-CREDITS-1."""
    person = make_person("Jane", group=group, **marks)
    assert (is_reading_janitor(person), is_janitor(person)) == (reads, acts)


def test_anonymous_visitors_and_players_are_not_janitors():
    from django.contrib.auth.models import AnonymousUser

    assert not is_reading_janitor(None) and not is_reading_janitor(AnonymousUser())


def test_a_read_only_janitor_reads_the_lists_and_changes_no_user():
    reader = make_person("Rita", group=READ_ONLY_JANITORS, is_staff=True)
    pavel = make_person("Pavel")
    client = log_in(reader)
    for table in ("accounts/user", "duels/battle", "email_gateway/inboundmail", "challenges/challenge"):
        assert client.get(f"/admin/{table}/").status_code == 200, table
    page = f"/admin/accounts/user/{pavel.pk}/change/"
    assert client.get(page).status_code == 200
    assert client.post(page, {}).status_code == 403
    assert User.objects.get(pk=pavel.pk).is_active


# The test tries to add, change and delete rows of every table, every action on its list, and every action on its rows.
# Who may: player, player in the battle, read-only janitor, janitor, superuser. Nobody may do what is not listed.
ACTING, READING, SUPERUSER = (False, False, False, True, True), (False, False, True, True, True), (False,) * 4 + (True,)
ALLOWED = {
    "battle act look": READING,
    **dict.fromkeys(
        (
            *("battle act " + slug for slug in ("ask", "rewind", "order", "extend", "excuse", "pause", "resume")),
            *(
                "battle act " + slug
                for slug in ("result", "annul", "compare", "play-on", "void", "undo", "remove-line", "week")
            ),
            *("user act " + slug for slug in ("rename", "vacation", "back", "suspend", "lift", "warn", "withdraw")),
            *(
                "user act " + slug
                for slug in ("merge", "take-apart", "undo", "take-down", "close", "remove-line", "mute")
            ),
            *("user act " + slug for slug in ("host", "no-host", "export", "erase")),
            *("report change", "report action assign", "report action unassign", "report action read_messages"),
            *("accountwarning add", "accountwarning action withdraw", "sanction add", "sanction action lift"),
            *(
                "announcement add",
                "announcement action withdraw",
                "maintenance add",
                "maintenance action end_maintenance",
            ),
            *("sitepage add", "sitepage change", "mailaddress add", "mailaddress action resume"),
            *("sitepolicy add", "heartbeat action watch_no_more", "inboundmail action process_again"),
        ),
        ACTING,
    ),
    **dict.fromkeys(
        (
            "user change",
            "emailaddress action make_verified",
            *(f"group {power}" for power in ("add", "change", "delete", "action delete_selected")),
            *("emailaddress change", "secondfactor delete"),
            "secondfactor action delete_selected",
        ),
        SUPERUSER,
    ),
}


def list_powers(user):
    """Yield what `user` may do with any table, according to the tables themselves."""
    request = RequestFactory().get("/")
    request.user = user
    for model, table in admin.site._registry.items():
        name = model._meta.model_name
        may = {
            "add": table.has_add_permission(request),
            "change": table.has_change_permission(request),
            "delete": table.has_delete_permission(request),
        }
        yield from (f"{name} {what}" for what, allowed in may.items() if allowed)
        if table.has_view_or_change_permission(request):
            yield from (f"{name} action {action}" for action in table.get_actions(request))
        yield from (f"{name} act {action.slug}" for action in getattr(table, "row_actions", ()) if action.is_for(user))


def test_nobody_has_a_permission_outside_this_table():
    player = make_mage("Froodal").user
    inside = start_fight(make_mage("Bung"), make_mage("Crom")).user("Bung")
    people = (
        player,
        inside,
        make_person("Rita", group=READ_ONLY_JANITORS, is_staff=True),
        make_person("Jane", group=JANITORS, is_staff=True),
        User.objects.create_superuser("Keeper"),
    )
    powers = [set(list_powers(person)) for person in people]
    found = {power: tuple(power in each for each in powers) for power in sorted(set().union(*powers))}
    assert found == ALLOWED
