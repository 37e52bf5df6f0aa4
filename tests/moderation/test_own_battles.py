"""Janitors, even superusers, cannot see or change secrets of their own battles anywhere in the admin. The actions on a
battle itself are tested in tests/moderation/test_battle_desk.py."""

import re
from datetime import timedelta

import pytest
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from django.contrib import admin
from django.test import RequestFactory
from django.urls import reverse
from django.utils import timezone

from accounts.models import User
from accounts.services.messages import send_message
from accounts.services.vacations import start_vacation
from duels.models import Battle
from email_gateway.addresses import make_turn_address
from email_gateway.deliver.mail import Mail, queue_mail
from email_gateway.models import InboundMail
from email_gateway.receive.intake import Envelope, seal_envelope
from moderation.admin.users import ReadOnlyAdmin
from moderation.models import JournalEntry
from moderation.services.reports import answer_report, make_report
from notifications.models import Delivery, Notice
from notifications.services.outbox import write_notice
from tests.duels.fights import start_fight
from tests.duels.janitors import WHY, make_janitor
from tests.refusals import refused
from tests.scenes import NOW, log_in, make_mage, make_user

pytestmark = [pytest.mark.django_db, pytest.mark.once]

CSRF = re.compile(r'name="csrfmiddlewaretoken" value="[^"]+"')
ASKED = (("duels/battle", "state__icontains"), ("duels/battle", "seed__startswith"),
         ("email_gateway/inboundmail", "scrubbed__contains"), ("moderation/journalentry", "before__icontains"),
         ("notifications/notice", "facts__icontains"), ("accounts/user", "password__startswith"))  # fmt: skip


@pytest.fixture(params=[make_janitor, User.objects.create_superuser], ids=["janitor", "superuser"])
def janitor(request):
    return request.param("Jane")


@pytest.fixture
def duel(janitor):
    """One of the janitor's own duels."""
    duel = start_fight(make_mage("Janeth", janitor), make_mage("Carlin"))
    duel.order("Carlin", "LH P\nRH W")
    return duel


def test_no_list_can_be_searched_by_hidden_columns(duel, janitor):
    browser = log_in(janitor)
    asked = RequestFactory().get("/admin/")
    for table, question in ASKED:
        assert browser.get(f"/admin/{table}/", {question: "a"}).status_code == 400, question
    tables = [table for model, table in admin.site._registry.items() if model._meta.label != "auth.Group"]
    for table in tables:
        shown = {str(name) for name in (*table.list_display, *table.list_filter, table.opts.pk.name)}
        for field in table.opts.concrete_fields:
            if field.name not in shown:
                assert not table.lookup_allowed(f"{field.name}__gte", "1", asked), f"{table}: {field.name}"


def test_a_janitor_cannot_act_on_an_opponent(duel, janitor):
    carl, other = duel.user("Carlin"), make_user("Jon")
    browser = log_in(janitor)
    table = admin.site._registry[User]
    for action in table.row_actions:
        address = reverse("admin:accounts_user_act", args=[carl.pk, action.slug])
        assert browser.post(address, {"reason": WHY}).status_code == 403, action.slug
    page = browser.get(reverse("admin:accounts_user_change", args=[carl.pk])).content.decode()
    assert f"You and {carl} are in battle {duel.number}" in page and "What you can do" not in page
    merge = reverse("admin:accounts_user_act", args=[other.pk, "merge"])
    assert f"in battle {duel.number}" in browser.post(merge, {"other": carl.username, "reason": WHY}).content.decode()
    for form, words in (("accountwarning", {"text": WHY}), ("sanction", {"reason": WHY})):
        answer = browser.post(f"/admin/accounts/{form}/add/", {"user": carl.pk, **words})
        assert f"in battle {duel.number}" in answer.content.decode()
    carl.refresh_from_db()
    assert carl.is_active and not carl.is_held and not carl.account_warnings.exists()
    # They may after the battle.
    duel.order("Janeth", "LH P\nRH P")
    assert browser.get(reverse("admin:accounts_user_act", args=[carl.pk, "warn"])).status_code == 200


