"""Messages of other players are answered with Reply: the words go to their writer, and only the words."""

import re
from email.message import EmailMessage

import pytest

from accounts.models import Sanction, User
from accounts.services.hold import mark_held
from accounts.services.ties import block_user
from email_gateway.compose.digest import compose_digest
from email_gateway.compose.site_mail import compose_message
from email_gateway.models import InboundMail
from notifications.models import Notice
from notifications.services.preferences import set_preference
from tests.duels.janitors import make_janitor
from tests.email_gateway.conftest import MailedDuel
from tests.email_gateway.replies import LANGUAGES, STYLES
from tests.email_gateway.world import PASSWORD, body, reply_address, whole_body, write_mail
from tests.services.plugin import LONG

FRODE, BILL = "frode@example.org", "bill@example.org"
WORDS = "Thanks, you too!\n\n* your Goblin scared me\n(a little)"


def to(mails: list[EmailMessage], address: str) -> list[EmailMessage]:
    return [mail for mail in mails if mail["To"] == address]


def write(duel: MailedDuel, *, to_names: str = "Bung", text: str = "Good luck!") -> EmailMessage:
    """Froodal's owner writes; return the email that Bill gets."""
    mails = duel.world.send(f"USER Frode {PASSWORD}\nMESSAGE Froodal {to_names}\n{text}\nEND MESSAGE", sender=FRODE)
    [mail] = to(mails, BILL)
    return mail


def reply(duel: MailedDuel, mail: EmailMessage, text: str, *, sender: str = BILL, **headers: str) -> list[EmailMessage]:
    names = {"References": str(mail["Message-ID"]), "In_Reply_To": str(mail["Message-ID"]), **headers}
    raw = write_mail(text, sender=sender, subject=f"Re: {mail['Subject']}", **names)
    return duel.world.send(raw, sender=sender, to=reply_address(mail))


def said(mail: EmailMessage) -> str:
    """The other player's words in an email."""
    rows = re.findall(r"^  \|(.*)$", body(mail), re.M)
    return "\n".join(row.removeprefix(" ") for row in rows)


def test_a_reply_reaches_the_writer_and_can_be_answered_in_turn(duel: MailedDuel):
    mails = reply(duel, write(duel), "Thanks, you too!\n\nOn Sunday, Firetop Mountain wrote:\n> Good luck!\n")
    [told], [confirmed] = to(mails, FRODE), to(mails, BILL)
    assert (told["Subject"], said(told)) == ("A message from Bill", "Thanks, you too!")
    assert "Your message goes to Frode." in body(confirmed) and said(confirmed) == "Thanks, you too!"
    assert "NEWUSER" not in body(confirmed) and confirmed["Subject"] == "Your message to Frode"
    [back] = to(reply(duel, told, "Well met.", sender=FRODE), BILL)
    assert (back["Subject"], said(back)) == ("A message from Frode", "Well met.")


@pytest.mark.parametrize("style", STYLES)
def test_only_the_writers_own_words_are_sent_however_a_program_quotes(duel: MailedDuel, style: str):
    mail = write(duel)
    # Other languages' footers of phones are sent along.
    for language in LANGUAGES[:4] if style == "iphone" else LANGUAGES[:: 7 if LONG else 14]:
        raw = STYLES[style](WORDS, whole_body(mail).rstrip(), language)
        [told] = to(reply(duel, mail, raw), FRODE)
        assert said(told) == WORDS, language.code


def test_a_signature_and_a_phones_footer_are_not_sent(duel: MailedDuel):
    mail = write(duel)
    for end in ("\n-- \nBill, 5 Main Street", "\nSent from my iPhone"):
        [told] = to(reply(duel, mail, f"Well met.\n{end}"), FRODE)
        assert said(told) == "Well met."


def test_a_reply_to_a_message_from_before_its_reply_addresses_is_explained_and_a_reply_to_that_arrives(
    duel: MailedDuel,
):
    mail = write(duel)
    names = {"In_Reply_To": str(mail["Message-ID"]), "References": str(mail["Message-ID"])}
    raw = write_mail("Thanks, you too!\n\n> Good luck!\n", sender=BILL, subject=f"Re: {mail['Subject']}", **names)
    [answer] = duel.world.send(raw, sender=BILL)
    words = " ".join(body(answer).split())
    assert answer["To"] == BILL and answer["Subject"] == "Your message to Frode"
    assert "have sent nothing" in words and "they go to Frode" in words and said(answer) == "Thanks, you too!"
    assert "NEWUSER" not in words and Notice.objects.filter(kind="message").count() == 1
    mails = reply(duel, answer, f"Well met.\n\nFiretop Mountain wrote:\n> {words[:60]}\n")
    [told] = to(mails, FRODE)
    assert said(told) == "Well met."


