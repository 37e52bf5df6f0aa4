"""The site's health, for probes, metrics, the desk and the status page. Nothing in it is secret."""

import shutil
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from functools import cache

from django.conf import settings
from django.core.cache import cache as site_cache
from django.db import Error as RowsError
from django.db import InternalError, OperationalError, connection
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder
from django.db.models import Subquery
from redis.exceptions import RedisError

from duels.selectors.live import find_oldest_live_battle
from email_gateway.models import InboundMail
from fm_site.schedule import LEASE, POST
from notifications.models import Delivery
from operations.clock_check import MOST_DIFFERENCE, measure_difference
from operations.models import Heartbeat, Lease, SiteSum
from operations.selectors import LONGEST_PAGE_SILENCE, is_site_closed, read_page_stamp

# How long a heartbeat may be missing before it is an outage by the default policy.
LATE = timedelta(minutes=10)
# Below the first two, janitors are warned; below the last, files cannot be stored any more.
LOW_DISK_SHARE, LOW_DISK_BYTES, FULL_DISK_BYTES = 0.05, 1_000_000_000, 50_000_000
# Certificates are usually renewed 30 days before their end.
CERTIFICATE_DAYS = 14
# The name of the sum with the end of the certificate.
CERTIFICATE = "certificate_ends"
NOTHING = timedelta(0)


class CheckState(StrEnum):
    """The state of one part. While one is `DOWN`, this machine should get no users."""

    OK = "ok"
    WARN = "warn"
    DOWN = "down"


@dataclass(frozen=True)
class HealthCheck:
    """One part of the site: its state, and a number with its unit if there is one."""

    name: str
    state: CheckState
    number: float | None = None
    unit: str = ""


def run_health_checks(now: datetime) -> list[HealthCheck]:
    """Return the state of every part; if the database is down, only of the parts that don't need it."""
    try:
        return [*_check_database(now), _check_broker(), _check_disk()]
    except RowsError:
        connection.close()
        return [HealthCheck("database", CheckState.DOWN), _check_broker(), _check_disk()]


def _check_database(now: datetime) -> list[HealthCheck]:
    started = time.monotonic()
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")
    seconds = time.monotonic() - started
    ahead = measure_difference()
    is_off = abs(ahead) > MOST_DIFFERENCE
    missing = len(list_unapplied_migrations())
    checks = [
        HealthCheck("database", CheckState.OK if missing or takes_changes() else CheckState.DOWN, seconds, "seconds"),
        HealthCheck("clock", CheckState.DOWN if is_off else CheckState.OK, ahead.total_seconds(), "seconds"),
        HealthCheck("migrations", CheckState.DOWN if missing else CheckState.OK, missing, "unapplied"),
    ]
    # With the tables of another release, or a wrong clock, the rest means nothing.
    if any(check.state == CheckState.DOWN for check in checks):
        return checks
    return [*checks, _check_beat(now), *_check_stamps(now), *_check_mail(now), *_check_certificate(now)]


def takes_changes() -> bool:
    """Return whether the database takes changes: not while it is read-only, as a replica or on a disk with errors.

    Asks by a statement that changes no row, because a setting doesn't tell for every reason.
    """
    try:
        with connection.cursor() as cursor:
            cursor.execute(f"DELETE FROM {Heartbeat._meta.db_table} WHERE 1 = 0")
    except (InternalError, OperationalError):
        return False
    return True


def list_unapplied_migrations() -> set[tuple[str, str]]:
    """Return the migrations of this release that have not been applied."""
    return set(_own_migrations() - MigrationRecorder(connection).applied_migrations().keys())


@cache
def _own_migrations() -> frozenset[tuple[str, str]]:
    """Return the program's own migrations. Cached, since the program does not change while it runs."""
    return frozenset(MigrationLoader(None, ignore_no_migrations=True).disk_migrations)


def _check_beat(now: datetime) -> HealthCheck:
    until = Subquery(Lease.objects.filter(name=POST).values("until"))
    beat = Heartbeat.objects.filter(part=Heartbeat.Part.BEAT).values_list("beat_at", until).first()
    if beat is None:
        return HealthCheck("beat", CheckState.WARN)
    seen_at, leased_until = beat
    age = now - seen_at
    # The second LEASE is for a beat that is just being restarted or replaced.
    is_dead = leased_until is not None and now - leased_until > LEASE
    state = CheckState.WARN if is_dead or abs(age) > LATE else CheckState.OK
    return HealthCheck("beat", state, age.total_seconds(), "seconds")


def _check_stamps(now: datetime) -> list[HealthCheck]:
    """Return whether the web processes note that they serve pages, while a live battle is played."""
    begun = find_oldest_live_battle()
    if begun is None or is_site_closed():
        return []
    age = now - max(filter(None, [begun, read_page_stamp()]))
    state = CheckState.WARN if age > LONGEST_PAGE_SILENCE else CheckState.OK
    return [HealthCheck("page_stamps", state, age.total_seconds(), "seconds")]


def _check_mail(now: datetime) -> list[HealthCheck]:
    inbound = InboundMail.objects.filter(state__in=["received", "claimed"])
    outbound = Delivery.objects.filter(Delivery.EMAILS, state__in=["due", "claimed"])
    checks = []
    for name, rows in (("mail_in", inbound), ("mail_out", outbound)):
        oldest = rows.filter(due_at__lte=now).order_by("due_at").values_list("due_at", flat=True).first()
        age = now - oldest if oldest else NOTHING
        checks.append(
            HealthCheck(name, CheckState.WARN if age > LATE else CheckState.OK, age.total_seconds(), "seconds")
        )
    return checks


def _check_certificate(now: datetime) -> list[HealthCheck]:
    """Return the certificate's state as a worker last saw it (upkeep.tasks.watch_certificate), if there is one."""
    ends = SiteSum.objects.filter(name=CERTIFICATE).values_list("amount", flat=True).first()
    if ends is None:
        return []
    days = (datetime.fromtimestamp(ends, UTC) - now) / timedelta(days=1)
    return [
        HealthCheck(
            "certificate", CheckState.WARN if days < CERTIFICATE_DAYS else CheckState.OK, round(days, 1), "days"
        )
    ]


def _check_broker() -> HealthCheck:
    started = time.monotonic()
    state = CheckState.OK if is_valkey_there() else CheckState.WARN
    return HealthCheck("broker", state, time.monotonic() - started, "seconds")


def is_valkey_there() -> bool:
    ping: Callable[[], bool] | None = getattr(site_cache, "ping", None)
    try:
        return ping() if ping else True
    except (RedisError, OSError):
        return False


def _check_disk() -> HealthCheck:
    """Return whether there is room in the data folder. Pages need none there, unless the database is a file of it."""
    try:
        usage = shutil.disk_usage(settings.DATA_DIR)
    except OSError:
        return HealthCheck("disk", CheckState.DOWN)
    low = usage.free < min(LOW_DISK_BYTES, usage.total // 2) or usage.free < usage.total * LOW_DISK_SHARE
    full = CheckState.DOWN if connection.vendor == "sqlite" else CheckState.WARN
    state = full if usage.free < FULL_DISK_BYTES else CheckState.WARN if low else CheckState.OK
    return HealthCheck("disk", state, usage.free, "bytes_free")