def test_no_superuser_deactivates_an_account_with_a_checkbox(janitor):
    jon = make_user("Jon")
    log_in(janitor).post(reverse("admin:accounts_user_change", args=[jon.pk]), {"is_staff": ""})
    jon.refresh_from_db()
    assert jon.is_active


def test_a_report_about_the_battle_is_for_other_janitors(duel, janitor):
    report = make_report(reporter=duel.user("Carlin"), text="I had a storm.", now=NOW, about_battle=duel.number)
    assert not Notice.objects.filter(user=janitor, kind="report_made").exists()
    browser, other = log_in(janitor), log_in(make_janitor("Jack"))
    page = reverse("admin:moderation_report_change", args=[report.pk])
    subject = f"battle {duel.number}"
    pages = (("/admin/desk/", f"About {subject}"), ("/admin/moderation/report/", subject), (page, "I had a storm"))
    for is_over in (False, True):
        if is_over:
            duel.order("Janeth", "LH P\nRH P")
            make_report(reporter=duel.user("Carlin"), text="And no luck.", now=NOW, about_battle=duel.number)
        assert duel.battle.is_over == is_over
        for address, words in pages:
            assert words not in browser.get(address, follow=True).content.decode()
            assert words in other.get(address).content.decode()
        with refused("about_your_battle", match="one of your battles"):
            answer_report(report=report, by=janitor, answer="No.", now=NOW)
    assert set(Notice.objects.filter(kind="report_made").values_list("user__username", flat=True)) == {"Jack"}


def test_a_janitor_cannot_read_or_process_an_opponents_email(duel, janitor):
    details = {"size": 1, "received_at": NOW, "due_at": NOW, "state": "stuck", "sealed": b"x"}
    mail = InboundMail.objects.create(fingerprint="f", user=duel.user("Carlin"), scrubbed="I had a storm.", **details)
    page = reverse("admin:email_gateway_inboundmail_change", args=[mail.pk])
    button = {"action": "process_again", "_selected_action": [mail.pk]}
    for person, read, state in ((janitor, False, "stuck"), (make_janitor("Jack"), True, "received")):
        browser = log_in(person)
        assert ("I had a storm" in browser.get(page).content.decode()) == read
        browser.post("/admin/email_gateway/inboundmail/", button)
        mail.refresh_from_db()
        assert mail.state == state


def seal(mail_from, to, sender="nobody@example.org"):
    return seal_envelope(Envelope(mail_from, (to,), f"From: {sender}\n\nI had a storm.".encode()))


def test_a_janitor_cannot_read_or_process_an_email_that_claims_to_be_an_opponents(duel, janitor):
    carl, jon = duel.user("Carlin"), make_user("Jon")
    for user in (carl, jon):
        EmailAddress.objects.create(user=user, email=f"{user.username}@example.org")
    address = f"{carl.username}@example.org"
    turn = {"battle": duel.number, "seq": 1, "attempt": 0}
    mails = {
        "from them": seal(address.upper(), "fm@localhost"),
        "said to be from them": seal("list@example.org", "fm@localhost", f"Carl <{address}>"),
        "to their reply address": seal("nobody@example.org", make_turn_address(user_id=carl.pk, **turn)),
        "from another": seal("jon@example.org", "fm@localhost", "jon@example.org"),
        "to another's": seal("nobody@example.org", make_turn_address(user_id=jon.pk, **turn)),
        "unreadable": b"x",
        "unreadable, by its copy": b"x",
        "processed": None,
    }
    read = {}
    for name, sealed in mails.items():
        by_copy = name in ("processed", "unreadable, by its copy")
        text = f"Subject: Hello\nFrom: {address if by_copy else 'x@example.org'}\nDate: \n\nI had a storm."
        state = {"state": "automatic", "processed_at": NOW} if sealed else {"state": "processed", "processed_at": NOW}
        mail = InboundMail.objects.create(
            fingerprint=name, scrubbed=text, sealed=sealed, size=1, received_at=NOW, due_at=NOW, **state
        )
        page = reverse("admin:email_gateway_inboundmail_change", args=[mail.pk])
        read[name] = "I had a storm" in log_in(janitor).get(page).content.decode()
        button = {"action": "process_again", "_selected_action": [mail.pk]}
        log_in(janitor).post("/admin/email_gateway/inboundmail/", button)
        mail.refresh_from_db()
        assert (mail.state == "received") == (read[name] and sealed is not None), name
    assert {name for name, seen in read.items() if seen} == {"from another", "to another's", "unreadable"}


