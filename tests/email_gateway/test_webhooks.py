"""The provider's webhook: signed requests become normal emails, unsigned ones nothing."""

import base64
import json

import pytest
from django.test import Client, override_settings
from django.utils.module_loading import import_string

from email_gateway.models import InboundMail, MailAddress
from email_gateway.receive.intake import unseal_envelope
from tests.email_gateway.world import MailWorld, write_mail

SECRET = "postman:four-grey-herons"
AUTH = {"HTTP_AUTHORIZATION": "Basic " + base64.b64encode(SECRET.encode()).decode()}


@pytest.fixture
def postmark(world: MailWorld, settings) -> Client:
    settings.FM_MAIL_WEBHOOK = "postmark"
    settings.ANYMAIL = {"WEBHOOK_SECRET": SECRET}
    return Client(raise_request_exception=False)


def post(client: Client, raw: bytes, *, to: str = "fm@localhost", kind: str = "inbound", **auth: str):
    facts = {
        "RawEmail": raw.decode("utf-8", "replace"),
        "OriginalRecipient": to,
        "MessageID": "x",
        "Headers": [],
        "From": "wil@example.org",
        "Date": "",
    }
    return client.post(f"/mail/{kind}/", json.dumps(facts), content_type="application/json", **(auth or AUTH))


def test_a_posted_email_is_processed_and_answered_like_any_other(world: MailWorld, postmark: Client):
    raw = b"Return-Path: <wil@example.org>\r\n" + write_mail("SCORES duel")
    assert post(postmark, raw).status_code == 200
    envelope = unseal_envelope(bytes(InboundMail.objects.get().sealed))
    assert (envelope.mail_from, envelope.rcpt_tos) == ("wil@example.org", ("fm@localhost",))
    world.process()
    assert len(world.new_mails()) == 1


def test_an_email_posted_again_is_a_copy(world: MailWorld, postmark: Client):
    raw = write_mail("HELP")
    for _ in range(3):
        assert post(postmark, raw).status_code == 200
    assert InboundMail.objects.get().copies == 3


def test_a_post_without_the_secret_is_refused(postmark: Client):
    for wrong in ("", "Basic " + base64.b64encode(b"postman:wrong").decode()):
        assert post(postmark, write_mail("HELP"), HTTP_AUTHORIZATION=wrong).status_code == 400
    assert not InboundMail.objects.exists()


def test_a_posted_email_for_an_unknown_mailbox_or_too_large_is_dropped(postmark: Client, settings):
    assert post(postmark, write_mail("HELP"), to="root@localhost").status_code == 200
    settings.FM_MAIL_SIZE_LIMIT = 1000
    assert post(postmark, write_mail("HELP\n" * 400)).status_code == 200
    assert not InboundMail.objects.exists()


def test_an_email_that_cannot_be_stored_is_posted_again_later(postmark: Client, monkeypatch):
    monkeypatch.setattr("email_gateway.receive.webhooks.ingest_mail", lambda **_: 1 / 0)
    assert post(postmark, write_mail("HELP")).status_code == 500


def test_a_site_without_a_provider_has_no_webhook_addresses(world: MailWorld):
    for kind in ("inbound", "tracking"):
        assert post(Client(), write_mail("HELP"), kind=kind).status_code == 404


def test_a_providers_failed_delivery_counts_against_the_address(world: MailWorld, postmark: Client):
    world.user("Wil")
    facts = {"RecordType": "Bounce", "Type": "HardBounce", "TypeCode": 1, "Email": "wil@example.org", "MessageID": "x",
             "BouncedAt": "2031-05-04T12:00:00Z", "ID": 1}  # fmt: skip
    told = postmark.post("/mail/tracking/", json.dumps(facts), content_type="application/json", **AUTH)
    assert told.status_code == 200
    assert MailAddress.objects.get().address == "wil@example.org"


@pytest.mark.parametrize("provider", ["mailgun", "postmark", "sendgrid", "mandrill", "brevo", "mailjet", "sparkpost"])
def test_the_providers_have_their_own_entry_point(provider):
    from email_gateway.receive.webhooks import find_view_class

    assert find_view_class(provider, "inbound").esp_name.lower() == provider


@override_settings(FM_FORM_SIZE_LIMIT=100)
def test_forms_stay_small_although_emails_may_be_large(rf):
    guarded = import_string("fm_site.serving.form_size.small_forms")(lambda request: "answered")
    assert guarded(rf.post("/mail/inbound/", b"x" * 200, content_type="text/plain")) == "answered"
    assert guarded(rf.post("/battles/1/", b"x" * 100, content_type="text/plain")) == "answered"
    with pytest.raises(Exception) as refused:
        guarded(rf.post("/battles/1/", b"x" * 200, content_type="text/plain"))
    assert type(refused.value).__name__ == "RequestDataTooBig"
