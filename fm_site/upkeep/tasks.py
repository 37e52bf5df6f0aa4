"""Scheduled tasks for the whole site."""

import socket
import ssl
import urllib.request
from datetime import datetime
from urllib.parse import urlsplit

from celery import shared_task
from cryptography.x509 import load_der_x509_certificate
from django.conf import settings
from django.utils import timezone

from accounts.selectors.users import list_janitors
from accounts.services.idempotency import forget_answers
from duels.services.open_hooks import remove_hooks_of_old_battles
from fm_site.upkeep.backup import BACKUP, BackupFailed, back_up
from fm_site.upkeep.backup_copies import copy_backup
from fm_site.upkeep.health_checks import CERTIFICATE
from fm_site.upkeep.restore_drill import DRILL, drill_restore
from notifications.services.deliveries import prune_notices
from notifications.services.outbox import write_notice
from operations.models import Chore, Heartbeat
from operations.selectors import is_clock_in_doubt, read_policy
from operations.services.chores import claim_chore, finish_chore, keeps_files, prune_sessions, store_sums
from operations.services.outages import record_heartbeat
from operations.sweeps import sweep_in_batches

PATIENCE_SECONDS = 10


@shared_task
def watch_site() -> bool:
    """Request a page of the site, as a user would; return whether it answered. A site that has never answered is not
    watched: the worker may be unable to reach the URL."""
    try:
        with urllib.request.urlopen(f"{settings.FM_SITE_URL}/up/", timeout=PATIENCE_SECONDS) as answer:
            answer.read(100)
    except (OSError, ValueError):
        return False
    record_heartbeat(part=Heartbeat.Part.SITE, now=timezone.now())
    return True


@shared_task
def watch_certificate() -> bool:
    """Record when the certificate of the site's address ends; return whether one was found."""
    end = find_certificate_end(settings.FM_SITE_URL)
    if end is not None:
        store_sums(sums={CERTIFICATE: max(0, int(end.timestamp()))})
    return end is not None


def find_certificate_end(url: str) -> datetime | None:
    """Return when the certificate of an https address ends, even an untrusted one; None if there is none."""
    parts = urlsplit(url)
    if parts.scheme != "https" or not parts.hostname:
        return None
    seen = ssl.create_default_context()
    seen.check_hostname, seen.verify_mode = False, ssl.CERT_NONE
    try:
        with (
            socket.create_connection((parts.hostname, parts.port or 443), timeout=PATIENCE_SECONDS) as line,
            seen.wrap_socket(line, server_hostname=parts.hostname) as tls,
        ):
            shown = tls.getpeercert(binary_form=True)
    except (OSError, ValueError):
        return None
    return load_der_x509_certificate(shown).not_valid_after_utc if shown else None


def has_newest_backup() -> bool:
    """Return whether the last backup that was finished is on this machine. If machines have folders of their own, a
    drill on another one would find none, or an old one."""
    last = Chore.objects.filter(name=BACKUP, done_at__isnull=False).order_by("-day").first()
    return last is None or (settings.FM_BACKUP_DIR / last.remark.partition(",")[0]).exists()


@shared_task
def back_up_site() -> str:
    """Back up the database once a night, where backups are kept; return the backup's name, or "" if there was nothing
    to do or it failed."""
    now = timezone.now()
    chore = claim_chore(name=BACKUP, now=now) if keeps_files() else None
    if chore is None:
        return ""
    try:
        keep = read_policy().backups_kept
        place = back_up(settings.FM_BACKUP_DIR, keep=keep, now=now)
        copied = place.name
        if settings.FM_BACKUP_TO:
            to, recipient = settings.FM_BACKUP_TO, settings.FM_BACKUP_RECIPIENT
            copied = f"{copied}, {copy_backup(place, to=to, recipient=recipient, keep=keep)}"
    except BackupFailed as error:
        _notify_of_failed_chore(chore=chore, reason=str(error), now=timezone.now())
        return ""
    finish_chore(chore=chore, remark=copied, now=timezone.now())
    return place.name


@shared_task
def drill_restore_weekly() -> str:
    """Restore the newest backup elsewhere and replay its battles, once a week; return how it went, or "" if there was
    nothing to do or it failed."""
    chore = claim_chore(name=DRILL, now=timezone.now()) if keeps_files() and has_newest_backup() else None
    if chore is None:
        return ""
    try:
        drill = drill_restore()
    except BackupFailed as error:
        _notify_of_failed_chore(chore=chore, reason=str(error), now=timezone.now())
        return ""
    if drill.different:
        _notify_of_failed_chore(chore=chore, reason=str(drill), now=timezone.now())
        return ""
    finish_chore(chore=chore, remark=str(drill), now=timezone.now())
    return str(drill)


@shared_task
def tidy_site() -> int:
    """Delete old notices, expired sessions, stored answers to idempotency keys, and hooks of battles long over."""
    if is_clock_in_doubt(now=timezone.now()):
        return 0
    forgotten = prune_sessions(now=timezone.now()) + forget_answers(now=timezone.now())
    forgotten += remove_hooks_of_old_battles(now=timezone.now())
    return forgotten + sweep_in_batches(prune_notices)


def _notify_of_failed_chore(*, chore: Chore, reason: str, now: datetime) -> None:
    """Notify the janitors, once a day, that a job fails; it is tried again once its hour is over."""
    Chore.objects.filter(pk=chore.pk).update(remark=reason[:200])
    for janitor in list_janitors():
        write_notice(
            key=f"chore_fails:{chore.name}:{chore.day}:{janitor.pk}",
            user=janitor,
            kind="chore_fails",
            facts={"chore": chore.name, "reason": reason[:200]},
            now=now,
        )
