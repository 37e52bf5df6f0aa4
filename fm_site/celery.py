"""The Celery application: background work, woken by beat, guaranteed by sweeps over rows."""

import os
from typing import Any

import structlog
from celery import Celery, Task
from celery.signals import setup_logging

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "fm_site.settings")

log = structlog.get_logger(__name__)


class TimedTask(Task):  # type: ignore[misc]
    """A task that does nothing on a machine whose clock is wrong.

    Each of them deletes, reminds or judges by the clock, and each is a sweep: what it leaves is done by the next one,
    on a machine whose clock is right.
    """

    abstract = True

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        from accounts.clock_check import find_clock_fault

        fault = find_clock_fault()
        if fault:
            log.error("task left out", task=self.name, reason=fault)
            return None
        return super().__call__(*args, **kwargs)


app = Celery("firetop_mountain", task_cls=TimedTask)
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()


@setup_logging.connect
def keep_our_logging(**_: object) -> None:
    """Celery installs its own log format unless somebody answers this signal; ours hides secrets."""
