"""Who writes out the mail of a notice. The app that sends mail says so when it starts: nothing here may import it."""

from collections.abc import Callable
from typing import Any

from django.db import transaction
from structlog import get_logger

from accounts.models import Notice

# Takes a notice and its facts, secrets among them; returns the mail as text, or "" where there is nothing to send.
Writer = Callable[[Notice, dict[str, Any]], str]

log = get_logger(__name__)
_writers: list[Writer] = []


def use_mail_writer(writer: Writer) -> None:
    """Let `writer` write out every mail from now on."""
    _writers[:] = [writer]


def write_out(notice: Notice, facts: dict[str, Any]) -> str:
    """Return the mail for a notice as things stand now, or "" where it cannot be written yet: whoever sends it tries
    again. What is wrong with a mail never undoes what it tells of."""
    for writer in _writers:
        try:
            with transaction.atomic():
                return writer(notice, facts)
        except Exception as error:
            # The type alone: the message of an error may repeat a code or link of the mail.
            log.error("mail not written out", kind=notice.kind, error=type(error).__name__)
    return ""
