"""Emails whose text comes twice, as plain text and as HTML: which of the two counts."""

from email.message import EmailMessage

import pytest

from duels.models import Combatant, OrderSheet
from email_gateway.addresses import make_turn_address
from email_gateway.models import InboundMail
from email_gateway.text.quotes import MARKER
from tests.email_gateway.conftest import MailedDuel
from tests.email_gateway.test_orders import lines_of
from tests.email_gateway.world import PASSWORD, MailWorld, body, whole_body

ORDERS = f"USER Bill {PASSWORD}\nMAGE Bung\nLH W\nRH P\nEND"
PLACEHOLDERS = [
    "Your mail program does not show HTML.",
    "This message is in HTML format. Use another mail client to read it.",
    "Message in HTML format, please use another browser.",
    "Show this email in your browser: https://mail.example.org/m/1",
    "HTML",
    "View this email in your browser",
    "https://mail.example.org/view/8f3a",
    "<https://mail.example.org/view/8f3a>",
    "[image: logo.png]",
    "--\nSent from my telephone",
    "\u00a0\n\u200b",
    "Info: Ihr Mailprogramm kann kein HTML anzeigen, bitte im Browser öffnen.",
    "Diese E-Mail liegt im HTML-Format vor.",
    "Votre logiciel de messagerie n'affiche pas le HTML.",
    "Su programa de correo no muestra HTML.",
    "Ваша почтовая программа не показывает HTML.",
    "このメールはHTML形式です。",
    "Hello,\n\nplease see the HTML part.\n\nThanks\nBill",
]


def to_web(text: str) -> str:
    return "".join(f"<div>{line}</div>" for line in text.split("\n"))


def write_both(plain: str, web: str, **headers: str) -> bytes:
    mail = EmailMessage()
    mail["From"] = "<bill@example.org>"
    mail["Subject"] = headers.pop("subject", "FM Orders")
    mail["Message-ID"] = f"<{abs(hash((plain, web)))}@example.org>"
    for name, value in headers.items():
        mail[name.replace("_", "-")] = value
    mail.set_content(plain)
    mail.add_alternative(web, subtype="html")
    return mail.as_bytes()


def send(world: MailWorld, raw: bytes, to: str = "fm@localhost") -> str:
    return body(world.send(raw, sender="bill@example.org", to=to)[0])


@pytest.mark.parametrize("plain", PLACEHOLDERS)
def test_orders_in_html_count_if_the_plain_text_only_says_that_there_is_html(duel: MailedDuel, plain):
    send(duel.world, write_both(plain, to_web(ORDERS)))
    assert lines_of(duel.battle, duel.bung) == ["LH W", "RH P"]
    kept = InboundMail.objects.get().scrubbed
    assert PASSWORD not in kept and "USER Bill *****" in kept


def test_the_address_of_a_turn_is_enough(duel: MailedDuel):
    to = make_turn_address(user_id=duel.bung.user_id, battle=duel.number, seq=1, attempt=0)
    send(duel.world, write_both("View this email in your browser", "<p>lh w<br>rh p</p>"), to)
    assert lines_of(duel.battle, duel.bung) == ["LH W", "RH P"]


@pytest.mark.parametrize(
    "plain",
    [
        "MAGE Bung\nLH D",
        "mage bung\nlh d",
        "W/P",
        "SHOW 12",
        "HELP",
        "MESSAGE Froodal\nMy browser shows HTML.\nEND MESSAGE",
        f"user Bill {PASSWORD}",
    ],
)
def test_html_never_counts_beside_plain_text_with_an_order(duel: MailedDuel, plain):
    send(duel.world, write_both(plain, to_web(ORDERS)))
    assert not OrderSheet.objects.filter(combatant__mage=duel.bung).exclude(lines=[]).exists()


def test_orders_that_the_html_crosses_out_do_not_count(duel: MailedDuel):
    """Plain text has no mark for it."""
    web = to_web(f"USER Bill {PASSWORD}\nMAGE Bung\n<s>P/P</s>\nW/S")
    send(duel.world, write_both(f"USER Bill {PASSWORD}\nMAGE Bung\nP/P\nW/S", web))
    assert lines_of(duel.battle, duel.bung) == ["LH W", "RH S"]


