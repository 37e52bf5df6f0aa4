"""Sending deliveries: due, claimed, then sent, skipped or failed; the same for notices and for answers to emails.

The row is the guarantee. A sender claims it by conditional update, which moves `due_at` to the end of a lease, and
extends the lease as long as it is alive; if it dies, the next one sends the same Message-ID after the lease.
"""

from datetime import datetime, timedelta
from typing import Any

from django.contrib.auth.base_user import AbstractBaseUser
from django.db import transaction
from django.db.models import F, Q

from notifications.covered_notices import find_pending_answer
from notifications.message_ids import draw_message_id, is_mark_of_daily_email
from notifications.models import Delivery, Notice, SkipReason
from operations.encryption import seal, unseal
from operations.registry import MAIL_WAKER, POSTING_TASK, find_function
from operations.selectors import read_policy
from operations.wakeups import on_commit_once
from operations.workers import wake_worker

# With the time until the next sweep less than a minute.
LEASE = timedelta(seconds=25)
BACKOFF = tuple(timedelta(minutes=minutes) for minutes in (1, 5, 20, 60, 240, 720, 1440))
COPIES_KEPT = timedelta(days=30)


def queue_delivery(*, mail: str, subject: str, address: str, user: AbstractBaseUser | None, now: datetime) -> Delivery:
    """Queue an email without a notice, such as the answer to one, encrypted until it is sent. It is sent soon after
    the commit."""
    row = Delivery.objects.create(
        message_id=draw_message_id(),
        user_id=user.pk if user else None,
        address=address.lower(),
        subject=subject[:200],
        sealed_mail=seal({"mail": mail}),
        created_at=now,
        due_at=now,
    )
    wake_sender_on_commit()
    return row


def wake_sender_on_commit() -> None:
    """Have due emails sent when the current transaction commits, once, however often this is called."""
    on_commit_once(_wake_sender)


def _wake_sender() -> None:
    find_function(MAIL_WAKER)()


def claim_due_deliveries(*, now: datetime, limit: int = 50, among: Q | None = None) -> list[list[Delivery]]:
    """Claim due deliveries for `LEASE` and return them, oldest first: each list goes out as one email."""
    claims = [claim_email(message_id=one, now=now) for one in list_due_emails(now=now, limit=limit, among=among)]
    return [deliveries for deliveries in claims if deliveries]


def list_due_emails(*, now: datetime, limit: int, among: Q | None = None) -> list[str]:
    """Return the Message-IDs of due emails, or the marks of daily emails, oldest first. Another worker may claim them
    first."""
    waiting = Delivery.objects.filter(among or Q(), state__in=Delivery.WAITING, due_at__lte=now)
    return list(dict.fromkeys(waiting.order_by("due_at", "pk").values_list("message_id", flat=True)[:limit]))


def claim_email(*, message_id: str, now: datetime) -> list[Delivery]:
    """Claim the deliveries with one Message-ID for `LEASE`: a single one, or all of a daily email, oldest first.

    Empty if nothing is due or another worker has claimed it.
    """
    kept = draw_message_id() if is_mark_of_daily_email(message_id) else message_id
    claimed = Delivery.objects.filter(message_id=message_id, state__in=Delivery.WAITING, due_at__lte=now).update(
        message_id=kept,
        state=Delivery.State.CLAIMED,
        claimed_at=now,
        due_at=now + LEASE,
        attempts=F("attempts") + 1,
    )
    if not claimed:
        return []
    mine = Delivery.objects.filter(message_id=kept, state=Delivery.State.CLAIMED, claimed_at=now)
    return list(mine.select_related("notice__user").order_by("notice__created_at", "notice"))


def extend_claim(*, delivery: Delivery, now: datetime) -> bool:
    """Make the claim to all deliveries of the email of `delivery`, as claimed, last for `LEASE` from now; return
    whether it is still the sender's."""
    mine = Delivery.objects.filter(
        message_id=delivery.message_id, state=Delivery.State.CLAIMED, claimed_at=delivery.claimed_at
    )
    return mine.update(due_at=now + LEASE) > 0


def read_frozen_mail(*, delivery: Delivery) -> str:
    """Return the rendered email, or "" if there is none yet. Raises InvalidToken."""
    return str(unseal(delivery.sealed_mail)["mail"]) if delivery.sealed_mail else ""


def store_frozen_mail(*, delivery: Delivery, text: str) -> str:
    """Store `text` as this delivery's email, unless another worker was quicker; return the stored text."""
    unwritten = Delivery.objects.filter(pk=delivery.pk, sealed_mail="", state__in=Delivery.WAITING)
    unwritten.update(sealed_mail=seal({"mail": text}))
    delivery.refresh_from_db(fields=["sealed_mail"])
    return read_frozen_mail(delivery=delivery) or text


