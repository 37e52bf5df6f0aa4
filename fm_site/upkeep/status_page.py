"""The status page for players: what works, since when, and janitors' announcements."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_safe

from fm_site.upkeep.health_checks import FULL_DISK_BYTES, CheckState, HealthCheck, run_health_checks
from operations.models import Heartbeat, Outage, PageGap
from operations.selectors import list_announcements, read_closing_reason
from operations.services.outages import MAINTENANCE

DAYS_SHOWN = 30
MOST_OUTAGES = 20
# The names that an Outage uses, and the parts of the site as players know them.
PARTS: dict[str, str | Promise] = {
    Heartbeat.Part.SITE: gettext_lazy("Pages"),
    "live": gettext_lazy("Live updates"),
    "page_stamps": gettext_lazy("Clocks of live battles"),
    Heartbeat.Part.BEAT: gettext_lazy("Turns, deadlines and bots"),
    Heartbeat.Part.MAIL_IN: gettext_lazy("Orders by email"),
    Heartbeat.Part.MAIL_OUT: gettext_lazy("Emails to you"),
    "disk": gettext_lazy("Room on the disk"),
}
# The check that shows that a part does not work.
CHECKS: dict[str, str] = {
    "live": "broker",
    "page_stamps": "page_stamps",
    Heartbeat.Part.BEAT: "beat",
    Heartbeat.Part.MAIL_IN: "mail_in",
    Heartbeat.Part.MAIL_OUT: "mail_out",
    "disk": "disk",
}


@dataclass(frozen=True)
class PartOfSite:
    """One part as players see it: whether it works, and since when if that is known."""

    title: str | Promise
    works: bool
    since: datetime | None


@dataclass(frozen=True)
class PastOutage:
    """A period when something did not work; `ended_at` is None while it lasts."""

    what: str
    started_at: datetime
    ended_at: datetime | None


@require_safe
def show_status(request: HttpRequest) -> HttpResponse:
    """Show what works and since when, recent outages, maintenance and announcements."""
    now = timezone.now()
    parts = list(list_parts(now))
    context = {
        "parts": parts,
        "all_work": all(part.works for part in parts),
        "outages": list_outages(now),
        "maintenance": read_closing_reason(),
        "announcements": list_announcements(now),
        "days": DAYS_SHOWN,
    }
    return render(request, "status.html", context)


def list_parts(now: datetime) -> Iterator[PartOfSite]:
    """Yield the parts of the site, as they are at `now`."""
    checks = {check.name: check for check in run_health_checks(now)}
    open_outage = Outage.objects.filter(ended_at=None).first()
    down = open_outage.part.split() if open_outage else []
    recent = list(Outage.objects.filter(ended_at__isnull=False).order_by("-ended_at")[:MOST_OUTAGES])
    for name, title in PARTS.items():
        check = checks.get(CHECKS.get(name, ""))
        if name in down and open_outage:
            yield PartOfSite(title, False, open_outage.started_at)
        # A site that has just started has no heartbeat yet.
        elif check is not None and fails(check):
            yield PartOfSite(title, False, find_begin(check, now))
        else:
            ended = next((outage.ended_at for outage in recent if name in outage.part.split()), None)
            yield PartOfSite(title, True, ended)


def fails(check: HealthCheck) -> bool:
    """Return whether players notice the check's fault. A low disk is a matter of the janitors until it is full."""
    if check.number is None or check.state == CheckState.OK:
        return False
    return check.name != "disk" or check.number < FULL_DISK_BYTES


def find_begin(check: HealthCheck, now: datetime) -> datetime | None:
    """Return when the fault began, if its number says so: the age of the last heartbeat, or of what waits."""
    if check.number is None or check.unit != "seconds" or check.name == "broker":
        return None
    return now - timedelta(seconds=check.number)


def list_outages(now: datetime) -> list[PastOutage]:
    """Return the outages of the last days, newest first."""
    since = now - timedelta(days=DAYS_SHOWN)
    recent = Outage.objects.filter(started_at__gte=since).order_by("-started_at", "-pk")
    gaps = PageGap.objects.filter(started_at__gte=since).order_by("-started_at", "-pk")
    found = [PastOutage(name_parts(each.part), each.started_at, each.ended_at) for each in recent[:MOST_OUTAGES]]
    found += [
        PastOutage(_("Pages, during a live battle"), each.started_at, each.ended_at) for each in gaps[:MOST_OUTAGES]
    ]
    return sorted(found, key=lambda each: each.started_at, reverse=True)[:MOST_OUTAGES]


def name_parts(names: str) -> str:
    titles = {**PARTS, MAINTENANCE: gettext_lazy("Maintenance")}
    return ", ".join(str(titles[name]) for name in names.split() if name in titles) or _("Part of the site")
