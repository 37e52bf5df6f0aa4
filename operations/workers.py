"""Wake-ups for the workers. A lost one costs seconds: a sweep finds the row."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

import structlog
from celery import current_app
from kombu.exceptions import OperationalError
from redis.exceptions import RedisError

from operations.circuit_breaker import CircuitBreaker

log = structlog.get_logger(__name__)
breaker = CircuitBreaker()


_gathered: ContextVar[set[str] | None] = ContextVar("gathered", default=None)


@contextmanager
def gather_wake_ups() -> Iterator[None]:
    """Send wake-ups without arguments at the end of this context, each once."""
    gathered: set[str] = set()
    mark = _gathered.set(gathered)
    try:
        yield
    finally:
        _gathered.reset(mark)
        for task in sorted(gathered):
            wake_worker(task)


def wake_worker(task: str, *args: int) -> None:
    """Have a worker run `task` (its dotted name) soon, on the queue of its schedule or route."""
    gathered = _gathered.get()
    if gathered is not None and not args:
        gathered.add(task)
        return
    if breaker.is_open:
        return
    try:
        current_app.send_task(task, args=args, ignore_result=True)
    except (OperationalError, OSError, RedisError) as error:
        breaker.trip()
        log.warning("wake-up not sent", task=task, error=type(error).__name__)