def test_orders_that_the_plain_text_quotes_do_not_count_where_html_has_no_marks(duel: MailedDuel):
    plain = "I will answer tomorrow.\n\nAnn wrote:\n> LH W\n> RH P\n"
    web = to_web(f"USER Bill {PASSWORD}\nI will answer tomorrow.\nAnn said\nLH W\nRH P")
    to = make_turn_address(user_id=duel.bung.user_id, battle=duel.number, seq=1, attempt=0)
    send(duel.world, write_both(plain, web.replace(to_web(f"USER Bill {PASSWORD}"), "")), to)
    assert not OrderSheet.objects.filter(combatant__mage=duel.bung).exclude(lines=[]).exists()


def test_our_own_report_quoted_in_html_gives_no_orders(duel: MailedDuel):
    duel.world.order(duel.battle, duel.froodal, "W/P")
    duel.world.order(duel.battle, duel.bung, "S/D")
    [report] = [mail for mail in duel.world.new_mails() if mail["To"] == "bill@example.org"]
    ours = whole_body(report, "html") or to_web(whole_body(report))
    assert MARKER in ours
    raw = write_both("Hm.", f"<p>Hm.</p>{ours}", In_Reply_To=str(report["Message-ID"]))
    said = send(duel.world, raw, str(report["Reply-To"]))
    assert "We found no orders" in said
    sheets = OrderSheet.objects.filter(combatant=Combatant.objects.get(mage=duel.bung), stage__closed_at=None)
    assert all(sheet.lines == [] for sheet in sheets)


def test_a_message_in_html_is_sent_once(duel: MailedDuel):
    text = f"USER Bill {PASSWORD}\nMESSAGE Bung Froodal\nGreetings\nEND MESSAGE"
    mails = duel.world.send(write_both("This email is HTML.", to_web(text)), sender="bill@example.org")
    assert len([mail for mail in mails if mail["To"] == "frode@example.org"]) == 1


def test_an_empty_first_part_hides_nothing(duel: MailedDuel):
    for first in ("", " \n", "View this email in your browser\n"):
        mail = EmailMessage()
        mail["From"], mail["Subject"], mail["Message-ID"] = "<bill@example.org>", "FM", f"<{len(first)}@example.org>"
        mail["Content-Type"] = "multipart/mixed"
        for text, subtype in ((first, "plain"), (to_web(ORDERS), "html")):
            part = EmailMessage()
            part.set_content(text, subtype=subtype)
            mail.attach(part)
        send(duel.world, mail.as_bytes())
        assert lines_of(duel.battle, duel.bung) == ["LH W", "RH P"], first
        duel.world.send(f"USER Bill {PASSWORD}\nMAGE Bung\nCLEAR\n", sender="bill@example.org")


def test_alternatives_inside_related_and_mixed_parts_are_found(duel: MailedDuel):
    inner = EmailMessage()
    inner.set_content("Your mail program does not show HTML.")
    inner.add_alternative(to_web(ORDERS), subtype="html")
    inner.get_payload()[1].add_related(b"GIF89a", maintype="image", subtype="gif")  # type: ignore[union-attr]
    inner.add_attachment(b"%PDF", maintype="application", subtype="pdf", filename="a.pdf")
    inner["From"], inner["Subject"], inner["Message-ID"] = "<bill@example.org>", "FM", "<n@example.org>"
    send(duel.world, inner.as_bytes())
    assert lines_of(duel.battle, duel.bung) == ["LH W", "RH P"]


def test_a_forwarded_email_is_not_read(duel: MailedDuel):
    for disposition in ("attachment", "inline"):
        mail = EmailMessage()
        mail["From"], mail["Subject"], mail["Message-ID"] = "<bill@example.org>", "Fwd: FM", f"<{disposition}@x.org>"
        mail.set_content("See below.")
        mail.add_attachment(EmailMessage(), disposition=disposition)
        forwarded = EmailMessage()
        forwarded["From"] = "<bill@example.org>"
        forwarded.set_content(ORDERS)
        forwarded.add_alternative(to_web(ORDERS), subtype="html")
        mail.get_payload()[1].set_payload([forwarded])  # type: ignore[union-attr]
        assert "We don't read attachments." in " ".join(send(duel.world, mail.as_bytes()).split())
        assert not OrderSheet.objects.filter(combatant__mage=duel.bung).exclude(lines=[]).exists()


def test_the_answer_to_a_text_file_says_where_to_write_the_orders(duel: MailedDuel):
    mail = EmailMessage()
    mail["From"], mail["Subject"], mail["Message-ID"] = "<bill@example.org>", "FM", "<file@example.org>"
    mail.set_content("My orders are attached.")
    mail.add_attachment(ORDERS, filename="orders.txt")
    assert "We don't read attachments." in " ".join(send(duel.world, mail.as_bytes()).split())
