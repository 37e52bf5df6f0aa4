"""Sending: each email once, or again under the same Message-ID; codes and links are not kept."""

import asyncio
import os
import re
import signal
import smtplib
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta
from email import message_from_bytes
from email.message import EmailMessage

import pytest
from aiosmtpd.controller import Controller
from aiosmtpd.smtp import Envelope
from django.db import connections

from duels.models import Battle
from email_gateway.compose import outbox
from email_gateway.compose.outbox import deliver_due, send_deliveries
from email_gateway.deliver import send
from email_gateway.deliver.mail import Mail, make_message
from email_gateway.models import LocalMail, MailAddress
from email_gateway.receive import process_mail
from email_gateway.tasks import sweep_deliveries
from fm_site.schedule import BEAT_SCHEDULE
from moderation.desk import list_sections
from notifications.models import Delivery, Notice, SkipReason
from notifications.services import deliveries
from notifications.services.outbox import write_notice
from tests.email_gateway.conftest import MailedDuel
from tests.email_gateway.world import MailWorld, body, write_mail
from tests.races import run_until_killed
from tests.services.stack import find_free_ports

# The workers die by themselves, not at a statement of that number.
NEVER = sys.maxsize


def die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("sent", [False, True])
def test_a_worker_killed_while_sending_neither_loses_nor_repeats_a_report(world: MailWorld, sent: bool):
    froodal, bung = world.mage("Froodal", world.user("Frode")), world.mage("Bung", world.user("Bill"))
    battle = world.duel(froodal, bung)
    world.order(battle, froodal, "W/P")
    world.order(battle, bung, "P/S")
    due = {delivery.message_id for delivery in Delivery.objects.filter(notice__kind="turn_resolved")}
    assert len(due) == 2

    def send_and_die() -> None:
        real = send.send_message

        def stop(message: EmailMessage, address: MailAddress, now: datetime) -> None:
            if sent:
                real(message, address, now)
            die()

        send.send_message = stop
        deliver_due(now=world.now)

    assert run_until_killed(send_and_die, at=NEVER)
    assert LocalMail.objects.filter(message_id__in=due).count() == (1 if sent else 0)
    world.new_mails()
    world.wait(minutes=10)
    world.new_mails()
    assert set(LocalMail.objects.filter(message_id__in=due).values_list("message_id", flat=True)) == due
    assert LocalMail.objects.filter(message_id__in=due).count() == 2
    assert not Delivery.objects.exclude(state="sent").exists()


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_a_worker_killed_while_processing_leaves_nothing_half_done(world: MailWorld):
    froodal, bung = world.mage("Froodal", world.user("Frode")), world.mage("Bung", world.user("Bill"))
    battle = world.duel(froodal, bung)
    world.order(battle, froodal, "W/P")
    mail = world.take(write_mail(f"USER Bill three-black-moths\nGAME {battle.number} Bung\nP/S"))

    def process_and_die() -> None:
        process_mail.write_answer = lambda **_: die()
        claimed = process_mail.claim_inbound(mail_id=mail.pk, now=world.now)
        process_mail.process_mail(mail=claimed, now=world.now)

    assert run_until_killed(process_and_die, at=NEVER)
    assert Battle.objects.get().label == "1" and not Delivery.objects.filter(notice=None).exists()
    world.wait(minutes=3)
    world.process()
    assert Battle.objects.get().label == "2"
    assert Delivery.objects.filter(notice=None).count() == 1


def test_an_email_sent_twice_has_the_same_message_id_and_is_there_once(duel: MailedDuel):
    world = duel.world
    world.order(duel.battle, duel.froodal, "W/P")
    world.order(duel.battle, duel.bung, "P/S")
    world.new_mails()
    before = LocalMail.objects.count()
    assert Delivery.objects.filter(notice__kind="turn_resolved").update(state="due") == before == 2
    world.new_mails()
    assert LocalMail.objects.count() == before


