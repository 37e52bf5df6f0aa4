"""Janitors rename users and send them on vacation: each action's form, its exact undo, and its permissions."""

from datetime import UTC, datetime, timedelta

import pytest
from django.contrib.auth.models import Group
from django.db import transaction
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.errors import NameTaken
from accounts.janitors import JANITORS, READ_ONLY_JANITORS
from accounts.models import Mage, Name, User, Vacation
from accounts.services.mages import register_mage
from accounts.services.rename import rename_user
from accounts.services.users import create_user
from challenges.services.retire_mages import leave_site
from email_gateway.compose.notices import compose_notice
from moderation.admin.user_actions import USER_ACTIONS
from moderation.errors import ModerationRefused
from moderation.journal_words import describe_entry
from moderation.models import JournalEntry
from moderation.services.reports import lift_sanction, suspend_user, warn_user, withdraw_warning
from moderation.services.user_actions import end_vacation_for_janitor, rename_for_janitor, start_vacation_for_janitor
from moderation.services.user_journal import list_undoable_entries, undo_user_entry
from notifications.models import Notice
from notifications.services.preferences import set_preference
from tests.duels.fights import start_fight
from tests.refusals import refused
from tests.scenes import log_in, make_mage

pytestmark = pytest.mark.django_db
WHY = "it hurts somebody"


def make_person(name, group=None, **marks):
    user = create_user(name=name, now=timezone.now())
    User.objects.filter(pk=user.pk).update(**marks)
    if group:
        user.groups.add(Group.objects.get_or_create(name=group)[0])
    return User.objects.get(pk=user.pk)


@pytest.fixture
def janitor():
    return make_person("Jane", JANITORS, is_staff=True)


@pytest.fixture
def jon():
    return make_person("Jon")


def picture():
    models = (User, Name, Mage, Vacation)
    return {model: list(model.objects.order_by("pk").values()) for model in models}


def details(janitor, **more):
    return {"by": janitor, "reason": WHY, "now": timezone.now(), **more}


def test_a_user_is_renamed_even_after_a_recent_change_and_gets_the_old_name_back(janitor, jon):
    rename_user(user=jon, name="Jonny", now=timezone.now())
    rows = picture()
    entry = rename_for_janitor(user=jon, name="Jonas", **details(janitor))
    assert User.objects.get(pk=jon.pk).username == "Jonas"
    undo_user_entry(entry=entry, **details(janitor))
    assert picture() == rows
    assert undo_user_entry(entry=entry, **details(janitor, reason="again")).undone_reason == WHY


def test_a_mage_keeps_the_name_that_its_user_loses_by_an_undo(janitor, jon):
    entry = rename_for_janitor(user=jon, name="Jonas", **details(janitor))
    jon.refresh_from_db()
    register_mage(user=jon, name="Jonas", now=timezone.now())
    undo_user_entry(entry=entry, **details(janitor))
    assert Name.objects.get(key="jonas").kind == "mage"
    with pytest.raises(NameTaken):
        create_user(name="Jonas", now=timezone.now())


def test_someone_elses_name_is_rejected_and_nothing_is_recorded(janitor, jon):
    with pytest.raises(NameTaken):
        rename_for_janitor(user=jon, name="Jane", **details(janitor))
    assert not JournalEntry.objects.exists()


def test_no_undo_after_another_renaming(janitor, jon):
    entry = rename_for_janitor(user=jon, name="Jonas", **details(janitor))
    rename_for_janitor(user=jon, name="Jonathan", **details(janitor))
    with refused("changed_since", match="can no longer be undone"):
        undo_user_entry(entry=entry, **details(janitor))


def test_a_vacation_by_a_janitor_may_be_longer_and_can_be_undone(janitor, jon):
    rows = picture()
    entry = start_vacation_for_janitor(user=jon, days=90, **details(janitor))
    away = Vacation.objects.get(user=jon)
    assert away.until - away.starts_at == timedelta(days=90)
    back = end_vacation_for_janitor(user=jon, **details(janitor))
    undo_user_entry(entry=back, **details(janitor))
    undo_user_entry(entry=entry, **details(janitor))
    assert picture() == rows
    with refused("not_away", match="not on vacation"):
        end_vacation_for_janitor(user=jon, **details(janitor))


