"""What beat wakes for the house as a whole."""

import urllib.request

from celery import shared_task
from django.conf import settings
from django.utils import timezone

from accounts.models import Heartbeat
from accounts.services import note_heartbeat

PATIENCE_SECONDS = 10


@shared_task
def watch_site() -> bool:
    """Ask the site whether it is up, as a player would; say whether it answered. A site that never answered from here
    is not missed: the worker may stand where the address leads nowhere."""
    try:
        with urllib.request.urlopen(f"{settings.FM_SITE_URL}/up/", timeout=PATIENCE_SECONDS) as answer:
            answer.read(100)
    except (OSError, ValueError):
        return False
    note_heartbeat(part=Heartbeat.Part.SITE, now=timezone.now())
    return True
