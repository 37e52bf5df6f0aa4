"""The Celery application: background work, woken by beat, guaranteed by sweeps over rows."""

import os

from celery import Celery
from celery.signals import setup_logging

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "fm_site.settings")

app = Celery("firetop_mountain")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()


@setup_logging.connect
def keep_our_logging(**_: object) -> None:
    """Celery installs its own log format unless somebody answers this signal; ours hides secrets."""
