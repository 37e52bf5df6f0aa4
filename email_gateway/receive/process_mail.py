"""Processing an email: its effects and its answer are one transaction, so that neither exists without the other."""

import hashlib
import json
import secrets
from datetime import datetime, timedelta
from email.message import Message
from email.utils import parseaddr

import structlog
from django.conf import settings
from django.db import IntegrityError, OperationalError, transaction
from django.db.models import F

from accounts.models import User
from email_gateway.addresses import Mailbox, ReplyToken, find_mailbox, is_one_address, is_own_address, name_reader
from email_gateway.commands import battle
from email_gateway.commands.dispatch import process_line, put_after_end
from email_gateway.commands.subject import read_subject_line
from email_gateway.commands.users import find_named_user, has_address
from email_gateway.commands.vocabulary import VOCABULARY
from email_gateway.compose.account_mail import say_elsewhere
from email_gateway.compose.write_answer import write_answer, write_fault_answer
from email_gateway.conversation import Answer, Asked, Conversation, Done, is_unknown
from email_gateway.deliver.bounces import note_reachable
from email_gateway.deliver.notify_janitors import notify_of_mail_for_janitors, notify_of_stuck_mail
from email_gateway.errors import OrderRejected, UnknownMailbox
from email_gateway.models import AccountChangeRequest, InboundMail
from email_gateway.receive.automatic import find_automatic_reason, is_newsletter, list_marks
from email_gateway.receive.delivery_reports import note_report
from email_gateway.receive.intake import Envelope, has_blank_line, unseal_envelope
from email_gateway.receive.parse_mail import parse_mail
from email_gateway.receive.read_letter import read_letter
from email_gateway.scrubbing import scrub_text
from email_gateway.selectors import list_printed_texts
from email_gateway.text.letter import Letter
from email_gateway.text.lines import Line, split_lines
from email_gateway.text.password_lines import find_secrets, show_line
from email_gateway.text.quotes import NOTHING, Printed, find_quote
from email_gateway.wakeups import wake_delivery
from fm_site.notifications.services import write_notice
from fm_site.operations.sealing import InvalidToken

log = structlog.get_logger(__name__)
LEASE = timedelta(minutes=2)
MOST_ATTEMPTS = 5
# How often a mail is tried again at once when another transaction was in its way.
MOST_TRIES = 3
WAITING = (InboundMail.State.RECEIVED, InboundMail.State.CLAIMED)


def claim_inbound(*, mail_id: int, now: datetime) -> InboundMail | None:
    """Return the mail if it waits and nobody else has it; then it is the caller's alone for two minutes."""
    claimed = InboundMail.objects.filter(pk=mail_id, state__in=WAITING, due_at__lte=now).update(
        state=InboundMail.State.CLAIMED, due_at=now + LEASE, attempts=F("attempts") + 1
    )
    return InboundMail.objects.get(pk=mail_id) if claimed else None


def process_mail(*, mail: InboundMail, now: datetime) -> None:
    """Process a claimed email once: one that is processed already is left alone.

    A fault of ours undoes everything the mail did, keeps it sealed and lets it be tried again later; after five times
    it is stuck, with a reference in the log. Nothing of what is in it is logged.
    """
    for last in (False,) * (MOST_TRIES - 1) + (True,):
        try:
            with transaction.atomic():
                process_in_transaction(mail, now)
            break
        except OperationalError as error:
            if last:
                put_off(mail, error, now)
        except Exception as error:  # whatever it is, the mail must not be lost and the worker goes on
            put_off(mail, error, now)
            break
    wake_delivery()


