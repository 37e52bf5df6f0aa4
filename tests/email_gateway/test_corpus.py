"""Real emails: each shape in corpus/ with the expected result of reading it (NAME.eml and NAME.txt).

`state` is what becomes of the row, `sheet` the orders that are then pending, `says` what the answer tells, `report`
what a delivery report is understood as. Emails to "turn" come to the address that Bung's report was answered to.
"""

from dataclasses import dataclass
from pathlib import Path

import pytest
from django.db import transaction

from email_gateway.addresses import make_bounce_address, make_turn_address
from email_gateway.deliver.bounces import find_address
from email_gateway.errors import MailTooLarge
from email_gateway.models import InboundMail
from email_gateway.receive.delivery_reports import read_report
from email_gateway.receive.read_letter import parse_mail
from tests.email_gateway.conftest import MailedDuel
from tests.email_gateway.test_orders import lines_of
from tests.email_gateway.world import body

pytestmark = pytest.mark.once

CORPUS = Path(__file__).resolve().parent / "corpus"
NAMES = sorted(path.stem for path in CORPUS.glob("*.eml"))
HEADERS_OF_OURS = {
    "Auto-Submitted", "Content-Type", "Date", "From", "In-Reply-To", "MIME-Version", "Message-ID", "References",
    "Reply-To", "Subject", "To", "X-Auto-Response-Suppress",
}  # fmt: skip


@dataclass(frozen=True)
class Shape:
    """The notes beside an email."""

    raw: bytes
    told: dict[str, str]
    says: tuple[str, ...]

    def __getitem__(self, name: str) -> str:
        return self.told.get(name, "")


def read_shape(name: str) -> Shape:
    rows = [row.partition(":")[::2] for row in (CORPUS / f"{name}.txt").read_text().splitlines()]
    told = {key: value.strip() for key, value in rows if key != "says"}
    return Shape(
        (CORPUS / f"{name}.eml").read_bytes(), told, tuple(value.strip() for key, value in rows if key == "says")
    )


def find_recipient(duel: MailedDuel, where: str) -> str:
    return {
        "turn": make_turn_address(user_id=duel.bung.user_id, battle=duel.number, seq=1, attempt=0),
        "fm": "fm@localhost",
        "bounces": make_bounce_address(address_id=find_address("bill@example.org").pk),
    }[where]


def try_shape(duel: MailedDuel, name: str) -> list[str]:
    """Return the differences between an email's result and the notes beside it."""
    shape, world = read_shape(name), duel.world
    to = find_recipient(duel, shape["to"])
    mails = [
        mail
        for _ in range(2 if shape["twice"] else 1)
        for mail in world.send(shape.raw, sender=shape["envelope"], to=to)
    ]
    row = InboundMail.objects.get()
    sheet = " / ".join(line for line in lines_of(duel.battle, duel.bung) if line != "END")
    answered = {"yes": 1, "no": 0}[shape["answered"]]
    text = " ".join(" ".join(map(body, mails)).replace(" > ", " ").split())
    wrong = [f"{name}: {len(mails)} answers"] if len(mails) != answered else []
    if (row.state, sheet) != (shape["state"], shape["sheet"]):
        wrong.append(f"{name}: {row.state} ({row.remark}), sheet {sheet!r} for {shape['sheet']!r}; {text[:600]}")
    wrong += [f"{name}: does not say {one!r} but {text[:400]}" for one in shape.says if one not in text]
    for mail in mails:
        alone = set() if mail.is_multipart() else {"Content-Transfer-Encoding"}  # a short answer has no HTML part
        strange = set(mail.keys()) - HEADERS_OF_OURS - alone
        if strange or mail["To"] != "bill@example.org" or "three-black" in mail.as_string():
            wrong.append(f"{name}: headers {sorted(strange)} to {mail['To']}")
    return wrong + check_report(name, shape)


def check_report(name: str, shape: Shape) -> list[str]:
    if not shape["report"]:
        return []
    failure = read_report(parse_mail(shape.raw), shape["envelope"])
    understood = f"{failure.verdict} {failure.status}" if failure else "none"
    return [] if understood == shape["report"] else [f"{name}: the report is understood as {understood}"]


def test_every_form_of_email_has_its_reading_and_there_are_enough():
    assert sorted(path.stem for path in CORPUS.glob("*.txt")) == NAMES
    assert len(NAMES) >= 80


# Nothing here differs between databases; once is enough.
@pytest.mark.postgres
@pytest.mark.parametrize("part", range(4))
def test_each_email_is_read_as_its_notes_say(duel: MailedDuel, part: int):
    wrong = []
    for name in NAMES[part::4]:
        with transaction.atomic():
            wrong += try_shape(duel, name)
            transaction.set_rollback(True)
    assert not wrong, "\n".join(wrong)


def test_an_email_of_25_megabytes_is_rejected(duel: MailedDuel):
    line = b"A" * 76 + b"\r\n"
    mail = b"Subject: a film\r\nContent-Transfer-Encoding: base64\r\n\r\n" + line * (25_000_000 // len(line))
    with pytest.raises(MailTooLarge):
        duel.world.take(mail)
    assert not InboundMail.objects.exists()
