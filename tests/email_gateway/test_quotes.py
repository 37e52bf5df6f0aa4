"""Replies that quote our emails: only what their writers wrote or changed is processed."""

import os
import re
from email import message_from_bytes, policy
from email.message import EmailMessage

import pytest

from email_gateway.commands.line_forms import SHORTHAND, find_order, split_keyword
from email_gateway.models import LocalMail
from email_gateway.text.lines import split_lines
from email_gateway.text.quotes import MARKER, Printed
from email_gateway.text.webtext import read_web_text
from operations.encryption import unseal_bytes
from tests.email_gateway.conftest import MailedDuel
from tests.email_gateway.replies import ADDRESS, HTML_STYLES, LANGUAGES, SENDER, STYLES
from tests.email_gateway.world import MailWorld, body, reply_address, whole_body, write_mail

# All languages in the long pass; otherwise a few, of which each test takes its share.
IS_LONG = bool(os.environ.get("FM_TEST_LONG"))
SAMPLE = LANGUAGES if IS_LONG else LANGUAGES[::4]

NAMES = (SENDER.casefold(), ADDRESS, "localhost")
THINKING = "Thanks, I'll think about it.\nWil"
HEADS = ("GAME", "TURN")

CHALLENGE = """\
Froodal (Frode) challenges Bung to a duel.

Duel Challenge Status for Bung (challenge 3):

 Froodal (Frode) State: joined, challenger
 Bung (Bill) State: not answered yet

  Battle:   standard rules, scores are at stake, the classic pace, orders can be
            replaced until the turn resolves
  Joining:  the mages challenged

Reply to this email with one of these lines:

  ACCEPT 3 Bung
  DECLINE 3 Bung

What is mailed to you: http://localhost/accounts/preferences/
"""
TURN = """\
Turn 2 of Froodal v Bung has been played, and the next orders are due on Tuesday.

LH F                                     OK
Your orders:
  LH F
  RH P

Reply to this email with your orders, or send them with a USER line.
Replace the question marks with your gestures:

  GAME 12 Bung
  TURN 2
  LH ?
  RH ?
  END

What is mailed to you: http://localhost/accounts/preferences/
"""
VOTE = """\
Froodal proposes a change to challenge 3, on which those who have joined vote now.

Reply to this email with one of these lines:

  ACCEPT 3 Bung CHANGE 1
  OPPOSE 3 Bung CHANGE 1
"""
QUESTION = """\
The turn has stopped for an answer of yours, without which it cannot be resolved.

Which hand of Froodal is stuck:
  PARALYZE LH Froodal
  PARALYZE RH Froodal
If you don't answer: PARALYZE LH Froodal

Reply to this email with your orders:

  GAME 12 Bung
  TURN 2A
  PARALYZE LH Froodal
  END
"""
EMAILS = {"challenge": CHALLENGE, "turn": TURN, "vote": VOTE, "question": QUESTION}
ANSWERS = {
    "challenge": "ACCEPT 3 Bung",
    "turn": "LH W\nRH P",
    "vote": "OPPOSE 3 Bung CHANGE 1",
    "question": "PARALYZE RH Froodal",
}
CHANGES = {
    "turn": (("  LH ?", "  LH F"), ("  RH ?", "  RH D")),
    "question": (("  PARALYZE LH Froodal\n  END", "  PARALYZE BH Froodal\n  END"),),
    "vote": (("  OPPOSE 3 Bung CHANGE 1", "  OPPOSE 3 Bung CHANGE 2"),),
}


def read_orders(text: str, *printed: str) -> list[str]:
    """Return the lines of an email that are read as orders."""
    lines = split_lines(text, Printed(printed, NAMES))
    return [line.text for line in lines if line.text and line.ignored is None and is_order(line.text)]


def is_order(text: str) -> bool:
    order = find_order(split_keyword(text)[0])
    return order is not None or bool(SHORTHAND.match(text))


