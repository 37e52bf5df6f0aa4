"""The desk's sections about the machine: warnings of failures, and the state of backups."""

from collections.abc import Callable
from datetime import datetime, timedelta

from django.urls import reverse
from django.utils import timezone
from django.utils.formats import number_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accounts.models import User
from fm_site.upkeep.backup import BACKUP
from fm_site.upkeep.health_checks import CheckState, HealthCheck, run_health_checks
from fm_site.upkeep.restore_drill import DRILL
from moderation.desk import MOST_ROWS, Item, Section, link_row
from operations.models import Chore

# A site that is a day old has no backup yet.
BACKUP_LATE = timedelta(days=2)
# A drill runs on Sundays, where the last backup is.
DRILL_LATE = timedelta(days=15)
NO_NUMBER = ""


def list_site_sections(reader: User | None = None) -> list[Section]:
    """Return the sections of the desk about the machine and its backups, the same for each reader."""
    now = timezone.now()
    items = [
        Item(*describe_vital(check), None, reverse("status"))
        for check in run_health_checks(now)
        if check.state != CheckState.OK and check.name in SENTENCES
    ]
    items += list_late_backups(now)
    return [Section(_("Warnings"), _("No warnings."), len(items), items[:MOST_ROWS]), list_done_backups()]


def describe_vital(check: HealthCheck) -> tuple[str, str]:
    divisor = {"seconds": 60, "bytes_free": 1_000_000}.get(check.unit, 1)
    amount = round((check.number or 0) / divisor)
    what, more = SENTENCES[check.name](amount)
    return what, NO_NUMBER if check.number is None else more % {"amount": number_format(amount)}


# One function for each, so that the texts are translated when they are shown.
SENTENCES: dict[str, Callable[[int], tuple[str, str]]] = {
    "beat": lambda n: (
        _("Background work doesn't run"),
        ngettext("last seen %(amount)s minute ago", "last seen %(amount)s minutes ago", n),
    ),
    "page_stamps": lambda n: (
        _("Clocks of live battles stand still: no web process notes that it serves pages"),
        ngettext("for %(amount)s minute", "for %(amount)s minutes", n),
    ),
    "mail_in": lambda n: (_("Incoming email isn't processed"), _say_how_long(n)),
    "mail_out": lambda n: (_("Outgoing email isn't sent"), _say_how_long(n)),
    "broker": lambda _n: (_("Valkey doesn't answer"), _("pages work, but open ones show new turns late")),
    "disk": lambda _n: (_("The disk is almost full"), _("%(amount)s MB are free")),
    "certificate": lambda n: (
        _("The certificate expires soon"),
        ngettext("in %(amount)s day; renew it", "in %(amount)s days; renew it", n),
    ),
    "clock": lambda n: (
        _("This machine's clock is wrong"),
        ngettext("by %(amount)s minute", "by %(amount)s minutes", n),
    ),
    "migrations": lambda _n: (_("The database needs prepare_site"), _("unapplied migrations: %(amount)s")),
}


def _say_how_long(minutes: int) -> str:
    return ngettext(
        "the oldest has been waiting for %(amount)s minute",
        "the oldest has been waiting for %(amount)s minutes",
        minutes,
    )


def list_late_backups(now: datetime) -> list[Item]:
    """Return a row if there has been no backup for long, and one if there has been no restore drill, or it failed."""
    items = []
    last, done = _last(BACKUP), _last(BACKUP, done_at__isnull=False)
    if last is not None and (done is None or done.done_at is None or now - done.done_at > BACKUP_LATE):
        items.append(Item(_("There is no recent backup"), last.remark, done.done_at if done else None, link_row(last)))
    drill = _last(DRILL)
    if drill is not None and drill.done_at is None:
        items.append(Item(_("The restore drill failed"), drill.remark, drill.claimed_at, link_row(drill)))
    elif drill is not None and drill.done_at is not None and now - drill.done_at > DRILL_LATE:
        items.append(Item(_("There is no recent restore drill"), drill.remark, drill.done_at, link_row(drill)))
    return items


def list_done_backups() -> Section:
    """Return the section that reports the last backup and the last restore drill."""
    found = [
        (title, chore)
        for title, name in ((_("Backup"), BACKUP), (_("Restore drill"), DRILL))
        if (chore := _last(name, done_at__isnull=False)) is not None
    ]
    items = [Item(title, chore.remark, chore.done_at, link_row(chore)) for title, chore in found]
    return Section(_("Backups"), _("No backup yet."), len(items), items)


def _last(name: str, **more: bool) -> Chore | None:
    return Chore.objects.filter(name=name, **more).order_by("-day").first()
