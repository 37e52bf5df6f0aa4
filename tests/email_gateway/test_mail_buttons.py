"""Buttons that begin an email, for people who never open a browser; and what a list of emails shows of each."""

import re
from dataclasses import replace
from email.message import EmailMessage
from email.utils import parseaddr
from html import unescape
from urllib.parse import parse_qs, urlsplit

from django.db import transaction

from accounts.models import Mage, User
from challenges.selectors.lists import get_challenge_for_user
from challenges.services.answers import withdraw_challenge
from challenges.services.create import create_challenge
from challenges.services.proposals import propose_change
from duels.selectors.stage_keys import key_of
from duels.terms import Terms
from email_gateway.addresses import make_challenge_address
from email_gateway.compose.notices import compose_notice
from email_gateway.compose.parts import list_answers, list_orders
from email_gateway.deliver.mail import make_message
from email_gateway.text.webtext import read_web_text
from tests.email_gateway.challengers import USERS
from tests.email_gateway.conftest import MailedDuel
from tests.email_gateway.world import MailWorld, body, reply_address, write_mail

HIDDEN = re.compile(r'<div style="display:none;[^"]*">([^<]*)</div>')


def list_buttons(html: str) -> dict[str, tuple[str, str, str]]:
    """The words on each button that begins an email, with its recipient, subject and lines."""
    found = re.findall(r'<a [^>]*href="(mailto:[^"]+)"[^>]*>([^<]+)</a>', html)
    buttons = {}
    for link, words in found:
        parts = urlsplit(unescape(link))
        asked = parse_qs(parts.query, strict_parsing=True)
        buttons[unescape(words)] = (parts.path, asked["subject"][0], asked["body"][0].replace("\r\n", "\n"))
    return buttons


def play_turn(duel: MailedDuel) -> EmailMessage:
    """A turn on the site; return Bill's report."""
    duel.world.order(duel.battle, duel.froodal, "W/P")
    duel.world.order(duel.battle, duel.bung, "P/S")
    return next(mail for mail in duel.world.new_mails() if mail["To"] == "bill@example.org")


def press(world: MailWorld, button: tuple[str, str, str], *, fill: str = "") -> str:
    """Send the email that a button begins, with `fill` instead of each question mark; return its answer."""
    to, subject, lines = button
    text = lines.replace("?", fill) if fill else lines
    return world.ask(write_mail(text, sender="bill@example.org", subject=subject), sender="bill@example.org", to=to)


def test_a_turn_report_has_a_button_that_begins_the_orders(duel: MailedDuel):
    report = play_turn(duel)
    button = list_buttons(body(report, "html"))["Reply with orders"]
    assert button == (
        reply_address(report),
        f"Re: {report['Subject']}",
        f"GAME {duel.number} Bung\nTURN 2\nLH ?\nRH ?\nEND\n",
    )
    assert "Bung's orders for turn 2 are in." in press(duel.world, button, fill="W")


def test_orders_sent_with_open_gaps_change_nothing(duel: MailedDuel):
    answer = press(duel.world, list_buttons(body(play_turn(duel), "html"))["Reply with orders"])
    assert "are in." not in answer and "rejected" in answer


def test_an_answer_with_a_block_to_fill_in_has_the_button_too(duel: MailedDuel):
    report = play_turn(duel)
    [answer] = duel.world.send("LH W", sender="bill@example.org", to=reply_address(report))
    assert list_buttons(body(answer, "html"))["Reply with orders"][0] == reply_address(answer)


def test_a_challenge_is_accepted_or_declined_by_a_button(world: MailWorld, mages: dict[str, Mage]):
    user = User.objects.get(username=USERS["Bung"])
    for words in ("Decline as Bung", "Accept as Bung"):
        challenge = create_challenge(challenger=mages["Froodal"], invited=[mages["Bung"]], terms=Terms(), now=world.now)
        mail = next(mail for mail in world.new_mails() if mail["To"] == user.email)
        to, subject, lines = list_buttons(body(mail, "html"))[words]
        assert (to, subject) == (reply_address(mail), f"Re: {mail['Subject']}")
        answer = world.ask(write_mail(lines, sender=user.email, subject=subject), sender=user.email, to=to)
        assert "rejected" not in answer and " OK" in answer
        if words.startswith("Decline"):
            withdraw_challenge(number=challenge.number, mage=mages["Froodal"], now=world.now)


def test_every_line_that_a_challenge_offers_is_accepted(world: MailWorld, mages: dict[str, Mage]):
    froodal, bung = mages["Froodal"], mages["Bung"]
    challenge = create_challenge(
        challenger=froodal, invited=[bung], terms=Terms(), open_to_all=True, limit=4, now=world.now
    )
    propose_change(number=challenge.number, mage=froodal, change={"pace": "fast"}, now=world.now)
    offered = []
    for mage in mages.values():
        row = get_challenge_for_user(number=challenge.number, user=mage.user)
        to = make_challenge_address(user_id=mage.user_id, number=challenge.number)
        assert {line for _words, line in list_answers(row)} <= set(list_orders(row))
        for line in list_orders(row):
            with transaction.atomic():
                answer = world.ask(line, sender=mage.user.email, to=to)
                transaction.set_rollback(True)
            assert "rejected" not in answer, line
            offered.append(line.split()[0])
    assert {"ACCEPT", "WITHDRAW"} <= set(offered)