def test_nothing_tells_a_janitor_who_plays_that_an_opponent_replaced_ready_orders(duel, janitor):
    """The rows that a replacement writes are not listed, and those that were there keep their time and their order."""
    carl, browser = duel.user("Carlin"), log_in(janitor)
    EmailAddress.objects.create(user=carl, email="carlin@example.org")
    tables = ("accounts/user", "accounts/mage", "accounts/vacation", "email_gateway/inboundmail",
              "notifications/delivery", "notifications/notice", f"accounts/user/{carl.pk}/change")  # fmt: skip
    pages = [f"/admin/{table}/" for table in tables] + ["/admin/desk/", "/statistics/", f"/users/{carl.username}/"]
    start_vacation(user=carl, days=10, now=NOW)

    def read():
        return {page: CSRF.sub("", browser.get(page).content.decode()) for page in pages}

    before = read()
    later = NOW + timedelta(days=3)
    mail = InboundMail.objects.create(
        fingerprint="f", user=carl, size=1, received_at=later, due_at=later, state="processed", processed_at=later
    )
    just_come = InboundMail.objects.create(
        fingerprint="g", sealed=seal("carlin@example.org", "fm@localhost"), size=1, received_at=later, due_at=later
    )
    for user in (carl, None):
        answer = Mail(subject="We have your orders", text="x")
        queue_mail(answer, address="carlin@example.org", inbound=mail, user=user, now=later)
    receipt = duel.order("Carlin", "LH S\nRH D", via="mail", now=later)
    assert receipt.outcome == "ready" and not receipt.ends_vacation
    after = read()
    assert [page for page in pages if before[page] != after[page]] == []
    # Another janitor sees them all.
    other = log_in(make_janitor("Jack"))
    listed = other.get("/admin/email_gateway/inboundmail/").content.decode()
    assert all(f"inboundmail/{each.pk}/change" in listed for each in (mail, just_come))
    assert other.get("/admin/notifications/delivery/").content.decode().count("We have your orders") == 2


def test_what_the_desk_lists_leaves_out_the_email_of_an_opponent(duel, janitor):
    carl, now = duel.user("Carlin"), timezone.now()
    EmailAddress.objects.create(user=carl, email="carlin@example.org")
    for user, address in ((carl, "carlin@example.org"), (None, "carlin@example.org")):
        Delivery.objects.create(
            user=user, subject="Your orders", channel="mail", address=address, state="failed", due_at=now, error="R12"
        )
    details = {"size": 1, "received_at": now, "due_at": now, "sealed": b"x"}
    InboundMail.objects.create(fingerprint="f", user=carl, state="stuck", remark="error R13", **details)
    desks = [log_in(user).get("/admin/desk/").content.decode() for user in (janitor, make_janitor("Jack"))]
    for words, count in (("Your orders", 2), ("R12", 2), ("R13", 1)):
        assert [desk.count(words) for desk in desks] == [0, count]


def test_a_janitor_does_not_read_reported_messages_that_an_opponent_wrote(duel, janitor):
    carl, zoe = duel.user("Carlin"), make_user("Zoe")
    send_message(writer=carl, reader=zoe, text="I cast P against Janeth", once="1", now=NOW)
    report = make_report(reporter=carl, about_user=zoe, text="Rude.", with_messages=True, now=NOW)
    for user, count in ((janitor, 0), (make_janitor("Jack"), 1)):
        data = {"action": "read_messages", "_selected_action": report.pk}
        page = log_in(user).post("/admin/moderation/report/", data, follow=True).content.decode()
        assert page.count("I cast P against Janeth") == JournalEntry.objects.count() == count
        assert (f"You and {carl} are in battle {duel.number}" in page) == (user == janitor)


