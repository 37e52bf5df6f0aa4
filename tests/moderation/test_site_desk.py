"""The site in the hands of its janitors: numbers, maintenance, announcements, and what everyone sees of them."""

from dataclasses import asdict
from datetime import UTC, datetime

import pytest
from django.contrib.auth.models import Group
from django.test import Client
from django.utils import timezone

from accounts.janitors import JANITORS, READ_ONLY_JANITORS
from accounts.models import User
from accounts.services.users import create_user
from email_gateway.models import InboundMail
from email_gateway.receive.intake import ingest_mail
from email_gateway.tasks import sweep_deliveries, sweep_inbound_mail
from notifications.models import Delivery, Notice
from notifications.services.announcements import announce, notify_of_announcements
from notifications.services.outbox import write_notice
from notifications.services.preferences import set_preference
from notifications.tasks import sweep_announcements
from operations.models import Announcement, Maintenance, SitePolicy
from operations.policy import PRESETS, Policy
from operations.selectors import read_policy
from operations.services.outages import start_maintenance
from tests.scenes import DAY, log_in

pytestmark = [pytest.mark.django_db, pytest.mark.once]


def make_visitor(name, group=None):
    user = create_user(name=name, email=f"{name}@example.org", now=timezone.now(), email_verified=True)
    if group:
        User.objects.filter(pk=user.pk).update(is_staff=True)
        user.groups.add(Group.objects.get_or_create(name=group)[0])
    browser = log_in(user)
    return browser, user


@pytest.fixture
def jane():
    return make_visitor("Jane", JANITORS)


def test_a_janitor_sets_a_number_and_the_rules_page_shows_it(jane):
    browser, _ = jane
    page = browser.get("/admin/operations/sitepolicy/add/?preset=server").content.decode()
    assert 'value="14"' in page
    numbers = asdict(PRESETS["server"]) | {"idle_user_days": 23, "absence_most_days": 31}
    assert browser.post("/admin/operations/sitepolicy/add/", {**numbers, "why": "As before."}).status_code == 302
    assert read_policy() == Policy(**numbers)
    words = browser.get("/admin/operations/sitepolicy/").content.decode()
    assert "A mage is not idle if their user was active in the last 21 → 23 days" in words and "As before." in words
    rules = Client().get("/rules/").content.decode()
    for words in ("23 days", "Classic pace, 14 days a turn", "away from it for 31 days in total"):
        assert words in rules, words


def test_numbers_that_contradict_each_other_are_rejected_each_at_its_field(jane):
    browser, _ = jane
    numbers = asdict(Policy()) | {"classic_forfeit_days": 3, "guest_keep_days": 999}
    answer = browser.post("/admin/operations/sitepolicy/add/", {**numbers, "why": "x"})
    errors = answer.context["adminform"].form.errors
    assert answer.status_code == 200 and {"classic_reminder_days", "guest_keep_days"} <= set(errors)
    assert "The nearest is 2." in errors["classic_reminder_days"][0]
    assert not SitePolicy.objects.exists()


@pytest.mark.parametrize(
    "table",
    [
        "operations/sitepolicy",
        "operations/maintenance",
        "operations/announcement",
        "accounts/accountwarning",
        "accounts/sanction",
    ],
)
@pytest.mark.parametrize(("group", "answer"), [(None, 302), (READ_ONLY_JANITORS, 403), (JANITORS, 200)])
def test_only_full_janitors_add_rows_to_the_sites_tables(table, group, answer):
    browser, _ = make_visitor("Mara", group)
    assert browser.get(f"/admin/{table}/add/").status_code == answer


def test_pages_show_maintenance_until_it_ends(jane, django_capture_on_commit_callbacks):
    browser, _ = jane
    browser.post("/admin/operations/maintenance/add/", {"reason": "The cellar is rebuilt."})
    row = Maintenance.objects.get()
    for path in ("/", "/rules/", "/ladder/", "/accounts/login/", "/no/such/page/"):
        assert "The cellar is rebuilt." in Client().get(path).content.decode(), path
    with django_capture_on_commit_callbacks(execute=True):
        browser.post("/admin/operations/maintenance/", {"action": "end_maintenance", "_selected_action": [row.pk]})
    assert "The cellar is rebuilt." not in Client().get("/rules/").content.decode()


def test_an_announcement_is_shown_until_its_end_as_it_was_written(jane, django_capture_on_commit_callbacks):
    browser, _ = jane
    until = (timezone.now() + DAY).strftime("%Y-%m-%d %H:%M").split()
    form = {"text": "<b>Cake</b> at nine.", "until_0": until[0], "until_1": until[1]}
    with django_capture_on_commit_callbacks(execute=True):
        # Pressed twice, it is one announcement.
        for _ in range(2):
            assert browser.post("/admin/operations/announcement/add/", form).status_code == 302
    assert "&lt;b&gt;Cake&lt;/b&gt; at nine." in Client().get("/rules/").content.decode()
    row = Announcement.objects.get()
    with django_capture_on_commit_callbacks(execute=True):
        browser.post("/admin/operations/announcement/", {"action": "withdraw", "_selected_action": [row.pk]})
    assert "Cake" not in Client().get("/rules/").content.decode()


