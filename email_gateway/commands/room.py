"""Replies to emails of the lobby's room: their words are a line in it."""

from django.utils.translation import gettext as _

from challenges.errors import RoomRefused
from challenges.models import RoomLine
from challenges.services.room import write_line
from email_gateway.addresses import make_room_address
from email_gateway.commands.message_replies import has_orders, read_whole_words
from email_gateway.compose.parts import stop_mails
from email_gateway.conversation import Conversation
from email_gateway.text.layout import quote

# A reply that begins with it has orders for us; one that is only this word stops the emails.
ORDERS = ("MESSAGE", "ANNOUNCE", "NOTICES")
STOP = "unsubscribe"


def is_room_reply(talk: Conversation) -> bool:
    """Return whether this email is a reply to an email of the room. One with a USER line and a mail password, or that
    begins with an order such as NOTICES, is read as orders: nobody must ever read a password in the room."""
    return talk.get_token("room") is not None and talk.state.user is not None and not has_orders(talk, ORDERS)


def answer_room(talk: Conversation) -> None:
    """Write the words of a reply as one line. Its writer gets back, whole and with the reason, whatever is no line; the
    rules are those of the page."""
    token, user, request = talk.get_token("room"), talk.state.user, talk.request
    assert token is not None and user is not None
    talk.state.is_to_room = True
    # A reply to the answer is a line too, for instance a shorter one.
    talk.answer.reply_to = make_room_address(user_id=user.pk, line=token.about)
    text = talk.cover_secrets(read_whole_words(talk))
    if text.strip(" .").casefold() == STOP:
        stop_mails(user=user, what="mail_talk")
        talk.answer.results.append(
            _("You no longer get the talk in the lobby by email. NOTICES TALK EMAIL ON brings it back.")
        )
        return
    letter = request.letter
    try:
        line = write_line(
            writer=user,
            text=text,
            via=RoomLine.Via.MAIL,
            once=letter.message_id or f"{letter.date} {letter.subject}",
            now=request.now,
        )
    except RoomRefused as refusal:
        talk.answer.results.append(f"{refusal} " + _("We have not written it in the lobby."))
        if text:
            talk.answer.results.append(quote(text))
        return
    talk.answer.results += [_("Your line is in the lobby, where everyone can read it:"), quote(line.text)]
