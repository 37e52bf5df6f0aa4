"""Processes an email: its effects and its answer are one transaction, so neither exists without the other."""

import hashlib
import json
import secrets
from datetime import datetime, timedelta

import structlog
from django.db import IntegrityError, OperationalError, transaction
from django.db.models import Exists, F

from accounts.languages import in_language_of
from accounts.models import User
from email_gateway.addresses import name_reader
from email_gateway.commands.held_mails import hold_mail
from email_gateway.compose.write_answer import (
    WITHOUT_ORDERS,
    has_orders,
    write_answer,
    write_fault_answer,
    write_held_answer,
)
from email_gateway.deliver.notify_janitors import notify_of_mail_for_janitors, notify_of_stuck_mail
from email_gateway.errors import PasswordLocked
from email_gateway.models import InboundMail
from email_gateway.receive.authentication import find_proven_senders
from email_gateway.receive.automatic import find_automatic_reason, find_doubt, find_silence_reason, list_marks
from email_gateway.receive.complaints import process_complaint
from email_gateway.receive.delivery_reports import process_report
from email_gateway.receive.intake import Envelope, choose_mailbox, has_blank_line, unseal_envelope
from email_gateway.receive.process_letter import choose_letter, notify_owner, process_letter
from email_gateway.receive.read_letter import parse_mail
from email_gateway.scrub import scrub_letter
from email_gateway.text import Letter
from notifications.kinds import TURN_STORIES
from notifications.services.freeze_mails import answering

log = structlog.get_logger(__name__)
# How long the emails of a worker that died wait, plus the time until the next sweep. If the worker is in fact still
# running, two process the email, and the second one finds it done.
LEASE = timedelta(seconds=30)
# How long an email waits after each failed attempt. The first is short: a busy database is soon free again.
PAUSES = tuple(timedelta(seconds=seconds) for seconds in (5, 60, 480, 960))
MOST_ATTEMPTS = len(PAUSES) + 1
# How often an email is retried at once after a conflict with another transaction.
MOST_TRIES = 3
WAITING = (InboundMail.State.RECEIVED, InboundMail.State.CLAIMED)


def claim_inbound(*, mail_id: int, now: datetime) -> InboundMail | None:
    """Claim the email for half a minute if it waits and no other worker has it, and return it."""
    claimed = InboundMail.objects.filter(pk=mail_id, state__in=WAITING, due_at__lte=now).update(
        state=InboundMail.State.CLAIMED, due_at=now + LEASE, attempts=F("attempts") + 1
    )
    return InboundMail.objects.get(pk=mail_id) if claimed else None


def claim_some_inbound(*, now: datetime, limit: int) -> list[InboundMail]:
    """Claim up to `limit` waiting emails for half a minute, oldest first, and return them.

    If two callers claim the same one at the same moment, it is still processed only once.
    """
    waiting = InboundMail.objects.filter(state__in=WAITING, due_at__lte=now)
    due = list(waiting.order_by("due_at", "pk").values_list("pk", flat=True)[:limit])
    taken = {"state": InboundMail.State.CLAIMED, "due_at": now + LEASE, "attempts": F("attempts") + 1}
    if not due or not waiting.filter(pk__in=due).update(**taken):
        return []
    mine = InboundMail.objects.filter(pk__in=due, state=InboundMail.State.CLAIMED, due_at=now + LEASE)
    return sorted(mine, key=lambda mail: due.index(mail.pk))


def process_mail(*, mail: InboundMail, now: datetime) -> None:
    """Process a claimed email once; one that is already processed is left alone.

    An error on our side rolls back everything the email did, leaves it sealed, and retries it later; after five times
    it is stuck, with a reference in the log. Its content is never logged.
    """
    for attempt in range(1, MOST_TRIES + 1):
        try:
            with transaction.atomic():
                process_in_transaction(mail, now)
            break
        # A copy of the email, processed at the same time, or a lost connection.
        except (OperationalError, IntegrityError) as error:
            if attempt == MOST_TRIES:
                postpone(mail, error, now)
        except Exception as error:  # whatever the error, the email must not be lost and the worker continues
            postpone(mail, error, now)
            break


def postpone(mail: InboundMail, error: Exception, now: datetime) -> None:
    """Schedule another attempt after an error on our side, or mark the email as stuck."""
    reference = secrets.token_hex(4)
    stuck = mail.attempts >= MOST_ATTEMPTS
    InboundMail.objects.filter(pk=mail.pk, state=InboundMail.State.CLAIMED).update(
        state=InboundMail.State.STUCK if stuck else InboundMail.State.RECEIVED,
        due_at=now + PAUSES[min(mail.attempts, len(PAUSES)) - 1],
        remark=f"fault {reference}",
    )
    # Only the type: an error's message may repeat text of the email.
    log.error(
        "mail not processed",
        mail=mail.pk,
        reference=reference,
        error=type(error).__name__,
        where=find_place(error),
        stuck=stuck,
    )
    if stuck:
        notify_of_fault(mail, reference, now)


def notify_of_fault(mail: InboundMail, reference: str, now: datetime) -> None:
    """Notify the sender, unless a machine sent the email, and the janitors. If that fails, it is only logged."""
    try:
        with transaction.atomic():
            envelope = unseal_envelope(mail.sealed)
            if envelope is None:
                raise LookupError("the email is not kept")
            message = parse_mail(envelope.raw)
            if find_silence_reason(message, envelope.mail_from, choose_mailbox(envelope)) is None:
                write_fault_answer(mail=mail, sender=envelope.mail_from, reference=reference, now=now)
            notify_of_stuck_mail(mail=mail, reference=reference, now=now)
    except Exception as failure:
        log.error("nobody notified", mail=mail.pk, reference=reference, error=type(failure).__name__)