@pytest.mark.parametrize("style", STYLES)
def test_nothing_that_we_printed_is_an_order_and_everything_written_above_is(style: str):
    for kind, email in EMAILS.items():
        whole = f"{MARKER}\n\n{email}"
        for language in SAMPLE:
            where = (kind, language.code)
            assert read_orders(STYLES[style](THINKING, whole, language), email) == [], where
            # Nor where no copy of the email is left to compare with.
            assert read_orders(STYLES[style](THINKING, whole, language)) == [], where
            orders = read_orders(STYLES[style](ANSWERS[kind], whole, language), email)
            assert orders == ANSWERS[kind].split("\n"), where


@pytest.mark.parametrize("style", sorted({*STYLES} - {"one line for a paragraph"}))
def test_only_changed_lines_inside_the_quote_count(style: str):
    for kind, changes in CHANGES.items():
        email = EMAILS[kind]
        changed = email
        for before, after in changes:
            assert before in changed
            changed = changed.replace(before, after)
        wanted = [after.strip().split("\n")[0] for _, after in changes]
        for language in SAMPLE:
            orders = read_orders(STYLES[style](THINKING, f"{MARKER}\n\n{changed}", language), email)
            assert [line for line in orders if split_keyword(line)[0] not in HEADS] == wanted, (kind, language.code)


@pytest.mark.parametrize("style", ["outlook", "gmail", "thunderbird", "no prefix at all", "yahoo"])
def test_a_line_put_between_the_quoted_ones_counts(style: str):
    for language in SAMPLE:
        reply = STYLES[style]("", f"{MARKER}\n\n{TURN}", language)
        reply = re.sub(r"(\n[> ]*)RH \?", r"\1RH ?\nSAY well met", reply)
        assert read_orders(reply, TURN)[-1:] == ["SAY well met"]


@pytest.mark.parametrize("style", ["outlook", "gmail", "no prefix at all", "outlook underscores", "yahoo", "narrow"])
def test_our_own_words_end_a_reply_where_the_marker_is_lost(style: str):
    for kind, email in EMAILS.items():
        for language in SAMPLE:
            assert read_orders(STYLES[style](THINKING, email, language), email) == [], (kind, language.code)
            orders = read_orders(STYLES[style](ANSWERS[kind], email, language), email)
            assert orders == ANSWERS[kind].split("\n"), (kind, language.code)


def test_headers_of_a_quote_leave_the_orders_above_alone():
    text = f"LH: F\nRH: P\nSAY: at 12:30, Froodal\n\n{STYLES['outlook']('', TURN, LANGUAGES[8])}"
    assert read_orders(text, TURN) == ["LH: F", "RH: P", "SAY: at 12:30, Froodal"]


def collect_mails(world: MailWorld, mages: dict) -> list[EmailMessage]:
    """Return one email of each kind that offers order lines."""
    frode = "frode@example.org"
    user = "USER Frode three-black-moths\n"
    mails = world.send(f"{user}NEWGAME Froodal CHALLENGE Bung Ulf, FRIENDLY, DEMOCRATIC", sender=frode)
    number = re.search(r"Challenge (\d+) is created", body(mails[-1]) + "".join(map(body, mails)))[1]
    bill = "USER Bill three-black-moths\n"
    mails += world.send(f"{bill}ACCEPT {number} Bung", sender="bill@example.org")
    mails += world.send(f"{user}CHANGEGAME {number} Froodal WEEKENDS", sender=frode)
    battle = world.begin(mages["Froodal"], mages["Gandalf"]) if "Gandalf" in mages else None
    mails += world.new_mails() if battle else []
    mails += world.send(f"{user}PASSWORD four-grey-herons", sender=frode)
    mails += world.send("NEWUSER Wil three-black-moths")
    return mails


