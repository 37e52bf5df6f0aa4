"""`./run` opens everything, says where, and leaves nothing behind."""

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

from tests.services.plugin import with_database
from tests.services.stack import ROOT, Stack

pytestmark = pytest.mark.journey


@pytest.fixture
def house(tmp_path):
    """A stack that this test starts and breaks; whatever happens, it is gone afterwards."""
    running = Stack(tmp_path / "var")
    yield running
    if running.process is not None and running.process.poll() is None:
        running.interrupt()
    for pid in running.list_processes():
        os.kill(pid, signal.SIGKILL)


def wait_until(condition, seconds):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if condition():
            return True
        time.sleep(0.05)
    return False


def test_a_second_start_is_quick_and_keeps_the_secret_key_and_ctrl_c_leaves_no_process(house):
    house.start()
    house.wait_until_open()
    key = (house.data_dir / "secret_key").read_text()
    assert (house.data_dir / "secret_key").stat().st_mode & 0o777 == 0o600
    assert len(house.list_processes()) >= 5
    assert house.interrupt() == 0
    assert house.list_processes() == []

    begin = time.monotonic()
    house.start()
    assert wait_until(house.is_answering, 20)
    # Under 5 s on an idle machine; twice that here, where other tests may run beside it.
    assert time.monotonic() - begin < 10
    house.wait_until_open()
    assert (house.data_dir / "secret_key").read_text() == key
    assert key not in house.read_log()


def test_killing_the_parent_outright_leaves_no_process(house):
    house.start()
    house.wait_until_open()
    assert house.list_processes()
    house.process.kill()
    house.process.wait()
    assert wait_until(lambda: house.list_processes() == [], 10), house.list_processes()


def test_a_child_that_is_killed_starts_again(house):
    house.start()
    house.wait_until_open()
    before = {pid: read_command(pid) for pid in house.list_processes()}
    (site,) = [pid for pid, command in before.items() if "fm_site.web" in command]
    os.kill(site, signal.SIGKILL)
    assert wait_until(lambda: not house.is_answering(), 5)
    assert wait_until(house.is_answering, 15), house.read_log()
    assert "Site ended (code -9); it starts again." in house.read_log()


def test_a_second_house_on_the_same_data_is_refused_by_name(house):
    house.start()
    house.wait_until_open()
    second = Stack(house.data_dir)
    answer = subprocess.run(
        [sys.executable, str(ROOT / "run")], env=second.environment, capture_output=True, text=True, timeout=20
    )
    assert answer.returncode == 1
    assert f"already runs on this data (process {house.process.pid})" in answer.stderr


def test_busy_ports_are_named_before_anything_starts(house):
    with socket.create_server(("127.0.0.1", house.port)), socket.create_server(("127.0.0.1", house.smtp_port)):
        house.start()
        assert house.process.wait(20) == 1
    assert f"Port {house.port} is in use" in house.read_log()
    assert f"Port {house.smtp_port} is in use" in house.read_log()
    assert not (house.data_dir / "db.sqlite3").exists()


@pytest.mark.parametrize("name", ["FM_PORT", "FM_SMTP_PORT"])
def test_a_port_that_is_no_port_is_explained(house, name):
    house.environment[name] = "eight thousand"
    house.start()
    assert house.process.wait(20) == 1
    assert f"{name} is 'eight thousand'; a port is a number from 1 to 65535" in house.read_log()


@pytest.mark.postgres
def test_database_url_and_redis_url_move_the_house_to_other_servers(tmp_path):
    name = f"house_{os.getpid()}"
    ours = urlsplit(os.environ["DATABASE_URL"])
    with psycopg.connect(ours.geturl(), autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}")
    elsewhere = Stack(
        tmp_path / "var",
        DATABASE_URL=urlunsplit(ours._replace(path=f"/{name}")),
        REDIS_URL=with_database(os.environ["FM_TEST_REDIS"], 40),
    )
    elsewhere.start()
    try:
        elsewhere.wait_until_open()
        assert "valkey-server" not in "".join(read_command(pid) for pid in elsewhere.list_processes())
        with psycopg.connect(elsewhere.environment["DATABASE_URL"]) as connection:
            assert connection.execute("SELECT count(*) FROM accounts_user").fetchone() == (2,)
        assert not (elsewhere.data_dir / "db.sqlite3").exists()
    finally:
        elsewhere.interrupt()
    assert elsewhere.list_processes() == []


def test_without_debug_nobody_is_made_and_nobody_is_announced(tmp_path):
    earnest = Stack(tmp_path / "var", DEBUG="0", FM_HTTPS="0")
    earnest.start()
    try:
        earnest.wait_until_open()
        assert earnest.manage("shell", "-v0", "-c", COUNT_USERS).strip() == "0"
        assert "password" not in earnest.read_log()
        assert "/mailbox/" not in earnest.read_log()
    finally:
        earnest.interrupt()


COUNT_USERS = "from accounts.models import User; print(User.objects.count())"


def read_command(pid):
    return Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode()
