"""Several workers process the outbox at the same time."""

from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from threading import Barrier

import pytest
from django.db import connection

from accounts.services.users import create_user
from notifications.models import Delivery, Notice
from notifications.services.deliveries import claim_due_deliveries, queue_delivery
from notifications.services.outbox import write_notice
from notifications.services.preferences import set_preference
from tests.scenes import NOW

WORKERS = 3
NOTICES = 30


def at_once(action):
    """Run `action` in every worker's thread, started together; return what each returned."""
    together = Barrier(WORKERS)

    def run(_):
        try:
            together.wait(timeout=10)
            return action()
        finally:
            connection.close()

    with ThreadPoolExecutor(WORKERS) as pool:
        return list(pool.map(run, range(WORKERS)))


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_no_two_workers_claim_the_same_email_and_none_is_left():
    user = create_user(name="Anna", email="anna@example.org", now=NOW, email_verified=True)
    for number in range(NOTICES):
        queue_delivery(mail="{}", subject="Answer", address=user.email, user=user, now=NOW)
        write_notice(key=f"n{number}", user=user, kind="turn_resolved", facts={}, now=NOW)
    claims = at_once(lambda: claim_due_deliveries(now=NOW, limit=100))
    claimed = Counter(delivery.pk for mine in claims for email in mine for delivery in email)
    assert set(claimed.values()) == {1} and len(claimed) == 2 * NOTICES


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_a_daily_email_is_claimed_whole_by_one_worker():
    user = create_user(name="Anna", email="anna@example.org", now=NOW, email_verified=True)
    set_preference(user=user, key="mail_turns", value="digest")
    for number in range(NOTICES):
        write_notice(key=f"n{number}", user=user, kind="turn_resolved", facts={}, now=NOW)
    due = NOW + timedelta(days=1)
    claims = [email for mine in at_once(lambda: claim_due_deliveries(now=due)) for email in mine]
    assert [len(email) for email in claims] == [NOTICES]


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_a_notice_written_by_several_at_once_is_one():
    user = create_user(name="Anna", email="anna@example.org", now=NOW, email_verified=True)
    written = at_once(lambda: write_notice(key="same", user=user, kind="turn_resolved", facts={}, now=NOW))
    assert sum(notice is not None for notice in written) == 1
    assert (Notice.objects.count(), Delivery.objects.count()) == (1, 1)
