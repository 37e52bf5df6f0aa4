"""MESSAGE, ANNOUNCE and RESEND from the wrong person, and with harmful text."""

from datetime import timedelta

import pytest
from django.contrib.auth.models import Group

from accounts.janitors import JANITORS, READ_ONLY_JANITORS
from accounts.models import User
from accounts.services.ties import block_user
from email_gateway.addresses import find_mailbox
from email_gateway.deliver.prune import prune_copies
from notifications.models import Delivery, Notice
from notifications.services.preferences import set_preference
from tests.email_gateway.challengers import flat
from tests.email_gateway.conftest import MailedDuel
from tests.email_gateway.world import PASSWORD, MailWorld, body, reply_address, write_mail

FRODE = f"USER Frode {PASSWORD}\n"


def test_no_address_of_a_player_is_in_what_another_gets(duel: MailedDuel):
    mails = duel.world.send(f"{FRODE}MESSAGE Froodal Bung\nhello\nEND MESSAGE", sender="frode@example.org")
    [mail] = [mail for mail in mails if mail["To"] == "bill@example.org"]
    assert "frode@" not in mail.as_string().lower()
    token = find_mailbox(reply_address(mail)).token
    assert token is not None and (token.kind, token.user_id) == ("message", duel.bung.user_id)


def test_a_signed_address_in_a_quoted_report_is_struck_out(duel: MailedDuel):
    duel.world.order(duel.battle, duel.froodal, "W/P")
    duel.world.order(duel.battle, duel.bung, "P/S")
    report = next(mail for mail in duel.world.new_mails() if mail["To"] == "frode@example.org")
    text = f"{FRODE}MESSAGE Froodal Bung\n> Reply-To: {reply_address(report)}\nlook\nEND MESSAGE"
    told = [mail for mail in duel.world.send(text, sender="frode@example.org") if mail["To"] == "bill@example.org"]
    assert reply_address(report) not in told[0].as_string() and "*****" in body(told[0])


def test_players_texts_break_neither_header_nor_html(duel: MailedDuel):
    evil = "<script>alert(1)</script>\nBcc: all@example.org\n<img src=x>"
    mails = duel.world.send(f"{FRODE}MESSAGE Froodal Bung\n{evil}\nEND MESSAGE", sender="frode@example.org")
    [mail] = [mail for mail in mails if mail["To"] == "bill@example.org"]
    assert mail["Bcc"] is None
    assert "<script>" not in body(mail, "html") and "&lt;script&gt;" in body(mail, "html")
    assert "<script>" in body(mail)


def test_the_text_of_a_misspelt_message_is_no_order(duel: MailedDuel):
    answer = duel.world.ask(
        f"{FRODE}MESAGE Froodal bung\nREGISTER Gandalf\nEND MESSAGE\nmessage Froodal bung\nHi\nEND MESSAGE"
    )
    assert "(line 3 is not read: the text of MESSAGE, which is rejected)" in answer
    assert "1 line is rejected." in answer and "Your message goes to Bung." in answer and "Gandalf is" not in answer


@pytest.mark.parametrize("who", ["the reader", "the writer"])
def test_a_block_ends_messages_both_ways_and_the_answer_says_so(duel: MailedDuel, who: str):
    pair = (duel.bung.user, duel.froodal.user) if who == "the reader" else (duel.froodal.user, duel.bung.user)
    block_user(user=pair[0], blocked=pair[1], now=duel.world.now)
    answer = duel.world.ask(f"{FRODE}MESSAGE Froodal Bung\nhello\nEND MESSAGE")
    told = "there is a block between you" if who == "the reader" else "You have blocked Bill."
    assert told in " ".join(answer.split()) and "goes to" not in answer
    assert not Notice.objects.filter(kind="message").exists()


def test_a_message_that_is_too_long_comes_back_whole_with_the_reason(duel: MailedDuel):
    rows = [f"{number:04} and so it went on, turn after turn." for number in range(50)]
    answer = duel.world.ask(FRODE + "MESSAGE Froodal Bung\n" + "\n".join(rows) + "\nEND MESSAGE")
    assert "Shorten it to 2000." in answer and "We have sent nothing. You wrote:" in answer
    assert [row for row in rows if f"  | {row}" not in answer] == []
    assert not Notice.objects.filter(kind="message").exists()


