"""Wake-ups for the workers. A lost one costs seconds: a sweep finds the row."""

import structlog
from celery import current_app
from kombu.exceptions import OperationalError
from redis.exceptions import RedisError

from fm_site.operations.circuit_breaker import CircuitBreaker

log = structlog.get_logger(__name__)
breaker = CircuitBreaker()


def wake_worker(task: str, *args: int) -> None:
    """Have a worker run `task` (its dotted name) soon, on the queue of its schedule or route."""
    if breaker.is_open:
        return
    try:
        current_app.send_task(task, args=args, ignore_result=True)
    except (OperationalError, OSError, RedisError) as error:
        breaker.trip()
        log.warning("wake-up not sent", task=task, error=type(error).__name__)