def put_off(mail: InboundMail, error: Exception, now: datetime) -> None:
    """Let a mail that met a fault of ours wait for another try, or be stuck."""
    reference = secrets.token_hex(4)
    stuck = mail.attempts >= MOST_ATTEMPTS
    InboundMail.objects.filter(pk=mail.pk, state=InboundMail.State.CLAIMED).update(
        state=InboundMail.State.STUCK if stuck else InboundMail.State.RECEIVED,
        due_at=now + timedelta(minutes=2**mail.attempts),
        remark=f"fault {reference}",
    )
    # The type alone: the message of an error may repeat what stood in the mail.
    log.error(
        "mail not obeyed",
        mail=mail.pk,
        reference=reference,
        error=type(error).__name__,
        where=find_place(error),
        stuck=stuck,
    )
    if stuck:
        notify_of_fault(mail, reference, now)


def notify_of_fault(mail: InboundMail, reference: str, now: datetime) -> None:
    """Tell the sender that his mail waits, unless a machine sent it, and the janitors; where that fails too, the log
    has to do."""
    try:
        with transaction.atomic():
            envelope = unseal_envelope(bytes(mail.sealed or b""))
            message = parse_mail(envelope.raw)
            if find_silence_reason(message, envelope.mail_from, choose_mailbox(envelope)) is None:
                write_fault_answer(mail=mail, sender=envelope.mail_from, reference=reference, now=now)
            notify_of_stuck_mail(mail=mail, reference=reference, now=now)
    except Exception as failure:
        log.error("nobody told", mail=mail.pk, reference=reference, error=type(failure).__name__)


def find_place(error: BaseException) -> str:
    """Return the file and line where an error was raised."""
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    return f"{trace.tb_frame.f_code.co_filename}:{trace.tb_lineno}" if trace else ""


def process_in_transaction(mail: InboundMail, now: datetime) -> None:
    """Do what the mail says, write its answer, keep its scrubbed copy. All of it or nothing stands afterwards."""
    mine = InboundMail.objects.filter(pk=mail.pk, state=InboundMail.State.CLAIMED, attempts=mail.attempts)
    if not mine.update(processed_at=now) or mail.sealed is None:
        return
    try:
        envelope = unseal_envelope(bytes(mail.sealed))
    except InvalidToken:
        finish(mail, InboundMail.State.PROCESSED, now, remark="sealed under a key that is gone")
        return
    message = parse_mail(envelope.raw)
    mailbox = choose_mailbox(envelope)
    if mailbox.kind == "bounces":
        note_report(message=message, mailbox=mailbox, mail_from=envelope.mail_from, now=now)
    reason = find_silence_reason(message, envelope.mail_from, mailbox, is_vouched_for=mail.is_vouched_for)
    if reason is not None:
        if mailbox.kind == "postmaster" and find_automatic_reason(message, envelope.mail_from) is None:
            notify_of_mail_for_janitors(mail=mail, now=now)
        finish(mail, InboundMail.State.AUTOMATIC, now, remark=reason, scrubbed=keep_copy(message))
        return
    letter = read_letter(message)
    if not note_content(mail, letter, envelope):
        finish(mail, InboundMail.State.COPY, now, remark="its words came in another mail and were obeyed")
        return
    talk = hold_conversation(letter, envelope.mail_from, mailbox, stage_mark=mail.stage_mark, now=now)
    reason = None if mail.is_vouched_for else find_doubt(talk, message, letter)
    if reason is not None:
        finish(mail, InboundMail.State.AUTOMATIC, now, remark=reason, scrubbed=copy_of(letter))
        return
    is_marked = not mail.is_vouched_for and bool(list_marks(message))
    remark = write_answer(mail=mail, talk=talk, now=now, is_marked=is_marked)
    if remark and talk.done.elsewhere is not None:
        notify_owner(mail, talk, now)
    finish(mail, InboundMail.State.PROCESSED, now, remark=remark, scrubbed=copy_of(letter), user=talk.done.owner)


def note_content(mail: InboundMail, letter: Letter, envelope: Envelope) -> bool:
    """Note what the mail says; say whether no other mail of the same Message-ID said it to the same reader before.

    Mail systems may encode a mail anew, wrap it in other parts or write a sender of their own on it: what is
    read stays.
    """
    if not letter.message_id or not has_blank_line(envelope.raw):
        return True
    words = [letter.message_id, letter.date, letter.subject, letter.text.split(), name_reader(envelope.rcpt_tos)]
    key = hashlib.sha256(json.dumps(words).encode()).hexdigest()
    try:
        with transaction.atomic():
            InboundMail.objects.filter(pk=mail.pk).update(content_key=key)
    except IntegrityError:
        return False
    return True


