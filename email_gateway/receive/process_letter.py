"""Processes the lines of one email: identifies the user, and gives a verdict for each line."""

import hashlib
from datetime import datetime
from email.message import Message
from email.utils import parseaddr

from django.conf import settings
from django.utils.translation import gettext as _

from accounts.languages import activate_language_of
from accounts.models import User
from email_gateway.addresses import Mailbox, ReplyToken, is_one_address, name_token
from email_gateway.commands import (
    VOCABULARY,
    answer_message,
    answer_room,
    answer_without_orders,
    close_block,
    explain_old_message,
    find_named_user,
    find_old_message,
    has_address,
    is_message_reply,
    is_order,
    is_room_reply,
    note_hidden_orders,
    process_line,
    put_after_end,
    read_subject_line,
)
from email_gateway.compose.account_mail import warn_of_other_sender
from email_gateway.conversation import Answer, Conversation, ConversationState, MailRequest
from email_gateway.deliver.bounces import clear_failures
from email_gateway.errors import OrderRejected
from email_gateway.models import AccountChangeRequest, InboundMail
from email_gateway.receive.read_letter import has_struck_text, has_web_text, read_letter
from email_gateway.selectors import find_named_email, list_emails_answered_at, list_newest_emails
from email_gateway.text import NOTHING, Letter, Line, Printed, find_quote, find_secrets, show_line, split_lines
from email_gateway.text.quotes import find_quoted_email, read_words, strip_marks
from notifications.services.outbox import write_notice


def choose_letter(message: Message, sender: str, mailbox: Mailbox) -> Letter:
    """Read an email. Its plain text counts, unless its HTML crosses something out, or there is no order in the plain
    text and only its HTML has orders: some mail programs write into the plain part only that there is HTML.

    An order that the plain text has too, but as a quotation, a signature or a comment, is not one of those.
    """
    if has_struck_text(message):
        return read_letter(message, is_plain_passed_over=True)
    letter = read_letter(message)
    if letter.source != "plain" or list_orders(letter.text, NOTHING) or not has_web_text(message):
        return letter
    other = read_letter(message, is_plain_passed_over=True)
    token = mailbox.token
    printed = find_printed(other, token, recognise_address(token).owner, sender)
    orders = list_orders(other.text, printed)
    if not orders or list_orders(letter.text, printed):
        return letter
    return letter if any(has_row(letter.text, order) for order in orders) else other


def list_orders(text: str, printed: Printed) -> list[str]:
    """Return the lines of an email that are orders of any kind, valid or not."""
    return [
        line.text
        for line in split_lines(text, printed)
        if not line.is_blank and line.ignored is None and is_order(line.text)
    ]


def has_row(text: str, row: str) -> bool:
    """Return whether a text contains this row: as a line, or, if it has more than one word, anywhere."""
    words = read_words(row)
    lines = [read_words(strip_marks(line)[0]) for line in text.split("\n")]
    return words in lines or (" " in words and f" {words} " in f" {' '.join(lines)} ")


def process_letter(
    letter: Letter,
    sender: str,
    mailbox: Mailbox,
    *,
    stage_mark: int,
    received_at: datetime,
    now: datetime,
    proven_senders: frozenset[str] = frozenset(),
    confirmed_by: int | None = None,
) -> Conversation:
    """Process every line of a letter, accepted at `received_at`, and return the verdict on each.

    Texts are in the site's language until the writer is known, then in theirs. Raises PasswordLocked.
    """
    state = recognise_address(mailbox.token)
    activate_language_of(state.owner)
    printed = find_printed(letter, mailbox.token, state.owner, sender)
    passwords = find_secrets([letter.subject, *letter.text.split("\n")])
    request = MailRequest(
        now,
        received_at,
        stage_mark,
        sender,
        letter,
        mailbox.token,
        printed,
        frozenset(passwords),
        proven_senders=proven_senders,
        confirmed_by=confirmed_by,
    )
    subject = read_subject_line(letter.subject)
    lines = state.lines = [*([Line(0, subject)] if subject else []), *split_lines(letter.text, printed)]
    talk = Conversation(request, state, Answer(VOCABULARY))
    if state.user is not None:
        record_sender(talk, state.user)
    if is_message_reply(talk):
        answer_message(talk)
        return talk
    if is_room_reply(talk):
        answer_room(talk)
        return talk
    old = find_old_message(talk)
    if old is not None:
        explain_old_message(talk, old)
        return talk
    if contradicts_address(talk):
        reject_contradiction(talk)
        return talk
    for line in lines:
        if line.is_blank or (line.number and line.number <= state.taken_to):
            continue
        if line.ignored:
            talk.ignore(line.number, str(line.ignored.label))
        elif state.ended:
            put_after_end(talk, line)
        else:
            state.line_number = line.number
            process_line(talk, line)
    answer_without_orders(talk)
    close_block(talk)
    note_hidden_orders(talk)
    if state.user is not None and state.proof == "mail password" and has_address(state.user, sender):
        clear_failures(user=state.user, now=now)
    state.echoes.sort(key=lambda echo: echo.number)
    return talk