def test_an_old_messages_writer_is_named_to_its_reader_alone(duel: MailedDuel):
    mail = write(duel)
    raw = write_mail("Who is it?\n", sender="eve@example.org", References=str(mail["Message-ID"]))
    answers = duel.world.send(raw, sender="eve@example.org")
    assert answers
    for told in answers:
        assert "Froodal" not in body(told) and told["To"] == "eve@example.org"


def test_orders_in_a_reply_to_an_old_message_are_still_orders(duel: MailedDuel):
    mail = write(duel)
    text = f"USER Bill {PASSWORD}\nGAMES\n"
    raw = write_mail(text, sender=BILL, References=str(mail["Message-ID"]))
    [answer] = duel.world.send(raw, sender=BILL)
    assert "sent nothing" not in body(answer)


def test_a_reply_without_words_sends_nothing_and_says_so(duel: MailedDuel):
    mail = write(duel)
    [answer] = reply(duel, mail, "On Sunday, Firetop Mountain wrote:\n> Good luck!\n")
    assert answer["To"] == BILL and "We have sent nothing." in " ".join(body(answer).split())
    assert Notice.objects.filter(kind="message").count() == 1


def test_a_reply_that_looks_like_orders_is_still_a_message(duel: MailedDuel):
    [told] = to(reply(duel, write(duel), "RETIRE Bung\nQUIT\nLH W"), FRODE)
    assert said(told) == "RETIRE Bung\nQUIT\nLH W"
    assert User.objects.get(username="Bill").is_active and not duel.bung.died_at


def test_a_password_in_a_reply_is_never_sent_to_the_other_player(duel: MailedDuel):
    mail = write(duel)
    orders = f"USER Bill {PASSWORD}\nMESSAGE Bung Froodal\nWell met.\nEND MESSAGE"
    [told] = to(reply(duel, mail, orders), FRODE)
    assert said(told) == "Well met."
    [told] = to(reply(duel, mail, f"My lines were:\nPASSWORD {PASSWORD}"), FRODE)
    assert PASSWORD not in told.as_string()
    assert to(reply(duel, mail, f"MESSAGE Bung Froodal\nUSER Bill {PASSWORD}\nEND MESSAGE"), FRODE) == []


def test_a_sentence_about_users_is_no_user_line(duel: MailedDuel):
    [told] = to(reply(duel, write(duel), "User interfaces of 1996 were like that."), FRODE)
    assert said(told) == "User interfaces of 1996 were like that."


def test_a_user_may_write_under_their_own_name(duel: MailedDuel):
    text = f"USER Frode {PASSWORD}\nMESSAGE Frode Bill\nGood luck!\nEND MESSAGE"
    [mail] = to(duel.world.send(text, sender=FRODE), BILL)
    assert said(mail) == "Good luck!" and "Frode, who plays Froodal, writes to Bill:" in " ".join(body(mail).split())


def test_a_block_holds_for_replies_too_and_the_answer_says_so_and_gives_the_words_back(duel: MailedDuel):
    mail = write(duel)
    block_user(user=duel.froodal.user, blocked=duel.bung.user, now=duel.world.now)
    mails = reply(duel, mail, "Well met.")
    assert to(mails, FRODE) == [] and "You cannot write to Frode: there is a block between you." in body(mails[0])
    assert said(mails[0]) == "Well met."


def test_users_who_want_no_emails_of_messages_read_replies_in_their_inbox(duel: MailedDuel):
    mail = write(duel)
    set_preference(user=duel.froodal.user, key="mail_messages", value="no")
    mails = reply(duel, mail, "Well met.")
    assert to(mails, FRODE) == [] and "Your message goes to Frode." in body(mails[0])
    message = duel.froodal.user.messages_got.get()
    assert (message.text, message.channel, message.is_unread) == ("Well met.", "email", True)