def find_silence_reason(
    message: Message, mail_from: str, mailbox: Mailbox, *, is_vouched_for: bool = False
) -> str | None:
    """Say why this mail is neither obeyed nor answered, or None. A janitor's word counts for more than marks do, but
    nobody is written to where there is nobody."""
    if is_own_address(mail_from):
        return "it came from an address of this server"
    if mailbox.kind == "bounces":
        return "it came to the address for delivery reports"
    if mailbox.kind == "postmaster":
        return "it is for the janitors"
    if is_vouched_for and mail_from:
        return None
    return find_automatic_reason(message, mail_from)


def find_doubt(talk: Conversation, message: Message, letter: Letter) -> str | None:
    """Say why nobody is answered whose mail bears a doubtful mark, or None where its lines show that a person wrote
    it: an order, even one that is refused; in what looks like a newsletter, a user's or that of one to be."""
    marks = list_marks(message)
    if marks and all(map(is_unknown, talk.done.echoes)):
        return marks[0]
    is_somebody = talk.done.owner is not None or talk.answer.confirm_request is not None
    return "it is a newsletter" if not is_somebody and is_newsletter(message, letter.text) else None


def choose_mailbox(envelope: Envelope) -> Mailbox:
    """Return the mailbox that counts: a reply address before the common one."""
    found = []
    for address in envelope.rcpt_tos:
        try:
            found.append(find_mailbox(address))
        except UnknownMailbox:
            continue
    return min(found, key=lambda one: one.token is None, default=Mailbox("orders"))


def hold_conversation(letter: Letter, sender: str, mailbox: Mailbox, *, stage_mark: int, now: datetime) -> Conversation:
    """Process every line of a letter and return what became of each."""
    done = recognise_address(mailbox.token)
    printed = find_printed(letter, mailbox.token, done.owner, sender)
    found = find_secrets([letter.subject, *letter.text.split("\n")])
    asked = Asked(now, stage_mark, sender, letter, mailbox.token, printed, frozenset(found))
    subject = read_subject_line(letter.subject)
    lines = done.lines = [*([Line(0, subject)] if subject else []), *split_lines(letter.text, printed)]
    talk = Conversation(asked, done, Answer(VOCABULARY))
    if done.user is not None:
        note_where_from(talk, done.user)
    if names_another_user(talk):
        stop_contradiction(talk)
        return talk
    for line in lines:
        if line.is_blank or (line.number and line.number <= done.taken_to):
            continue
        if line.ignored:
            talk.ignore(line.number, line.ignored)
        elif done.ended:
            put_after_end(talk, line)
        else:
            done.line_number = line.number
            process_line(talk, line)
    battle.close_block(talk)
    done.echoes.sort(key=lambda echo: echo.number)
    return talk


def names_another_user(talk: Conversation) -> bool:
    """Tell whether a USER line contradicts the reply address: then it is not clear whose orders these are."""
    if talk.done.owner is None:
        return False
    known = talk.done.owner.username.casefold()
    return any(
        (name := find_named_user(line.text)) is not None and name.casefold() != known for line in list_live(talk)
    )


def stop_contradiction(talk: Conversation) -> None:
    """Refuse every line of a mail whose USER line and reply address name two users."""
    refusal = OrderRejected("The reply address of this mail belongs to another user.", clause="FM-ORDUSR-2")
    other = OrderRejected("Not counted: the USER line and the reply address name different users.")
    for line in list_live(talk):
        is_user = find_named_user(line.text) is not None
        talk.reject(line, show_line(line.text), refusal if is_user else other)
    talk.answer.results.append(
        "None of these orders counts. Answer an email that was sent to you, or write to the address "
        f"fm@{settings.FM_MAIL_DOMAIN} with your USER line."
    )


