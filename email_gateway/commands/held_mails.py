"""Emails that wait because their mail password may not be checked: too many wrong ones were tried for the name.

Their owner gets one email a day about them. Its reply address is secret, so a CONFIRM there proves who they are, and
what they sent is processed as if nothing had been in the way.
"""

from datetime import datetime, timedelta
from functools import partial

from django.db import transaction

from accounts.models import User
from email_gateway.models import CONFIRM_WITHIN, InboundMail
from email_gateway.wakeups import wake_processing
from notifications.models import Notice
from notifications.selectors.notices import address_for_notices
from notifications.services.outbox import write_notice

# So that a guesser cannot fill the disk: each email may be as large as any.
MOST_HELD = 100
ONCE_IN = timedelta(days=1)
ORDERS_HELD = "orders_held"


def can_hold_for(user: User) -> bool:
    """Return whether one more email can wait for this user: they have an address to confirm it from, and room."""
    if address_for_notices(user) is None:
        return False
    return InboundMail.objects.filter(user=user, state=InboundMail.State.HELD).count() < MOST_HELD


def hold_mail(*, mail: InboundMail, user: User, now: datetime) -> None:
    """Have an email wait until `user` confirms it, and ask them, at most once a day."""
    InboundMail.objects.filter(pk=mail.pk).update(
        state=InboundMail.State.HELD, user=user, processed_at=None, remark="held: too many wrong mail passwords"
    )
    if not Notice.objects.filter(user=user, kind=ORDERS_HELD, created_at__gt=now - ONCE_IN).exists():
        key = f"{ORDERS_HELD}:{user.pk}:{now.date().isoformat()}"
        write_notice(key=key, user=user, kind=ORDERS_HELD, facts={"day": now.date().toordinal()}, now=now)


def release_held_mails(*, user: User, asked_on: int, now: datetime) -> int:
    """Have everything that is held for `user` processed; return how many emails. Their time of arrival stays.

    `asked_on` is the day (ordinal) of the question that this answers; an old one releases nothing.
    """
    if now.date().toordinal() - asked_on > CONFIRM_WITHIN.days:
        return 0
    with transaction.atomic():
        held = InboundMail.objects.filter(user=user, state=InboundMail.State.HELD)
        count = held.filter(received_at__gt=now - CONFIRM_WITHIN).update(
            state=InboundMail.State.RECEIVED, due_at=now, attempts=0, is_confirmed=True
        )
        transaction.on_commit(partial(wake_processing, None), robust=True)
    return count


def forget_unconfirmed_mails(*, now: datetime) -> int:
    """Delete the held emails that nobody confirmed in three days; return how many."""
    old = InboundMail.objects.filter(state=InboundMail.State.HELD, received_at__lte=now - CONFIRM_WITHIN)
    return old.update(
        state=InboundMail.State.PROCESSED, sealed=None, processed_at=now, remark="held, and never confirmed"
    )
