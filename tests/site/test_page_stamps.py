"""Each web process shows that it serves pages while a live battle is open: in real servers and with real processes."""

import json
import os
import signal
import threading
import time
from pathlib import Path

import pytest
from asgiref.sync import SyncToAsync
from channels.routing import ProtocolTypeRouter
from django.db import connection
from django.utils import timezone

from duels.services.clocks.battle_clocks import record_presence
from duels.services.start import start_battle, take_number
from duels.terms import Terms
from fm_site.serving import page_stamps
from fm_site.serving.buffered_pages import BufferedPages
from fm_site.serving.page_stamps import PageStamps, StampedPages
from fm_site.upkeep.health_probes import READY
from operations.models import Maintenance, PageStamp
from tests.scenes import make_mage, make_user
from tests.services.stack import Stack
from tests.services.web_server import ask, get, serve

OFTEN = 0.1


class Pages:
    """A WSGI application whose page for stamps reads the database, and whose others can hang."""

    def __init__(self):
        self.go_on = threading.Event()
        self.status = "200 OK"

    def __call__(self, environ, start_response):
        try:
            if environ["PATH_INFO"] == READY:
                with connection.cursor() as cursor:
                    cursor.execute("SELECT 1")
            else:
                self.go_on.wait(20)
        finally:
            connection.close()
        start_response(self.status, [("Content-Type", "text/plain")])
        return [b"got"]


@pytest.fixture
def pages():
    made = Pages()
    yield made
    made.go_on.set()


@pytest.fixture
def door(pages):
    """The port of a server with one page thread that stamps ten times a second."""
    buffered = BufferedPages(pages, threads=1, body_limit=1000)
    application = ProtocolTypeRouter({"http": buffered, "lifespan": PageStamps(buffered, every_seconds=OFTEN)})
    with serve(application) as port:
        yield port
    # The thread in which the server's event loop reads the database outlives it.
    SyncToAsync.single_thread_executor.submit(lambda: connection.close()).result(10)


@pytest.fixture
def live(transactional_db):
    """A live battle that has just begun."""
    return start_live_battle()


def start_live_battle():
    now = timezone.now()
    mages = [make_mage("Swift"), make_mage("Rapid")]
    battle = start_battle(number=take_number(), terms=Terms(pace="live3"), mages=mages, now=now)
    for combatant in battle.combatants.select_related("mage"):
        record_presence(combatant=combatant, now=now)
    return battle


def read_stamp():
    return PageStamp.objects.values_list("stamped_at", flat=True).first()


def wait_for_stamp(after=None, seconds=5.0):
    """Return the next stamp, or None if there is none for so long."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        stamp = read_stamp()
        if stamp is not None and (after is None or stamp > after):
            return stamp
        time.sleep(0.05)
    return None


def comes_to_rest(silence=1.0, seconds=15.0):
    """Return whether the stamps end: whether there is none for so long. The last ones may still be under way."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if wait_for_stamp(after=read_stamp(), seconds=silence) is None:
            return True
    return False


def test_a_server_stamps_from_its_start_on_without_any_visitor(live, door):
    first = wait_for_stamp()
    assert first is not None and wait_for_stamp(after=first) is not None


def test_it_stamps_nothing_while_no_live_battle_is_open(transactional_db, door):
    assert wait_for_stamp(seconds=1) is None
    start_live_battle()
    assert wait_for_stamp() is not None


def test_it_stamps_nothing_while_its_page_threads_hang(live, pages, door):
    """The process runs and its port is open, but no player gets a page."""
    assert wait_for_stamp() is not None
    visitor = threading.Thread(target=ask, args=(door, get("/battles/1/")), kwargs={"timeout": 30})
    visitor.start()
    assert comes_to_rest()
    last = read_stamp()
    pages.go_on.set()
    assert wait_for_stamp(after=last) is not None
    visitor.join(10)


