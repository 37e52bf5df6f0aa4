"""Emails that cannot be processed, by real SMTP: one clear answer for each, and none if an answer could loop."""

import smtplib
from collections import Counter

import pytest

from tests.journeys.by_mail import fight_by_mail, join_by_mail, order_as, password_of
from tests.journeys.letterbox import SECONDS, Mailbox, MailPlayer

pytestmark = pytest.mark.journey

HTML = "Content-Type: text/html; charset=utf-8\n\n<html><body><p>SCORES</p><p>DANCE now</p></body></html>\n"
JUNK = b"Content-Type: text/plain\n\n" + bytes(range(128, 256)) * 3 + b"\n"
MACHINES = {
    "vacation": (b"Auto-Submitted: auto-replied\n\nI am away. SCORES\n", "urd@example.org"),
    "list": (b"Precedence: bulk\nList-Id: <all.example.org>\n\nSCORES\n", "urd@example.org"),
    "bounce": (b"\nSCORES\n", ""),
    "ourselves": (b"\nSCORES\n", "fm@localhost"),
}


def send_raw(player: MailPlayer, name: str, rest: bytes, *, sender: str | None = None, times: int = 1) -> str:
    """Send these bytes after the headers, from the envelope sender, and return the Message-ID."""
    message_id = f"<bad-{name}@example.org>"
    head = f"From: {player.address}\nTo: fm@localhost\nSubject: orders\nMessage-ID: {message_id}\n".encode()
    with smtplib.SMTP("127.0.0.1", player.stack.smtp_port, timeout=SECONDS) as line:
        for _ in range(times):
            line.sendmail(player.address if sender is None else sender, ["fm@localhost"], head + rest)
    return message_id


def as_user(user: str, *lines: str) -> bytes:
    return ("\n" + "\n".join([f"USER {user} {password_of(user)}", *lines]) + "\n").encode()


def test_bad_mail_gets_one_clear_answer_or_none(mailbox: Mailbox) -> None:
    urd, ulv = join_by_mail(mailbox, "Urd", "Urdmage"), join_by_mail(mailbox, "Ulv", "Ulvmage")
    number = fight_by_mail(urd, "Urdmage", ulv, "Ulvmage")
    for player, mage in ((urd, "Urdmage"), (ulv, "Ulvmage")):
        order_as(player, f"GAME {number} {mage}", "TURN 1", "P/D")
    silent = [send_raw(urd, name, rest, sender=sender) for name, (rest, sender) in MACHINES.items()]
    wrong = urd.secrets.note("wrong mail password", "heh-Urd-mothss")
    answers = {
        send_raw(urd, "empty", b"\n"): "Your email has no text that we can read.",
        send_raw(urd, "html", HTML.encode()): "Duel scores",
        send_raw(urd, "junk", JUNK): "We found no orders in your email.",
        send_raw(urd, "unknown", as_user("Urd", "FROBNICATE 12", "REGISTR Urdson")): "REGISTER",
        send_raw(
            urd, "wrong", f"\nUSER Urd {wrong}\nREGISTER Urdson\n".encode()
        ): "No user has this name and mail password",
        send_raw(urd, "other", as_user("Urd", f"GAME {number} Ulvmage", "C/C")): "Ulvmage",
        send_raw(urd, "over", as_user("Urd", f"GAME {number} Urdmage", "TURN 1", "S/S")): "is over",
        send_raw(urd, "again", as_user("Urd", "REGISTER Urdson"), times=5): "Urdson is registered",
    }

    for message_id, words in answers.items():
        text = urd.answer_to(message_id).text
        assert words in text, text
    counted = Counter(letter.answers for letter in urd.collect() if letter.answers in {*answers, *silent})
    assert counted == Counter(answers.keys())
    status = order_as(ulv, f"GAME {number} Ulvmage")
    assert "turn 2" in status.text and "  Left:  BP\n  Right: BD\n" in status.text.partition(" Urdmage (")[2]
