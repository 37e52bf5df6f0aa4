"""`/metrics` for Prometheus: the counts of this machine's processes, and the state of the site. For everyone else the
address does not exist.
"""

import hmac
from collections.abc import Iterator
from datetime import datetime
from ipaddress import ip_network

import redis
from django.conf import settings
from django.db.models import Max
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from prometheus_client import CONTENT_TYPE_LATEST, REGISTRY, CollectorRegistry, generate_latest
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.multiprocess import MultiProcessCollector
from prometheus_client.registry import Collector
from redis.exceptions import RedisError

from duels.models import Battle
from fm_site.upkeep.backup import BACKUP
from fm_site.upkeep.health_checks import CheckState, run_health_checks
from operations.metrics_files import SolidFile
from operations.models import Chore
from operations.web.client_address import client_address, read_address

METRICS = "/metrics"
QUEUES = sorted(
    {settings.CELERY_TASK_DEFAULT_QUEUE, *(route["queue"] for route in settings.CELERY_TASK_ROUTES.values())}
)
# The numbers of fm_site.upkeep.health_checks, under the names of metrics.
NUMBERS = {
    "database": ("fm_database_seconds", "How long the database takes to answer."),
    "clock": ("fm_clock_ahead_seconds", "How far this machine's clock is ahead of the database's."),
    "migrations": ("fm_migrations_unapplied", "Migrations of this release that the database has not had."),
    "beat": ("fm_beat_age_seconds", "How long ago the background work last reported."),
    "page_stamps": (
        "fm_page_stamp_age_seconds",
        "How long ago a web process last noted that it serves pages, while a live battle is played.",
    ),
    "mail_in": ("fm_mail_in_age_seconds", "How long the oldest email that came in has been waiting."),
    "mail_out": ("fm_mail_out_age_seconds", "How long the oldest email that is due has been waiting."),
    "broker": ("fm_broker_seconds", "How long Valkey takes to answer."),
    "disk": ("fm_disk_free_bytes", "Free bytes where the data folder is."),
    "certificate": ("fm_certificate_days", "Days until the certificate ends."),
}


class SiteCollector(Collector):
    """The state of the site, read when Prometheus asks."""

    def collect(self) -> Iterator[GaugeMetricFamily]:
        """Yield one gauge for each number."""
        states = GaugeMetricFamily("fm_part_ok", "Whether a part of the site is well.", labels=["part"])
        now = timezone.now()
        checks = run_health_checks(now)
        for check in checks:
            states.add_metric([check.name], float(check.state == CheckState.OK))
            if check.number is not None:
                yield GaugeMetricFamily(*NUMBERS[check.name], value=check.number)
        yield states
        # The numbers of an outage and of a release in progress are known without reading tables that may be missing.
        if not any(check.state == CheckState.DOWN for check in checks if check.name in ("database", "migrations")):
            stuck = Battle.objects.filter(status=Battle.Status.STUCK).count()
            yield GaugeMetricFamily("fm_battles_stuck", "Battles that the rules cannot continue.", value=stuck)
            current = Battle.objects.filter(finished_at=None).count()
            yield GaugeMetricFamily("fm_battles_current", "Battles that are not over.", value=current)
            yield from measure_backup(now)
        yield from self.measure_queues()

    def measure_queues(self) -> Iterator[GaugeMetricFamily]:
        lengths = GaugeMetricFamily("fm_queue_length", "Tasks that wait for a worker.", labels=["queue"])
        try:
            for queue, length in count_tasks().items():
                lengths.add_metric([queue], length)
        except (OSError, RedisError):
            return
        yield lengths


def count_tasks() -> dict[str, int]:
    """Return how many tasks wait for workers in each queue. Raises OSError or RedisError without the broker."""
    with redis.Redis.from_url(settings.REDIS_URL, socket_timeout=2, socket_connect_timeout=1) as broker:
        return {queue: int(broker.llen(queue)) for queue in QUEUES}


def measure_backup(now: datetime) -> Iterator[GaugeMetricFamily]:
    """Yield the age of the last backup; nothing if there is none yet."""
    done = Chore.objects.filter(name=BACKUP).aggregate(last=Max("done_at"))["last"]
    if done is not None:
        age = (now - done).total_seconds()
        yield GaugeMetricFamily("fm_backup_age_seconds", "How long ago the last backup was finished.", value=age)


def show_metrics(request: HttpRequest) -> HttpResponse | None:
    """Return the metrics, or None for requests that may not read them."""
    if not may_read_metrics(request):
        return None
    counted = REGISTRY
    if settings.FM_METRICS_DIR and not SolidFile.without_file:
        counted = CollectorRegistry()
        MultiProcessCollector(counted, path=str(settings.FM_METRICS_DIR))  # type: ignore[no-untyped-call]
    site = CollectorRegistry()
    site.register(SiteCollector())
    answer = HttpResponse(generate_latest(counted) + generate_latest(site), content_type=CONTENT_TYPE_LATEST)
    answer["Cache-Control"] = "no-store"
    return answer


def may_read_metrics(request: HttpRequest) -> bool:
    """Return whether the request has the token, or comes from one of the networks."""
    token = settings.FM_METRICS_TOKEN
    given = request.META.get("HTTP_AUTHORIZATION", "").removeprefix("Bearer ")
    if token and hmac.compare_digest(given.encode(), token.encode()):
        return True
    # Behind a proxy that is not configured as trusted, everyone has the proxy's address.
    if "HTTP_X_FORWARDED_FOR" in request.META and not settings.FM_TRUSTED_PROXIES:
        return False
    client = read_address(client_address(request))
    return client is not None and any(client in ip_network(each) for each in settings.FM_METRICS_NETWORKS)
