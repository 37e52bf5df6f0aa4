"""Recording heartbeats, outages and maintenance."""

from datetime import datetime, timedelta

from django.contrib.auth.base_user import AbstractBaseUser
from django.db import IntegrityError, transaction
from django.db.models import F, Max, Q

from operations.banner import forget_banner_on_commit
from operations.models import Heartbeat, Maintenance, Outage
from operations.policy import Policy
from operations.selectors import read_policy

MAINTENANCE = "maintenance"
# More frequent heartbeats are ignored.
OFTEN_ENOUGH = timedelta(seconds=15)


def record_heartbeat(*, part: str, now: datetime) -> None:
    """Record a heartbeat of a part of the site (Heartbeat.Part). If the background work was silent for too long, that
    becomes an Outage, exactly once."""
    with transaction.atomic():
        row, is_new = Heartbeat.objects.get_or_create(part=Heartbeat.Part(part), defaults={"beat_at": now})
        if is_new or timedelta(0) <= now - row.beat_at < OFTEN_ENOUGH:
            return
        unchanged = Heartbeat.objects.filter(pk=row.pk, beat_at=row.beat_at)
        if unchanged.update(beat_at=now) and row.part == Heartbeat.Part.BEAT:
            if now < row.beat_at:
                _drop_future_times(now)
            _record_gap(row.beat_at, now, read_policy())


def mark_part_working(*, part: str, now: datetime) -> bool:
    """Record that a part works again if it was failing; return whether it was."""
    failing = Heartbeat.objects.filter(part=part, failing_since__isnull=False)
    return failing.update(failing_since=None, beat_at=now) == 1


def mark_part_failing(*, part: str, now: datetime) -> None:
    """Record that a part of the site is running but failing; the time of the first failure stays until it works."""
    Heartbeat.objects.get_or_create(part=Heartbeat.Part(part), defaults={"beat_at": now})
    Heartbeat.objects.filter(part=part, failing_since=None).update(failing_since=now)


def forget_heartbeat(*, part: str) -> bool:
    """Stop watching a part of the site, for example one shut down on purpose; return whether it was watched."""
    return Heartbeat.objects.filter(part=part).delete()[0] == 1


def watch_parts(*, now: datetime) -> None:
    """Record a heartbeat of the background work. Start an Outage if another part has been silent or failing for too
    long or the site is under maintenance, and end it when neither applies."""
    record_heartbeat(part=Heartbeat.Part.BEAT, now=now)
    with transaction.atomic():
        _update_outage(now)


def mark_outage_given_back(*, outage: Outage, now: datetime) -> bool:
    """Record that an outage's time was given back to the clocks; return whether that is new. Call it in the transaction
    that moves them."""
    over = Outage.objects.filter(pk=outage.pk, ended_at__isnull=False, given_back_at=None)
    return over.update(given_back_at=now) == 1


def start_maintenance(*, by: AbstractBaseUser | None, reason: str, now: datetime) -> Maintenance:
    """Start maintenance: pages say why, email waits, reminders and clocks stop. If it has already started, the first
    reason stays. `by` is None for the operator, on the machine itself."""
    with transaction.atomic():
        try:
            with transaction.atomic():
                keeper = by.pk if by else None
                maintenance = Maintenance.objects.create(reason=reason, started_at=now, started_by_id=keeper)
        except IntegrityError:
            return Maintenance.objects.get(ended_at=None)
        _update_outage(now)
        forget_banner_on_commit()
    return maintenance


def end_maintenance(*, by: AbstractBaseUser | None, now: datetime) -> bool:
    """End maintenance; return whether it was on. `by` is as in start_maintenance."""
    with transaction.atomic():
        ended = Maintenance.objects.filter(ended_at=None).update(ended_at=now, ended_by=by)
        if ended:
            _update_outage(now)
            forget_banner_on_commit()
    return ended == 1


def _record_gap(last: datetime, now: datetime, policy: Policy) -> None:
    if now - last <= timedelta(minutes=policy.outage_minutes):
        return
    # The other parts could not report during the gap, which says nothing about them.
    Heartbeat.objects.filter(beat_at__lt=now).update(beat_at=now)
    if not Outage.objects.filter(ended_at=None).exists():
        started_at = _find_start(last)
        if started_at < now:
            Outage.objects.create(part=Heartbeat.Part.BEAT, started_at=started_at, ended_at=now)


def _drop_future_times(now: datetime) -> None:
    """Undo what a clock that was ahead has written: heartbeats and outages in the future."""
    Heartbeat.objects.filter(beat_at__gt=now).update(beat_at=now)
    Heartbeat.objects.filter(failing_since__gt=now).update(failing_since=now)
    not_given_back = Outage.objects.filter(given_back_at=None)
    not_given_back.filter(started_at__gt=now).delete()
    not_given_back.filter(ended_at__gt=now).delete()


def _update_outage(now: datetime) -> None:
    """Start, extend or end the open Outage to match what is failing at `now`."""
    causes = _find_causes(now)
    running = Outage.objects.filter(ended_at=None).first()
    if running is None and causes:
        _begin_outage(causes, now)
    elif running is not None and not causes:
        Outage.objects.filter(pk=running.pk, ended_at=None).update(ended_at=max(now, running.started_at))
    elif running is not None:
        named = running.part.split()
        added = [cause for cause in causes if cause not in named]
        if added:
            Outage.objects.filter(pk=running.pk).update(part=" ".join([*named, *added]))


def _begin_outage(causes: dict[str, datetime], now: datetime) -> None:
    started_at = min(_find_start(min(causes.values())), now)
    try:
        with transaction.atomic():
            Outage.objects.create(part=" ".join(causes), started_at=started_at)
    except IntegrityError:  # another worker has started it
        pass


def _find_causes(now: datetime) -> dict[str, datetime]:
    """Return what is failing, and since when."""
    threshold = now - timedelta(minutes=read_policy().outage_minutes)
    rows = Heartbeat.objects.exclude(part=Heartbeat.Part.BEAT)
    silent = rows.filter(Q(beat_at__lt=threshold) | Q(failing_since__lt=threshold))
    causes = {row.part: row.failing_since or row.beat_at for row in silent.order_by("part")}
    closed = Maintenance.objects.filter(ended_at=None).values_list("started_at", flat=True).first()
    return {MAINTENANCE: closed, **causes} if closed else causes


def _find_start(moment: datetime) -> datetime:
    """Return when an outage noticed since `moment` starts: not before the end of the last one, so that no time counts
    twice."""
    last = Outage.objects.aggregate(last=Max(F("ended_at")))["last"]
    return max(moment, last) if last else moment