def test_the_user_can_read_what_was_done_why_and_by_whom(janitor, jon):
    rename_for_janitor(user=jon, name="Jonas", **details(janitor))
    notice = Notice.objects.get(user=jon, kind="user_act")
    mail = compose_notice(kind=notice.kind, facts=notice.facts, user=jon)
    for words in ("User Jon is now called Jonas.", "Jane", WHY):
        assert words in " ".join(mail.text.split())


def test_everyone_sees_the_end_in_their_own_time_zone(janitor, jon):
    for user, zone in ((janitor, "America/New_York"), (jon, "Asia/Tokyo")):
        set_preference(user=user, key="time_zone", value=zone)
    entry = start_vacation_for_janitor(user=jon, days=9, **details(janitor, now=datetime(2031, 5, 4, 20, tzinfo=UTC)))
    desk = log_in(janitor)
    page = desk.get(reverse("admin:accounts_user_change", args=[jon.pk])).content.decode()
    assert "Jon is on vacation until Tuesday 13 May 2031, 16:00 (America/New York)." in page
    notice = Notice.objects.get(user=jon, kind="user_act")
    assert notice.facts["text"] == "Jon is on vacation until Wednesday 14 May 2031, 05:00 (Asia/Tokyo)."
    assert describe_entry(entry.kind, {"name": "Jon", "until": "2031-05-13"}) == "Jon is on vacation until 2031-05-13."


def test_nobody_acts_on_themself_without_a_reason_or_without_permission(janitor, jon):
    reader = make_person("Rita", READ_ONLY_JANITORS, is_staff=True)
    for code, by, user, reason in (
        ("own_account", janitor, janitor, WHY),
        ("no_reason_for_user", janitor, jon, " "),
        ("no_permission", reader, jon, WHY),
        ("no_permission", jon, reader, WHY),
    ):
        with refused(code):
            start_vacation_for_janitor(user=user, days=3, **details(by, reason=reason))


PEOPLE = ("visitor", "player", "oneself", "reader", "janitor", "superuser")
MATRIX = dict.fromkeys([action.slug for action in USER_ACTIONS], ("away", "away", "away", "refused", "asks", "asks"))


def test_permissions_for_actions_on_a_user(janitor, jon):
    superuser = User.objects.create_superuser("Keeper", password="five-green-eels")
    reader = make_person("Rita", READ_ONLY_JANITORS, is_staff=True)
    results = {slug: [] for slug in MATRIX}
    for person in (None, make_person("Pavel"), jon, reader, janitor, superuser):
        client = Client()
        if person:
            client.force_login(person)
        for slug in MATRIX:
            answer = client.post(reverse("admin:accounts_user_act", args=[jon.pk, slug]), {})
            results[slug].append({302: "away", 403: "refused", 422: "asks"}[answer.status_code])
    assert {slug: tuple(row) for slug, row in results.items()} == MATRIX
    assert not JournalEntry.objects.exists()


def test_actions_are_in_the_history_of_the_user(janitor, jon):
    desk = log_in(janitor)
    make_person("Twin")

    def do(slug, **data):
        answer = desk.post(reverse("admin:accounts_user_act", args=[jon.pk, slug]), {"reason": WHY, **data})
        assert answer.status_code == 302, answer.content.decode()

    do("suspend", days="3")
    do("undo", entry=JournalEntry.objects.get().pk)
    do("warn")
    do("merge", other="twin")
    do("take-apart")
    page = desk.get(reverse("admin:accounts_user_change", args=[jon.pk])).content.decode()
    assert "Mail log" in page and page.count("Undo…") == 1 and "Undone by Jane: it hurts somebody" in page
    assert "Withdraw a warning" in page and "Lift the suspension" not in page
    history = desk.get(reverse("admin:accounts_user_history", args=[jon.pk])).content.decode()
    for words in (
        "Jon is suspended until",
        "Undone: Jon is suspended",
        "Jon is warned",
        "merged into",
        "separated from",
    ):
        assert words in history