def test_a_stamp_is_the_moment_of_its_request_not_of_its_answer(live, pages, door, monkeypatch):
    """So whatever arrived at this process before a stamp has been served."""
    noted = []
    monkeypatch.setattr(page_stamps, "note_served_page", lambda *, served_at, now: noted.append(served_at))
    wait_until(lambda: noted, 5)
    visitor = threading.Thread(target=ask, args=(door, get("/battles/1/")), kwargs={"timeout": 30})
    visitor.start()
    time.sleep(1)
    before, released = len(noted), timezone.now()
    pages.go_on.set()
    wait_until(lambda: len(noted) > before, 10)
    visitor.join(10)
    assert noted[before] < released


def test_it_stamps_nothing_while_it_cannot_serve_the_page(live, pages, door):
    pages.status = "503 Service Unavailable"
    assert comes_to_rest()


def test_it_stamps_nothing_during_maintenance(live, door):
    Maintenance.objects.create(reason="New cellar.", started_at=timezone.now(), started_by=make_user("Keeper"))
    assert comes_to_rest()


def test_a_wsgi_server_stamps_from_its_first_request_on(live, pages):
    stamped = StampedPages(pages, every_seconds=OFTEN)
    pages.go_on.set()
    assert stamped({"PATH_INFO": "/"}, lambda *_: None) == [b"got"]
    first = wait_for_stamp()
    assert first is not None and wait_for_stamp(after=first) is not None
    stamped.has_ended.set()
    for thread in threading.enumerate():
        if thread.name == "Page stamps":
            thread.join(10)


@pytest.mark.journey
@pytest.mark.slow
def test_a_web_process_that_hangs_while_the_worker_runs_on_costs_no_live_clock_anything(tmp_path):
    """The real site, of which only the web process is stopped for longer than a gap."""
    site = Stack(tmp_path / "var")
    site.start()
    try:
        site.wait_until_open()
        read = lambda: json.loads(site.manage("shell", "-v0", "-c", READ).strip().splitlines()[-1])  # noqa: E731
        site.manage("shell", "-v0", "-c", BEGIN)
        wait_until(lambda: read()["stamp"] is not None, 15)
        (web,) = [pid for pid in site.list_processes() if read_name(pid) == "fm-site"]
        os.kill(web, signal.SIGSTOP)
        time.sleep(20)
        before = read()
        os.kill(web, signal.SIGCONT)
        wait_until(lambda: read()["gaps"] == 1, 20)
        after = read()
    finally:
        site.interrupt()
    assert before["gaps"] == 0 and before["steps"] == after["steps"]
    assert after["running"] > before["running"], "every clock has started again"
    assert after["stops"] == ["outage"]


BEGIN = """
from django.utils import timezone
from accounts.services.mages import register_mage
from accounts.services.users import create_user
from duels.services.clocks.battle_clocks import record_presence
from duels.services.start import start_battle, take_number
from duels.terms import Terms
now = timezone.now()
mages = [register_mage(user=create_user(name=f"{n}user", now=now), name=n, now=now) for n in ("Swift", "Rapid")]
battle = start_battle(number=take_number(), terms=Terms(pace="live3"), mages=mages, now=now)
for each in battle.combatants.select_related("mage"):
    record_presence(combatant=each, now=now)
"""
READ = """
import json
from duels.models import ClockStop, Deadline
from operations.models import PageGap, PageStamp
clocks = Deadline.objects.filter(battle__terms__pace="live3")
stamp = PageStamp.objects.first()
stops = ClockStop.objects.filter(battle__terms__pace="live3").exclude(reason="presence")
print(json.dumps({
    "stamp": stamp and stamp.stamped_at.timestamp(),
    "gaps": PageGap.objects.count(),
    "running": min(each.running_since.timestamp() for each in clocks),
    "steps": sorted(each.step for each in clocks),
    "stops": [each.reason for each in stops],
}))
"""


def wait_until(condition, seconds):
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "it took too long"
        time.sleep(0.2)


def read_name(pid):
    return Path(f"/proc/{pid}/comm").read_text().strip()