def test_a_server_that_is_away_is_tried_again(world: MailWorld, monkeypatch):
    tries = []

    def refuse(*args: object, **kwargs: object) -> None:
        tries.append(1)
        raise smtplib.SMTPServerDisconnected("away")

    world.take(write_mail("HELP"))
    with monkeypatch.context() as patch:
        patch.setattr("django.core.mail.EmailMessage.send", refuse)
        world.process()
        world.new_mails()
    row = Delivery.objects.get()
    assert (row.state, row.error, len(tries)) == ("due", "SMTPServerDisconnected", 1)
    world.wait(minutes=2)
    assert len(world.new_mails()) == 1
    row.refresh_from_db()
    assert (row.state, row.sealed_mail) == ("sent", "")


@pytest.mark.parametrize(("code", "state", "score"), [(550, "failed", 5), (450, "due", 1)])
def test_permanent_and_temporary_refusals_are_distinguished(world: MailWorld, monkeypatch, code, state, score):
    def refuse(*args: object, **kwargs: object) -> None:
        raise smtplib.SMTPRecipientsRefused({"wil@example.org": (code, b"no")})

    monkeypatch.setattr("django.core.mail.EmailMessage.send", refuse)
    world.take(write_mail("HELP"))
    world.process()
    world.new_mails()
    assert Delivery.objects.get().state == state
    assert MailAddress.objects.get().bounce_score == score


def test_a_notice_that_cannot_be_written_does_not_delay_others(world: MailWorld, monkeypatch):
    user = world.user("Wil")
    for number, kind in enumerate(("site_news", "battle_started", "challenged", "account_changed")):
        write_notice(key=f"n{number}", user=user, kind=kind, facts={"battle": 99, "number": 99}, now=world.now)
    # An earlier release had one that this release does not know.
    Notice.objects.filter(kind="site_news").update(kind="no_such_kind")
    assert len(world.new_mails()) == 1
    assert dict(Delivery.objects.values_list("notice__kind", "state")) == {
        "no_such_kind": "failed",
        "battle_started": "skipped",
        "challenged": "skipped",
        "account_changed": "sent",
    }


@pytest.mark.parametrize(
    ("kind", "is_active", "reason"),
    [("battle_started", True, SkipReason.NOTHING_TO_REPORT), ("account_changed", False, SkipReason.NO_ADDRESS)],
)
def test_a_skipped_email_says_why_and_is_not_a_failure(world: MailWorld, kind, is_active, reason):
    user = world.user("Wil")
    facts = {"battle": 99, "what": "password_changed"}
    write_notice(key="n", user=user, kind=kind, facts=facts, now=world.now)
    type(user).objects.filter(pk=user.pk).update(is_active=is_active)
    assert world.new_mails() == []
    delivery = Delivery.objects.get()
    assert (delivery.state, delivery.reason, delivery.error) == ("skipped", reason, "")
    failed = next(section for section in list_sections(user, world.now) if section.title == "Failed email")
    assert (failed.count, failed.items) == (0, [])


def test_a_failed_answer_to_a_stranger_is_shown_at_the_desk(world: MailWorld):
    world.take(write_mail("HELP"))
    world.process()
    Delivery.objects.update(state="failed", sealed_mail="", error="550 unknown")
    failed = next(one for one in list_sections(world.user("Keeper"), world.now) if one.title == "Failed email")
    assert failed.count == 1 and failed.items[0].more == "550 unknown"
    assert failed.items[0].what.endswith("to wil@example.org")


# --- emails with secrets ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("kind", "secrets", "subject"),
    [
        ("confirm_address", {"link": "http://127.0.0.1:8000/accounts/confirm-email/abc/"}, "Confirm your address"),
        ("login_code", {"code": "W4KR-77QP"}, "Your login code"),
        ("password_reset", {"code": "W4KR-77QP"}, "Choose a new password"),
        (
            "password_reset",
            {"link": "http://127.0.0.1:8000/accounts/password/reset/key/1-xy/"},
            "Choose a new password",
        ),
    ],
)
def test_codes_and_links_reach_their_address_and_are_forgotten(world: MailWorld, kind, secrets, subject):
    user = world.user("Wil", verified=False)
    write_notice(key="k", user=user, kind=kind, facts={}, secrets=secrets, address="wil@example.org", now=world.now)
    [mail] = world.new_mails()
    [secret] = secrets.values()
    assert (mail["To"], mail["Subject"]) == ("wil@example.org", subject)
    assert secret in body(mail) and secret in body(mail, "html")
    assert secret not in mail["Subject"]
    assert Notice.objects.get().sealed == ""
    assert secret.encode() not in bytes(LocalMail.objects.get().sealed)


