"""The parts that `./run` is made of, each alone."""

import os
import signal
import subprocess
import sys
import textwrap
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from fm_site.ports import list_busy_ports, read_ports
from fm_site.processes import MOST_RESTARTS, ChildGivenUp, Member, Processes
from fm_site.secret_key import load_or_make_secret_key
from fm_site.sockets import celery_url, embedded_redis_url
from fm_site.supervisor import StartFailed, announce, private_folder
from tests.services.scratch import is_running
from tests.services.stack import ROOT


def test_of_many_processes_that_start_at_once_all_read_the_same_secret_key(tmp_path):
    with ThreadPoolExecutor(8) as pool:
        keys = set(pool.map(lambda _: load_or_make_secret_key(tmp_path / "new" / "secret_key"), range(40)))
    assert len(keys) == 1
    assert len(keys.pop()) > 64
    assert [path.name for path in (tmp_path / "new").iterdir()] == ["secret_key"]


def test_two_houses_have_two_keys(tmp_path):
    assert load_or_make_secret_key(tmp_path / "a") != load_or_make_secret_key(tmp_path / "b")


def test_the_socket_path_is_short_wherever_the_data_is(tmp_path):
    deep = tmp_path.joinpath(*["long" * 10] * 5)
    assert len(embedded_redis_url(deep).removeprefix("unix://").encode()) <= 107
    assert embedded_redis_url(deep) == embedded_redis_url(deep)
    assert embedded_redis_url(deep) != embedded_redis_url(tmp_path)


@pytest.mark.parametrize(
    ("ours", "celerys"),
    [
        ("unix:///tmp/a/valkey.sock", "redis+socket:///tmp/a/valkey.sock"),
        ("unix:///tmp/a/valkey.sock?db=2", "redis+socket:///tmp/a/valkey.sock?virtual_host=2"),
        ("redis://cache.example.org:6379/1", "redis://cache.example.org:6379/1"),
    ],
)
def test_celery_gets_the_same_server_in_its_own_spelling(ours, celerys):
    assert celery_url(ours) == celerys


def test_the_same_port_twice_is_refused():
    with pytest.raises(ValueError, match="both 8000"):
        read_ports({"FM_SMTP_PORT": "8000"})


@pytest.mark.parametrize("text", ["", "0", "65536", "-1", "80a", "٣"])
def test_what_is_no_port_is_refused(text):
    with pytest.raises(ValueError, match="FM_PORT is"):
        read_ports({"FM_PORT": text})


def test_a_free_port_is_not_busy():
    assert list_busy_ports({"FM_PORT": 1}) == [] or os.getuid() != 0


def test_a_folder_that_others_can_open_is_not_trusted(tmp_path):
    (tmp_path / "open").mkdir(mode=0o777)
    (tmp_path / "open").chmod(0o777)
    with pytest.raises(StartFailed, match="Other users can access"), private_folder(tmp_path / "open"):
        pass


def test_a_link_in_place_of_the_folder_is_not_followed(tmp_path):
    (tmp_path / "target").mkdir(mode=0o700)
    (tmp_path / "link").symlink_to(tmp_path / "target")
    with pytest.raises(StartFailed), private_folder(tmp_path / "link"):
        pass


def test_what_a_killed_house_left_in_the_folder_goes_away(tmp_path):
    (tmp_path / "mine").mkdir(mode=0o700)
    (tmp_path / "mine" / "valkey.sock").touch()
    with private_folder(tmp_path / "mine") as folder:
        assert list(folder.iterdir()) == []
    assert not folder.exists()


def test_a_child_that_dies_again_and_again_is_given_up():
    processes = Processes(os.environ)
    try:
        processes.add(Member("Site", [sys.executable, "-c", "raise SystemExit(3)"]))
        with pytest.raises(ChildGivenUp, match="Site ended 6 times within a minute"):
            give_up_soon(processes)
    finally:
        processes.stop()


FORK = """
import os, sys
from pathlib import Path
from fm_site.children import fork_child
kept = open(os.devnull)
def work():
    is_open = os.path.exists(f"/proc/self/fd/{kept.fileno()}")
    print(Path("/proc/self/comm").read_text().strip(), os.getsid(0) == os.getpid(), is_open)
    {ending}
print("ended", fork_child(work, name="fm-copy").wait(10))
"""


@pytest.mark.skipif(sys.platform != "linux", reason="copies run on Linux")
@pytest.mark.parametrize(
    ("ending", "code"),
    [
        ("pass", 0),
        ("raise SystemExit(3)", 3),
        ("raise SystemExit('no')", 1),
        ("1 / 0", 1),
        ("os.kill(os.getpid(), 9)", -9),
    ],
)
def test_a_copy_has_a_name_a_session_and_no_file_of_its_parent_and_says_how_it_ended(ending, code):
    done = subprocess.run(
        [sys.executable, "-c", FORK.replace("{ending}", ending)], capture_output=True, text=True, timeout=20
    )
    said = [line for line in done.stdout.splitlines() if line]
    assert said[-1] == f"ended {code}", done.stderr
    if code != -9:  # what is not flushed is lost with a killed process
        assert said[0] == "fm-copy True False"
    assert ("ZeroDivisionError" in done.stderr) == (ending == "1 / 0")


def give_up_soon(processes):
    """Look after the processes without its pauses."""
    (member,) = processes.members
    for _ in range(MOST_RESTARTS + 1):
        if member.process is not None:
            member.process.wait()
        processes.look_after()
        member.restart_at = 0.0
        processes.look_after()


def test_the_watchdog_ends_children_and_grandchildren_of_a_killed_parent_by_itself(tmp_path):
    """As on systems where the kernel does not tie children to their parent."""
    parent = subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(PARENT)], cwd=ROOT, stdout=subprocess.PIPE, text=True
    )
    pids = [int(text) for text in parent.stdout.readline().split()]
    assert all(map(is_running, pids))
    parent.kill()
    parent.wait()
    end = time.monotonic() + 10
    while time.monotonic() < end and any(map(is_running, pids)):
        time.sleep(0.05)
    left = [pid for pid in pids if is_running(pid)]
    for pid in left:
        os.kill(pid, signal.SIGKILL)
    assert left == []


PARENT = """
    import os, subprocess, sys, time
    from fm_site import children, processes

    children.LIBC = None
    child = "import subprocess, time; print(subprocess.Popen(['sleep', '60']).pid, flush=True); time.sleep(60)"
    running = processes.Processes(os.environ)
    reader, writer = os.pipe()
    start = processes.start_child
    processes.start_child = lambda command, env: start(command, env=env, output=writer)
    running.add(processes.Member("Child", [sys.executable, "-c", child]))
    grandchild = os.read(reader, 20).decode().strip()
    print(running.members[0].process.pid, grandchild, running.watchdog.pid, flush=True)
    time.sleep(60)
"""


@pytest.mark.parametrize(
    ("environment", "told"),
    [({"DEBUG": "0"}, True), ({"DEBUG": "0", "FM_HTTPS": "0"}, False), ({"DEBUG": "1"}, False)],
)
def test_who_hosts_without_debug_is_told_that_pages_want_https(capsys, environment, told):
    announce(environment, {"FM_PORT": 8000, "FM_SMTP_PORT": 8025})
    assert ("FM_HTTPS=0" in capsys.readouterr().out) == told
