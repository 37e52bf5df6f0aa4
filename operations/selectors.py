"""Reading the site's policy, state and announcements."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from django.conf import settings
from django.db.models import F, OuterRef, Q, QuerySet
from django.utils.translation import gettext as _

from operations.database.prepared_query import PreparedQuery
from operations.lost_time import LostTime
from operations.models import (
    Announcement,
    Heartbeat,
    Lease,
    Maintenance,
    Outage,
    PageGap,
    PageStamp,
    SitePage,
    SitePolicy,
)
from operations.policy import SETTINGS, Policy
from operations.registry import DOUBTS, list_functions
from operations.text.dates import UTC, write_moment

NOTHING = timedelta(0)
# After such a silence, background work was switched off or its clock jumped; only people can tell which.
LONGEST_SILENCE = timedelta(days=2)
SETTLING = timedelta(days=1)
# While a live battle is open, every web process shows that it serves pages so often. After a longer silence of all of
# them, the site was down for the players.
PAGE_STAMP_EVERY = timedelta(seconds=5)
LONGEST_PAGE_SILENCE = timedelta(seconds=15)


def read_lease(name: str) -> Lease | None:
    """Return who has or had the role `name`, and until when."""
    return Lease.objects.filter(name=name).first()


def list_public_announcements(*, now: datetime, limit: int) -> list[Announcement]:
    """Return the latest announcements that have begun and are not withdrawn, also those that pages no longer show."""
    begun = Announcement.objects.filter(starts_at__lte=now, withdrawn_at=None)
    return list(begun.order_by("-starts_at", "-pk")[:limit])


@dataclass(frozen=True)
class SiteState:
    """The state of the site at one moment. While there are `doubts` (sentences), nobody is reminded, retired or closed.
    `maintenance` is the reason that pages show, or ""."""

    maintenance: str
    announcements: tuple[str, ...]
    doubts: tuple[str, ...]

    @property
    def is_closed(self) -> bool:
        return bool(self.maintenance)


def read_policy() -> Policy:
    """Return the current numbers: those set last, or those of the rules document."""
    row = next(iter(_read_latest_policy()), None)
    return Policy(**{name: getattr(row, name) for name in SETTINGS}) if row else Policy()


@PreparedQuery
def _read_latest_policy() -> QuerySet[SitePolicy]:
    return SitePolicy.objects.order_by("-pk")[:1]


def read_site_state(now: datetime, zone: ZoneInfo = UTC) -> SiteState:
    """Return the state of the site, with times in `zone`. A site that was never watched (no Heartbeat yet) is no reason
    for doubt."""
    reason = read_closing_reason()
    doubts = tuple(_list_doubts(_find_last_beat(), reason, read_policy(), now, zone))
    return SiteState(reason, tuple(list_announcements(now)), doubts)


def list_doubts(now: datetime, policy: Policy | None = None) -> tuple[str, ...]:
    """Return why reminding, retiring and closing must wait (SiteState.doubts). Pass `policy` if you have already read
    it."""
    return tuple(_list_doubts(_find_last_beat(), read_closing_reason(), policy or read_policy(), now, UTC))


def read_closing_reason() -> str:
    """Return the reason for maintenance, or "" if there is none."""
    return Maintenance.objects.filter(ended_at=None).values_list("reason", flat=True).first() or ""


def list_current_pages() -> QuerySet[SitePage]:
    """Return the newest version of each of the operator's pages in each language, without those taken down."""
    same = SitePage.objects.filter(name=OuterRef("name"), language=OuterRef("language"))
    return SitePage.objects.filter(pk=same.order_by("-pk").values("pk")[:1]).exclude(text="")


def list_written_pages() -> list[str]:
    """Return the names of the operator's pages that exist in any language, in order."""
    written = set(list_current_pages().values_list("name", flat=True))
    return [name for name in SitePage.Name.values if name in written]


def find_site_page(name: str, language: str) -> SitePage | None:
    """Return the operator's page in `language`; else in the site's own, else in any; None if there is none."""
    found = {page.language: page for page in list_current_pages().filter(name=name)}
    return found.get(language) or found.get(settings.LANGUAGE_CODE) or next(iter(found.values()), None)