def test_a_reply_that_is_too_long_comes_back_whole_with_the_reason(duel: MailedDuel):
    text = "\n".join(f"{number:04} and so it went on, turn after turn." for number in range(50))
    mails = reply(duel, write(duel), text)
    words = " ".join(body(mails[0]).split())
    assert to(mails, FRODE) == [] and "Shorten it to 2000. We have sent nothing." in words
    assert said(mails[0]) == text and not duel.froodal.user.messages_got.exists()


def test_replies_count_towards_the_messages_of_a_day(duel: MailedDuel):
    mail = write(duel)
    for number in range(60):
        assert to(reply(duel, mail, f"Well met {number}."), FRODE)
    mails = reply(duel, mail, "One more.")
    assert to(mails, FRODE) == [] and "You have written 60 messages today." in " ".join(body(mails[0]).split())


def test_a_suspended_user_sends_no_replies_and_no_message(duel: MailedDuel):
    mail = write(duel)
    bill = duel.bung.user
    janitor = make_janitor()
    Sanction.objects.create(user=bill, reason="Enough", imposed_by=janitor, starts_at=duel.world.now)
    mark_held(user=bill)
    mails = reply(duel, mail, "Well met.")
    assert to(mails, FRODE) == [] and "You are suspended" in " ".join(body(mails[0]).split())
    assert said(mails[0]) == "Well met."
    orders = f"USER Bill {PASSWORD}\nMESSAGE Bung Froodal\nWell met.\nEND MESSAGE"
    assert to(duel.world.send(orders, sender=BILL), FRODE) == []
    assert not bill.messages_written.exists()


@pytest.mark.parametrize(
    "header",
    [
        {"Auto_Submitted": "auto-replied"},
        {"Precedence": "bulk"},
        {"X_Autoreply": "yes"},
        {"List_Id": "<x.example.org>"},
    ],
)
def test_an_answering_machine_writes_to_nobody(duel: MailedDuel, header: dict[str, str]):
    mails = reply(duel, write(duel), "I am away until Monday.", **header)
    assert mails == [] and InboundMail.objects.latest("pk").state == "automatic"


def test_the_same_reply_twice_is_sent_once(duel: MailedDuel):
    mail = write(duel)
    raw = write_mail("Well met.", sender=BILL, subject="Re: A message from Froodal")
    for _ in range(3):
        duel.world.send(raw, sender=BILL, to=reply_address(mail))
    assert Notice.objects.filter(kind="message", user=duel.froodal.user).count() == 1


def test_a_reply_from_another_address_is_sent_and_its_owner_is_warned(duel: MailedDuel):
    mails = reply(duel, write(duel), "Well met.", sender="mallory@example.net")
    [told], [warned] = to(mails, FRODE), to(mails, BILL)
    assert said(told) == "Well met." and "mallory@example.net" in body(warned)
    assert "to write to that player for you." in " ".join(body(warned).split())


def test_a_reply_comes_from_the_mage_that_was_written_to(duel: MailedDuel):
    aaron = duel.world.mage("Aaron", duel.bung.user)
    for names, mage in (("Bung", "Bung"), ("aaron", "Aaron"), ("Bill", "Aaron")):
        [told] = to(reply(duel, write(duel, to_names=names), "Well met."), FRODE)
        assert f"Bill, who plays {mage}, writes to Frode:" in body(told)
    assert aaron.user == duel.bung.user


def test_a_reply_to_an_announcement_goes_to_its_writer_alone(duel: MailedDuel):
    text = f"USER Frode {PASSWORD}\nANNOUNCE {duel.number}\nI am back.\nEND ANNOUNCE"
    [mail] = to(duel.world.send(text, sender=FRODE), BILL)
    mails = reply(duel, mail, "Welcome back.")
    [told] = to(mails, FRODE)
    assert (told["Subject"], said(told)) == ("A message from Bill", "Welcome back.")
    assert Notice.objects.filter(kind="announcement").count() == 2


def test_a_daily_email_with_several_messages_says_how_to_answer_each(duel: MailedDuel):
    facts = {"mage": "Froodal", "named": ["Bung"], "text": "Good luck!"}
    mail = compose_message("message", facts, duel.bung.user)
    digest = compose_digest([mail, mail], count=2, user=duel.bung.user)
    assert digest.reply_to == "" and digest.text.count("MESSAGE <your mage> Froodal") == 2
