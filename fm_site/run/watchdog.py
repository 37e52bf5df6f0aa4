"""Ends the process groups on its list when its parent has ended, however that happened.

It reads lines "+PID" and "-PID" from standard input, which ends with the parent, even after kill -9. It works on any
system with pipes; on Linux the kernel also ties the children to their parent (children.py).

    python -S -m fm_site.run.watchdog
"""

import contextlib
import os
import signal
import sys
import time
from collections.abc import Iterable

GRACE_SECONDS = 4.0


def follow_groups(lines: Iterable[str]) -> set[int]:
    """Return the groups that were added and not removed when `lines` end."""
    groups: set[int] = set()
    for line in lines:
        change, pid = line[0], int(line[1:])
        if change == "+":
            groups.add(pid)
        else:
            groups.discard(pid)
    return groups


def end_groups(groups: set[int], grace_seconds: float) -> None:
    """Ask every group to end, then kill what is left."""
    signal_groups(groups, signal.SIGTERM)
    end = time.monotonic() + grace_seconds
    while time.monotonic() < end and any(map(is_alive, groups)):
        time.sleep(0.05)
    signal_groups(groups, signal.SIGKILL)


def signal_groups(groups: set[int], number: int) -> None:
    for group in groups:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(group, number)


def is_alive(group: int) -> bool:
    """Return whether any process of this group is left."""
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


if __name__ == "__main__":
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    end_groups(follow_groups(sys.stdin), GRACE_SECONDS)
