"""The desk's sections about the machine: warnings of failures, and the state of backups."""

from collections.abc import Callable
from datetime import datetime, timedelta

from django.urls import reverse
from django.utils import timezone
from django.utils.formats import number_format
from django.utils.translation import gettext as _

from fm_site.health_checks import HealthCheck, State, run_health_checks
from fm_site.moderation.desk import MOST_ROWS, Row, Section, link_row
from fm_site.operations.models import Chore
from fm_site.restore_drill import DRILL

# A site that is a day old has no backup yet.
BACKUP, BACKUP_LATE = "backup", timedelta(days=2)
NO_NUMBER = ""


def list_site_sections() -> list[Section]:
    """Return the sections of the desk about the machine and its backups."""
    now = timezone.now()
    rows = [
        Row(*describe_vital(check), None, reverse("status"))
        for check in run_health_checks(now)
        if check.state != State.OK and check.name in SENTENCES
    ]
    rows += list_late_backups(now)
    return [Section(_("Warnings"), _("No warnings."), len(rows), rows[:MOST_ROWS]), list_done_backups()]


def describe_vital(check: HealthCheck) -> tuple[str, str]:
    """Return the problem and its details."""
    what, more = SENTENCES[check.name]()
    if check.number is None:
        return what, NO_NUMBER
    amount = {
        "seconds": lambda number: number / 60,
        "bytes_free": lambda number: number / 1_000_000,
    }.get(check.unit, lambda number: number)(check.number)
    return what, more % {"amount": number_format(round(amount))}


# One function for each, so that the texts are translated when they are shown.
SENTENCES: dict[str, Callable[[], tuple[str, str]]] = {
    "beat": lambda: (_("Background work doesn't run"), _("last seen %(amount)s minutes ago")),
    "mail_in": lambda: (_("Incoming email isn't processed"), _("the oldest has been waiting for %(amount)s minutes")),
    "mail_out": lambda: (_("Outgoing email isn't sent"), _("the oldest has been waiting for %(amount)s minutes")),
    "broker": lambda: (_("Valkey doesn't answer"), _("pages work, but open ones show new turns late")),
    "disk": lambda: (_("The disk is almost full"), _("%(amount)s MB are free")),
    "certificate": lambda: (_("The certificate expires soon"), _("in %(amount)s days; renew it")),
    "clock": lambda: (_("This machine's clock is wrong"), _("by %(amount)s minutes")),
    "migrations": lambda: (_("The database needs prepare_site"), _("unapplied migrations: %(amount)s")),
}


def list_late_backups(now: datetime) -> list[Row]:
    """Return a row if there has been no backup for long, and one if the last restore drill failed."""
    rows = []
    last, done = _last(BACKUP), _last(BACKUP, done_at__isnull=False)
    if last is not None and (done is None or done.done_at is None or now - done.done_at > BACKUP_LATE):
        rows.append(Row(_("There is no recent backup"), last.remark, done.done_at if done else None, link_row(last)))
    drill = _last(DRILL)
    if drill is not None and drill.done_at is None:
        rows.append(Row(_("The restore drill failed"), drill.remark, drill.claimed_at, link_row(drill)))
    return rows


def list_done_backups() -> Section:
    """Return the section that reports the last backup and the last restore drill."""
    found = [
        (title, chore)
        for title, name in ((_("Backup"), BACKUP), (_("Restore drill"), DRILL))
        if (chore := _last(name, done_at__isnull=False)) is not None
    ]
    rows = [Row(title, chore.remark, chore.done_at, link_row(chore)) for title, chore in found]
    return Section(_("Backups"), _("No backup yet."), len(rows), rows)


def _last(name: str, **more: bool) -> Chore | None:
    return Chore.objects.filter(name=name, **more).order_by("-day").first()
