"""`./run` starts everything, prints its addresses, and leaves nothing behind."""

import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path
from urllib.parse import urlsplit, urlunsplit

import psycopg
import pytest

from fm_site.demonstration.cast import PEOPLE
from fm_site.demonstration.people import DEMONSTRATION
from tests.services.plugin import with_database
from tests.services.stack import ROOT, Stack, make_data_dir

pytestmark = pytest.mark.journey


@pytest.fixture(scope="module")
def opened(tmp_path_factory):
    """A site that the tests of this file share; the last one kills it."""
    running = Stack(make_data_dir(tmp_path_factory, "site"), FM_DEMO="1")
    running.start()
    try:
        running.wait_until_open()
        yield running
    finally:
        end(running)


@pytest.fixture
def site(tmp_path):
    """A site that has not been started yet."""
    waiting = Stack(tmp_path / "var")
    yield waiting
    end(waiting)


def end(site):
    """Stop the site, whatever a test did to it."""
    if site.process is not None and site.process.poll() is None:
        site.interrupt()
    for pid in site.list_processes():
        os.kill(pid, signal.SIGKILL)


def wait_until(condition, seconds):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if condition():
            return True
        time.sleep(0.05)
    return False


def test_it_prints_its_address_and_who_can_log_in(opened):
    log = opened.read_log()
    assert f"{opened.url}/\n" in log
    assert f"smtp://127.0.0.1:{opened.smtp_port}" in log
    assert all(f"{who.username}, password {who.password}" in log for who in DEMONSTRATION)


def test_a_second_site_on_the_same_data_is_rejected_by_name(opened):
    second = Stack(opened.data_dir)
    answer = subprocess.run(
        [sys.executable, str(ROOT / "run")], env=second.environment, capture_output=True, text=True, timeout=20
    )
    assert answer.returncode == 1
    assert f"already running with this data (process {opened.process.pid})" in answer.stderr
    assert opened.is_answering()


def test_a_killed_child_starts_again(opened):
    (site,) = [pid for pid in opened.list_processes() if read_name(pid) == "fm-site"]
    os.kill(site, signal.SIGKILL)
    assert wait_until(lambda: "Site ended (code -9); restarting it." in opened.read_log(), 20)
    assert wait_until(opened.is_answering, 30), opened.read_log()


def test_ctrl_c_and_kill_leave_no_process_and_a_restart_is_fast_and_keeps_the_secret_key(opened):
    key = (opened.data_dir / "secret_key").read_text()
    assert (opened.data_dir / "secret_key").stat().st_mode & 0o777 == 0o600
    assert len(opened.list_processes()) >= 5
    begin = len(opened.read_log())
    assert opened.interrupt() == 0
    assert opened.list_processes() == []
    assert "Traceback" not in opened.read_log()[begin:]

    # Under 5 s on an idle machine; more here, because other tests run at the same time, and even more if others
    # wait for a processor.
    opened.start()
    assert wait_until(opened.is_answering, 12 * max(1, os.getloadavg()[0] / (os.cpu_count() or 1))), opened.read_log()
    assert (opened.data_dir / "secret_key").read_text() == key
    assert key not in opened.read_log()

    opened.process.kill()
    opened.process.wait()
    assert wait_until(lambda: opened.list_processes() == [], 20), opened.list_processes()


def test_busy_ports_are_named_before_anything_starts(site):
    with socket.create_server(("127.0.0.1", site.port)), socket.create_server(("127.0.0.1", site.smtp_port)):
        site.start()
        assert site.process.wait(20) == 1
    assert f"Port {site.port} is in use" in site.read_log()
    assert f"Port {site.smtp_port} is in use" in site.read_log()
    assert not (site.data_dir / "db.sqlite3").exists()


@pytest.mark.parametrize("name", ["FM_PORT", "FM_SMTP_PORT"])
def test_an_invalid_port_is_explained(site, name):
    site.environment[name] = "eight thousand"
    site.start()
    assert site.process.wait(20) == 1
    assert f"{name} is 'eight thousand'. Choose a port from 1 to 65535" in site.read_log()


@pytest.mark.postgres
def test_database_url_and_redis_url_select_other_servers(tmp_path):
    name = f"site_{os.getpid()}"
    ours = urlsplit(os.environ["DATABASE_URL"])
    with psycopg.connect(ours.geturl(), autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}")
    elsewhere = Stack(
        tmp_path / "var",
        DATABASE_URL=urlunsplit(ours._replace(path=f"/{name}")),
        REDIS_URL=with_database(os.environ["FM_TEST_REDIS"], 40),
        FM_DEMO="1",
    )
    elsewhere.start()
    try:
        elsewhere.wait_until_open()
        assert "valkey-server" not in "".join(read_name(pid) for pid in elsewhere.list_processes())
        with psycopg.connect(elsewhere.environment["DATABASE_URL"]) as connection:
            people = connection.execute("SELECT count(*) FROM accounts_user WHERE NOT is_bot").fetchone()
            assert people == (len(DEMONSTRATION) + len(PEOPLE),)
        assert not (elsewhere.data_dir / "db.sqlite3").exists()
    finally:
        end(elsewhere)
        with psycopg.connect(ours.geturl(), autocommit=True) as connection:
            connection.execute(f"DROP DATABASE {name} WITH (FORCE)")


@pytest.mark.slow  # what it is made of: tests/site/test_demonstration.py
def test_without_debug_no_user_is_created_or_announced(tmp_path):
    earnest = Stack(tmp_path / "var", DEBUG="0", FM_HTTPS="0")
    earnest.start()
    try:
        earnest.wait_until_open()
        assert earnest.manage("shell", "-v0", "-c", COUNT_USERS).strip() == "0"
        assert "password" not in earnest.read_log()
        assert "/mailbox/" not in earnest.read_log()
    finally:
        end(earnest)


COUNT_USERS = "from accounts.models import User; print(User.objects.filter(is_bot=False).count())"


def read_name(pid):
    return Path(f"/proc/{pid}/comm").read_text().strip()
