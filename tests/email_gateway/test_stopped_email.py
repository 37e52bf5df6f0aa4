"""Email that has stopped, because it doesn't arrive or because its reader doesn't want it: nothing is sent, the site
says so, and one button resumes it."""

import json
from datetime import timedelta

import pytest
from allauth.account.models import EmailAddress
from django.test import Client

from accounts.models import User
from email_gateway.addresses import make_bounce_address, make_turn_address
from email_gateway.deliver.bounces import find_address, note_failure
from email_gateway.models import InboundMail
from notifications.models import Delivery, Preference, SkipReason
from notifications.services.outbox import write_notice
from tests.email_gateway.test_webhooks import AUTH, SECRET
from tests.email_gateway.world import MailWorld, body
from tests.scenes import log_in

BILL = "bill@example.org"
REFUSED = "We have stopped email to you"


def write_complaint(*, kind: str = "abuse", report: str = "", returned: str = "") -> bytes:
    """A report of a mail provider's feedback loop (RFC 5965), which doesn't name its user."""
    return (
        "From: <feedback@isp.example.net>\nSubject: FW: Duel 12\nMessage-ID: <arf@isp.example.net>\n"
        'MIME-Version: 1.0\nContent-Type: multipart/report; report-type=feedback-report; boundary="b"\n\n--b\n\n'
        "This is an email abuse report.\n--b\nContent-Type: message/feedback-report\n\n"
        f"Feedback-Type: {kind}\nUser-Agent: Feedback/1.0\nVersion: 1\n{report}\n--b\n"
        f"Content-Type: message/rfc822\n\nFrom: <fm@localhost>\nTo: <redacted@isp.example.net>\n{returned}"
        "Subject: Duel 12\n\nTurn 1\n--b--\n"
    ).encode()


def name_sender(address: str = BILL) -> str:
    return make_bounce_address(address_id=find_address(address).pk)


def complain(world: MailWorld, raw: bytes, *, to: str = "abuse@localhost") -> None:
    assert world.send(raw, sender="feedback@isp.example.net", to=to) == []
    assert InboundMail.objects.latest("pk").state == "automatic"


def play_turn(duel) -> set[str]:
    """Both players' orders on the site; return who is written to about the turn."""
    duel.world.order(duel.battle, duel.froodal, "LH W\nRH P")
    duel.world.order(duel.battle, duel.bung, "LH W\nRH P")
    return {str(mail["To"]) for mail in duel.world.new_mails()}


@pytest.fixture
def bill(duel) -> User:
    return User.objects.get(username="Bill")


@pytest.fixture
def postmark(settings) -> Client:
    settings.FM_MAIL_WEBHOOK = "postmark"
    settings.ANYMAIL = {"WEBHOOK_SECRET": SECRET}
    return Client()


def test_a_dead_address_gets_no_more_email_until_its_user_resumes_it(duel, bill: User):
    for day in (2, 1):
        note_failure(address=BILL, error="x", permanent=True, now=duel.world.now - timedelta(days=day))
    assert play_turn(duel) == {"frode@example.org"}
    assert Delivery.objects.get(notice__user=bill, notice__kind="turn_resolved").reason == SkipReason.STOPPED
    log_in(bill).post("/mail/again/")
    assert play_turn(duel) == {BILL, "frode@example.org"}


def test_a_code_that_someone_asks_for_is_sent_to_a_dead_address_too(duel, bill: User):
    User.objects.filter(pk=bill.pk).update(mail_fails_since=duel.world.now, mail_refused_since=duel.world.now)
    for kind in ("login_code", "deadline_final", "message", "account_changed"):
        write_notice(key=kind, user=bill, kind=kind, facts={"what": "password_changed"}, secrets={"code": "ABCD-EFGH"},
                     address=BILL, now=duel.world.now)  # fmt: skip
    subjects = {str(mail["Subject"]) for mail in duel.world.new_mails()}
    assert subjects == {"Your login code", "Your account was changed"}


def test_an_email_with_the_mail_password_from_the_dead_address_shows_that_it_works(duel, bill: User):
    User.objects.filter(pk=bill.pk).update(mail_fails_since=duel.world.now)
    duel.world.send("USER Bill three-black-moths\nSCORES", sender="somewhere@example.net")
    assert User.objects.get(pk=bill.pk).mail_fails_since is not None
    duel.world.send("USER Bill wrong-wrong-wrong\nSCORES", sender=BILL)
    assert User.objects.get(pk=bill.pk).mail_fails_since is not None
    duel.world.send("USER Bill three-black-moths\nSCORES", sender=BILL)
    assert User.objects.get(pk=bill.pk).mail_fails_since is None


@pytest.mark.parametrize("to", ["abuse@localhost", "postmaster@localhost", "fm@localhost"])
def test_a_complaint_stops_all_email_and_no_clock(duel, bill: User, to: str):
    complain(duel.world, write_complaint(report=f"Original-Mail-From: <{name_sender()}>\n"), to=to)
    bill.refresh_from_db()
    assert bill.mail_refused_since is not None and bill.mail_fails_since is None
    assert play_turn(duel) == {"frode@example.org"}