def contradicts_address(talk: Conversation) -> bool:
    """Return whether a USER line contradicts the reply address, so that it is not clear who gives these orders."""
    if talk.state.owner is None:
        return False
    known = talk.state.owner.username.casefold()
    return any(
        (name := find_named_user(line.text)) is not None and name.casefold() != known
        for line in list_written_lines(talk)
    )


def reject_contradiction(talk: Conversation) -> None:
    """Reject every line of an email whose USER line and reply address name two users."""
    rejection = OrderRejected(_("This reply address belongs to another user."), clause="FM-ORDUSR-2")
    other = OrderRejected(_("Not processed: the USER line and the reply address name different users."))
    for line in list_written_lines(talk):
        is_user = find_named_user(line.text) is not None
        talk.reject(line, show_line(line.text), rejection if is_user else other)
    message = _(
        "We processed none of these orders. Reply to an email that was sent to you, or write to %(address)s with "
        "your USER line."
    )
    talk.answer.results.append(message % {"address": f"fm@{settings.FM_MAIL_DOMAIN}"})


def list_written_lines(talk: Conversation) -> list[Line]:
    """Return the lines that the user wrote in this email: neither blank nor quoted."""
    return [line for line in talk.state.lines if not line.is_blank and line.ignored is None]


def find_printed(letter: Letter, token: ReplyToken | None, owner: User | None, sender: str) -> Printed:
    """Return our own text that this letter may quote: that of the email which has most of the quoted lines.

    The email that it names is the first of equals, but a pasted quote may be from another one. If no email has enough
    of the lines, they may be from the named one or any with its reply address, unless we keep no copy of the named one.
    """
    name, address = parseaddr(settings.DEFAULT_FROM_EMAIL)
    names = tuple(one.casefold() for one in (name, address, settings.FM_MAIL_DOMAIN) if one)
    named = find_named_email(message_ids=letter.references)
    answered = list_emails_answered_at(user=owner, reply_key=name_token(token)) if token and owner else []
    emails = answered if named is None else [named] if named else []
    rows = letter.text.split("\n")
    if find_quote(rows, NOTHING) is not None:
        quoted = find_quoted_email(rows, [*emails, *answered, *list_newest_emails(user=owner, address=sender)])
        emails = [quoted] if quoted else [named, *answered] if named else emails
    return Printed(tuple(dict.fromkeys(text for email in emails for text in email)), names)


def recognise_address(token: ReplyToken | None) -> ConversationState:
    """Return the state of a conversation at this reply address, with its owner. One that confirms a NEWUSER has none
    yet."""
    if token is None or token.kind == "newuser":
        return ConversationState()
    if token.kind == "held":
        return ConversationState(owner=User.objects.filter(pk=token.numbers[0], is_active=True).first())
    if token.kind == "change":
        return ConversationState(owner=find_change_owner(token))
    user = User.objects.filter(pk=token.numbers[0], is_active=True).first()
    return ConversationState(owner=user, user=user, proof="reply address" if user else None)


def find_change_owner(token: ReplyToken) -> User | None:
    """Return the user whose change this confirms; None for the new address, which gets its own answer."""
    request_id, step = token.numbers
    request = AccountChangeRequest.objects.select_related("user").filter(pk=request_id).first()
    return request.user if request is not None and step == 0 else None


def record_sender(talk: Conversation, user: User) -> None:
    """Warn in the answer about an address that is not the owner's; an email from their own clears delivery failures."""
    if has_address(user, talk.request.sender):
        clear_failures(user=user, now=talk.request.now)
    else:
        talk.state.elsewhere = talk.request.sender if is_one_address(talk.request.sender) else ""
        kind = talk.request.token.kind if talk.request.token is not None else "turn"
        talk.answer.results.append(warn_of_other_sender(talk.state.elsewhere, kind=kind))


def notify_owner(mail: InboundMail, talk: Conversation, now: datetime) -> None:
    """Notify the owner of the reply address of an email whose answer is not sent."""
    assert talk.state.owner is not None and talk.request.token is not None
    mark = hashlib.sha256(f"{talk.request.token} {talk.request.sender}".encode()).hexdigest()[:20]
    write_notice(
        key=f"reply_address_elsewhere:{talk.state.owner.pk}:{mark}",
        user=talk.state.owner,
        kind="reply_address_elsewhere",
        facts={"sender": talk.state.elsewhere, "mail": mail.pk},
        now=now,
    )