def test_a_deleted_code_is_not_emailed(world: MailWorld):
    user = world.user("Wil")
    write_notice(key="k", user=user, kind="login_code", facts={}, address="wil@example.org", now=world.now)
    assert world.new_mails() == []
    assert Delivery.objects.get().state == "failed"


def test_an_unverified_address_only_gets_its_confirmation(world: MailWorld):
    bung = world.mage("Bung", world.user("Bill", verified=False))
    battle = world.duel(world.mage("Froodal", world.user("Frode")), bung)
    world.order(battle, bung, "P/P")
    assert "bill@example.org" not in {mail["To"] for mail in world.new_mails()}


# --- how emails look -------------------------------------------------------------------------------------------------


def test_players_texts_are_escaped_in_html_and_kept_out_of_headers(duel: MailedDuel):
    world = duel.world
    world.order(duel.battle, duel.froodal, "W/P\nSAY <script>alert(1)</script> & <b>bold</b>")
    world.order(duel.battle, duel.bung, "P/S")
    mails = world.new_mails()
    assert mails
    for mail in mails:
        assert "<script>" in body(mail) and "<script>" not in body(mail, "html")
        assert "&lt;b&gt;bold&lt;/b&gt;" in body(mail, "html")


def test_the_html_part_loads_nothing_and_says_no_more_than_the_text(duel: MailedDuel):
    world = duel.world
    world.order(duel.battle, duel.froodal, "W/P")
    world.order(duel.battle, duel.bung, "P/S")
    mails = world.new_mails()
    assert mails
    for mail in mails:
        html = body(mail, "html")
        # Only arms, which are in the message.
        html = re.sub(r'<img src="cid:arms-[^>]*>', "", html)
        assert "<img" not in html and "src=" not in html and "@import" not in html and "url(" not in html
        assert set(re.findall(r'href="(http[^"]+)"', html)) <= set(body(mail).split())


def test_emails_of_one_battle_are_a_thread(duel: MailedDuel):
    world = duel.world
    world.order(duel.battle, duel.froodal, "W/P")
    world.order(duel.battle, duel.bung, "P/S")
    mails = world.new_mails()
    # The beginning of the thread, and the email before this one in it.
    before = {delivery.message_id for delivery in Delivery.objects.filter(notice__kind="battle_started")}
    assert {mail["References"] for mail in mails} == {f"<battle.{duel.number}@localhost> {one}" for one in before}
    assert {mail["In-Reply-To"] for mail in mails} == before and len(before) == 2
    assert {mail["Subject"] for mail in mails} == {f"[FM {duel.number}] Froodal v Bung"}
    assert {mail["List-Id"] for mail in mails} == {f"<{duel.number}.battles.localhost>"}
    assert {mail["Auto-Submitted"] for mail in mails} == {"auto-generated"}


def test_a_completed_spell_is_a_dark_bead(duel: MailedDuel):
    world = duel.world
    world.order(duel.battle, duel.froodal, "W/P")
    world.order(duel.battle, duel.bung, "F/S")
    mail = world.new_mails()[0]
    froodal = body(mail, "html").partition("Froodal, you")[2]
    left, right = froodal.split("<tr>")[1:3]
    assert 'class="bead dark"' not in left and right.count('class="bead dark"') == 1


def test_nothing_breaks_a_header():
    mail = Mail(subject="a\r\nBcc: x@example.net\x00\u2028b", text="t", in_reply_to="<a\r\nb>")
    message = make_message(mail, to="wil@example.org", message_id="<1@localhost>").message()
    assert message["Bcc"] is None and "\n" not in message["Subject"]
    assert Mail.from_json(mail.to_json()) == mail


