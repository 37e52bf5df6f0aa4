"""Thousands of random and mangled emails in running battles (all of them with FM_TEST_LONG=1).

Nothing crashes, no machine gets an answer, no email gets two, and nothing changes without its owner's credential.
"""

import json
import random
from pathlib import Path

import pytest
from allauth.account.models import EmailAddress
from django.core import serializers
from django.db import transaction

from accounts.models import Mage, User
from accounts.services.mail_passwords import set_mail_password
from challenges.models import Challenge, Seat
from duels.models import Battle, Combatant, OrderSheet, Turn
from email_gateway.addresses import make_bounce_address, make_turn_address
from email_gateway.deliver.bounces import find_address
from email_gateway.errors import MailError
from email_gateway.models import InboundMail, NewUserRequest
from email_gateway.receive.automatic import find_automatic_reason
from email_gateway.receive.process_mail import claim_inbound, process_mail
from email_gateway.receive.read_letter import parse_mail
from notifications.models import Delivery
from tests.email_gateway.conftest import MailedDuel
from tests.email_gateway.world import PASSWORD, MailWorld
from tests.services.plugin import LONG

MAILS = 100_000 if LONG else 100
AT_ONCE = 500
# Changes that need a credential.
GUARDED = (Battle, Turn, Combatant, OrderSheet, Challenge, Seat, Mage, EmailAddress)
CORPUS = sorted((Path(__file__).resolve().parent / "corpus").glob("*.eml"))
LINES = (
    "USER Bill wrong-password",
    "USER Frode three-black-wasps",
    "MAGE Bung",
    "GAME 1 Bung",
    "GAME 1 Froodal",
    "LH P",
    "RH D",
    "P/D",
    "TURN 1",
    "TURN 99",
    "REGISTER Fuzz",
    "NEWGAME Bung OPEN",
    "ACCEPT 1 Bung",
    "DECLINE 1",
    "WITHDRAW 1 Froodal",
    "SHOW 1",
    "DESCRIBE 1",
    "SCORES",
    "HELP",
    "CHALLENGES",
    "ADDRESS mallory@example.net",
    "PASSWORD eight-new-words",
    "CONFIRM",
    "NEWUSER Mallory three-black-moths",
    "SAY hello",
    "END",
    "CLEAR",
    "TARGET RH Froodal",
    "-- ",
    "> LH W",
    "",
    "On Monday, Firetop wrote:",
    "\u202e\u200b\u00ad",
    "é" * 400,
)
HEADERS = (
    "Subject: FM SCORES",
    "Subject: =?utf-8?B?////?=",
    "Subject: Re: Duel 1",
    "From: bill@example.org",
    'From: "" <>',
    "Auto-Submitted: no",
    "Auto-Submitted: auto-replied",
    "Precedence: bulk",
    "List-Id: <x>",
    "Reply-To: victim@example.net",
    "Message-ID: <same@example.org>",
    "Content-Type: text/html; charset=utf-8",
    "Content-Type: text/plain; charset=utf-16",
    "Content-Transfer-Encoding: base64",
    "Content-Transfer-Encoding: quoted-printable",
    "Content-Type: multipart/alternative; boundary=b",
    "Content-Type: ;;",
    "X: " + "y" * 3000,
    "Return-Path: <>",
    "To: fm@localhost",
)
SENDERS = (
    "bill@example.org",
    "frode@example.org",
    "mallory@example.net",
    "",
    "MAILER-DAEMON@example.org",
    "fm@localhost",
    "a" * 300 + "@example.org",
    "no reply",
    "<>",
    "wil+x@example.org",
    "bounces@localhost",
    "noreply@example.org",
    "\u00e9@example.org",
    "x@[127.0.0.1]",
)


def invent(chance: random.Random) -> bytes:
    """An email of likely and unlikely pieces."""
    head = chance.sample(HEADERS, chance.randint(0, 6))
    body = [chance.choice(LINES) for _ in range(chance.randint(0, 12))]
    return "\r\n".join([*head, "", *body]).encode("utf-8", "surrogateescape")


def mangle(raw: bytes, chance: random.Random) -> bytes:
    """An email of the corpus with bytes changed, cut out, doubled or put elsewhere."""
    data = bytearray(raw[:20_000])
    for _ in range(chance.randint(1, 8)):
        place, length = chance.randint(0, len(data)), chance.randint(1, 60)
        piece = bytes(data[place : place + length])
        match chance.randint(0, 4):
            case 0:
                data[place : place + length] = b""
            case 1:
                data[place:place] = chance.randbytes(length)
            case 2:
                data[chance.randint(0, len(data)) :][:0] = piece
            case 3:
                data += piece * chance.randint(1, 20)
            case 4:
                data[place:place] = ("\r\n" + chance.choice((*LINES, *HEADERS)) + "\r\n").encode()
    return bytes(data)


