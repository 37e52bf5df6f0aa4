"""What the janitors' desk says of the machine: what is about to fail, and how backups are."""

from collections.abc import Callable
from datetime import datetime, timedelta

from django.urls import reverse
from django.utils import timezone
from django.utils.formats import number_format
from django.utils.translation import gettext as _

from fm_site.moderation.desk import MOST_ROWS, Row, Section, link_row
from fm_site.operations.models import Chore
from fm_site.vitals import State, Vital, read_vitals

# A site that is a day old has no backup yet.
BACKUP_LATE = timedelta(days=2)
NO_NUMBER = ""


def list_site_sections() -> list[Section]:
    """Return the section of the desk about the machine."""
    now = timezone.now()
    rows = [
        Row(*describe_vital(vital), None, reverse("status"))
        for vital in read_vitals(now)
        if vital.state != State.OK and vital.name in SENTENCES
    ]
    rows += list_late_backups(now)
    return [Section(_("Warnings"), _("Nothing is about to fail."), len(rows), rows[:MOST_ROWS])]


def describe_vital(vital: Vital) -> tuple[str, str]:
    """Return what is wrong, and the details."""
    what, more = SENTENCES[vital.name]()
    if vital.number is None:
        return what, NO_NUMBER
    amount = {
        "seconds": lambda number: number / 60,
        "bytes_free": lambda number: number / 1_000_000,
    }.get(vital.unit, lambda number: number)(vital.number)
    return what, more % {"amount": number_format(round(amount))}


# One function for each, so that the texts are translated when they are shown.
SENTENCES: dict[str, Callable[[], tuple[str, str]]] = {
    "beat": lambda: (_("Background work doesn't run"), _("last seen %(amount)s minutes ago")),
    "mail_in": lambda: (_("Incoming email isn't processed"), _("the oldest waits for %(amount)s minutes")),
    "mail_out": lambda: (_("Outgoing email isn't sent"), _("the oldest waits for %(amount)s minutes")),
    "broker": lambda: (_("Valkey doesn't answer"), _("pages work, but open ones learn of a turn late")),
    "disk": lambda: (_("The disk is almost full"), _("%(amount)s MB are free")),
    "certificate": lambda: (_("The certificate ends soon"), _("in %(amount)s days; renew it")),
    "clock": lambda: (_("This machine's clock is wrong"), _("by %(amount)s minutes")),
    "migrations": lambda: (_("The database needs prepare_site"), _("unapplied migrations: %(amount)s")),
}


def list_late_backups(now: datetime) -> list[Row]:
    """Return a row if the last backup or restore drill failed, or there has been no backup for long."""
    rows = []
    last = Chore.objects.filter(name="backup").order_by("-day").first()
    done = Chore.objects.filter(name="backup", done_at__isnull=False).order_by("-day").first()
    if last is not None and (done is None or done.done_at is None or now - done.done_at > BACKUP_LATE):
        rows.append(Row(_("There is no recent backup"), last.remark, done.done_at if done else None, link_row(last)))
    return rows
