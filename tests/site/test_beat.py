"""Two beats: one wakes the workers, the other waits until it is needed."""

import shelve
import time
from collections import Counter
from datetime import UTC, datetime, timedelta

import pytest
from celery.beat import Service
from django.db.models.functions import Now

from fm_site import beat
from fm_site.beat import LeasedScheduler, OnlyScheduler
from fm_site.celery import app
from fm_site.schedule import BEAT_SCHEDULE, LEASE, POST, AtOwnMoment
from operations.models import Lease
from operations.services.leases import give_up_lease, take_lease
from tests.races import at_once

pytestmark = [pytest.mark.django_db(transaction=True)]


@pytest.fixture
def make_scheduler():
    return lambda: LeasedScheduler(app=app, lazy=True)


def tick(scheduler, monkeypatch):
    """Return whether this beat did its work."""
    worked = []
    monkeypatch.setattr(beat.Scheduler, "tick", lambda *_args, **_more: worked.append(1) or 5.0)
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


@pytest.fixture
def sent(monkeypatch):
    """The names of the tasks that were sent, instead of a broker."""
    names = []
    monkeypatch.setattr(LeasedScheduler, "producer", None)
    monkeypatch.setattr(LeasedScheduler, "apply_async", lambda _self, entry, **_: names.append(entry.name))
    return names


def work(scheduler):
    """Send everything that is due."""
    while not scheduler.tick():
        pass
    return scheduler


class OfNextRelease(AtOwnMoment):
    """A class that the code of this release doesn't have."""


@pytest.mark.parametrize("kind", [LeasedScheduler, OnlyScheduler])
def test_beat_starts_beside_a_file_that_another_release_left(tmp_path, monkeypatch, kind, sent):
    with shelve.open(str(tmp_path / "celerybeat-schedule")) as file:
        file["entries"] = {"sweep": OfNextRelease(30, "sweep")}
    monkeypatch.delattr(f"{__name__}.OfNextRelease")
    monkeypatch.chdir(tmp_path)
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    service = Service(app, scheduler_cls=kind, schedule_filename=str(tmp_path / "celerybeat-schedule"))
    assert set(service.scheduler.schedule) >= set(BEAT_SCHEDULE)
    work(service.scheduler)
    service.sync()
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before


NIGHTLY = "ladder.tasks.watch_pairs_nightly"


@pytest.fixture
def set_clock(monkeypatch):
    def set_clock(now):
        for entry in BEAT_SCHEDULE.values():
            monkeypatch.setattr(entry["schedule"], "nowfun", lambda: now)

    return set_clock


@pytest.mark.parametrize("kind", [LeasedScheduler, OnlyScheduler])
def test_what_was_due_while_no_beat_worked_runs_once_when_the_next_one_starts(kind, sent, set_clock):
    four = datetime(2026, 11, 25, 4, tzinfo=UTC)
    Lease.objects.create(name=POST, holder="dead", until=four - timedelta(minutes=2))
    scheduler = kind(app=app)
    set_clock(four + timedelta(minutes=25))
    work(scheduler)
    assert sent.count(NIGHTLY) == 1 and sent.count("duels.tasks.sweep_deadlines") == 1
    # A restart, and another machine that takes over later: not again.
    scheduler.close()
    Lease.objects.update(until=four + timedelta(minutes=25))
    later = kind(app=app)
    set_clock(four + timedelta(minutes=26))
    work(later)
    assert later.held_at is not None and sent.count(NIGHTLY) == 1


def test_a_task_that_was_due_when_beat_died_is_sent_by_the_next_one(sent, set_clock):
    """The lease may have been renewed just after four, and the beat killed before it sent anything."""
    four = datetime(2026, 11, 25, 4, tzinfo=UTC)
    renewed = four + timedelta(seconds=1)
    Lease.objects.create(name=POST, holder="dead", until=renewed + LEASE)
    scheduler = OnlyScheduler(app=app)
    set_clock(four + timedelta(seconds=5))
    work(scheduler)
    assert NIGHTLY in sent


def test_the_first_beat_of_a_site_has_missed_nothing(sent):
    scheduler = LeasedScheduler(app=app)
    work(scheduler)
    assert not set(sent) & {NIGHTLY, "studies.tasks.write_battle_dump"}


def test_a_beat_that_keeps_its_lease_repeats_nothing(sent):
    scheduler = work(LeasedScheduler(app=app))
    sent.clear()
    scheduler.held_at = None  # as after a moment without the database
    work(scheduler)
    assert not [name for name in sent if getattr(BEAT_SCHEDULE[name]["schedule"], "seconds", 86_400) > 60]


def test_the_only_beat_of_a_site_waits_for_no_lease(sent):
    assert take_lease(name=POST, holder="dead", length=LEASE)
    waiting = LeasedScheduler(app=app)
    assert waiting.tick() == beat.IDLE_SECONDS
    only = work(OnlyScheduler(app=app))
    assert Lease.objects.get(name=POST).holder == only.holder


def test_the_beat_in_the_worker_of_run_stops_without_an_error(sent):
    service = Service(app, scheduler_cls=OnlyScheduler)
    work(service.scheduler)
    service.stop()
    service.start()
    assert service._is_stopped.is_set()


def test_a_beat_is_stopped_by_another_thread_than_its_own_without_an_error(sent):
    """As in the worker of `./run`: with a schedule in a file, Python 3.13 refused that, since the file is SQLite."""
    service = Service(app, scheduler_cls=OnlyScheduler)
    at_once(lambda: work(service.scheduler))
    service.stop()
    service.sync()
    assert service._is_stopped.is_set()


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


def test_hardly_any_two_frequent_sweeps_run_at_the_same_moment():
    """They would wait for each other and wake an idle machine more often."""
    frequent = [each["schedule"] for each in BEAT_SCHEDULE.values() if getattr(each["schedule"], "seconds", 900) <= 60]
    seconds = Counter(int(start) for each in frequent for start in range(int(each.moment), 60, int(each.seconds)))
    assert max(seconds.values()) <= 3
    assert len(seconds) >= 0.75 * seconds.total()
