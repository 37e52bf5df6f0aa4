"""Writing out the email of a notice, by the app that sends email (fm_site.operations.registry names it)."""

from typing import Any

from django.db import transaction
from structlog import get_logger

from fm_site.notifications.models import Notice
from fm_site.operations.registry import MAIL_WRITER, find_function

log = get_logger(__name__)


def write_out(notice: Notice, facts: dict[str, Any]) -> str:
    """Return the email for a notice as things stand now, or "" if it can't be written yet: the sender tries again.

    `facts` include the notice's secrets. An error in an email never undoes what the email is about.
    """
    try:
        with transaction.atomic():
            written: str = find_function(MAIL_WRITER)(notice, facts)
            return written
    except Exception as error:
        # The type alone: the message of an error may repeat a code or link of the mail.
        log.error("mail not written out", kind=notice.kind, error=type(error).__name__)
    return ""
