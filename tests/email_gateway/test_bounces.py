"""Email that does not arrive: who reports it, what the report says, and what follows."""

import pytest

from accounts.models import User
from email_gateway.addresses import find_mailbox, make_bounce_address, make_turn_address
from email_gateway.deliver.bounces import find_address, note_failure
from email_gateway.models import InboundMail, LocalMail, MailAddress
from email_gateway.receive.delivery_reports import Failure, read_report
from email_gateway.receive.read_letter import parse_mail
from tests.email_gateway.world import MailWorld, body, write_mail


def write_report(status: str = "5.1.1", *, action: str = "failed", address: str = "wil@example.org") -> bytes:
    """A delivery report of the standard's form."""
    return (
        "From: Mail Delivery System <MAILER-DAEMON@mx.example.org>\nSubject: Undelivered Mail\n"
        "Auto-Submitted: auto-replied\n"
        "Content-Type: multipart/report; report-type=delivery-status; boundary=b\n\n--b\n\nSorry.\n--b\n"
        "Content-Type: message/delivery-status\n\nReporting-MTA: dns; mx.example.org\n\n"
        f"Final-Recipient: rfc822; {address}\nAction: {action}\nStatus: {status}\n"
        "Diagnostic-Code: smtp; no\n\n--b\nContent-Type: message/rfc822\n\nSubject: Duel 12\n\nx\n--b--\n"
    ).encode()


def bounce(world: MailWorld, raw: bytes, *, address: str = "wil@example.org") -> None:
    """The report comes to where our emails to `address` come from."""
    to = make_bounce_address(address_id=find_address(address).pk)
    assert world.send(raw, sender="", to=to) == []


def score(address: str = "wil@example.org") -> int:
    return MailAddress.objects.get(address=address).bounce_score


def test_each_of_our_emails_has_an_envelope_sender_for_its_reader(world: MailWorld, monkeypatch):
    senders = []
    monkeypatch.setattr("django.core.mail.EmailMessage.send", lambda mail: senders.append(mail.from_email))
    for sender in ("ann@example.org", "bob@example.org"):
        world.send("HELP", sender=sender)
    assert len(set(senders)) == 2
    for sender, address in zip(senders, ("ann@example.org", "bob@example.org"), strict=True):
        mailbox = find_mailbox(sender)
        assert mailbox.kind == "bounces" and mailbox.token is not None
        assert MailAddress.objects.get(pk=mailbox.token.about).address == address


def test_a_report_counts_against_the_address_it_was_signed_for(world: MailWorld):
    world.user("Wil")
    # A mailbox that forwards reports the address it forwards to.
    bounce(world, write_report(address="elsewhere@example.net"))
    assert score() == 5
    assert set(InboundMail.objects.values_list("state", flat=True)) == {"automatic"}


def test_a_forged_report_counts_for_nothing(world: MailWorld):
    world.user("Wil")
    row = find_address("wil@example.org")
    good = make_bounce_address(address_id=row.pk)
    for to in ("bounces@localhost", "fm@localhost", make_turn_address(user_id=1, battle=1, seq=1, attempt=0)):
        assert world.send(write_report(), sender="", to=to) == []
    with pytest.raises(Exception, match="b-"):
        world.take(write_report(), sender="", to=good.replace("b-", "b-1"))
    assert score() == 0


def test_a_report_about_an_address_that_is_not_ours_counts_for_nothing(world: MailWorld):
    bounce(world, write_report(), address="stranger@example.net")
    assert score("stranger@example.net") == 0


@pytest.mark.parametrize(
    ("status", "action", "points"),
    [
        ("5.1.1", "failed", 5),
        ("5.1.10", "failed", 5),
        ("", "failed", 5),
        ("4.4.1", "failed", 1),
        ("5.2.2", "failed", 1),
        ("4.4.1", "delayed", 1),
        ("5.7.1", "failed", 0),
        ("5.3.4", "failed", 0),
        ("5.6.0", "failed", 0),
        ("2.0.0", "delivered", 0),
        ("2.0.0", "relayed", 0),
    ],
)
def test_bounces_are_permanent_temporary_or_about_the_content(world: MailWorld, status, action, points):
    world.user("Wil")
    bounce(world, write_report(status, action=action))
    assert score() == points