def test_delivering_with_nothing_due_sends_nothing(world: MailWorld):
    assert deliver_due(now=world.now) == 0


def test_no_claim_expires_before_its_turn_on_a_slow_mail_server(duel: MailedDuel, monkeypatch):
    """A sender holds only one claim: others could expire before their turn."""
    for mage in (duel.froodal, duel.bung):
        duel.world.take(write_mail("HELP", sender=f"{mage.name}@example.net"), sender=f"{mage.name}@example.net")
        duel.world.order(duel.battle, mage, "W/W")
    duel.world.process()
    claims = []

    def send(message, address, now):
        claims.append(Delivery.objects.filter(state="claimed").count())

    monkeypatch.setattr("email_gateway.deliver.send.send_message", send)
    monkeypatch.setattr("email_gateway.tasks.timezone.now", lambda: duel.world.now)
    sweep_deliveries()
    assert claims == [1] * 4


def test_the_email_of_a_dead_sender_is_taken_over_within_a_minute():
    """By the next sweep after the end of its claim, at the latest."""
    sweep = timedelta(seconds=BEAT_SCHEDULE["email_gateway.tasks.sweep_deliveries"]["schedule"].seconds)
    assert deliveries.LEASE + sweep < timedelta(minutes=1)


class SlowServer:
    """A mail server that accepts each email only after some seconds, and remembers it."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self.accepted: list[str] = []

    async def handle_DATA(self, _server: object, _session: object, envelope: Envelope) -> str:
        message = message_from_bytes(envelope.original_content or b"")
        await asyncio.sleep(self.seconds)
        self.accepted.append(message["Message-ID"])
        return "250 OK"


@pytest.fixture
def slow_server(settings):
    handler = SlowServer(seconds=5)
    controller = Controller(handler, hostname="127.0.0.1", port=find_free_ports(1)[0])
    controller.start()
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", controller.port
    settings.EMAIL_HOST_USER = settings.EMAIL_HOST_PASSWORD = ""
    settings.EMAIL_USE_TLS = settings.EMAIL_USE_SSL = False
    yield handler
    controller.stop()


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_a_sender_that_is_alive_keeps_its_email_however_slow_the_mail_server_is(
    world: MailWorld, monkeypatch, slow_server: SlowServer
):
    """The claim is much shorter than the server's answer takes; meanwhile another worker asks for due emails."""
    monkeypatch.setattr(deliveries, "LEASE", timedelta(seconds=2))
    monkeypatch.setattr(outbox, "EXTENDED_EVERY", timedelta(seconds=0.2))
    world.take(write_mail("HELP"))
    world.process()
    began = time.monotonic()

    def work() -> int:
        try:
            return deliver_due(now=world.now + timedelta(seconds=time.monotonic() - began))
        finally:
            connections.close_all()

    with ThreadPoolExecutor(2) as pool:
        first = pool.submit(work)
        sent = 0
        while not first.done():
            time.sleep(0.1)
            sent += pool.submit(work).result()
    row = Delivery.objects.get()
    assert (first.result(), sent, slow_server.accepted) == (1, 0, [row.message_id])
    assert (row.state, row.attempts) == ("sent", 1)


def test_a_sender_that_has_lost_its_claim_sends_nothing(duel: MailedDuel, monkeypatch):
    """It was asleep, for example because its machine was: meanwhile another worker has sent the email."""
    duel.world.take(write_mail("HELP"))
    duel.world.process()
    row = Delivery.objects.get(notice=None)
    late = deliveries.claim_email(message_id=row.message_id, now=duel.world.now)
    after, sent, real = duel.world.now + deliveries.LEASE, [], send.send_message

    def note(message: EmailMessage, address: str, now: datetime) -> None:
        sent.append(address)
        real(message, address, now)

    monkeypatch.setattr("email_gateway.deliver.send.send_message", note)
    send_deliveries(deliveries=deliveries.claim_email(message_id=row.message_id, now=after), now=after)
    send_deliveries(deliveries=late, now=after)
    assert sent == [row.address]
    row.refresh_from_db()
    assert (row.state, row.attempts) == ("sent", 2)
