"""A worker that is killed (SIGKILL) loses no report: it comes once, or again under the same Message-ID."""

import os
import re
import signal
import sqlite3
import time
from collections import Counter
from contextlib import closing
from pathlib import Path

import pytest

from tests.journeys.letterbox import Letter, Mailbox, MailPlayer
from tests.journeys.secrets_used import Secrets
from tests.journeys.web_player import WebPlayer
from tests.services.plugin import LONG
from tests.services.stack import Stack

pytestmark = [pytest.mark.journey]

# When a worker dies with a row, another may take it after half a minute; a failed attempt and the next sweep wait too.
# This skips all three.
END_THE_WAIT = """
from django.utils import timezone
from notifications.models import Delivery
from email_gateway.models import InboundMail
from email_gateway.wakeups import wake_delivery, wake_processing
for rows in (Delivery.objects, InboundMail.objects):
    rows.filter(state__in=("received", "due", "claimed")).update(due_at=timezone.now())
wake_processing(None)
wake_delivery()
"""
# As long as a sweep takes to come round once more.
SETTLED = 2.5
# Seconds after the last orders of a turn at which the workers are killed.
MOMENTS = (0.05, 0.25, 0.6) if LONG else (0.15,)
USER = "Harried"


def list_workers(stack: Stack) -> list[int]:
    """The worker of the stack, with its beat."""
    return [pid for pid in stack.list_processes() if read_name(pid) == "fm-worker"]


def read_name(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/comm").read_text().strip()
    except OSError:
        return ""


def send_to_workers(stack: Stack, number: int) -> None:
    workers = list_workers(stack)
    assert workers, "there is no worker"
    for pid in workers:
        os.kill(pid, number)


def stop_workers(stack: Stack) -> None:
    """Stop them while none is writing: SQLite has one writer, and pages would wait for it."""
    for _ in range(50):
        send_to_workers(stack, signal.SIGSTOP)
        with closing(sqlite3.connect(stack.data_dir / "db.sqlite3", timeout=0.1, isolation_level=None)) as rows:
            try:
                rows.execute("BEGIN IMMEDIATE")
                rows.execute("ROLLBACK")
                return
            except sqlite3.OperationalError:
                send_to_workers(stack, signal.SIGCONT)
        time.sleep(0.1)
    raise AssertionError("the workers write all the time")


def start_duel(stack: Stack, mailbox: Mailbox, secrets: Secrets) -> tuple[WebPlayer, MailPlayer, int]:
    """A duel between someone on the web and someone who plays by email."""
    web = WebPlayer(stack.url)
    web.sign_up(
        f"{USER}_web", email=f"{USER}.web@example.org", password=secrets.note("password", f"five-old-boots-{USER}")
    )
    web.register_mage(f"{USER}_w")
    mail = MailPlayer(mailbox, f"{USER.lower()}@example.org")
    password = secrets.note("mail password", f"six-old-boots-{USER}")
    confirm = mail.order(f"NEWUSER {USER}_mail {password}")
    mail.order("CONFIRM", to=confirm.reply_to)
    made = mail.order(f"USER {USER}_mail {password}", f"REGISTER {USER}_m", f"NEWGAME {USER}_m CHALLENGE {USER}_w")
    found = re.search(r"Challenge (\d+)", made.text)
    assert found, made.text
    number = int(found[1])
    assert web.answer(number, "accept").address == f"/battles/{number}/"
    return web, mail, number


def order_on_the_web(web: WebPlayer, number: int) -> None:
    page = f"/battles/{number}/"
    assert web.press(page, page, LH="P", RH="D", act="ready").status == 200


def order_by_mail(mail: MailPlayer, number: int, turn: int) -> str:
    lines = (f"USER {USER}_mail six-old-boots-{USER}", f"GAME {number} {USER}_m", f"TURN {turn}", "W/S", "END")
    return mail.send("\n".join(lines))


def count_reports(letters: list[Letter], number: int) -> Counter[str]:
    """How often each turn of the battle was reported, including in answers to its last orders."""
    mine = [one for one in letters if one.subject.startswith(f"[FM {number}]")]
    return Counter(found[1] for one in mine if (found := re.search(r"^Turn (\d+)\. ", one.text, re.M)))


def test_killed_workers_lose_no_order_and_no_report(stack: Stack, mailbox: Mailbox, secrets_used: Secrets) -> None:
    web, mail, number = start_duel(stack, mailbox, secrets_used)
    sent = [order_by_mail(mail, number, 1)]
    mail.answer_to(sent[0])
    # Turn 1: dead for certain between turn and report, because it is stopped while the turn is played.
    stop_workers(stack)
    order_on_the_web(web, number)
    assert "Turn 2: your move" in web.read(f"/battles/{number}/").html
    assert not count_reports(mail.collect(), number), "the report was out before anything was killed"
    send_to_workers(stack, signal.SIGKILL)
    mail.report_of(number, 1)

    # The next turns: dead at some moment of processing the last orders, playing the turn, and notifying.
    for turn, moment in enumerate(MOMENTS, start=2):
        order_on_the_web(web, number)
        sent.append(order_by_mail(mail, number, turn))
        time.sleep(moment)
        send_to_workers(stack, signal.SIGKILL)
        stack.manage("shell", "--no-imports", "-c", END_THE_WAIT)
        mail.report_of(number, turn)
    stack.manage("shell", "--no-imports", "-c", END_THE_WAIT)
    for message_id in sent:
        mail.answer_to(message_id)

    time.sleep(SETTLED)
    letters = mail.collect()
    assert Counter(one.answers for one in letters if one.answers in sent) == Counter(sent)
    assert count_reports(letters, number) == Counter({str(turn): 1 for turn in range(1, len(MOMENTS) + 2)})
    assert len({one.message_id for one in letters}) == len(letters)
