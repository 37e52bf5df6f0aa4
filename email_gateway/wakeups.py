"""Telling the worker at once that there is something to do. A lost wake-up costs seconds: a sweep finds the row."""

from collections.abc import Sequence

import structlog
from celery import current_app
from kombu.exceptions import OperationalError

log = structlog.get_logger(__name__)


def wake_obedience(mail_ids: Sequence[int]) -> None:
    """Have stored mails obeyed soon: one by its number, several by a sweep."""
    if len(mail_ids) == 1:
        send("email_gateway.tasks.obey_inbound_mail", mail_ids[0])
    elif mail_ids:
        send("email_gateway.tasks.sweep_inbound_mail")


def wake_postman() -> None:
    """Have what is due sent soon."""
    send("email_gateway.tasks.sweep_deliveries")


def send(task: str, *args: int) -> None:
    try:
        current_app.send_task(task, args=args, ignore_result=True)
    except (OperationalError, OSError) as error:
        log.warning("wake-up not sent", task=task, error=type(error).__name__)