def test_an_announcement_is_emailed_once_to_each_user_who_wants_it(jane, mailoutbox):
    _, janitor = jane
    for name in ("Anna", "Boris", "Cedric"):
        create_user(name=name, email=f"{name}@example.org", now=timezone.now(), email_verified=True)
    now = timezone.now()
    announce(by=janitor, text="New rules on Monday.", until=now + DAY, is_mailed=True, now=now)
    assert notify_of_announcements(now=now, limit=2) == 2
    for _ in range(4):
        sweep_announcements()
    assert Notice.objects.filter(kind="site_news").count() == 4 == Delivery.objects.count()
    sweep_deliveries()
    assert sorted(mail.to[0] for mail in mailoutbox) == [
        f"{name}@example.org" for name in ("anna", "boris", "cedric", "jane")
    ]
    assert "New rules on Monday." in mailoutbox[0].body


def test_during_maintenance_only_log_in_codes_are_emailed(jane):
    _, janitor = jane
    anna = create_user(name="Anna", email="anna@example.org", now=timezone.now(), email_verified=True)
    start_maintenance(by=janitor, reason="Closed.", now=timezone.now())
    ingest_mail(raw=b"From: a@b.c\n\nHELP\n", mail_from="a@b.c", rcpt_tos=["fm@localhost"], now=timezone.now())
    now = timezone.now()
    write_notice(key="a", user=anna, kind="account_changed", facts={"what": "password_set"}, now=now)
    secrets = {"code": "ABCD"}
    write_notice(key="b", user=anna, kind="login_code", facts={}, secrets=secrets, address="anna@example.org", now=now)
    sweep_inbound_mail()
    sweep_deliveries()
    assert InboundMail.objects.get().state == "received"
    assert {row.notice.kind: row.state for row in Delivery.objects.exclude(notice=None)} == {
        "account_changed": "due",
        "login_code": "sent",
    }
    Maintenance.objects.update(ended_at=timezone.now(), ended_by=janitor)
    sweep_inbound_mail()
    sweep_deliveries()
    assert InboundMail.objects.get().state == "processed"
    assert set(Delivery.objects.values_list("state", flat=True)) == {"sent"}


def test_times_are_shown_and_read_in_the_janitors_own_zone(jane):
    browser, user = jane
    set_preference(user=user, key="time_zone", value="Asia/Tokyo")
    assert "Time zone: Asia/Tokyo." in browser.get("/admin/operations/announcement/add/").content.decode()
    ends = {"text": "Tea.", "until_0": "2099-05-05", "until_1": "21:00"}
    assert browser.post("/admin/operations/announcement/add/", ends).status_code == 302
    assert Announcement.objects.get().until == datetime(2099, 5, 5, 12, 0, tzinfo=UTC)
    listed = browser.get("/admin/operations/announcement/").content.decode()
    assert "5 May 2099, 21:00" in listed and "Times: Asia/Tokyo" in listed


def test_maintenance_is_ended_at_the_desk_and_logged(jane):
    browser, janitor = jane
    start_maintenance(by=janitor, reason="The cellar is rebuilt.", now=timezone.now())
    page = browser.get("/admin/desk/").content.decode()
    row = Maintenance.objects.get()
    assert f'name="_selected_action" value="{row.pk}"' in page and "End maintenance" in page
    assert "Start maintenance" not in page
    browser.post("/admin/operations/maintenance/", {"action": "end_maintenance", "_selected_action": [row.pk]})
    history = browser.get(f"/admin/operations/maintenance/{row.pk}/history/").content.decode()
    assert "End maintenance." in history and "Jane" in history


def test_the_page_of_a_row_has_the_buttons_of_its_list(jane):
    browser, janitor = jane
    row = announce(by=janitor, text="Tea.", until=timezone.now() + DAY, is_mailed=False, now=timezone.now())
    address = f"/admin/operations/announcement/{row.pk}/change/"
    assert address in browser.get("/admin/desk/").content.decode()
    assert "Remove from all pages" in browser.get(address).content.decode()
    reader, _ = make_visitor("Rita", READ_ONLY_JANITORS)
    assert "Remove from all pages" not in reader.get(address).content.decode()


@pytest.mark.parametrize(
    ("table", "words", "button"),
    [
        ("operations/announcement", "shown on every page until it ends", "Announce"),
        ("operations/maintenance", "all clocks stop until a janitor ends the", "Start maintenance"),
        ("operations/sitepolicy", "The new numbers apply immediately", "Apply policy"),
        ("accounts/accountwarning", "must read and acknowledge your text", "Warn"),
        ("accounts/sanction", "Their clocks keep running", "Suspend"),
    ],
)
def test_each_form_says_what_its_button_does(jane, table, words, button):
    page = jane[0].get(f"/admin/{table}/add/").content.decode()
    assert words in page and f'value="{button}"' in page and "Save" not in page