def test_many_reports_of_one_day_count_once_and_a_month_later_none(world: MailWorld):
    world.user("Wil")
    for number in range(4):
        bounce(world, write_report(action="delayed", status="4.4.1") + b"%d" % number)
    assert score() == 1
    bounce(world, write_report())
    bounce(world, write_report() + b"again")
    assert score() == 6
    world.wait(days=40)
    bounce(world, write_report(action="delayed", status="4.4.1") + b"later")
    assert score() == 1


def test_a_failed_address_stops_the_clocks_and_the_janitors_are_notified(world: MailWorld):
    wil = world.user("Wil")
    keeper = world.user("Keeper")
    User.objects.filter(pk=keeper.pk).update(is_staff=True)
    bounce(world, write_report())
    wil.refresh_from_db()
    assert wil.mail_fails_since is None
    world.wait(days=2)
    world.take(write_report() + b"2", sender="", to=make_bounce_address(address_id=find_address("wil@example.org").pk))
    world.process()
    wil.refresh_from_db()
    assert wil.mail_fails_since is not None
    [told] = world.new_mails()
    assert (told["To"], told["Subject"]) == ("keeper@example.org", "Emails to Wil are bouncing")
    assert "wil@example.org" not in body(told)


def test_a_player_who_answers_our_email_is_reachable_again(duel):
    world = duel.world
    for day in range(2):
        note_failure(
            address="bill@example.org", error="x", permanent=True, now=world.now.replace(day=world.now.day + day)
        )
    bill = User.objects.get(username="Bill")
    assert bill.mail_fails_since is not None
    to = make_turn_address(user_id=bill.pk, battle=duel.number, seq=1, attempt=0)
    world.send("W/P", sender="somebody@example.net", to=to)
    bill.refresh_from_db()
    assert bill.mail_fails_since is not None, "somebody else's mail proves nothing"
    world.send("W/P", sender="bill@example.org", to=to)
    bill.refresh_from_db()
    assert bill.mail_fails_since is None and score("bill@example.org") == 0


def test_an_automatic_reply_to_the_envelope_sender_is_not_a_failure(world: MailWorld):
    world.user("Wil")
    away = write_mail(
        "I am away. Ask for room 5.1.1 at the desk.", subject="Out of office", Auto_Submitted="auto-replied"
    )
    bounce(world, away)
    assert score() == 0


def read(raw: str, mail_from: str = "") -> Failure | None:
    return read_report(parse_mail(raw.encode()), mail_from)


def test_reports_of_other_forms_are_read_too():
    qmail = "Subject: failure notice\n\nHi. This is the qmail-send program.\n<wil@example.org>:\nno mailbox (#5.1.1)\n"
    exim = "X-Failed-Recipients: wil@example.org\nSubject: Mail delivery failed\n\n550 No such user\n"
    vague = "Subject: Undeliverable: Duel 12\n\nYour message did not reach some recipients.\n"
    assert read(qmail) == Failure("permanent", "5.1.1")
    assert read(exim) == Failure("permanent", "550")
    assert read(vague) == Failure("temporary", "")
    assert read("Subject: Undeliverable\n\n550 no", mail_from="wil@example.org") is None


def test_a_report_in_pieces_causes_no_error():
    for raw in (
        b"Content-Type: multipart/report\n\n",
        write_report()[:300],
        write_report().replace(b"failed", b"\xff"),
    ):
        read_report(parse_mail(raw), "")


def test_the_stored_part_of_a_report_is_storable(world: MailWorld):
    world.user("Wil")
    bounce(world, write_report().replace(b"5.1.1", b"5.1.1 \x00\xff"))
    assert score() == 5 and LocalMail.objects.count() == 0


@pytest.mark.parametrize(
    "head",
    [
        b'Content-Type: text/plain; charset="utf\0-8"\r\nContent-Transfer-Encoding: 8bit',
        b'Content-Type: multipart/report; charset="u\0t"; boundary=""',
        b"Content-Type: message/delivery-status; charset=rot13",
    ],
)
def test_an_email_with_an_unknown_charset_is_not_a_report_and_breaks_nothing(world: MailWorld, head: bytes):
    raw = b"From: wil@example.org\r\nSubject: Hello\r\n" + head + b"\r\n\r\nHELP \xe2\x80\xba\r\n"
    assert read_report(parse_mail(raw), "wil@example.org") is None
    world.send(raw, sender="wil@example.org", to=make_bounce_address(address_id=find_address("wil@example.org").pk))
    assert InboundMail.objects.get().state == "automatic"
