"""Child processes that end with their parent, however it ends."""

import contextlib
import ctypes
import os
import signal
import subprocess
import sys
import time
import traceback
from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import IO, Any

PR_SET_PDEATHSIG, PR_SET_NAME = 1, 15
# Loaded here, because nothing may be imported between fork and exec.
LIBC = ctypes.CDLL(None, use_errno=True) if sys.platform == "linux" else None


def start_child(
    command: Sequence[str],
    *,
    env: Mapping[str, str] | None = None,
    output: int | IO[Any] | None = None,
    user: int | None = None,
    group: int | None = None,
    death_signal: int = signal.SIGTERM,
) -> "subprocess.Popen[bytes]":
    """Start `command` in its own process group and return it.

    It gets `death_signal` when the calling *thread* ends (Linux tracks threads), so call this from the main thread.
    On other systems, only watchdog.py ensures that. Its own group shields it from Ctrl-C at the terminal: the parent
    decides the order in which children stop.
    """
    return subprocess.Popen(
        list(command),
        env=dict(env) if env is not None else None,
        stdin=subprocess.DEVNULL,
        stdout=output,
        stderr=subprocess.STDOUT if output is not None else None,
        user=user,
        group=group,
        extra_groups=[] if user is not None else None,
        start_new_session=True,
        preexec_fn=_follow_parent(os.getpid(), death_signal),
    )


def _follow_parent(parent: int, death_signal: int) -> Callable[[], None]:
    def follow() -> None:
        if LIBC is None:
            return
        LIBC.prctl(PR_SET_PDEATHSIG, death_signal)
        # If the parent died between fork and prctl, nobody will send the signal.
        if os.getppid() != parent:
            os._exit(1)

    return follow


class ForkedChild:
    """A child that runs in a copy of this process, with the part of `subprocess.Popen` that the supervisor uses."""

    def __init__(self, pid: int) -> None:
        self.pid = pid
        self.returncode: int | None = None

    def poll(self) -> int | None:
        """Return the exit code, negative for a signal; None while the child runs."""
        if self.returncode is None:
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            if pid:
                self.returncode = os.waitstatus_to_exitcode(status)
        return self.returncode

    def wait(self, timeout: float | None = None) -> int:
        """Return the exit code as soon as there is one. Raises subprocess.TimeoutExpired."""
        end = None if timeout is None else time.monotonic() + timeout
        while (code := self.poll()) is None:
            if end is not None and time.monotonic() >= end:
                raise subprocess.TimeoutExpired(str(self.pid), timeout or 0)
            time.sleep(0.01)
        return code

    def send_signal(self, number: int) -> None:
        """Send a signal, unless the child has ended."""
        if self.poll() is None:
            os.kill(self.pid, number)

    def terminate(self) -> None:
        self.send_signal(signal.SIGTERM)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)


Child = subprocess.Popen[bytes] | ForkedChild


def fork_child(work: Callable[[], object], *, name: str, keep: Sequence[int] = ()) -> ForkedChild:
    """Run `work` in a copy of this process, as `start_child` runs a command, and return the child.

    The copy shares this process's imported modules and their memory. Call it only on Linux, from the main thread while
    there is no other, and without open connections. `name` is shown by `ps -o comm` (15 characters). The copy closes
    all files but `keep`.
    """
    parent = os.getpid()
    sys.stdout.flush()
    sys.stderr.flush()
    pid = os.fork()
    if pid:
        return ForkedChild(pid)
    code = 1
    try:
        _become_child(parent, name, keep)
        work()
        code = 0
    except SystemExit as ending:
        code = ending.code if isinstance(ending.code, int) else int(ending.code is not None)
    except BaseException:
        traceback.print_exc()
    finally:
        with contextlib.suppress(Exception):
            sys.stdout.flush()
            sys.stderr.flush()
        os._exit(code)


def _become_child(parent: int, name: str, keep: Sequence[int]) -> None:
    """Drop everything that belongs to the parent: its session, its signals and every file but the output and `keep`."""
    os.setsid()
    signal.set_wakeup_fd(-1)
    for number in (signal.SIGCHLD, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    # The lock of the data folder and the watchdog's pipe among them: they must end with the parent.
    last = max(int(entry.name) for entry in Path("/proc/self/fd").iterdir())
    for before, after in pairwise((2, *sorted(keep), last + 1)):
        os.closerange(before + 1, after)
    if LIBC is not None:
        LIBC.prctl(PR_SET_NAME, name.encode())
    _follow_parent(parent, signal.SIGTERM)()


def stop_child(child: Child, *, seconds: float, first: int = signal.SIGTERM) -> None:
    """Ask `child` to end, wait `seconds`, then kill it and the rest of its group."""
    with contextlib.suppress(ProcessLookupError):
        child.send_signal(first)
    try:
        child.wait(seconds)
    except subprocess.TimeoutExpired:
        child.kill()
        child.wait()
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(child.pid, signal.SIGKILL)