def test_a_complaint_to_the_envelope_sender_itself_counts_too(duel, bill: User):
    complain(duel.world, write_complaint(returned=f"Return-Path: <{name_sender()}>\n"), to=name_sender())
    assert User.objects.get(pk=bill.pk).mail_refused_since is not None


def test_a_complaint_that_keeps_only_our_reply_address_counts_against_its_owner(duel, bill: User):
    address = make_turn_address(user_id=bill.pk, battle=duel.number, seq=1, attempt=0)
    complain(duel.world, write_complaint(returned=f"Reply-To: {address}\n"))
    assert User.objects.get(pk=bill.pk).mail_refused_since is not None


@pytest.mark.parametrize("kind", ["not-spam", "auth-failure", "virus"])
def test_other_reports_of_providers_stop_nothing(duel, bill: User, kind: str):
    complain(duel.world, write_complaint(kind=kind, report=f"Original-Mail-From: <{name_sender()}>\n"))
    assert User.objects.get(pk=bill.pk).mail_refused_since is None


def test_a_forged_complaint_stops_nothing(duel, bill: User):
    forged = name_sender().replace("b-", "b-1")
    named = f"Original-Rcpt-To: <{BILL}>\nOriginal-Mail-From: <{forged}>\n"
    complain(duel.world, write_complaint(report=named, returned=f"To: <{BILL}>\n"))
    assert User.objects.get(pk=bill.pk).mail_refused_since is None


MOMENT = "2031-05-04T12:00:00Z"
COMPLAINED = {"RecordType": "SpamComplaint", "Type": "SpamComplaint", "TypeCode": 100001, "BouncedAt": MOMENT}
UNSUBSCRIBED = {"RecordType": "SubscriptionChange", "SuppressSending": True, "ChangedAt": MOMENT,
                "SuppressionReason": "ManualSuppression", "Origin": "Recipient"}  # fmt: skip


@pytest.mark.parametrize("event", [COMPLAINED, UNSUBSCRIBED], ids=["complained", "unsubscribed"])
def test_a_complaint_or_unsubscribing_at_a_provider_stops_email(duel, bill: User, postmark: Client, event):
    facts = {"Email": BILL, "Recipient": BILL, "MessageID": "x", "ID": 1, **event}
    told = postmark.post("/mail/tracking/", json.dumps(facts), content_type="application/json", **AUTH)
    assert told.status_code == 200
    bill.refresh_from_db()
    assert bill.mail_refused_since is not None and bill.mail_fails_since is None


def test_the_site_tells_only_the_user_and_one_button_resumes_email(duel, bill: User):
    complain(duel.world, write_complaint(report=f"Original-Mail-From: <{name_sender()}>\n"))
    client = log_in(User.objects.get(pk=bill.pk))
    for path in ("/", "/ladder/", "/accounts/email/", f"/battles/{duel.number}/"):
        assert REFUSED in client.get(path).text, path
    assert REFUSED not in log_in(User.objects.get(username="Frode")).get("/").text
    told = client.post("/mail/again/", follow=True).text
    assert REFUSED not in told and "emailing you again" in told
    assert BILL in play_turn(duel)


def test_after_a_complaint_a_reply_is_answered_but_resumes_nothing(duel, bill: User):
    complain(duel.world, write_complaint(report=f"Original-Mail-From: <{name_sender()}>\n"))
    to = make_turn_address(user_id=bill.pk, battle=duel.number, seq=1, attempt=0)
    answer = duel.world.ask("LH W\nRH P", sender=BILL, to=to)
    assert "don't want our email" in " ".join(answer.split()) and "/accounts/email/" in answer
    assert User.objects.get(pk=bill.pk).mail_refused_since is not None


def test_a_new_address_is_written_to_although_the_old_one_complained(bill: User, duel):
    User.objects.filter(pk=bill.pk).update(mail_refused_since=duel.world.now)
    EmailAddress.objects.create(user=bill, email="bill@example.net", verified=True, primary=False)
    log_in(bill).post("/accounts/email/", {"email": "bill@example.net", "action_primary": ""})
    assert User.objects.get(pk=bill.pk).mail_refused_since is None


def test_a_complaint_of_an_unconfirmed_address_stops_its_reminders(world: MailWorld):
    ann = world.user("Ann", verified=False)
    complain(world, write_complaint(report=f"Original-Mail-From: <{name_sender('ann@example.org')}>\n"))
    assert Preference.objects.get(user=ann, key="mail_unconfirmed").value == "no"
    assert User.objects.get(pk=ann.pk).mail_refused_since is None


def test_an_answer_to_a_player_who_wants_email_says_nothing_of_this(duel, bill: User):
    to = make_turn_address(user_id=bill.pk, battle=duel.number, seq=1, attempt=0)
    [answer] = duel.world.send("LH W\nRH P", sender=BILL, to=to)
    assert "don't want our email" not in " ".join(body(answer).split())
