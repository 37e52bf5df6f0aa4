"""What beat wakes for the house as a whole."""

import urllib.request

from celery import shared_task
from django.conf import settings
from django.utils import timezone

from accounts.models import Heartbeat
from accounts.selectors import is_clock_in_doubt, read_policy
from accounts.services import (
    claim_chore,
    finish_chore,
    note_heartbeat,
    prune_notices,
    prune_sessions,
    tell_of_failed_chore,
)
from accounts.sweeping import sweep_in_batches
from fm_site.backup import BackupFailed, back_up

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


@shared_task
def back_up_house() -> str:
    """Copy all rows, once a night; return where the copy is, "" when there is nothing to do or no copy."""
    now = timezone.now()
    chore = claim_chore(name="backup", now=now)
    if chore is None:
        return ""
    try:
        place = back_up(settings.FM_BACKUP_DIR, keep=read_policy().backups_kept, now=now)
    except BackupFailed as error:
        tell_of_failed_chore(chore=chore, reason=str(error), now=timezone.now())
        return ""
    finish_chore(chore=chore, remark=place.name, now=timezone.now())
    return place.name


@shared_task
def tidy_house() -> int:
    """Drop what is kept no longer: old notices, ended sessions."""
    if is_clock_in_doubt(now=timezone.now()):
        return 0
    return prune_sessions(now=timezone.now()) + sweep_in_batches(prune_notices)