def make_mail(chance: random.Random) -> bytes:
    return invent(chance) if chance.random() < 0.5 else mangle(chance.choice(CORPUS).read_bytes(), chance)


def list_recipients(duel: MailedDuel) -> list[str]:
    """The common mailbox, those nobody orders at, and reply addresses that are forged, over, or for another thing."""
    good = make_turn_address(user_id=duel.bung.user_id, battle=duel.number, seq=1, attempt=0)
    return [
        "fm@localhost",
        "FM+news@localhost",
        "postmaster@localhost",
        "bounces@localhost",
        make_bounce_address(address_id=find_address("bill@example.org").pk),
        make_turn_address(user_id=duel.bung.user_id, battle=duel.number, seq=99, attempt=0),
        make_turn_address(user_id=999_999, battle=duel.number, seq=1, attempt=0),
        make_turn_address(user_id=duel.bung.user_id, battle=999_999, seq=1, attempt=0),
        good.replace("t-", "t-1", 1),
        good.replace("-", "+", 1),
        "root@localhost",
    ]


def take_picture() -> str:
    """Everything that only a credential may change, and the users but for when they were last seen."""
    rows = [row for model in GUARDED for row in serializers.serialize("python", model.objects.order_by("pk"))]
    users = list(User.objects.order_by("pk").values_list("username", "email", "mail_password", "password", "is_staff"))
    return json.dumps([rows, users], default=str)


def try_mail(world: MailWorld, recipients: list[str], chance: random.Random) -> None:
    """Receive and process one email; check its row and its answer."""
    raw, sender = make_mail(chance), chance.choice(SENDERS)
    try:
        mail = world.take(raw, sender=sender, to=chance.choice(recipients))
    except MailError:
        return
    world.wait(seconds=1)
    claimed = claim_inbound(mail_id=mail.pk, now=world.now)
    if claimed is not None:
        process_mail(mail=claimed, now=world.now)
    mail.refresh_from_db()
    assert mail.state in ("processed", "automatic", "copy"), (mail.state, mail.remark, raw)
    answers = Delivery.objects.filter(inbound=mail).count()
    assert answers <= 1
    if mail.copies > 1:
        return  # the same bytes came before, perhaps from a person
    if find_automatic_reason(parse_mail(raw), sender.strip("<>")) is not None or mail.state != "processed":
        assert answers == 0, raw


@pytest.mark.parametrize("part", range(MAILS // AT_ONCE or 1))
def test_no_input_breaks_anything_or_harms_anyone(duel: MailedDuel, part: int, monkeypatch):
    """In shards, so that two processes may share them (`-n 2`)."""
    # Nobody sleeps who would have to be woken.
    monkeypatch.setattr("email_gateway.wakeups.wake_worker", lambda *_: None)
    chance = random.Random(part)
    for name in ("Frode", "Bill"):  # whose usual mail password is in the corpus
        set_mail_password(user=User.objects.get(username=name), raw="nine-other-words", now=duel.world.now)
    duel.world.order(duel.battle, duel.froodal, "W/P")
    before, recipients = take_picture(), list_recipients(duel)
    for _ in range(min(MAILS, AT_ONCE)):
        try_mail(duel.world, recipients, chance)
        if chance.random() < 0.05:
            duel.world.wait(minutes=20)
    assert take_picture() == before
    assert not InboundMail.objects.filter(state="stuck").exists()
    assert not NewUserRequest.objects.filter(confirmed_at__isnull=False).exists()
    waiting = Delivery.objects.filter(notice=None, inbound=None).exclude(address="bill@example.org")
    assert not waiting.exists(), "mail that answers nothing"


def test_the_picture_shows_what_a_credential_changes(duel: MailedDuel):
    """Or the test above could not fail."""
    pictures = [take_picture()]
    to = make_turn_address(user_id=duel.bung.user_id, battle=duel.number, seq=1, attempt=0)
    for text, recipient in (("P/D", to), (f"USER Bill {PASSWORD}\nREGISTER Merlyn", "fm@localhost")):
        with transaction.atomic():
            duel.world.send(text, sender="bill@example.org", to=recipient)
        pictures.append(take_picture())
    assert len(set(pictures)) == 3


def test_mangled_emails_differ(world: MailWorld):
    chance = random.Random(7)
    assert len({make_mail(chance) for _ in range(300)}) > 250