def test_one_of_several_who_cannot_be_reached_is_named_with_the_reason(duel: MailedDuel):
    duel.world.mage("Crom", duel.world.user("Carl"))
    block_user(user=duel.bung.user, blocked=duel.froodal.user, now=duel.world.now)
    answer = duel.world.ask(f"{FRODE}MESSAGE Froodal Bung Crom\nhello\nEND MESSAGE")
    assert "Your message goes to Crom." in answer and "You cannot write to Bill" in answer


def test_five_strangers_a_day_by_email_too_and_people_one_has_fought_are_none(duel: MailedDuel):
    names = [f"Mage{letter}" for letter in "abcdef"]
    for name in names:
        duel.world.mage(name, duel.world.user(f"{name}_user"))
    answer = duel.world.ask(f"{FRODE}MESSAGE Froodal {' '.join(names)} Bung\nhello\nEND MESSAGE")
    assert "goes to Magea, Mageb, Magec, Maged, Magee and Bung" in " ".join(answer.split())
    assert "to 5 people today whom you have never fought" in " ".join(answer.split())
    assert Notice.objects.filter(kind="message").count() == 6


def test_a_reply_address_writes_to_nobody(duel: MailedDuel):
    duel.world.order(duel.battle, duel.froodal, "W/P")
    duel.world.order(duel.battle, duel.bung, "P/S")
    report = next(mail for mail in duel.world.new_mails() if mail["To"] == "frode@example.org")
    text = "MESSAGE Froodal Bung\nhello\nEND MESSAGE\nRESEND\nQUIT\nVACATION 3\nCHANGEUSER Osse"
    answer = duel.world.ask(text, sender="frode@example.org", to=reply_address(report))
    assert answer.count("needs a USER line") == 5
    assert not Notice.objects.filter(kind="message").exists()


def test_nobody_writes_to_very_many_in_a_day(duel: MailedDuel):
    for number in range(4):
        text = "".join(f"MESSAGE Froodal Bung\nhello {number} {n}\nEND MESSAGE\n" for n in range(20))
        answer = duel.world.ask(FRODE + text)
    assert answer.count("You have written 60 messages today.") == 20
    assert Notice.objects.filter(kind="message").count() == 60


def test_the_same_email_again_notifies_nobody_twice(duel: MailedDuel):
    raw = write_mail(f"{FRODE}ANNOUNCE {duel.number}\nhello\nEND ANNOUNCE", sender="frode@example.org")
    for _ in range(3):
        duel.world.send(raw, sender="frode@example.org")
    assert Notice.objects.filter(kind="announcement").count() == 2


def test_janitors_announce_where_they_do_not_fight_once_their_address_agrees(duel: MailedDuel):
    terje = duel.world.user("Terje")
    asked = f"USER Terje {PASSWORD}\nANNOUNCE {duel.number}\nWe are back.\nEND ANNOUNCE"
    User.objects.filter(pk=terje.pk).update(is_staff=True)
    terje.groups.set([Group.objects.get_or_create(name=READ_ONLY_JANITORS)[0]])
    assert "You have no mage" in duel.world.ask(asked)
    terje.groups.set([Group.objects.get_or_create(name=JANITORS)[0]])
    [question] = duel.world.send(asked, sender="mallory@example.net")
    assert question["To"] == "terje@example.org" and "CONFIRM" in body(question)
    assert not Notice.objects.filter(kind="announcement").exists()
    to = reply_address(question)
    assert "from the address that was asked" in duel.world.ask("CONFIRM", sender="mallory@example.net", to=to)
    duel.world.send("CONFIRM", sender="terje@example.org", to=to)
    assert Notice.objects.filter(kind="announcement").count() == 2


# --- RESEND ----------------------------------------------------------------------------------------------------------


def resent(world: MailWorld, name: str, count: int = 10) -> str:
    mails = world.send(f"USER {name} {PASSWORD}\nRESEND {count}")
    return "\n".join(body(mail) for mail in mails if str(mail["Subject"]).startswith("Copy of"))


def play(duel: MailedDuel) -> None:
    """A turn on the site, which both are mailed."""
    duel.world.order(duel.battle, duel.froodal, "W/P")
    duel.world.order(duel.battle, duel.bung, "P/S")
    assert len(duel.world.new_mails()) == 2


def test_resend_sends_users_only_their_own_emails(duel: MailedDuel):
    play(duel)
    duel.world.ask(f"{FRODE}SHOW {duel.number}", sender="frode@example.org")
    duel.world.ask(f"USER Bill {PASSWORD}\nGAME {duel.number} Bung\nP/S", sender="bill@example.org")
    again = resent(duel.world, "Frode")
    assert "Duel Status for Froodal" in again and "USER Frode *****" in again
    assert "Bill *****" not in again and "Status for Bung" not in again and "LH P" not in again


