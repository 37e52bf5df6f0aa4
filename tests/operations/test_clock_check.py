"""A worker with a wrong clock does nothing: it deletes, decides and writes nothing."""

from datetime import timedelta

import pytest
from django.contrib.sessions.models import Session
from django.utils import timezone

from email_gateway.receive import heartbeats
from fm_site.celery import TimedTask, app
from fm_site.schedule import BEAT_SCHEDULE
from operations import clock_check
from operations.clock_check import find_clock_fault
from operations.models import Heartbeat, Outage
from operations.selectors import is_clock_in_doubt, read_site_state
from operations.services.chores import prune_sessions
from operations.services.outages import record_heartbeat, watch_parts

# Of tests.services.fixtures: the real clocks are compared here.
COMPARES_CLOCKS = True
pytestmark = pytest.mark.django_db(transaction=True)
JUMPS = (timedelta(days=40), timedelta(days=-40), timedelta(minutes=5))


@pytest.fixture(autouse=True)
def _fresh_verdict(monkeypatch):
    monkeypatch.setattr(clock_check, "_verdict", None)


def jump(monkeypatch, by):
    """Let the machine's clock jump for every module."""
    right = timezone.now
    monkeypatch.setattr("django.utils.timezone.now", lambda: right() + by)
    monkeypatch.setattr(clock_check, "_verdict", None)


def test_a_correct_clock_passes_the_check(monkeypatch):
    monkeypatch.setattr(clock_check, "_verdict", None)
    assert find_clock_fault() is None


@pytest.mark.parametrize("by", JUMPS)
def test_a_clock_that_jumped_is_detected(monkeypatch, by):
    jump(monkeypatch, by)
    fault = find_clock_fault()
    assert fault is not None and ("ahead of" in fault) is (by > timedelta(0))


def test_every_scheduled_task_checks_its_clock_first():
    app.loader.import_default_modules()
    assert all(isinstance(app.tasks[name], TimedTask) for name in BEAT_SCHEDULE)
    assert isinstance(app.tasks["email_gateway.tasks.process_inbound_mail"], TimedTask)


@pytest.mark.parametrize("by", JUMPS)
def test_a_worker_whose_clock_jumped_logs_nobody_out_and_records_no_outage(monkeypatch, by):
    from fm_site.upkeep.tasks import tidy_site
    from operations.tasks import watch_parts_of_site

    now = timezone.now()
    record_heartbeat(part="beat", now=now - timedelta(seconds=40))
    Session.objects.create(session_key="anna", session_data="", expire_date=now + timedelta(days=30))
    Session.objects.create(session_key="old", session_data="", expire_date=now - timedelta(days=30))
    with monkeypatch.context() as patch:
        jump(patch, by)
        for task in (watch_parts_of_site, tidy_site):
            assert task() is None
    assert Session.objects.count() == 2 and not Outage.objects.exists()
    assert Heartbeat.objects.get().beat_at == now - timedelta(seconds=40)
    # Once the clock is right again, everything continues.
    watch_parts_of_site()
    tidy_site()
    assert [row.session_key for row in Session.objects.all()] == ["anna"]
    assert not Outage.objects.exists() and not read_site_state(timezone.now()).doubts


def test_a_mail_server_with_a_fast_clock_sends_no_heartbeat_from_the_future(monkeypatch):
    with monkeypatch.context() as patch:
        jump(patch, timedelta(days=40))
        heartbeats._note("mail_in")
    assert not Heartbeat.objects.exists()
    heartbeats._note("mail_in")
    assert Heartbeat.objects.filter(part="mail_in").exists()


def test_nothing_is_deleted_for_a_day_after_a_gap_that_a_clock_may_have_caused():
    """If machine and database jump together, there is no other clock: people get a day to correct it."""
    from fm_site.upkeep.tasks import tidy_site

    now = timezone.now()
    Session.objects.create(session_key="anna", session_data="", expire_date=now - timedelta(days=10))
    watch_parts(now=now - timedelta(days=40))
    assert is_clock_in_doubt(now=now)
    watch_parts(now=now)
    tidy_site()
    assert Session.objects.count() == 1
    watch_parts(now=now + timedelta(hours=25))
    assert not is_clock_in_doubt(now=now + timedelta(hours=25))
    assert prune_sessions(now=now + timedelta(hours=25)) == 1


def test_correcting_a_clock_removes_outages_in_the_future():
    now = timezone.now()
    watch_parts(now=now)
    record_heartbeat(part="mail_in", now=now)
    watch_parts(now=now + timedelta(days=40))
    assert Outage.objects.get().ended_at > now
    watch_parts(now=now + timedelta(minutes=1))
    assert not Outage.objects.exists()
    assert not Heartbeat.objects.filter(beat_at__gt=now + timedelta(minutes=1)).exists()
