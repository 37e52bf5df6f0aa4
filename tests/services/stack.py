"""The real `./run` stack on free ports with its own data, for journeys."""

import contextlib
import fcntl
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent
# The names of the tests' own servers must not leak into the stack, which starts its own.
LEFT_OUT = {
    "ALLOWED_HOSTS", "DATABASE_URL", "DEBUG", "DJANGO_ALLOW_ASYNC_UNSAFE", "EMAIL_URL", "FM_HASHED_FILES", "FM_HTTPS",
    "FM_TEST_DATABASE", "FM_TEST_REDIS", "FM_TEST_TEMPLATE", "LOG_LEVEL", "REDIS_URL", "SECRET_KEY",
}  # fmt: skip


class Stack:
    """One `./run`: its addresses, its output, and its end."""

    def __init__(self, data_dir: Path, *, root: Path = ROOT, **environment: str) -> None:
        self.data_dir = data_dir
        self.root = root
        self.port, self.smtp_port = find_free_ports(2)
        self.log = data_dir.parent / f"{data_dir.name}.log"
        self.environment = {
            **{name: value for name, value in os.environ.items() if name not in LEFT_OUT},
            "FM_DATA_DIR": str(data_dir),
            "FM_PORT": str(self.port),
            "FM_SMTP_PORT": str(self.smtp_port),
            "PYTHONUNBUFFERED": "1",
            # Journeys bring their own people.
            "FM_DEMO": "0",
            **environment,
        }
        self.log_begin = 0
        self.process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        """The site, without a slash at its end."""
        return f"http://127.0.0.1:{self.port}"

    def start(self) -> None:
        """Start `./run` without waiting for it."""
        with self.log.open("ab") as log:
            self.log_begin = log.tell()
            self.process = subprocess.Popen(
                [sys.executable, str(self.root / "run")], env=self.environment, stdout=log, stderr=subprocess.STDOUT
            )

    def wait_until_open(self, seconds: float = 180) -> None:
        """Return when every server answers; otherwise raise AssertionError with the stack's output."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            assert self.process is not None
            assert self.process.poll() is None, f"./run ended with {self.process.returncode}:\n{self.read_log()}"
            said_so = "Firetop Mountain is running" in self.read_log()[self.log_begin :]
            if said_so and self.is_answering() and self.takes_mail():
                return
            time.sleep(0.05)
        raise AssertionError(f"./run did not open within {seconds} s:\n{self.read_log()}")

    def is_answering(self) -> bool:
        """Return whether the site serves a page (any page, even an error page)."""
        try:
            with urllib.request.urlopen(f"{self.url}/accounts/login/", timeout=5):
                return True
        except urllib.error.HTTPError:
            return True
        except OSError:
            return False

    def takes_mail(self) -> bool:
        """Return whether a server greets us on the mail port."""
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", self.smtp_port), timeout=2) as line:
            return line.recv(3) == b"220"
        return False

    def read_log(self) -> str:
        """Return everything that the stack printed."""
        return self.log.read_text(errors="replace")

    def manage(self, *arguments: str) -> str:
        """Run a command of manage.py on the stack's rows and return what it printed."""
        command = [sys.executable, str(self.root / "manage.py"), *arguments]
        environment = {**self.environment, "DEBUG": self.environment.get("DEBUG", "1")}
        return subprocess.run(command, env=environment, check=True, capture_output=True, text=True).stdout

    def list_processes(self) -> list[int]:
        """Return the numbers of all living processes of this stack, whatever their parent is now."""
        mark = f"FM_DATA_DIR={self.data_dir}".encode()
        return [pid for pid in list_all_processes() if mark in read_environment(pid)]

    def interrupt(self, seconds: float = 20) -> int:
        """Press Ctrl-C and return the exit code."""
        assert self.process is not None
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)
        return self.process.wait(seconds)


def find_free_ports(count: int) -> list[int]:
    """Return ports on which nobody listens now."""
    with contextlib.ExitStack() as probes:
        sockets = [probes.enter_context(socket.socket()) for _ in range(count)]
        for probe in sockets:
            probe.bind(("127.0.0.1", 0))
        return [probe.getsockname()[1] for probe in sockets]


def list_all_processes() -> list[int]:
    """Return the numbers of the processes in /proc; skip the test if there is no /proc."""
    if not Path("/proc/self/environ").exists():
        pytest.skip("counting left-over processes needs /proc")
    return [int(entry.name) for entry in Path("/proc").iterdir() if entry.name.isdigit()]


def read_environment(pid: int) -> list[bytes]:
    """Return a process's environment as NAME=VALUE; empty for one that is gone, a zombie, or someone else's."""
    try:
        return Path(f"/proc/{pid}/environ").read_bytes().split(b"\0")
    except OSError:
        return []


@pytest.fixture(scope="session")
def stack(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stack]:
    """The embedded site, running, with DEBUG but no demonstration; shared by all journeys of a run, or of a worker."""
    running = Stack(make_data_dir(tmp_path_factory, "stack"))
    running.start()
    try:
        running.wait_until_open()
        yield running
    finally:
        running.interrupt()


def make_data_dir(factory: pytest.TempPathFactory, name: str) -> Path:
    """Return a place for a site's data in a new folder, with those of a first start if there are several workers."""
    data_dir = factory.mktemp(name) / "var"
    if "PYTEST_XDIST_WORKER" in os.environ:
        shutil.copytree(prepare_once(factory.getbasetemp().parent), data_dir)
    return data_dir


def prepare_once(folder: Path) -> Path:
    """Return the data of a site that has been started and stopped once; workers with the same `folder` share it.

    To migrate is most of a first start, ten seconds of processor time.
    """
    data_dir = folder / "prepared" / "var"
    with (folder / "prepared.lock").open("w") as guard:
        fcntl.flock(guard, fcntl.LOCK_EX)
        if not data_dir.exists():
            first = Stack(folder / "preparing" / "var")
            first.data_dir.parent.mkdir()
            first.start()
            try:
                first.wait_until_open()
            finally:
                first.interrupt()
            first.data_dir.parent.rename(data_dir.parent)
    return data_dir
