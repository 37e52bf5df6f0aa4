"""Reading the site's numbers, whether it is well, and what it tells everybody."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from django.db.models import F, Q, QuerySet

from fm_site.operations.lost_time import LostTime
from fm_site.operations.models import Announcement, Heartbeat, Maintenance, Outage, SitePolicy
from fm_site.operations.moments import UTC, write_moment
from fm_site.operations.policy import SETTINGS, Policy
from fm_site.operations.registry import DOUBTS, list_functions

NOTHING = timedelta(0)
# Background work that was silent for so long was switched off, or its clock jumped; which of the two, only people know.
LONGEST_SILENCE = timedelta(days=2)
SETTLING = timedelta(days=1)


@dataclass(frozen=True)
class SiteState:
    """How the house is at one moment. While it is `doubtful`, whoever reminds, retires or closes waits: `doubts` are
    sentences that say why. `maintenance` is the reason that pages show, "" while the house is open."""

    maintenance: str
    announcements: tuple[str, ...]
    last_beat: datetime | None
    doubts: tuple[str, ...]

    @property
    def is_closed(self) -> bool:
        return bool(self.maintenance)

    @property
    def doubtful(self) -> bool:
        return bool(self.doubts)


def read_policy() -> Policy:
    """Return the numbers in force: those set last, or those of the rules document."""
    row = SitePolicy.objects.order_by("-pk").first()
    return Policy(**{name: getattr(row, name) for name in SETTINGS}) if row else Policy()


def read_site_state(now: datetime, zone: ZoneInfo = UTC) -> SiteState:
    """Return how the house is; moments are told in `zone`. A house that was never watched (no Heartbeat yet) is not
    doubted for that."""
    policy, beat, reason = read_policy(), _find_last_beat(), read_closing_reason()
    doubts = tuple(_list_doubts(beat, reason, policy, now, zone))
    return SiteState(reason, tuple(list_announcements(now)), beat, doubts)


def list_doubts(now: datetime, policy: Policy | None = None) -> tuple[str, ...]:
    """Return why whoever reminds, retires or closes is to wait, as SiteState says it. `policy` are the numbers in
    force, where the caller has read them."""
    return tuple(_list_doubts(_find_last_beat(), read_closing_reason(), policy or read_policy(), now, UTC))


def read_closing_reason() -> str:
    """Return why the house is closed, "" while it is open."""
    return Maintenance.objects.filter(ended_at=None).values_list("reason", flat=True).first() or ""


def is_site_closed() -> bool:
    """Say whether the house is closed for maintenance."""
    return Maintenance.objects.filter(ended_at=None).exists()


def list_announcements(now: datetime) -> list[str]:
    """Return what is announced at `now`, the newest first."""
    current = Announcement.objects.filter(starts_at__lte=now, until__gt=now, withdrawn_at=None)
    return list(current.values_list("text", flat=True))


def is_clock_in_doubt(*, now: datetime) -> bool:
    """Say whether the clock may have jumped within a day: there was no sign of life for long, or there is one of the
    future. Whoever deletes for good waits, so that a wrong clock can be put right before anything is lost."""
    beat = _find_last_beat()
    if beat is not None and abs(now - beat) > LONGEST_SILENCE:
        return True
    late = Outage.objects.filter(ended_at__gt=now - SETTLING, started_at__lt=F("ended_at") - LONGEST_SILENCE)
    return late.filter(part__contains=Heartbeat.Part.BEAT).exists()


def _find_last_beat() -> datetime | None:
    """Return the last sign of life of the background work."""
    return Heartbeat.objects.filter(part=Heartbeat.Part.BEAT).values_list("beat_at", flat=True).first()


def _list_doubts(
    beat: datetime | None, maintenance: str, policy: Policy, now: datetime, zone: ZoneInfo
) -> Iterator[str]:
    silence = timedelta(minutes=policy.outage_minutes)
    outages = list(Outage.objects.filter(given_back_at=None).values_list("part", "ended_at"))
    if maintenance:
        yield "The site is under maintenance."
    if beat and abs(now - beat) > silence:
        yield f"Background work was last seen on {write_moment(beat, zone)}."
    elif any(ended is None and part != "maintenance" for part, ended in outages):
        yield "Part of the site is down."
    if any(ended for _, ended in outages):
        yield "Battles have not been given back the time of an outage yet."
    yield from filter(None, (doubt(now, policy, zone) for doubt in list_functions(DOUBTS)))


def find_silence(now: datetime) -> tuple[datetime, datetime] | None:
    """Return the time without a sign of life of the background work, if it has become too long for one; the Outage
    that it will be is recorded at its end."""
    beat = _find_last_beat()
    if beat is None or now - beat <= timedelta(minutes=read_policy().outage_minutes):
        return None
    return beat, now


def list_outages_to_give_back() -> QuerySet[Outage]:
    """Return the outages that are over and whose time the clocks of battles have not got yet, oldest first."""
    return Outage.objects.filter(given_back_at=None, ended_at__isnull=False).order_by("started_at", "pk")


def measure_lost_time(since: datetime, until: datetime) -> timedelta:
    """Return how much of the time between two moments the house was out of order or closed."""
    touching = Outage.objects.filter(started_at__lt=until).filter(Q(ended_at=None) | Q(ended_at__gt=since))
    spans = touching.values_list("started_at", "ended_at")
    return sum((min(end or until, until) - max(start, since) for start, end in spans), NOTHING)


def read_lost_time(since: datetime) -> LostTime:
    """Return when the house was out of order since then."""
    touching = Outage.objects.filter(Q(ended_at=None) | Q(ended_at__gt=since)).order_by("started_at")
    return LostTime(tuple(touching.values_list("started_at", "ended_at")))