@pytest.mark.postgres
def test_our_own_emails_are_not_processed_when_they_come_back(world: MailWorld, mages):
    mails = collect_mails(world, mages)
    offers = [mail for mail in mails if re.search(r"^  (ACCEPT|OPPOSE|LH) ", body(mail), re.M)]
    assert len(offers) >= 3
    assert any("CONFIRM" in body(mail) for mail in mails)
    for mail in mails:
        text, html = whole_body(mail), body(mail, "html")
        assert text.startswith(f"{MARKER}\n\n")
        printed = [text.removeprefix(MARKER), *([read_web_text(html).replace(MARKER, "")] if html else [])]
        for language in LANGUAGES if IS_LONG else LANGUAGES[::12]:
            for name, style in STYLES.items():
                assert read_orders(style(THINKING, text, language), *printed) == [], (mail["Subject"], name)
            for name, style in HTML_STYLES.items() if html else ():
                seen = read_web_text(style("STATS Info", html, language))
                assert read_orders(seen, *printed) == ["STATS Info"], (mail["Subject"], name)
                assert read_orders(seen) == ["STATS Info"], (mail["Subject"], name)
    for mail in mails:
        assert not body(mail, "html") or MARKER in read_web_text(body(mail, "html"))


def test_a_polite_word_above_a_challenge_in_danish_outlook_accepts_nothing(world: MailWorld, mages):
    world.send("USER Frode three-black-moths\nNEWGAME Froodal CHALLENGE Bung", sender="frode@example.org")
    [mail] = [mail for mail in map_mails() if mail["To"] == "bill@example.org"]
    reply = STYLES["outlook"](THINKING, whole_body(mail), LANGUAGES[8])
    answer = world.ask(
        write_mail(reply, sender="bill@example.org", In_Reply_To=mail["Message-ID"]),
        sender="bill@example.org",
        to=reply_address(mail),
    )
    assert "We found no orders in your email" in answer
    accepted = world.send(
        write_mail(STYLES["outlook"]("accept", whole_body(mail), LANGUAGES[8]), sender="bill@example.org"),
        sender="bill@example.org",
        to=reply_address(mail),
    )
    assert any("battle" in str(one["Subject"]).lower() or "[FM" in str(one["Subject"]) for one in accepted)


def map_mails() -> list[EmailMessage]:
    rows = LocalMail.objects.order_by("pk")
    return [message_from_bytes(unseal_bytes(bytes(row.sealed)), policy=policy.default) for row in rows]


def find_question(duel: MailedDuel) -> EmailMessage:
    duel.world.begin(duel.world.mage("Ulf"), duel.world.mage("Ayla"))
    return next(mail for mail in duel.world.new_mails() if "Ulf" in body(mail) and "GAME" in body(mail))


def fill_in(text: str) -> str:
    assert "LH ?" in text and "RH ?" in text
    return text.replace("LH ?", "LH F").replace("RH ?", "RH P")


@pytest.mark.parametrize("style", ["outlook", "gmail", "apple mail", "no prefix at all"])
def test_gestures_in_place_of_the_marks_are_the_orders(duel: MailedDuel, style: str):
    asked = find_question(duel)
    sender = str(asked["To"])
    text = STYLES[style]("", fill_in(whole_body(asked)), LANGUAGES[1])
    reply = write_mail(text, sender=sender, In_Reply_To=asked["Message-ID"])
    answer = duel.world.ask(reply, sender=sender, to=reply_address(asked))
    assert re.search(r"Ulf's orders for turn 1\w*( are in)?\.", answer), answer
    assert "rejected" not in answer


def test_gestures_that_replace_webmail_marks_are_the_orders(duel: MailedDuel):
    asked = find_question(duel)
    sender = str(asked["To"])
    wrong = []
    for name, style in HTML_STYLES.items():
        mail = EmailMessage()
        mail["From"], mail["In-Reply-To"] = sender, asked["Message-ID"]
        mail.set_content(style("Danke!", fill_in(body(asked, "html")), LANGUAGES[1]), subtype="html")
        answer = duel.world.ask(mail.as_bytes(policy=policy.SMTP), sender=sender, to=reply_address(asked))
        if not re.search(r"Ulf's orders for turn 1\w*( are in)?\.", answer) or "rejected" in answer:
            wrong.append(f"{name}: {answer[:400]}")
    assert not wrong, "\n".join(wrong)
