"""Mailgun's requests: whole emails, emails in parts, and reports on ours, each with its own signature."""

import hashlib
import hmac
import json
from email import message_from_bytes, policy

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from email_gateway.models import InboundMail, MailAddress
from email_gateway.receive.intake import unseal_envelope
from tests.email_gateway.conftest import MailedDuel
from tests.email_gateway.test_orders import lines_of
from tests.email_gateway.world import PASSWORD, MailWorld, write_mail

KEY = "key-of-four-grey-herons"


@pytest.fixture
def mailgun(world: MailWorld, settings) -> Client:
    settings.FM_MAIL_WEBHOOK = "mailgun"
    settings.ANYMAIL = {"MAILGUN_WEBHOOK_SIGNING_KEY": KEY}
    return Client(raise_request_exception=False)


def sign(token: str = "c2f1", timestamp: str = "1935748800", key: str = KEY) -> dict[str, str]:
    mark = hmac.new(key.encode(), f"{timestamp}{token}".encode(), hashlib.sha256).hexdigest()
    return {"token": token, "timestamp": timestamp, "signature": mark}


def take_apart(raw: bytes) -> dict[str, object]:
    """The fields of an email that Mailgun has read, with a picture that came with it."""
    mail = message_from_bytes(raw, policy=policy.default)
    return {
        "sender": "bill@example.org",
        "recipient": "fm@localhost",
        "from": "Bill <bill@example.org>",
        "subject": str(mail["Subject"]),
        "body-plain": mail.get_content(),
        "stripped-text": "something shorter",
        "body-html": "<p>nothing to order</p>",
        "message-headers": json.dumps([[name, str(value)] for name, value in mail.items()]),
        "attachment-count": "1",
        "attachment-1": SimpleUploadedFile("hat.png", b"\x89PNG" + bytes(range(256)), content_type="image/png"),
    }


def orders(duel: MailedDuel) -> bytes:
    text = f"USER Bill {PASSWORD}\nGAME {duel.number} Bung\nLH P\nRH D\nEND\n"
    return write_mail(text, sender="bill@example.org", To="fm@localhost")


def test_a_whole_email_is_processed_from_its_bytes(duel: MailedDuel, mailgun: Client):
    sent = {"sender": "bill@example.org", "recipient": "fm@localhost", "body-mime": orders(duel).decode()}
    for _ in range(2):  # Mailgun posts again what was not answered in time
        assert mailgun.post("/mail/inbound/", {**sent, **sign()}).status_code == 200
    row = InboundMail.objects.get()
    assert row.copies == 2
    envelope = unseal_envelope(bytes(row.sealed))
    assert (envelope.mail_from, envelope.rcpt_tos) == ("bill@example.org", ("fm@localhost",))
    duel.world.process()
    assert lines_of(duel.battle, duel.bung) == ["LH P", "RH D"]
    assert [mail["To"] for mail in duel.world.new_mails()] == ["bill@example.org"]


def test_an_email_in_parts_is_reassembled_and_processed(duel: MailedDuel, mailgun: Client):
    assert mailgun.post("/mail/inbound/", {**take_apart(orders(duel)), **sign()}).status_code == 200
    duel.world.process()
    assert lines_of(duel.battle, duel.bung) == ["LH P", "RH D"]


@pytest.mark.parametrize("forged", [sign(key="guessed"), {**sign(), "token": "other"}, {"token": "c2f1"}])
def test_a_post_without_mailguns_signature_is_rejected(duel: MailedDuel, mailgun: Client, forged: dict[str, str]):
    sent = {"sender": "bill@example.org", "recipient": "fm@localhost", "body-mime": orders(duel).decode()}
    assert mailgun.post("/mail/inbound/", {**sent, **forged}).status_code == 400
    assert not InboundMail.objects.exists()


@pytest.mark.parametrize(("severity", "score"), [("permanent", 5), ("temporary", 1)])
def test_failed_deliveries_by_mailgun_count(world: MailWorld, mailgun: Client, severity: str, score: int):
    world.user("Wil")
    event = {
        "event": "failed",
        "severity": severity,
        "reason": "bounce",
        "recipient": "wil@example.org",
        "timestamp": 1935748800.1,
        "id": "x",
        "message": {"headers": {"message-id": "x@localhost"}},
        "delivery-status": {"code": 550, "message": "no such user"},
    }
    told = {"signature": sign(), "event-data": event}
    answer = mailgun.post("/mail/tracking/", json.dumps(told), content_type="application/json")
    assert answer.status_code == 200
    row = MailAddress.objects.get()
    assert (row.address, row.bounce_score) == ("wil@example.org", score)
