"""Rendering emails before they are sent, and holding some back while an email is answered."""

from collections.abc import Collection, Iterator
from contextlib import contextmanager
from typing import Any

from django.db import transaction
from structlog import get_logger

from notifications.chosen_preferences import remembering
from notifications.covered_notices import PendingAnswer, collecting, find_pending_answer
from notifications.models import Delivery, Notice
from notifications.selectors.notices import facts_with_secrets
from operations.encryption import seal
from operations.registry import MAIL_WRITER, find_function

log = get_logger(__name__)


def render_mail(notice: Notice, facts: dict[str, Any]) -> str:
    """Return the email for a notice as of now, or "" if it can't be written yet: the sender tries again.

    `facts` include the notice's secrets. An error in an email never rolls back the change that it reports.
    """
    try:
        with transaction.atomic(), remembering(notice.user):
            written: str = find_function(MAIL_WRITER)(notice, facts)
            return written
    except Exception as error:
        # The type alone: the message of an error may repeat a code or link of the mail.
        log.error("mail not written out", kind=notice.kind, error=type(error).__name__)
    return ""


def freeze_mail(delivery: Delivery) -> None:
    """Render the email of a delivery before it is stored. A daily email is rendered when it is due.

    If the answer to an email may make it unnecessary, it is rendered once that is ruled out.
    """
    notice = delivery.notice
    if notice is not None and delivery.channel == Delivery.Channel.MAIL:
        pending = find_pending_answer()
        if pending is not None and notice in pending.notices:
            pending.unwritten.append(delivery)
            return
        text = render_mail(notice, facts_with_secrets(notice))
        delivery.sealed_mail = seal({"mail": text}) if text else ""


@contextmanager
def answering(*, user_id: int | None, kinds: Collection[str]) -> Iterator[None]:
    """Hold back emails of `kinds` to this user (None: a stranger) while their own email is answered; at the end, write
    those that the answer did not cover.

    Use it in the transaction that stores the answer.
    """
    if user_id is None:
        yield
        return
    pending = PendingAnswer(user_id, kinds)
    with collecting(pending):
        yield
    for delivery in pending.unwritten:
        if delivery.notice_id not in pending.covered:
            freeze_mail(delivery)
            waiting = Delivery.objects.filter(pk=delivery.pk, sealed_mail="", state=Delivery.State.DUE)
            waiting.update(sealed_mail=delivery.sealed_mail)
