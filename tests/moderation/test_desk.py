"""The overview of the janitors' desk: open tasks, and where each row leads."""

from datetime import timedelta

import pytest
from django.contrib import admin
from django.test import Client
from django.utils import timezone
from django.utils.functional import Promise

from accounts.services.users import set_language
from duels.models import Battle, Deadline
from email_gateway.models import InboundMail, MailAddress
from moderation.services.battles.ask_for_consent import ask_for_consent
from moderation.services.battles.change_clocks import pause_for_janitor
from moderation.services.battles.look_into_battle import look_through_eyes
from moderation.services.reports import make_report
from notifications.models import Delivery
from notifications.services.outbox import write_notice
from operations.services.outages import start_maintenance
from tests.duels.fights import start_fight
from tests.duels.janitors import WHY, make_janitor
from tests.scenes import NOW, log_in, make_mage, make_user

pytestmark = pytest.mark.django_db


def read_desk(user):
    client = log_in(user)
    response = client.get("/admin/desk/")
    return response.content.decode() if response.status_code == 200 else response.status_code


def test_only_a_janitors_menu_leads_to_the_desk(janitor):
    leads = []
    for user in (janitor, make_user("Anna"), None):
        client = Client()
        if user is not None:
            client.force_login(user)
        leads.append('href="/admin/desk/"' in client.get("/rules/").content.decode())
    assert leads == [True, False, False]


def test_an_empty_desk_says_so(janitor):
    page = read_desk(janitor)
    for words in (
        "No battle is stuck.",
        "No mage is past their deadline.",
        "No address is bouncing email.",
        "Start maintenance",
    ):
        assert words in page


def test_open_tasks_are_listed_with_links(janitor):
    now = timezone.now()
    fights = [start_fight(make_mage(f"Ayla{n}"), make_mage(f"Crom{n}")) for n in range(3)]
    Battle.objects.filter(pk=fights[0].battle.pk).update(status="stuck", stuck_reference="ab12cd", stuck_release="x")
    late = Deadline.objects.filter(battle=fights[1].battle).first()
    Deadline.objects.filter(pk=late.pk).update(ends_at=now - timedelta(hours=1), forfeit_at=now + timedelta(days=2))
    pause_for_janitor(battle=fights[2].battle, by=janitor, reason=WHY, now=NOW)
    MailAddress.objects.create(address="gone@example.org", bounce_score=12, bounced_at=now, last_error="550 unknown")
    mail = InboundMail.objects.create(
        fingerprint="f", size=1, received_at=now, due_at=now, state="stuck", remark="a fault", sealed=b"x"
    )
    start_maintenance(by=janitor, reason="the disk is changed", now=now)
    report = make_report(reporter=make_user("Rob"), text="They wait too long", now=now, about_battle=fights[0].number)
    page = read_desk(janitor)
    assert f"/admin/moderation/report/{report.pk}/change/" in page and "They wait too long" not in page
    for fight in fights:
        assert f"/admin/duels/battle/{fight.battle.pk}/change/" in page
    for words in ("reference ab12cd", f"{late.combatant.mage} in Duel", "550 unknown", "the disk is changed"):
        assert words in page
    assert f"/admin/email_gateway/inboundmail/{mail.pk}/change/" in page


def test_failed_emails_are_listed_without_their_text(janitor):
    now = timezone.now()
    janitor.email = "jane@example.org"
    janitor.save()
    notice = write_notice(key="k", user=janitor, kind="message", facts={"text": "the quiet word"}, now=now)
    Delivery.objects.create(
        notice=notice, user=janitor, channel="digest", state="failed", due_at=now, message_id="<x@y>", error="no route"
    )
    page = read_desk(janitor)
    assert "message to Jane" in page and "no route" in page and "quiet word" not in page


def test_the_overview_leaves_out_looks_but_lists_other_entries(janitor):
    fight = start_fight(make_mage("Ayla"), make_mage("Crom"))
    look_through_eyes(battle=fight.battle, mage="Crom", by=janitor, reason="a look of mine", now=NOW)
    ask_for_consent(battle=fight.battle, seq=1, by=janitor, reason="a question of mine", now=NOW)
    page = read_desk(janitor)
    assert "a question of mine" in page and "a look of mine" not in page


def test_a_report_about_a_janitor_is_for_other_janitors(janitor):
    make_report(reporter=make_user("Rob"), text="She is unfair", now=NOW, about_user=janitor)
    assert "About Jane" not in read_desk(janitor)
    assert "About Jane" in read_desk(make_janitor("Jack"))


def test_a_read_only_janitor_sees_no_buttons(janitor):
    assert "Start maintenance" not in read_desk(make_janitor("Rita", reads_only=True))


def test_the_desk_is_only_for_janitors():
    user = make_mage("Ayla").user
    assert read_desk(user) == 302
    type(user).objects.filter(pk=user.pk).update(is_staff=True)
    assert read_desk(type(user).objects.get(pk=user.pk)) == 403


def test_the_tables_have_names_in_the_language_of_the_janitor(janitor):
    set_language(user=janitor, language="de")
    client = log_in(janitor)
    page = client.get("/admin/").content.decode()
    assert ">Meldungen</a>" in page and ">Reports</a>" not in page
    assert "Kämpfe" in client.get("/admin/duels/battle/").content.decode()


def test_every_table_of_ours_has_a_readable_name():
    for model in admin.site._registry:
        names = model._meta.verbose_name, model._meta.verbose_name_plural
        assert all(isinstance(name, Promise) for name in names), f"{model._meta.label} is named {names}"
