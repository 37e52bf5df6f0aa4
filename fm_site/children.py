"""Child processes that end with their parent, whatever ends it."""

import contextlib
import ctypes
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from typing import IO, Any

PR_SET_PDEATHSIG = 1
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
    """Start `command` in a process group of its own and return it.

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


def stop_child(child: "subprocess.Popen[bytes]", *, seconds: float, first: int = signal.SIGTERM) -> None:
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