def test_emails_with_codes_are_neither_stored_nor_sent_again(world: MailWorld):
    world.user("Wil")
    world.send(f"USER Wil {PASSWORD}\nPASSWORD four-grey-herons")
    assert "CONFIRM" not in resent(world, "Wil")
    assert not Delivery.objects.filter(text__contains="CONFIRM").exists()


def test_copies_go_after_a_month(duel: MailedDuel):
    play(duel)
    kept = Delivery.objects.exclude(text="", web_text="")
    assert kept.exclude(address="").count() == 2
    prune_copies(now=duel.world.now + timedelta(days=31))
    assert not kept.exists() and not Delivery.objects.exclude(address="", subject="").exists()
    assert "We have no copies of emails to you." in duel.world.ask(f"{FRODE}RESEND")


def test_answers_to_strangers_are_not_sent_again_to_the_user_whose_address_they_are(duel: MailedDuel):
    """FM-ORDINF-21, FM-ORDINF-14."""
    duel.world.ask("SCORES duel", sender="cafe@example.net")
    duel.world.ask(f"{FRODE}SCORES melee", sender="cafe@example.net")
    again = resent(duel.world, "Frode", 1)
    assert "SCORES melee" in again and "SCORES duel" not in again


def test_only_emails_to_the_present_address_are_sent_again(duel: MailedDuel):
    """FM-ORDINF-14: who moves does not carry along what an old address was sent, and gets what the new one is sent."""
    play(duel)
    user = duel.froodal.user
    user.emailaddress_set.update(email="elsewhere@example.org")
    user.email = "elsewhere@example.org"
    user.save()
    assert "We have no copies of emails to you." in duel.world.ask(f"{FRODE}RESEND", sender="elsewhere@example.org")
    duel.world.order(duel.reload(), duel.froodal, "S/P")
    duel.world.order(duel.battle, duel.bung, "P/S")
    assert {mail["To"] for mail in duel.world.new_mails()} == {"elsewhere@example.org", "bill@example.org"}
    again = resent(duel.world, "Frode")
    assert f"game {duel.number}, turn 3" in again and f"game {duel.number}, turn 2" not in again


def test_a_message_to_unknown_names_is_suggested_without_them(duel: MailedDuel):
    answer = flat(duel.world.ask(f"{FRODE}MESSAGE Froodal Bung Bill Frod Nobodyhere\nhello\nEND MESSAGE"))
    assert "Nobody is called Frod or Nobodyhere." in answer
    assert "Nearest: MESSAGE Froodal Bung Bill Frode (line" in answer


def test_the_answer_says_where_a_text_without_its_own_end_ends(duel: MailedDuel):
    announced = f"{FRODE}ANNOUNCE {duel.number}\nhello all"
    assert "so the text ends at END." in flat(duel.world.ask(f"{announced}\nEND\nGAMES"))
    assert "so the text ends at your signature." in flat(duel.world.ask(f"{announced}\n\n-- \nFrode\nThe Mountain"))
    quoted = f"{announced}\n\nOn Monday, Bill <bill@example.org> wrote:\n> Hello"
    assert "so the text ends where another email is quoted." in flat(duel.world.ask(quoted))
    assert "so the text ends where the email does." in flat(duel.world.ask(announced))


def test_a_bot_writes_only_to_people_who_allow_it_and_to_bots(duel: MailedDuel):
    User.objects.filter(username="Frode").update(is_bot=True)
    order = f"{FRODE}MESSAGE Froodal Bung\nhello\nEND MESSAGE"
    assert "Bill takes no messages from bots." in duel.world.ask(order)
    announced = f"{FRODE}ANNOUNCE {duel.battle.number}\nhello all\nEND ANNOUNCE"
    duel.world.send(announced)
    bill = duel.bung.user
    assert not Notice.objects.filter(user=bill, kind__in=("message", "announcement")).exists()
    set_preference(user=bill, key="bots_write", value="yes")
    assert "Your message goes to Bung" in duel.world.ask(order)
    assert Notice.objects.filter(user=bill, kind="message").count() == 1
    # Another bot need not allow it.
    set_preference(user=bill, key="bots_write", value="no")
    User.objects.filter(pk=bill.pk).update(is_bot=True)
    assert "Your message goes to Bung" in duel.world.ask(order)
