"""What waits: email, messages to hooks and devices, and tasks for the workers. The operator can see it, have it done
here, and drop what nobody needs any more."""

from dataclasses import dataclass
from datetime import datetime

import redis
from django.conf import settings
from django.db.models import Min, Q, QuerySet
from django.utils import timezone

from email_gateway.models import InboundMail
from fm_site.upkeep.metrics_page import count_tasks
from notifications.models import Delivery
from operations.registry import POSTING_TASK, find_function

MAIL_OUT, MAIL_IN, POSTS = "email to send", "email to process", "messages to hooks and devices"
# What workers do with them, in this order: processing an email writes others.
TASKS = ("email_gateway.tasks.sweep_inbound_mail", "email_gateway.tasks.sweep_deliveries", POSTING_TASK)
UNREAD = (InboundMail.State.RECEIVED, InboundMail.State.CLAIMED)


@dataclass(frozen=True)
class Queue:
    """One queue: how many wait, how many of them could be done now, and since when the oldest has waited."""

    name: str
    waiting: int
    due: int
    oldest: datetime | None = None


def measure_queues(*, now: datetime) -> list[Queue]:
    """Return all queues. Raises RedisError without the broker."""
    sent, posted = Delivery.objects.filter(Delivery.EMAILS), Delivery.objects.exclude(Delivery.EMAILS)
    return [
        _measure_deliveries(MAIL_OUT, sent, now),
        _measure_mail_in(now),
        _measure_deliveries(POSTS, posted, now),
        *(Queue(f"tasks: {name}", length, length) for name, length in count_tasks().items()),
    ]


def _measure_deliveries(name: str, rows: QuerySet[Delivery], now: datetime) -> Queue:
    waiting = rows.filter(state__in=Delivery.WAITING)
    oldest = waiting.aggregate(oldest=Min("created_at"))["oldest"]
    return Queue(name, waiting.count(), waiting.filter(due_at__lte=now).count(), oldest)


def _measure_mail_in(now: datetime) -> Queue:
    waiting = InboundMail.objects.filter(state__in=UNREAD)
    oldest = waiting.aggregate(oldest=Min("received_at"))["oldest"]
    return Queue(MAIL_IN, waiting.count(), waiting.filter(due_at__lte=now).count(), oldest)


def drain_queues() -> None:
    """Process email, and send what is due, here, until nothing is due or the rest cannot be done now. It is safe beside
    workers: each row is claimed. During maintenance only codes and links are sent, as ever."""
    before = None
    while (due := _count_due()) and due != before:
        before = due
        for task in TASKS:
            find_function(task)()


def _count_due() -> tuple[int, ...]:
    """Return how many are due, or () if none is."""
    due = tuple(queue.due for queue in measure_queues(now=timezone.now()) if not queue.name.startswith("tasks"))
    return due if any(due) else ()


def drop_tasks() -> int:
    """Remove the tasks that wait for workers; return how many. Nothing is lost: each only triggers what a sweep does
    within minutes."""
    waiting = count_tasks()
    with redis.Redis.from_url(settings.REDIS_URL, socket_timeout=5) as broker:
        broker.delete(*waiting)
    return sum(waiting.values())


def drop_deliveries(*, among: Q, before: datetime) -> int:
    """Drop the deliveries that have waited since `before`: they are never sent. Return how many. Those that are being
    sent at the moment stay."""
    waiting = Delivery.objects.filter(among, state=Delivery.State.DUE, created_at__lt=before)
    return waiting.update(state=Delivery.State.FAILED, error="Dropped by the operator.", sealed_mail="")
