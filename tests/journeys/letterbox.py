"""A player with a mail program: sends by SMTP to the real intake, reads the local mailbox over HTTP."""

import itertools
import re
import smtplib
import sqlite3
import time
import urllib.error
import urllib.request
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from email import message_from_bytes, policy
from email.message import EmailMessage

from tests.journeys.secrets_used import Secrets
from tests.services.stack import Stack

SECONDS = 30
ORDERS = "fm@localhost"
counter = itertools.count(1)


@dataclass(frozen=True)
class Letter:
    """An email as it arrived. `answers` is the Message-ID that it replies to, `reply_to` the address for answers."""

    to: str
    message_id: str
    answers: str
    subject: str
    text: str
    reply_to: str
    automatic: str

    def hit_points(self, mage: str) -> int:
        """The hit points that the status in this email prints for the mage."""
        found = re.search(rf"^ {mage} \(\w+\) HP: (-?\d+) ", self.text, re.M)
        assert found, f"no hit points of {mage} in:\n{self.text}"
        return int(found[1])


class Mailbox:
    """The local mailbox of a stack, which reads each email once. Emails are numbered in order of arrival."""

    def __init__(self, stack: Stack, secrets: Secrets) -> None:
        self.stack = stack
        self.secrets = secrets
        self.letters: list[Letter] = []

    def collect(self) -> list[Letter]:
        """All emails up to now, oldest first."""
        for number in range(len(self.letters) + 1, self._count() + 1):
            raw = self._fetch(f"/mailbox/{number}/source/")
            if raw is None:
                break
            letter = read_letter(raw)
            self.secrets.note("reply address", letter.reply_to.partition("@")[0], unless=("fm",))
            self.letters.append(letter)
        return self.letters

    def _count(self) -> int:
        """How many emails there are. Waiting polls this often; loading whole pages would slow the site down."""
        with closing(sqlite3.connect(f"file:{self.stack.data_dir / 'db.sqlite3'}?mode=ro", uri=True)) as rows:
            return int(rows.execute("SELECT coalesce(max(id), 0) FROM email_gateway_localmail").fetchone()[0])

    def _fetch(self, path: str) -> bytes | None:
        try:
            with urllib.request.urlopen(self.stack.url + path, timeout=SECONDS) as answer:
                return bytes(answer.read())
        except urllib.error.HTTPError as error:
            with error:
                assert error.code == 404
            return None


class MailPlayer:
    """The player who reads `address`."""

    def __init__(self, mailbox: Mailbox, address: str) -> None:
        self.mailbox = mailbox
        self.stack = mailbox.stack
        self.secrets = mailbox.secrets
        self.address = address

    def send(self, text: str, *, to: str = ORDERS, subject: str = "orders") -> str:
        """Send an email with these lines and return its Message-ID; the server has answered 250."""
        message = EmailMessage()
        message["From"], message["To"], message["Subject"] = self.address, to, subject
        message["Message-ID"] = f"<journey-{next(counter)}-{time.time_ns()}@example.org>"
        message.set_content(text)
        self.send_bytes(message.as_bytes(), to=to)
        return str(message["Message-ID"])

    def send_bytes(self, raw: bytes, *, to: str = ORDERS) -> None:
        """Send exactly these bytes."""
        with smtplib.SMTP("127.0.0.1", self.stack.smtp_port, timeout=SECONDS) as line:
            line.sendmail(self.address, [to], raw)

    def order(self, *lines: str, to: str = ORDERS) -> Letter:
        """Send these lines and return the answer."""
        return self.answer_to(self.send("\n".join(lines) + "\n", to=to))

    def answer_to(self, message_id: str) -> Letter:
        return self.wait_for(lambda letter: letter.answers == message_id, f"an answer to {message_id}")

    def wait_for(self, wanted: Callable[[Letter], bool], what: str) -> Letter:
        """Return the oldest wanted letter as soon as it is there."""
        end = time.monotonic() + SECONDS
        while time.monotonic() < end:
            for letter in self.collect():
                if wanted(letter):
                    return letter
            time.sleep(0.05)
        subjects = [letter.subject for letter in self.collect()]
        raise AssertionError(f"{self.address} got no {what}, only {subjects}\n{self.stack.read_log()[-4000:]}")

    def collect(self) -> list[Letter]:
        """All emails to the address up to now, oldest first."""
        return [letter for letter in self.mailbox.collect() if letter.to == self.address]

    def report_of(self, battle: int, turn: int) -> Letter:
        """The report of a turn, which may be the answer to its last orders."""
        return self.wait_for(
            lambda letter: letter.subject.startswith(f"[FM {battle}]") and f"\nTurn {turn}. " in letter.text,
            f"report of turn {turn} of battle {battle}",
        )


def read_letter(raw: bytes) -> Letter:
    message = message_from_bytes(raw, policy=policy.default)
    assert isinstance(message, EmailMessage)
    body = message.get_body(preferencelist=("plain",))
    return Letter(
        to=str(message["To"]),
        message_id=str(message["Message-ID"]),
        answers=str(message["In-Reply-To"] or ""),
        subject=str(message["Subject"]),
        text=str(body.get_content()) if body is not None else "",
        reply_to=str(message["Reply-To"] or ""),
        automatic=str(message["Auto-Submitted"] or ""),
    )
