"""The Celery application for background work; beat starts sweeps over rows, which are the guarantee."""

import os
from typing import Any

import structlog
from celery import Celery, Task
from celery.signals import celeryd_init, setup_logging, worker_ready
from kombu.transport.redis import Transport

from fm_site.run.memory import return_freed_memory

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "fm_site.settings")

log = structlog.get_logger(__name__)
# Seconds for which an idle worker waits for a task before it asks again; a task ends the wait immediately. Must be
# less than the socket's timeout.
Transport.brpop_timeout = 5


class TimedTask(Task):  # type: ignore[misc]
    """A task that does nothing on a machine with a wrong clock.

    All tasks delete, remind or judge by the clock, and all are sweeps: the next run on a machine with a correct clock
    does the work.
    """

    abstract = True

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        from operations.clock_check import find_clock_fault

        structlog.contextvars.clear_contextvars()
        structlog.contextvars.bind_contextvars(task=self.name, request_id=self.request.id)
        fault = find_clock_fault()
        if fault:
            log.error("task left out", task=self.name, reason=fault)
            return None
        return super().__call__(*args, **kwargs)


app = Celery("firetop_mountain", task_cls=TimedTask)
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
app.autodiscover_tasks(["fm_site.upkeep", "fm_site.demonstration"])


@celeryd_init.connect
def save_memory(**_: object) -> None:
    """Limit the memory that freed blocks keep, before the worker has threads."""
    return_freed_memory()


@setup_logging.connect
def keep_our_logging(**_: object) -> None:
    """Keep our log format, which hides secrets: Celery installs its own unless this signal has a receiver."""


@worker_ready.connect
def sweep_at_once(**_: object) -> None:
    """Look for what a worker that died has left: its wake-ups died with it."""
    from fm_site.schedule import LEFT_BY_A_DEAD_WORKER
    from operations.workers import wake_worker

    for task in LEFT_BY_A_DEAD_WORKER:
        wake_worker(task)