def is_site_closed() -> bool:
    return Maintenance.objects.filter(ended_at=None).exists()


def list_announcements(now: datetime) -> list[str]:
    """Return the current announcements, newest first."""
    current = Announcement.objects.filter(starts_at__lte=now, until__gt=now, withdrawn_at=None)
    return list(current.values_list("text", flat=True))


def is_clock_in_doubt(*, now: datetime) -> bool:
    """Return whether the clock may have jumped within a day: there was no heartbeat for long, or one is in the future.
    Permanent deletion waits, so that a wrong clock can be fixed before anything is lost."""
    beat = _find_last_beat()
    if beat is not None and abs(now - beat) > LONGEST_SILENCE:
        return True
    late = Outage.objects.filter(ended_at__gt=now - SETTLING, started_at__lt=F("ended_at") - LONGEST_SILENCE)
    return late.filter(part__contains=Heartbeat.Part.BEAT).exists()


def latest_beat() -> QuerySet[Heartbeat, datetime]:
    """Return a query for the moment of the last heartbeat of the background work, for use in other queries."""
    return Heartbeat.objects.filter(part=Heartbeat.Part.BEAT).order_by("pk").values_list("beat_at", flat=True)[:1]


def _find_last_beat() -> datetime | None:
    return latest_beat().first()


def _list_doubts(
    beat: datetime | None, maintenance: str, policy: Policy, now: datetime, zone: ZoneInfo
) -> Iterator[str]:
    silence = timedelta(minutes=policy.outage_minutes)
    outages = list(Outage.objects.filter(given_back_at=None).values_list("part", "ended_at"))
    if maintenance:
        yield _("The site is under maintenance.")
    if beat and abs(now - beat) > silence:
        yield _("Background work was last seen on %(moment)s.") % {"moment": write_moment(beat, zone)}
    elif any(ended is None and part != "maintenance" for part, ended in outages):
        yield _("Part of the site is down.")
    if any(ended for _, ended in outages):
        yield _("Battles have not yet got back the time they lost in an outage.")
    yield from filter(None, (doubt(now, policy, zone) for doubt in list_functions(DOUBTS)))


def find_silence(now: datetime) -> tuple[datetime, datetime] | None:
    """Return the period without a heartbeat of the background work, if it is too long; its Outage is recorded when it
    ends."""
    beat = _find_last_beat()
    if beat is None or now - beat <= timedelta(minutes=read_policy().outage_minutes):
        return None
    return beat, now


def read_page_stamp() -> datetime | None:
    """Return when a web process last served a page while a live battle was open; None if nobody is watching."""
    return PageStamp.objects.values_list("stamped_at", flat=True).first()


def is_page_silent(*, stamp: datetime | None, open_since: datetime, now: datetime) -> bool:
    """Return whether no page has been served for too long, so that nobody could play a live battle that has been open
    since then. `stamp` is that of read_page_stamp."""
    return stamp is not None and now - max(stamp, open_since) > LONGEST_PAGE_SILENCE


def list_gaps_to_make_good() -> QuerySet[PageGap]:
    """Return the gaps after which some clocks may still have to start again, oldest first."""
    return PageGap.objects.filter(made_good_at=None).order_by("started_at", "pk")


def list_outages_to_give_back() -> QuerySet[Outage]:
    """Return the outages that are over but not given back to the battles' clocks yet, oldest first."""
    return Outage.objects.filter(given_back_at=None, ended_at__isnull=False).order_by("started_at", "pk")


def measure_lost_time(since: datetime, until: datetime) -> timedelta:
    """Return how much of the time between two moments the site was down or under maintenance."""
    touching = Outage.objects.filter(started_at__lt=until).filter(Q(ended_at=None) | Q(ended_at__gt=since))
    spans = touching.values_list("started_at", "ended_at")
    return sum((min(end or until, until) - max(start, since) for start, end in spans), NOTHING)


def read_lost_time(since: datetime) -> LostTime:
    """Return the periods since that moment when the site was down."""
    touching = Outage.objects.filter(Q(ended_at=None) | Q(ended_at__gt=since)).order_by("started_at")
    return LostTime(tuple(touching.values_list("started_at", "ended_at")))
