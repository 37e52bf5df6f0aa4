"""Lines that a player puts into the quoted email: their place decides, not whether we once printed the same words."""

import os
import re
from collections.abc import Iterable
from email import policy
from email.message import EmailMessage
from email.utils import make_msgid
from itertools import product
from typing import Any

import pytest

from email_gateway.models import InboundMail
from notifications.models import Delivery
from tests.email_gateway.conftest import MailedDuel
from tests.email_gateway.replies import EDITORS, INSERTED_HTML_STYLES, LANGUAGES, STYLES
from tests.email_gateway.test_orders import lines_of
from tests.email_gateway.world import PASSWORD, MailWorld, body, reply_address, whole_body, write_mail

IS_LONG = bool(os.environ.get("FM_TEST_LONG"))
BILL = "bill@example.org"
# What Bung's receipts have printed, and what Bill inserts into the first email of the turn.
PRINTED = ("LH F\nRH S\nTARGET RH nobody", "LH P\nRH D")
WANTED = ["LH F", "RH D"]


@pytest.fixture
def duel(world: MailWorld) -> MailedDuel:
    froodal, bung = world.mage("Froodal", world.user("Frode")), world.mage("Bung", world.user("Bill"))
    return MailedDuel(world, world.begin(froodal, bung), froodal, bung)


@pytest.fixture
def asked(duel: MailedDuel) -> EmailMessage:
    """The email that asked Bill for orders, after receipts that repeated every line he may insert."""
    [mail] = [one for one in duel.world.new_mails() if one["To"] == BILL and "LH ?" in body(one)]
    for orders in PRINTED:
        answer = duel.world.ask(reply(mail, orders), sender=BILL, to=reply_address(mail))
        assert all(line in answer for line in orders.split("\n"))
    return mail


def reply(asked: EmailMessage, text: str, *, html: bool = False, named: bool = True, subject: str = "Re: x") -> bytes:
    headers = {"In_Reply_To": str(asked["Message-ID"])} if named else {}
    if not html:
        return write_mail(text, sender=BILL, subject=subject, **headers)
    mail = EmailMessage()
    mail["From"], mail["Subject"], mail["Message-ID"] = BILL, subject, make_msgid()
    if named:
        mail["In-Reply-To"] = asked["Message-ID"]
    mail.set_content(text, subtype="html")
    return mail.as_bytes(policy=policy.SMTP)


def sheet_of(duel: MailedDuel) -> list[str]:
    return [line for line in lines_of(duel.battle, duel.bung) if line != "END"]


def insert(text: str) -> str:
    assert "LH ?" in text and "RH ?" in text
    return re.sub(r"(?m)^([> |]*)RH \?", r"\1RH ?\n\1RH D", re.sub(r"(?m)^([> |]*)LH \?", r"\1LH ?\n\1LH F", text))


def replace(text: str) -> str:
    return text.replace("LH ?", "LH F").replace("RH ?", "RH D")


def choose_shares(change: Any, styles: Iterable[str], *others: Iterable[Any]) -> list[tuple[Any, ...]]:
    """Return every style with each of the other choices; all combinations only in the long pass. In the short one, one
    half of the styles is tried with `insert`, the other with `replace`."""
    every = list(product(*others))
    if IS_LONG:
        return [(style, *one) for style in styles for one in every]
    half = list(styles)[0 if change is insert else 1 :: 2]
    return [(style, *every[place % len(every)]) for place, style in enumerate(half)]


@pytest.mark.parametrize("change", [insert, replace])
def test_gestures_written_into_quoted_html_count_whatever_receipts_printed(duel, asked, change):
    wrong = []
    for place, (name, editor, named) in enumerate(choose_shares(change, INSERTED_HTML_STYLES, EDITORS, (True, False))):
        duel.world.wait(minutes=1)
        duel.world.ask(reply(asked, "CLEAR"), sender=BILL, to=reply_address(asked))
        html = EDITORS[editor](change(body(asked, "html")))
        text = INSERTED_HTML_STYLES[name]("", html, LANGUAGES[place % len(LANGUAGES)])
        answer = duel.world.ask(reply(asked, text, html=True, named=named), sender=BILL, to=reply_address(asked))
        if sheet_of(duel) != WANTED:
            wrong.append(f"{name}, {editor}, named {named}: {sheet_of(duel)}\n{answer[:600]}")
    assert not wrong, f"{len(wrong)}\n" + "\n".join(wrong[:3])