def mark_delivery_sent(
    *,
    delivery: Delivery,
    now: datetime,
    address: str = "",
    subject: str = "",
    text: str = "",
    web_text: str = "",
    reply_key: str = "",
) -> None:
    """Record that the email was sent, and delete its secrets. With `text`, store a copy, its address and what its reply
    address is for."""
    copy = {"address": address.lower(), "subject": subject[:200], "text": text, "web_text": web_text} if text else {}
    if text:
        copy["reply_key"] = reply_key
    _end(delivery, state=Delivery.State.SENT, sent_at=now, **copy)


def mark_delivery_skipped(*, delivery: Delivery, reason: SkipReason) -> None:
    """Record why the email is deliberately not sent, and delete its secrets."""
    _end(delivery, state=Delivery.State.SKIPPED, reason=reason)


def mark_delivery_failed(*, delivery: Delivery, error: str, now: datetime, permanent: bool = False) -> None:
    """Record why sending failed; the email is due again later, or has failed for good if permanent or tried too
    often."""
    if permanent or delivery.attempts > len(BACKOFF):
        _end(delivery, state=Delivery.State.FAILED, error=error[:200])
        return
    pause = BACKOFF[max(delivery.attempts, 1) - 1]
    # Not if another sender has taken over the row since.
    Delivery.objects.filter(pk=delivery.pk, state=Delivery.State.CLAIMED, attempts=delivery.attempts).update(
        state=Delivery.State.DUE, due_at=now + pause, error=error[:200]
    )


def post_again(*, hook: int, now: datetime, delivery_id: int | None = None) -> int:
    """Make what waits for the hook due now, or the one delivery with this id, even if it was skipped or has failed for
    good. Return how many. What was answered or is in progress stays as it is."""
    own = Delivery.objects.filter(hook=hook)
    if delivery_id is None:
        count = own.filter(state=Delivery.State.DUE).update(due_at=now)
    else:
        again = (Delivery.State.DUE, Delivery.State.SKIPPED, Delivery.State.FAILED)
        count = own.filter(pk=delivery_id, state__in=again).update(
            state=Delivery.State.DUE, reason="", attempts=0, due_at=now, error=""
        )
    if count:
        on_commit_once(wake_poster)
    return count


def wake_poster() -> None:
    """Have what is due sent to hooks and devices."""
    wake_worker(POSTING_TASK)


def mark_covered(*, notice: Notice, message_id: str, now: datetime) -> None:
    """Record that another email, `message_id`, already says what this notice says. An email that is already being sent
    is left alone."""
    pending = find_pending_answer()
    if pending is not None:
        pending.covered.add(notice.pk)
    due = Delivery.objects.filter(Delivery.EMAILS, notice=notice, state=Delivery.State.DUE)
    due.update(state=Delivery.State.SENT, message_id=message_id, sent_at=now, sealed_mail="")


def prune_notices(*, now: datetime, limit: int = 500) -> int:
    """Delete notices and answers to emails that are older than the policy allows, oldest first; return how many. Those
    with a waiting email stay."""
    kept_from = now - timedelta(days=read_policy().notice_keep_days)
    oldest = list(Notice.objects.order_by("pk").values_list("pk", "created_at")[:limit])
    old = [pk for pk, created_at in oldest if created_at < kept_from]
    waiting = Delivery.objects.filter(notice__in=old, state__in=Delivery.WAITING).values_list("notice_id", flat=True)
    gone = Notice.objects.filter(pk__in=set(old) - set(waiting))
    answers = Delivery.objects.filter(notice=None, created_at__lt=kept_from).exclude(state__in=Delivery.WAITING)
    unwanted = Delivery.objects.filter(pk__in=list(answers.order_by("pk").values_list("pk", flat=True)[:limit]))
    count = gone.count() + unwanted.count()
    gone.delete()
    unwanted.delete()
    return count


def forget_copies(*, now: datetime) -> int:
    """Delete the copies of emails older than 30 days, and the addresses of notices; return how many."""
    old = Delivery.objects.filter(created_at__lt=now - COPIES_KEPT).exclude(text="")
    old.filter(notice__isnull=False).update(address="", subject="")
    return old.update(text="", web_text="")


def _end(delivery: Delivery, **ended: Any) -> None:
    unsent = Delivery.objects.filter(pk=delivery.pk).exclude(state=Delivery.State.SENT)
    fields = {"reason": "", "error": "", "sent_at": None, "sealed_mail": "", **ended}
    if delivery.notice is None or not delivery.notice.sealed:  # a notice without secrets never gets any
        unsent.update(**fields)
        return
    with transaction.atomic():
        unsent.update(**fields)
        if (
            delivery.notice_id
            and not Delivery.objects.filter(notice=delivery.notice_id, state__in=Delivery.WAITING).exists()
        ):
            Notice.objects.filter(pk=delivery.notice_id).exclude(sealed="").update(sealed="")
