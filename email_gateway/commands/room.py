"""The lobby's room by email: LOBBY, and replies to its emails, whose words are a line in it."""

from django.utils.translation import gettext as _

from accounts.models import User
from challenges.errors import RoomRefused
from challenges.models import RoomLine
from challenges.selectors.room import read_room
from challenges.services.room import write_line
from email_gateway.addresses import make_room_address
from email_gateway.commands.message_replies import begins_with_orders, read_whole_words
from email_gateway.commands.messages import take_text
from email_gateway.compose.parts import stop_mails
from email_gateway.compose.room_mail import write_heading
from email_gateway.conversation import Conversation
from email_gateway.errors import OrderRejected
from email_gateway.text.layout import quote, wrap
from notifications.selectors.notices import zone_of

# A reply that begins with it has orders for us; one that is only this word stops the emails.
ORDERS = ("MESSAGE", "ANNOUNCE", "NOTICES")
STOP = "unsubscribe"
# How many lines LOBBY sends.
MOST_LINES = 20


def is_room_reply(talk: Conversation) -> bool:
    """Return whether this email is a reply to an email of the room. One with a USER line and a mail password, or that
    begins with an order such as NOTICES, is read as orders: nobody must ever read a password in the room."""
    return talk.get_token("room") is not None and talk.state.user is not None and not begins_with_orders(talk, ORDERS)


def answer_room(talk: Conversation) -> None:
    """Write the words of a reply as one line. Its writer gets back, whole and with the reason, whatever is no line; the
    rules are those of the page."""
    token, user = talk.get_token("room"), talk.state.user
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
    try:
        talk.answer.results += say_in_lobby(talk, user, text)
    except OrderRejected as rejection:
        talk.answer.results.insert(0, rejection.reason)


def handle_lobby(talk: Conversation, rest: str) -> list[str]:
    """LOBBY: send the latest lines. LOBBY SAY, text, END LOBBY: write one."""
    if not rest:
        reader = talk.require_user("LOBBY")
        talk.report("lobby", lambda: write_latest(reader, talk))
        return []
    if rest.upper() != "SAY":
        raise OrderRejected(_("LOBBY takes nothing, or SAY and your words below it."), nearest="LOBBY SAY")
    text, unended = take_text(talk, "LOBBY")
    return [*say_in_lobby(talk, talk.require_user("LOBBY"), text), *unended]


def say_in_lobby(talk: Conversation, user: User, text: str) -> list[str]:
    """Write a text as one line; return the sentences that confirm it. Raises OrderRejected with the reason; the answer
    then has the whole text."""
    letter = talk.request.letter
    mark = letter.message_id or f"{letter.date} {letter.subject}"
    try:
        line = write_line(
            writer=user,
            text=text,
            via=RoomLine.Via.MAIL,
            once=f"{mark} {talk.state.line_number}",
            now=talk.request.now,
        )
    except RoomRefused as refusal:
        if text:
            talk.answer.results.append(quote(text))
        raise OrderRejected(f"{refusal} " + _("We have not written it in the lobby.")) from refusal
    return [_("Your line is in the lobby, where everyone can read it:"), quote(line.text)]


def write_latest(reader: User, talk: Conversation) -> str:
    """Return the latest lines of the room as this user sees them."""
    lines = read_room(reader=reader, now=talk.request.now).lines[-MOST_LINES:]
    zone = zone_of(reader)
    said = [f"{write_heading(line.writer, line.at, zone)}\n{wrap(quote(line.text))}" for line in lines]
    return "\n\n".join([_("The lobby:"), *said]) if said else _("Nobody has written anything in the lobby yet.")