@pytest.mark.parametrize("change", [insert, replace])
def test_gestures_written_into_quoted_text_count_whatever_receipts_printed(duel, asked, change):
    wrong = []
    styles = sorted({*STYLES} - {"one line for a paragraph"})
    for place, (name, named) in enumerate(choose_shares(change, styles, (True, False))):
        duel.world.wait(minutes=1)
        duel.world.ask(reply(asked, "CLEAR"), sender=BILL, to=reply_address(asked))
        text = change(STYLES[name]("", whole_body(asked), LANGUAGES[place % len(LANGUAGES)]))
        answer = duel.world.ask(reply(asked, text, named=named), sender=BILL, to=reply_address(asked))
        if sheet_of(duel) != WANTED:
            wrong.append(f"{name}, named {named}: {sheet_of(duel)}\n{answer[:600]}")
    assert not wrong, f"{len(wrong)}\n" + "\n".join(wrong[:3])


def test_a_target_in_the_quote_is_not_lost_although_an_earlier_email_had_the_same(duel: MailedDuel, asked):
    html = body(asked, "html").replace("RH ?", "RH S\nTARGET RH nobody").replace("LH ?", "LH P")
    duel.world.ask(
        reply(asked, INSERTED_HTML_STYLES["gmail"]("", html, LANGUAGES[0]), html=True),
        sender=BILL,
        to=reply_address(asked),
    )
    assert sheet_of(duel) == ["LH P", "RH S", "TARGET RH nobody"]


def test_a_receipt_that_comes_back_unchanged_repeats_no_orders(duel: MailedDuel, asked):
    [receipt] = duel.world.send(reply(asked, "LH S\nRH W"), sender=BILL, to=reply_address(asked))
    duel.world.ask(reply(asked, "LH P\nRH D"), sender=BILL, to=reply_address(asked))
    for name, style in STYLES.items():
        text = style("Thanks!", whole_body(receipt), LANGUAGES[1])
        duel.world.send(reply(receipt, text), sender=BILL, to=reply_address(receipt))
        assert sheet_of(duel) == ["LH P", "RH D"], name


@pytest.mark.parametrize("style", ["gmail", "narrow"])
def test_an_older_email_pasted_into_a_reply_to_a_receipt_repeats_no_orders(duel: MailedDuel, asked, style: str):
    for orders in ("LH S\nRH S", "LH F\nRH F"):
        [receipt] = duel.world.send(reply(asked, orders), sender=BILL, to=reply_address(asked))
        [status] = duel.world.send(reply(asked, "How are we doing?"), sender=BILL, to=reply_address(asked))
        duel.world.send(reply(asked, "LH P\nRH D"), sender=BILL, to=reply_address(asked))
        [named] = duel.world.send(reply(asked, "LH F\nRH F"), sender=BILL, to=reply_address(asked))
        for pasted in (receipt, status, asked):
            text = STYLES[style]("Was it not this?", whole_body(pasted), LANGUAGES[1])
            answer = duel.world.ask(reply(named, text), sender=BILL, to=reply_address(named))
            assert "We found no orders in your email" in answer
            assert sheet_of(duel) == ["LH F", "RH F"]


def test_orders_above_an_older_pasted_email_count(duel: MailedDuel, asked):
    [named] = duel.world.send(reply(asked, "LH F\nRH F"), sender=BILL, to=reply_address(asked))
    text = STYLES["gmail"]("LH D\nRH D", whole_body(asked), LANGUAGES[1])
    answer = duel.world.ask(reply(named, text), sender=BILL, to=reply_address(named))
    assert "rejected" not in answer and sheet_of(duel) == ["LH D", "RH D"]


def test_gestures_count_in_a_quote_of_which_little_is_left_whatever_receipts_printed(duel: MailedDuel, asked):
    """The quote is rather like a receipt that printed the same gestures, but the named email asked for them."""
    for kept in (slice(-4, -1), slice(-5, None), slice(-4, None)):
        duel.world.ask(reply(asked, "CLEAR"), sender=BILL, to=reply_address(asked))
        rows = whole_body(asked).splitlines()
        end = rows.index("  END")
        block = "\n".join(rows[end - 4 : end + 1][kept])
        text = STYLES["gmail"]("", replace(f"{rows[0]}\n\n{block}\n"), LANGUAGES[1])
        duel.world.ask(reply(asked, text), sender=BILL, to=reply_address(asked))
        assert sheet_of(duel) == WANTED, block