def test_what_a_list_shows_of_an_email_tells_a_final_notice_from_a_move(duel: MailedDuel):
    key = key_of(duel.reload())
    facts = {"battle": duel.number, "label": "1", "seq": key.seq, "attempt": key.attempt, "stage": key.stage}
    shown = {}
    for kind in ("battle_started", "deadline_reminder", "deadline_alarm", "deadline_final"):
        mail = compose_notice(kind=kind, facts={**facts, "who": "Bung"}, user=duel.bung.user)
        message = make_message(mail, to="bill@example.org", message_id="<1@localhost>").message()
        name, address = parseaddr(str(message["From"]))
        assert address == "fm@localhost" and message["Subject"] == f"[FM {duel.number}] Froodal v Bung"
        assert message["In-Reply-To"] == message["References"] == f"<battle.{duel.number}@localhost>"
        [preheader] = HIDDEN.findall(mail.html)
        first = mail.text.split("\n")[0]
        assert unescape(preheader).startswith(f"{first}. Duel {duel.number}, ")
        shown[kind] = (name, first)
    assert shown == {
        "battle_started": ("Firetop Mountain - your move", "Turn 1: your move"),
        "deadline_reminder": ("Firetop Mountain - reminder", "Reminder: Bung needs to send orders"),
        "deadline_alarm": ("Firetop Mountain - deadline soon", "Bung: deadline soon"),
        "deadline_final": ("Firetop Mountain - final notice", "Final notice: Bung has run out of time"),
    }


def test_an_email_that_asks_for_nothing_comes_from_the_site_by_its_name(duel: MailedDuel):
    facts = {"mage": "Froodal", "named": ["Bung"], "text": "Hello"}
    mail = compose_notice(kind="message", facts=facts, user=duel.bung.user)
    assert parseaddr(make_message(mail, to="x@example.org", message_id="<1@x>").message()["From"])[0] == (
        "Firetop Mountain"
    )


def test_a_name_with_letters_of_other_languages_is_encoded(duel: MailedDuel, settings):
    settings.DEFAULT_FROM_EMAIL = "Zauberer über Bäumen <fm@localhost>"
    mail = compose_notice(kind="message", facts={"mage": "Froodal", "named": [], "text": "x"}, user=duel.bung.user)
    raw = make_message(replace(mail, sender="dein Zug"), to="x@example.org", message_id="<1@x>").message().as_bytes()
    assert raw.isascii() and b"From: =?utf-8?" in raw


def test_no_sentence_of_the_headline_comes_again_in_the_story(duel: MailedDuel):
    duel.world.order(duel.battle, duel.froodal, "P/P")
    duel.world.order(duel.battle, duel.bung, ">/-")
    report = next(mail for mail in duel.world.new_mails() if mail["To"] == "bill@example.org")
    for part in (body(report), read_web_text(body(report, "html"))):
        words = " ".join(part.split())
        assert "Turn 1. Froodal surrenders and leaves the circle alive. Victory is yours. " in words
        assert words.count("Victory is yours.") == words.count("Froodal surrenders and leaves the circle alive.") == 1
        assert "saw nothing happen" not in words


def test_a_friendly_duel_ends_without_a_table_of_scores(world: MailWorld):
    froodal, bung = world.mage("Froodal"), world.mage("Bung")
    for stakes, has_table in (("friendly", False), ("ladder", True)):
        battle = world.duel(froodal, bung, stakes=stakes)
        world.order(battle, froodal, "P/P")
        world.order(battle, bung, "W/W")
        report = next(mail for mail in world.new_mails() if mail["To"] == "bungs@example.org")
        assert "The end: Bung won" in body(report) and ("Duel scores" in body(report)) == has_table
        assert ("Duel scores" in body(report, "html")) == has_table


def test_a_link_is_followed_by_nothing_that_mail_programs_take_for_its_end(duel: MailedDuel):
    text = body(play_turn(duel))
    assert f"/battles/{duel.number}/proof/\n" in text and not re.search(r"https?://\S+[):]\s", text)


def test_a_reminder_about_a_challenge_says_how_to_change_it(world: MailWorld, mages: dict[str, Mage]):
    challenge = create_challenge(challenger=mages["Froodal"], invited=[mages["Bung"]], terms=Terms(), now=world.now)
    facts = {"number": challenge.number, "challenger": "Froodal", "mages": ["Froodal"], "days": 3}
    mail = compose_notice(kind="challenge_prodded", facts=facts, user=mages["Froodal"].user)
    words = " ".join(mail.text.split())
    assert f"CHANGEGAME {challenge.number} Froodal OPEN lets anyone in" in words
    answer = world.ask(
        f"CHANGEGAME {challenge.number} Froodal OPEN", sender=mages["Froodal"].user.email, to=mail.reply_to
    )
    assert "rejected" not in answer
