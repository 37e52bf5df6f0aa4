"""The worker of `./run`: `python -m fm_site.run.worker` does background work, with beat in a thread.

A second process for beat would need as much memory as the worker. Celery's own `celery worker -B` starts one.
"""

from threading import Thread
from typing import Any

from celery.beat import Service
from celery.signals import worker_ready, worker_shutting_down

from fm_site.celery import app

OPTIONS = (
    *("--quiet", "-A", "fm_site", "worker", "-P", "threads", "-c", "4"),
    *("--without-gossip", "--without-mingle", "--without-heartbeat", "--loglevel", "WARNING"),
)


def main() -> None:
    app.set_default()
    beat = Service(app)
    thread = Thread(target=beat.start, name="Beat", daemon=True)
    worker_ready.connect(lambda **_: thread.start(), weak=False)
    worker_shutting_down.connect(lambda **_: stop(beat), weak=False)
    app.start(list(OPTIONS))


def stop(beat: Any) -> None:
    """End the thread when it wakes next, and save when each task last ran."""
    # Celery's own scheduler, without a lease: `./run` has one worker, and after a crash a lease would idle its beat.
    beat.stop()
    beat.scheduler.sync()


if __name__ == "__main__":
    main()