def find_place(error: BaseException) -> str:
    """Return the file and line where an error was raised."""
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    return f"{trace.tb_frame.f_code.co_filename}:{trace.tb_lineno}" if trace else ""


def process_in_transaction(mail: InboundMail, now: datetime) -> None:
    """Process the email, write its answer and store its scrubbed copy: all or nothing."""
    mine = InboundMail.objects.filter(pk=mail.pk, state=InboundMail.State.CLAIMED, attempts=mail.attempts)
    if not mine.update(processed_at=now) or mail.sealed is None:
        return
    envelope = unseal_envelope(mail.sealed)
    if envelope is None:
        finish(mail, InboundMail.State.PROCESSED, now, remark="sealed under a key that is gone")
        return
    message = parse_mail(envelope.raw)
    mailbox = choose_mailbox(envelope)
    if mailbox.kind == "bounces":
        process_report(message=message, mailbox=mailbox, mail_from=envelope.mail_from, now=now)
    process_complaint(message=message, now=now)
    reason = find_silence_reason(message, envelope.mail_from, mailbox, is_vouched_for=mail.is_vouched_for)
    letter = choose_letter(message, envelope.mail_from, mailbox)
    if reason is not None:
        if mailbox.kind == "postmaster" and find_automatic_reason(message, envelope.mail_from) is None:
            notify_of_mail_for_janitors(mail=mail, now=now)
        finish(mail, InboundMail.State.AUTOMATIC, now, remark=reason, scrubbed=scrub_letter(letter))
        return
    if not record_content(mail, letter, envelope):
        finish(mail, InboundMail.State.COPY, now, remark="a copy of an email that was processed")
        return
    writer = mailbox.token.user_id if mailbox.token else None
    with in_language_of(None), answering(user_id=writer, kinds=TURN_STORIES):  # until we know the writer
        try:
            with transaction.atomic():  # what the lines above its USER line did, an email that is held does later
                talk = process_letter(
                    letter,
                    envelope.mail_from,
                    mailbox,
                    stage_mark=mail.stage_mark,
                    received_at=mail.received_at,
                    now=now,
                    proven_senders=find_proven_senders(message, envelope.mail_from),
                    confirmed_by=mail.user_id if mail.is_confirmed else None,
                )
        except PasswordLocked as locked:
            hold_mail(mail=mail, user=locked.user, now=now)
            write_held_answer(mail=mail, user=locked.user, sender=envelope.mail_from, now=now)
            return
        if mail.is_confirmed and talk.state.wrong_password:
            remark = "not answered: it was held, and its mail password is wrong"
            finish(mail, InboundMail.State.PROCESSED, now, remark=remark, scrubbed=scrub_letter(letter))
            return
        reason = None if mail.is_vouched_for else find_doubt(talk, message)
        if reason is not None:
            finish(mail, InboundMail.State.AUTOMATIC, now, remark=reason, scrubbed=scrub_letter(letter))
            return
        is_marked = not mail.is_vouched_for and bool(list_marks(message))
        remark = write_answer(mail=mail, talk=talk, now=now, is_marked=is_marked)
    if remark and talk.state.elsewhere is not None:
        notify_owner(mail, talk, now)
    remark = remark or ("" if has_orders(talk) else WITHOUT_ORDERS)
    finish(mail, InboundMail.State.PROCESSED, now, remark=remark, scrubbed=scrub_letter(letter), user=talk.state.owner)


def record_content(mail: InboundMail, letter: Letter, envelope: Envelope) -> bool:
    """Record a key of the email's text; return whether it is the first with its Message-ID and text to this address.

    Mail systems may re-encode an email, wrap it in other parts or rewrite its sender, but its text stays the same.
    Raises IntegrityError if a copy is recorded at the same moment.
    """
    if not letter.message_id or not has_blank_line(envelope.raw):
        return True
    content = [letter.message_id, letter.date, letter.subject, letter.text.split(), name_reader(envelope.rcpt_tos)]
    key = hashlib.sha256(json.dumps(content).encode()).hexdigest()
    others = InboundMail.objects.filter(content_key=key).exclude(pk=mail.pk)
    return bool(InboundMail.objects.filter(~Exists(others), pk=mail.pk).update(content_key=key))


def finish(
    mail: InboundMail,
    state: InboundMail.State,
    now: datetime,
    *,
    remark: str,
    scrubbed: str = "",
    user: User | None = None,
) -> None:
    """Record the result and the scrubbed copy; delete the sealed email unless a machine seems to have written it."""
    kept = {} if state == InboundMail.State.AUTOMATIC else {"sealed": None}
    InboundMail.objects.filter(pk=mail.pk).update(
        state=state, processed_at=now, remark=remark[:200], scrubbed=scrubbed, user=user, **kept
    )


def release_mail(*, mail: InboundMail, now: datetime) -> None:
    """Process an email again that was stuck, or that a person wrote although we took it for automatic."""
    waiting = {"state": InboundMail.State.RECEIVED, "due_at": now, "attempts": 0}
    InboundMail.objects.filter(pk=mail.pk, state=InboundMail.State.STUCK).update(**waiting)
    silenced = InboundMail.objects.filter(pk=mail.pk, state=InboundMail.State.AUTOMATIC, sealed__isnull=False)
    silenced.update(**waiting, is_vouched_for=True)
