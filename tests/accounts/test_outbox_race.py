"""Several postmen go through the outbox at the same instant."""

from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
from django.db import connection

from accounts.services import create_user
from fm_site.notifications.models import Delivery, Notice
from fm_site.notifications.services import claim_due_deliveries, write_notice
from tests.accounts.conftest import NOW

POSTMEN = 3
NOTICES = 30


def at_once(action):
    """Run `action` in every postman's thread, started together; return what each gave."""
    together = Barrier(POSTMEN)

    def run(_):
        try:
            together.wait(timeout=10)
            return action()
        finally:
            connection.close()

    with ThreadPoolExecutor(POSTMEN) as pool:
        return list(pool.map(run, range(POSTMEN)))


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_no_two_postmen_get_the_same_delivery_and_none_is_left():
    user = create_user(name="Anna", email="anna@example.org", now=NOW, email_verified=True)
    for number in range(NOTICES):
        write_notice(key=f"n{number}", user=user, kind="turn_resolved", facts={}, now=NOW)
    claims = at_once(lambda: claim_due_deliveries(now=NOW))
    claimed = Counter(delivery.pk for mine in claims for email in mine for delivery in email)
    assert set(claimed.values()) == {1} and len(claimed) == NOTICES


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_a_notice_written_by_several_at_once_is_one():
    user = create_user(name="Anna", email="anna@example.org", now=NOW, email_verified=True)
    written = at_once(lambda: write_notice(key="same", user=user, kind="turn_resolved", facts={}, now=NOW))
    assert sum(notice is not None for notice in written) == 1
    assert (Notice.objects.count(), Delivery.objects.count()) == (1, 1)