def list_live(talk: Conversation) -> list[Line]:
    return [line for line in talk.done.lines if not line.is_blank and line.ignored is None]


def find_printed(letter: Letter, token: ReplyToken | None, owner: User | None, sender: str) -> Printed:
    """Return what we printed that this letter may quote: nothing for one that neither answers nor quotes anything."""
    name, address = parseaddr(settings.DEFAULT_FROM_EMAIL)
    names = tuple(one.casefold() for one in (name, address, settings.FM_MAIL_DOMAIN) if one)
    if not letter.references and token is None and find_quote(letter.text.split("\n"), NOTHING) is None:
        return Printed(names=names)
    return Printed(tuple(list_printed_texts(message_ids=letter.references, user=owner, address=sender)), names)


def recognise_address(token: ReplyToken | None) -> Done:
    """Find out who owns the reply address that the email came to. One that confirms a NEWUSER is nobody's yet."""
    if token is None or token.kind == "newuser":
        return Done()
    if token.kind == "change":
        return Done(owner=find_change_owner(token))
    user = User.objects.filter(pk=token.numbers[0], is_active=True).first()
    return Done(owner=user, user=user, proof="reply address" if user else None)


def find_change_owner(token: ReplyToken) -> User | None:
    """Return whose change is to be confirmed; nobody we know for the new address, which gets its own answer."""
    request_id, step = token.numbers
    request = AccountChangeRequest.objects.select_related("user").filter(pk=request_id).first()
    return request.user if request is not None and step == 0 else None


def note_where_from(talk: Conversation, user: User) -> None:
    """Tell the owner of the reply address when the mail comes from an address that is not his."""
    if has_address(user, talk.asked.sender):
        note_reachable(user=user, now=talk.asked.now)
    else:
        talk.done.elsewhere = talk.asked.sender if is_one_address(talk.asked.sender) else ""
        talk.answer.results.append(say_elsewhere(talk.done.elsewhere))


def notify_owner(mail: InboundMail, talk: Conversation, now: datetime) -> None:
    """Tell the owner by another way what the answer, which does not go out, would have told."""
    assert talk.done.owner is not None and talk.asked.token is not None
    mark = hashlib.sha256(f"{talk.asked.token} {talk.asked.sender}".encode()).hexdigest()[:20]
    write_notice(
        key=f"reply_address_elsewhere:{talk.done.owner.pk}:{mark}",
        user=talk.done.owner,
        kind="reply_address_elsewhere",
        facts={"sender": talk.done.elsewhere, "mail": mail.pk},
        now=now,
    )


def copy_of(letter: Letter) -> str:
    return scrub_text(f"Subject: {letter.subject}\nFrom: {letter.sender}\nDate: {letter.date}\n\n{letter.text}")


def keep_copy(message: Message) -> str:
    return copy_of(read_letter(message))


def finish(
    mail: InboundMail,
    state: InboundMail.State,
    now: datetime,
    *,
    remark: str,
    scrubbed: str = "",
    user: User | None = None,
) -> None:
    """Drop the sealed mail, unless a machine seems to have written it, and keep its copy."""
    kept = {} if state == InboundMail.State.AUTOMATIC else {"sealed": None}
    InboundMail.objects.filter(pk=mail.pk).update(
        state=state, processed_at=now, remark=remark[:200], scrubbed=scrubbed, user=user, **kept
    )


def release_mail(*, mail: InboundMail, now: datetime) -> None:
    """Let a mail be obeyed that was stuck, or that was taken for a machine's though a person wrote it."""
    waiting = {"state": InboundMail.State.RECEIVED, "due_at": now, "attempts": 0}
    InboundMail.objects.filter(pk=mail.pk, state=InboundMail.State.STUCK).update(**waiting)
    silenced = InboundMail.objects.filter(pk=mail.pk, state=InboundMail.State.AUTOMATIC, sealed__isnull=False)
    silenced.update(**waiting, is_vouched_for=True)
