"""Wake-ups for the workers. A lost one costs seconds: a sweep finds the row."""

import structlog
from celery import current_app
from kombu.exceptions import OperationalError
from redis.exceptions import RedisError

from fm_site.operations.circuit_breaker import CircuitBreaker

log = structlog.get_logger(__name__)
breaker = CircuitBreaker()


def wake_processing(mail_id: int | None) -> None:
    """Have a stored email processed soon, or, without its number, all that wait."""
    if mail_id is None:
        send("email_gateway.tasks.sweep_inbound_mail")
    else:
        send("email_gateway.tasks.process_inbound_mail", mail_id)


def wake_delivery() -> None:
    """Have what is due sent soon."""
    send("email_gateway.tasks.sweep_deliveries")


def send(task: str, *args: int) -> None:
    if breaker.is_open:
        return
    try:
        current_app.send_task(task, args=args, ignore_result=True)
    except (OperationalError, OSError, RedisError) as error:
        breaker.trip()
        log.warning("wake-up not sent", task=task, error=type(error).__name__)
