"""The parts of `./run`, each by itself."""

import os
import signal
import subprocess
import sys
import textwrap
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from fm_site.run.ports import list_busy_ports, read_ports
from fm_site.run.processes import MOST_RESTARTS, ChildGivenUp, Member, Processes
from fm_site.run.supervisor import StartFailed, announce, private_folder
from fm_site.run.valkey import celery_url, embedded_redis_url
from fm_site.upkeep.secret_key import load_or_make_secret_key
from tests.services.stack import ROOT


def is_running(pid):
    """Return whether a process with this number exists."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def test_processes_that_start_at_once_read_the_same_secret_key(tmp_path):
    with ThreadPoolExecutor(8) as pool:
        keys = set(pool.map(lambda _: load_or_make_secret_key(tmp_path / "new" / "secret_key"), range(40)))
    assert len(keys) == 1
    assert len(keys.pop()) > 64
    assert [path.name for path in (tmp_path / "new").iterdir()] == ["secret_key"]


def test_two_sites_have_two_keys(tmp_path):
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
        ("rediss://fm:pw@cache.example.org:6380/1", "rediss://fm:pw@cache.example.org:6380/1?ssl_cert_reqs=required"),
        ("rediss://c:6380/1?ssl_ca_certs=/a.crt", "rediss://c:6380/1?ssl_ca_certs=/a.crt&ssl_cert_reqs=required"),
        ("rediss://c:6380/1?ssl_cert_reqs=none", "rediss://c:6380/1?ssl_cert_reqs=none"),
    ],
)
def test_celery_gets_the_same_server_as_its_kind_of_url(ours, celerys):
    assert celery_url(ours) == celerys


def test_the_same_port_twice_is_rejected():
    with pytest.raises(ValueError, match="both 8000"):
        read_ports({"FM_SMTP_PORT": "8000"})


@pytest.mark.parametrize("text", ["", "0", "65536", "-1", "80a", "٣"])
def test_an_invalid_port_is_rejected(text):
    with pytest.raises(ValueError, match="FM_PORT is"):
        read_ports({"FM_PORT": text})


def test_a_free_port_is_not_busy():
    assert list_busy_ports({"FM_PORT": 1}) == [] or os.getuid() != 0


def test_a_folder_that_others_can_open_is_not_trusted(tmp_path):
    (tmp_path / "open").mkdir(mode=0o777)
    (tmp_path / "open").chmod(0o777)
    with pytest.raises(StartFailed, match="Other users can access"), private_folder(tmp_path / "open"):
        pass


def test_a_link_instead_of_the_folder_is_not_followed(tmp_path):
    (tmp_path / "target").mkdir(mode=0o700)
    (tmp_path / "link").symlink_to(tmp_path / "target")
    with pytest.raises(StartFailed), private_folder(tmp_path / "link"):
        pass


def test_leftovers_of_a_killed_site_are_removed(tmp_path):
    (tmp_path / "mine").mkdir(mode=0o700)
    (tmp_path / "mine" / "valkey.sock").touch()
    with private_folder(tmp_path / "mine") as folder:
        assert list(folder.iterdir()) == []
    assert not folder.exists()


def test_a_child_that_keeps_dying_is_not_restarted():
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
from fm_site.run.children import fork_child
files = [open(os.devnull) for _ in range(3)]
def work():
    are_open = [os.path.exists(f"/proc/self/fd/{file.fileno()}") for file in files]
    print(Path("/proc/self/comm").read_text().strip(), os.getsid(0) == os.getpid(), *are_open)
    {ending}
print("ended", fork_child(work, name="fm-copy", keep=[files[1].fileno()]).wait(10))
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
def test_a_forked_copy_has_its_own_name_and_session_only_the_files_to_keep_and_reports_its_exit(ending, code):
    done = subprocess.run(
        [sys.executable, "-c", FORK.replace("{ending}", ending)], capture_output=True, text=True, timeout=20
    )
    said = [line for line in done.stdout.splitlines() if line]
    assert said[-1] == f"ended {code}", done.stderr
    if code != -9:  # a killed process loses what is not flushed
        assert said[0] == "fm-copy True False True False"
    assert ("ZeroDivisionError" in done.stderr) == (ending == "1 / 0")


def give_up_soon(processes):
    """Supervise the processes without pauses."""
    (member,) = processes.members
    for _ in range(MOST_RESTARTS + 1):
        if member.process is not None:
            member.process.wait()
        processes.look_after()
        member.restart_at = 0.0
        processes.look_after()


def test_the_watchdog_alone_ends_all_descendants_of_a_killed_parent(tmp_path):
    """Like on systems where the kernel does not end children with their parent."""
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
def test_hosting_without_debug_warns_that_pages_need_https(capsys, environment, told):
    announce(environment, {"FM_PORT": 8000, "FM_SMTP_PORT": 8025})
    assert ("FM_HTTPS=0" in capsys.readouterr().out) == told