def test_a_receipt_whose_orders_are_changed_changes_those(duel: MailedDuel, asked):
    [receipt] = duel.world.send(reply(asked, "LH S\nRH W"), sender=BILL, to=reply_address(asked))
    assert "Your orders:\n\n  LH S\n  RH W" in body(receipt) or "Your orders:\n  LH S\n  RH W" in body(receipt)
    text = STYLES["gmail"]("", re.sub(r"(Your orders:\s+LH S\n\s+RH) W", r"\1 D", whole_body(receipt)), LANGUAGES[0])
    duel.world.ask(reply(receipt, text), sender=BILL, to=reply_address(receipt))
    assert sheet_of(duel) == ["LH S", "RH D"]


def test_orders_below_the_marker_count_where_everything_else_is_deleted(duel: MailedDuel, asked):
    [receipt] = duel.world.send(reply(asked, "LH S\nRH W"), sender=BILL, to=reply_address(asked))
    duel.world.ask(reply(asked, "LH P\nRH D"), sender=BILL, to=reply_address(asked))
    text = f"{whole_body(receipt).splitlines()[0]}\n\nLH S\nRH W\n"
    duel.world.ask(reply(receipt, text), sender=BILL, to=reply_address(receipt))
    assert sheet_of(duel) == ["LH S", "RH W"]


def test_speech_that_an_earlier_email_printed_hides_no_orders_below_it(duel: MailedDuel, asked):
    speech = "SAY I wish you all the luck of the wide world"
    [receipt] = duel.world.send(reply(asked, f"LH S\nRH W\n{speech}"), sender=BILL, to=reply_address(asked))
    text = STYLES["outlook"](f"{speech}\nLH P\nRH W", whole_body(receipt), LANGUAGES[1])
    duel.world.ask(reply(receipt, text), sender=BILL, to=reply_address(receipt))
    assert sheet_of(duel) == ["LH P", "RH W", speech]


def test_an_email_pasted_into_a_new_one_is_compared_with_itself(duel: MailedDuel, asked):
    for change in (insert, replace):
        duel.world.ask(reply(asked, "CLEAR"), sender=BILL, to=reply_address(asked))
        text = f"USER Bill {PASSWORD}\n\n{change(whole_body(asked))}"
        answer = duel.world.ask(reply(asked, text, named=False), sender=BILL)
        assert sheet_of(duel) == WANTED, answer


def test_without_a_copy_a_line_without_marks_between_quoted_ones_counts(duel: MailedDuel, asked):
    Delivery.objects.update(text="", web_text="")
    text = STYLES["thunderbird"]("", whole_body(asked), LANGUAGES[0])
    text = text.replace(">   LH ?", ">   LH ?\nLH F").replace(">   RH ?", ">   RH ?\nRH D")
    for named in (True, False):
        duel.world.ask(reply(asked, "CLEAR"), sender=BILL, to=reply_address(asked))
        Delivery.objects.update(text="", web_text="")
        answer = duel.world.ask(reply(asked, text, named=named), sender=BILL, to=reply_address(asked))
        assert sheet_of(duel) == WANTED, answer


def test_orders_of_an_older_email_below_the_quoted_one_are_not_given_again(duel: MailedDuel, asked):
    """Some programs quote the whole conversation."""
    [receipt] = duel.world.send(reply(asked, "LH S\nRH W"), sender=BILL, to=reply_address(asked))
    for name in ("outlook", "gmail", "apple mail", "thunderbird", "outlook bold", "outlook underscores"):
        duel.world.ask(reply(asked, "LH P\nRH P"), sender=BILL, to=reply_address(asked))
        style, language = STYLES[name], LANGUAGES[0]
        mine = style("LH S\nRH W\n", whole_body(asked), language)
        thread = f"{whole_body(receipt)}\n\n{STYLES[name]('', mine, language).strip()}"
        answer = duel.world.ask(
            reply(receipt, style("LH F\nRH D", thread, language)), sender=BILL, to=reply_address(receipt)
        )
        assert sheet_of(duel) == WANTED, (name, answer)


def test_the_copies_are_found_by_their_reply_address(asked: EmailMessage):
    named = {row.reply_key for row in Delivery.objects.exclude(text="").filter(user__username="Bill")}
    assert str(asked["Reply-To"]).rpartition("-")[0] in named
    assert not any(str(asked["Reply-To"]).split("@")[0] in key for key in named)
    assert InboundMail.objects.exists()
