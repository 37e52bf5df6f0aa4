"""The worker of `./run`: `python -m fm_site.run.worker` does background work, with beat in a thread.

A second process for beat would need as much memory as the worker. Celery's own `celery worker -B` starts one.
"""

from threading import Thread

from celery.beat import Service
from celery.signals import worker_ready, worker_shutting_down

from fm_site.beat import OnlyScheduler
from fm_site.celery import app

OPTIONS = (
    *("--quiet", "-A", "fm_site", "worker", "-P", "threads", "-c", "4"),
    *("--without-gossip", "--without-mingle", "--without-heartbeat", "--loglevel", "WARNING"),
)


def main() -> None:
    app.set_default()
    beat = Service(app, scheduler_cls=OnlyScheduler)
    thread = Thread(target=beat.start, name="Beat", daemon=True)
    worker_ready.connect(lambda **_: thread.start(), weak=False)
    worker_shutting_down.connect(lambda **_: beat.stop(), weak=False)
    app.start(list(OPTIONS))


if __name__ == "__main__":
    main()
