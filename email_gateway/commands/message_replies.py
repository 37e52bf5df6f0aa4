"""Replies to messages of other players: their reply address says who gets the words."""

from collections.abc import Collection, Iterable

from django.utils.translation import gettext as _

from accounts.languages import activate_language_of
from accounts.models import Name, User
from accounts.selectors.names import find_mage, find_owner, find_user
from email_gateway.commands.messages import give_back
from email_gateway.commands.relay_messages import relay_message
from email_gateway.commands.users import has_address, split_credentials
from email_gateway.compose.site_mail import list_mages_in, name_writer, write_reply_address
from email_gateway.conversation import Conversation
from email_gateway.errors import OrderRejected
from email_gateway.selectors import find_answered_message
from email_gateway.text.layout import quote
from email_gateway.text.lines import COMMENT, MARKED, QUOTED, TOO_LATE, Line
from notifications.models import Notice

# A reply that begins with one of these has orders for us, in the form for an email to nobody in particular.
ORDERS = ("MESSAGE", "ANNOUNCE")


def is_message_reply(talk: Conversation) -> bool:
    """Return whether this email is a player's reply to a message. One with a USER line and a mail password, or with
    MESSAGE, is read as orders: another player must never see a password."""
    return talk.get_token("message") is not None and talk.state.user is not None and not begins_with_orders(talk)


def begins_with_orders(talk: Conversation, orders: Collection[str] = ORDERS) -> bool:
    """Return whether an email with words for other players begins with one of these orders, or has a USER line and a
    mail password."""
    lines = [line.text for line in talk.state.lines if line.number and is_own(line) and line.text]
    return bool(lines) and (lines[0].split()[0].upper() in orders or any(map(gives_password, lines)))


def find_old_message(talk: Conversation) -> Notice | None:
    """Return the message that this email answers at our common address, because the message was sent before there were
    reply addresses for it; None if it has orders, or does not come from the address of the message's reader."""
    if talk.request.token is not None or talk.state.user is not None:
        return None
    if begins_with_orders(talk):
        return None
    message = find_answered_message(message_ids=talk.request.letter.references)
    return message if message is not None and has_address(message.user, talk.request.sender) else None


def explain_old_message(talk: Conversation, message: Notice) -> None:
    """Tell the reader of an old message that their words went nowhere, and let a reply to this answer send them."""
    user, facts = message.user, message.facts
    talk.state.owner = user
    activate_language_of(user)
    writer = name_writer(facts)
    named = list(facts["named"]) if message.kind == "message" else list_mages_in(facts["battles"], user)
    talk.state.message_to = writer
    talk.answer.reply_to = write_reply_address(user, writer, named)
    if not talk.answer.reply_to:
        gone = [_("The player who wrote this message has left."), _("We have sent nothing.")]
        talk.answer.results.append(" ".join(gone))
        return
    words = _(
        "You have answered a message from %(name)s that has no reply address of its own, so we don't know whether you "
        "wrote this, and have sent nothing. If you reply to this email with your words above the quote, they go to "
        "%(name)s. You wrote:"
    )
    talk.answer.results.append(words % {"name": writer})
    text = talk.cover_secrets(read_own_words(talk))
    if text:
        talk.answer.results.append(quote(text))


def gives_password(line: str) -> bool:
    """Return whether this is a USER line with the name of a user and one word after it."""
    first, _space, rest = line.partition(" ")
    name, password = split_credentials(rest)
    return first.upper() == "USER" and len(password.split()) == 1 and find_user(name.rstrip(",")) is not None


def answer_message(talk: Conversation) -> None:
    """Send the words of a reply to the writer of the message. Blocks, settings and limits are those of MESSAGE."""
    token, user = talk.get_token("message"), talk.state.user
    assert token is not None and user is not None
    _user, writer_id, mage_id = token.numbers
    name = Name.objects.select_related("owner").filter(pk=writer_id).first()
    talk.state.message_to = name.written if name is not None else ""
    text = talk.cover_secrets(read_own_words(talk))
    try:
        talk.check_hold("MESSAGE", user)
        writer = find_recipient(name)
        if not text:
            raise OrderRejected(_("There are no words of yours above the quoted email."))
        mage = find_mage_written_to(user, mage_id)
        readers = {writer.username: writer}
        talk.answer.results += relay_message(writer=user, readers=readers, text=text, mage=mage, now=talk.request.now)
        talk.answer.results.append(quote(text))
    except OrderRejected as rejection:
        talk.answer.results += [rejection.reason, *(give_back(text) if text else [_("We have sent nothing.")])]


def find_recipient(name: Name | None) -> User:
    """Return who now has the name that signed a message. Raises OrderRejected if they have left."""
    owner = (find_owner(name.written) or name.owner) if name is not None else None
    if owner is None or not owner.is_active:
        raise OrderRejected(_("The player who wrote this message has left."))
    return owner


def find_mage_written_to(user: User, name_id: int) -> str:
    """Return the name of the user's mage that the message was for, "" if it was for none."""
    written = Name.objects.filter(pk=name_id).values_list("written", flat=True).first()
    mage = find_mage(written) if written else None
    return mage.name if mage is not None and mage.user_id == user.pk else ""


def read_own_words(talk: Conversation) -> str:
    """Return what the writer of this email wrote, as they wrote it: without quotes, attributions and signature."""
    rows: list[str] = []
    for line in talk.state.lines:
        if line.ignored == QUOTED:
            drop_attribution(rows, talk.request.printed.names)
        elif line.number and is_own(line):
            row = talk.request.rows[line.number - 1].rstrip()
            if row or (rows and rows[-1]):
                rows.append(row)
    return "\n".join(rows).strip("\n")


def read_whole_words(talk: Conversation) -> str:
    """Like `read_own_words`, with the lines below those that are read of a very long email: nothing is cut."""
    lines = [line for line in talk.state.lines if not line.is_blank]
    is_cut = len(lines) > 1 and lines[-1].ignored == TOO_LATE and is_own(lines[-2])
    rest = talk.request.rows[lines[-1].number - 1 :] if is_cut else []
    return "\n".join([read_own_words(talk), *rest]).strip("\n")


def drop_attribution(rows: list[str], names: Iterable[str]) -> None:
    """Remove the last paragraph, above a quote, if it names us as the writer of what follows. Mail programs break it
    into any number of rows."""
    while rows and not rows[-1]:
        rows.pop()
    start = next((place for place in range(len(rows), 0, -1) if not rows[place - 1]), 0)
    paragraph = " ".join(rows[start:]).casefold()
    if paragraph.endswith((":", "：")) and any(name in paragraph for name in names):
        del rows[start:]
    elif rows:
        rows.append("")


def is_own(line: Line) -> bool:
    return line.ignored in (None, COMMENT, MARKED)