def test_a_users_notices_are_not_shown(janitor):
    jon = make_user("Jon")
    notice = write_notice(
        key="k", user=jon, kind="message", facts={"text": "the quiet word"}, secrets={"code": "123"}, now=NOW
    )
    page = log_in(janitor).get(reverse("admin:notifications_notice_change", args=[notice.pk])).content.decode()
    assert "message" in page and "quiet word" not in page and notice.sealed not in page


@pytest.fixture
def keeper(janitor):
    return janitor if janitor.is_superuser else User.objects.create_superuser("Keeper")


def test_a_superuser_sees_no_log_in_secrets_but_can_remove_lost_ones(keeper):
    browser, jon = log_in(keeper), make_user("Jon")
    factor = Authenticator.objects.create(user=jon, type="totp", data={"secret": "JBSWY3DPEHPK3PXP"})
    Authenticator.objects.create(user=jon, type="recovery_codes", data={"seed": "KRSXG5A"})
    page = browser.get(reverse("admin:moderation_secondfactor_change", args=[factor.pk]))
    assert page.status_code == 200 and "JBSWY3DPEHPK3PXP" not in page.content.decode()
    assert browser.get("/admin/usersessions/usersession/").status_code == 404
    assert "moderation/secondfactor" not in log_in(make_janitor("Jack")).get("/admin/").content.decode()
    browser.post(reverse("admin:moderation_secondfactor_delete", args=[factor.pk]), {"post": "yes"})
    assert not Authenticator.objects.filter(user=jon).exists()
    assert Notice.objects.get(user=jon).facts == {"what": "totp_deactivated"}


def test_a_superuser_cannot_change_addresses_or_an_opponents_account(duel, keeper):
    carl, jon = duel.user("Carlin"), make_user("Jon")
    start_fight(make_mage("Keepera", keeper), make_mage("Carlis", carl))
    marked = {}
    for user in (carl, jon):
        row = EmailAddress.objects.create(user=user, email=f"{user.pk}@example.org")
        page = reverse("admin:account_emailaddress_change", args=[row.pk])
        log_in(keeper).post(page, {"email": "keeper@example.org", "verified": "on"})
        row.refresh_from_db()
        assert row.email == f"{user.pk}@example.org"
        marked[user] = row.verified
    assert marked == {carl: False, jon: True}


def test_a_superuser_is_told_what_cannot_be_ticked(keeper):
    jon, anna = make_user("Jon"), make_user("Anna")
    EmailAddress.objects.create(user=anna, email="one@example.org", verified=True)
    row = EmailAddress.objects.create(user=jon, email="one@example.org")
    User.objects.filter(pk=jon.pk).update(is_bot=True)
    browser = log_in(keeper)
    for page, box, words in (
        (reverse("admin:account_emailaddress_change", args=[row.pk]), "verified", "Anna has verified this address."),
        (reverse("admin:accounts_user_change", args=[jon.pk]), "is_staff", "A bot cannot be a janitor"),
    ):
        answer = browser.post(page, {box: "on"})
        assert answer.status_code == 200 and words in answer.content.decode()
    row.refresh_from_db()
    assert not row.verified and not User.objects.get(pk=jon.pk).is_staff


def test_only_reading_tables_show_a_battle():
    tables = {
        table.opts.label: table
        for table in admin.site._registry.values()
        if table.model is Battle or any(field.related_model is Battle for field in table.opts.get_fields())
    }
    shown = {"duels.Battle", "duels.Replay", "moderation.JournalEntry"}
    assert {label for label in tables if label.startswith(("duels", "moderation"))} == shown
    assert all(isinstance(tables[label], ReadOnlyAdmin) for label in shown)
