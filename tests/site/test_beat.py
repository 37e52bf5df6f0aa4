"""Two beats: one wakes the workers, the other waits until it is needed."""

import pickle
import time
from collections import Counter
from datetime import UTC, datetime, timedelta

import pytest
from celery.beat import Service
from django.db.models.functions import Now

from fm_site import beat
from fm_site.beat import LEASE, POST, LeasedScheduler
from fm_site.celery import app
from fm_site.run.worker import stop
from fm_site.schedule import BEAT_SCHEDULE, AtOwnMoment
from operations.models import Lease
from operations.services.leases import give_up_lease, take_lease
from tests.races import at_once

pytestmark = [pytest.mark.django_db(transaction=True)]


@pytest.fixture
def make_scheduler(tmp_path):
    made = []

    def make():
        scheduler = LeasedScheduler(app=app, schedule_filename=str(tmp_path / f"schedule{len(made)}"), lazy=True)
        made.append(scheduler)
        return scheduler

    return make


def tick(scheduler, monkeypatch):
    """Return whether this beat did its work."""
    worked = []
    monkeypatch.setattr(beat.PersistentScheduler, "tick", lambda *_args, **_more: worked.append(1) or 5.0)
    pause = scheduler.tick()
    assert pause == (5.0 if worked else beat.IDLE_SECONDS)
    return bool(worked)


def test_one_beat_works_and_the_other_waits_until_the_first_one_stops(make_scheduler, monkeypatch):
    first, second = make_scheduler(), make_scheduler()
    assert [tick(each, monkeypatch) for each in (first, second, first, second)] == [True, False, True, False]
    first.release()
    assert tick(second, monkeypatch) and not tick(first, monkeypatch)


def test_a_beat_that_died_is_replaced_when_its_lease_is_over(make_scheduler, monkeypatch):
    first, second = make_scheduler(), make_scheduler()
    assert tick(first, monkeypatch) and not tick(second, monkeypatch)
    Lease.objects.update(until=Now() - timedelta(seconds=1))
    assert tick(second, monkeypatch)
    # The first was only asleep: it notices when it next prolongs its lease.
    first.held_at = time.monotonic() - beat.RENEW_SECONDS
    assert not tick(first, monkeypatch)


def test_a_beat_prolongs_its_lease_before_it_is_over():
    assert LEASE.total_seconds() > beat.RENEW_SECONDS * 2


@pytest.mark.postgres
def test_only_one_of_two_simultaneous_beats_gets_the_lease():
    held = at_once(*[lambda name=name: take_lease(name=POST, holder=name, length=LEASE) for name in "abcd"])
    assert sorted(held) == [False, False, False, True]


def test_a_lease_is_given_up_by_its_holder_alone():
    assert take_lease(name=POST, holder="a", length=LEASE)
    assert not give_up_lease(name=POST, holder="b") and not take_lease(name=POST, holder="b", length=LEASE)
    assert give_up_lease(name=POST, holder="a") and not give_up_lease(name=POST, holder="a")
    assert take_lease(name=POST, holder="b", length=LEASE)


def test_the_settings_name_it():
    assert app.conf.beat_scheduler == "fm_site.beat:LeasedScheduler"


def test_the_beat_in_the_worker_of_run_stops_without_an_error(tmp_path):
    beat = Service(app, schedule_filename=str(tmp_path / "schedule"))
    assert beat.scheduler.schedule
    stop(beat)
    assert beat._is_shutdown.is_set()


def run_sweep(when, *, begin, end, step):
    """Return when a beat that looks every `step` runs a task, if it ran it last when it began."""
    ran, now, last = [], begin, begin
    while now < end:
        when.nowfun = lambda now=now: now
        is_due, wait = when.is_due(last)
        assert 0 < wait <= when.seconds
        if is_due:
            ran.append(now)
            last = now
        now += step
    return ran


def test_a_sweep_runs_once_in_each_period_at_the_same_moment():
    begin = datetime(2026, 11, 25, 12, 0, 7, tzinfo=UTC)
    for pause in (1, 7):
        when = AtOwnMoment(60, "duels.tasks.sweep_deadlines")
        step = timedelta(seconds=pause)
        ran = run_sweep(when, begin=begin, end=begin + timedelta(minutes=10), step=step)
        assert len(ran) == 10
        late = [(each.timestamp() - when.moment) % 60 for each in ran]
        assert max(late) <= pause


@pytest.mark.parametrize("early", [30.0, 0.5, 0.009, 0.001])
def test_beat_sleeps_until_a_sweep_is_due_and_never_asks_without_a_pause(make_scheduler, early):
    when = AtOwnMoment(60, "duels.tasks.sweep_deadlines")
    last = datetime(2026, 11, 25, 12, 0, 7, tzinfo=UTC)
    when.nowfun = lambda: last
    asked = last + when.remaining_estimate(last) - timedelta(seconds=early)
    when.nowfun = lambda: asked
    is_due, wait = when.is_due(last)
    pause = make_scheduler().adjust(wait)
    when.nowfun = lambda: asked + timedelta(seconds=pause)
    assert not is_due and early < pause < early + 0.1
    assert when.is_due(last).is_due


def test_a_sweep_keeps_its_moment_when_beat_stores_and_loads_it():
    when = AtOwnMoment(30, "duels.tasks.sweep_deadlines")
    loaded = pickle.loads(pickle.dumps(when))
    assert loaded == when and loaded.moment == when.moment


def test_hardly_any_two_frequent_sweeps_run_at_the_same_moment():
    """They would wait for each other and wake an idle machine more often."""
    frequent = [each["schedule"] for each in BEAT_SCHEDULE.values() if getattr(each["schedule"], "seconds", 900) <= 60]
    seconds = Counter(int(start) for each in frequent for start in range(int(each.moment), 60, int(each.seconds)))
    assert max(seconds.values()) <= 3
    assert len(seconds) >= 0.75 * seconds.total()