def test_only_what_can_be_undone_is_listed_so_with_a_constant_number_of_queries(
    janitor, jon, django_assert_max_num_queries
):
    now = timezone.now()
    first, second = (warn_user(user=jon, by=janitor, text=text, now=now) for text in ("Mind it.", "Mind it more."))
    withdraw_warning(warning=first, **details(janitor))
    suspend_user(user=jon, ends_at=None, **details(janitor))
    lift_sanction(sanction=jon.sanctions.get(), by=janitor, why=WHY, now=now)
    suspend_user(user=jon, ends_at=None, **details(janitor))
    for name in ("Jonas", "Jonathan"):
        rename_for_janitor(user=jon, name=name, **details(janitor))
    start_vacation_for_janitor(user=jon, days=3, **details(janitor))
    end_vacation_for_janitor(user=jon, **details(janitor))
    entries = list(JournalEntry.objects.order_by("pk"))
    with django_assert_max_num_queries(5):
        listed = list_undoable_entries(user=jon, entries=entries, now=timezone.now())
    possible = []
    for entry in entries:
        point = transaction.savepoint()
        try:
            undo_user_entry(entry=entry, **details(janitor))
            possible.append(entry)
        except ModerationRefused:
            pass
        transaction.savepoint_rollback(point)
    results = ["warned", "withdrawn", "suspended", "renamed", "called_back"]
    assert listed == possible and [entry.kind for entry in listed] == results
    assert listed[0].facts["warning"] == second.pk


def test_a_janitor_is_not_offered_what_only_a_superuser_may_change(janitor, jon):
    desk = log_in(janitor)
    answer = desk.post(reverse("admin:accounts_user_change", args=[jon.pk]), {"is_staff": "on", "is_superuser": "on"})
    assert answer.status_code == 403
    assert not User.objects.get(pk=jon.pk).is_staff


@pytest.mark.parametrize(
    ("slug", "data", "words"),
    [
        ("vacation", {"days": "500"}, "Enter at most 365."),
        ("merge", {"other": "Pavl"}, "Did you mean Pavel?"),
        ("lift", {}, "Jon is not suspended."),
        ("back", {}, "Jon is not on vacation."),
        ("rename", {"name": "Pavel"}, "Pavel2 is available."),
    ],
)
def test_an_error_suggests_what_would_work(janitor, jon, slug, data, words):
    make_person("Pavel")
    desk = log_in(janitor)
    answer = desk.post(reverse("admin:accounts_user_act", args=[jon.pk, slug]), {"reason": WHY, **data})
    assert answer.status_code == 422 and words in answer.content.decode()


def test_the_page_of_a_user_links_to_their_mages_challenges_and_battles(janitor):
    fight = start_fight(make_mage("Bung"), make_mage("Crom"))
    user = fight.user("Bung")
    make_mage("Idle", user)
    desk = log_in(janitor)
    page = desk.get(reverse("admin:accounts_user_change", args=[user.pk])).content.decode()
    link = f'<a href="/admin/duels/battle/?number={fight.number}">in battle {fight.number}</a>'
    assert f"Bung {link}" in page and 'href=""' not in page
    found = desk.get(f"/admin/duels/battle/?number={fight.number}").content.decode()
    assert f"/admin/duels/battle/{fight.battle.pk}/change/" in found


def test_a_form_that_arrives_after_the_account_was_closed_does_nothing(janitor, jon):
    leave_site(user=User.objects.get(pk=jon.pk), now=timezone.now())
    desk, rows = log_in(janitor), picture()
    for slug, data in {
        "rename": {"name": "Zelda"},
        "warn": {},
        "suspend": {"days": 3},
        "mute": {"days": 3},
        "vacation": {"days": 3},
        "export": {},
    }.items():
        answer = desk.post(reverse("admin:accounts_user_act", args=[jon.pk, slug]), {"reason": WHY, **data})
        assert answer.status_code == 422 and "account is closed." in answer.text, slug
    assert picture() == rows and not JournalEntry.objects.exists() and not Notice.objects.filter(user=jon).exists()


def test_other_janitors_hear_only_of_names_that_users_choose_themselves(janitor, jon):
    rename_for_janitor(user=jon, name="Jonas", **details(janitor))
    assert not Notice.objects.filter(kind="user_renamed").exists()
    rename_user(user=jon, name="Jonny", now=timezone.now() + timedelta(days=60))
    assert Notice.objects.get(kind="user_renamed").user == janitor
