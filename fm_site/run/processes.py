"""The processes of an embedded site, kept running and stopped together."""

import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from fm_site.run.children import Child, fork_child, start_child, stop_child

# A child that dies more often than this within the span will not recover by itself.
MOST_RESTARTS = 5
RESTART_SPAN_SECONDS = 60.0


class ChildGivenUp(Exception):
    """A child died too often; the site must stop and say so."""


@dataclass
class Member:
    """One process: its name, its command, and how long it may take to stop.

    `work` does the same as the command, in a copy of this process, which keeps the open `files`.
    """

    name: str
    command: Sequence[str]
    seconds_to_stop: float = 8.0
    work: Callable[[], object] | None = None
    files: Sequence[int] = ()
    process: Child | None = None
    deaths: list[float] = field(default_factory=list)
    restart_at: float | None = None

    def is_running(self) -> bool:
        return self.process is not None and self.process.poll() is None


class Processes:
    """Starts members in order, restarts those that die, and stops them in reverse order."""

    def __init__(self, environment: Mapping[str, str]) -> None:
        self.environment = dict(environment)
        self.members: list[Member] = []
        self.watchdog = subprocess.Popen(
            [sys.executable, "-S", "-m", "fm_site.run.watchdog"],
            stdin=subprocess.PIPE,
            start_new_session=True,
            env=self.environment,
        )

    def add(self, member: Member) -> None:
        self.members.append(member)
        self.start(member)

    def start(self, member: Member) -> None:
        member.restart_at = None
        if member.work is not None and sys.platform == "linux":
            name = f"fm-{member.name.lower().replace(' ', '-')}"
            member.process = fork_child(member.work, name=name, keep=member.files)
        else:
            member.process = start_child(member.command, env=self.environment)
        self.notify_watchdog("+", member.process.pid)

    def notify_watchdog(self, change: str, pid: int) -> None:
        assert self.watchdog.stdin is not None
        try:
            self.watchdog.stdin.write(f"{change}{pid}\n".encode())
            self.watchdog.stdin.flush()
        except BrokenPipeError:
            print(
                "The watchdog has stopped; killing ./run may now leave processes behind.", file=sys.stderr, flush=True
            )

    def look_after(self) -> None:
        """Restart processes that died, each time after a longer pause. Raises ChildGivenUp if that does not help."""
        now = time.monotonic()
        for member in self.members:
            if member.restart_at is not None:
                if now >= member.restart_at:
                    self.start(member)
            elif not member.is_running():
                self.record_death(member, now)

    @property
    def are_well(self) -> bool:
        """Whether all processes run: none has died or is waiting to be restarted."""
        return all(member.restart_at is None and member.is_running() for member in self.members)

    def record_death(self, member: Member, now: float) -> None:
        assert member.process is not None
        code = member.process.returncode
        self.bury(member)
        member.deaths = [death for death in member.deaths if now - death < RESTART_SPAN_SECONDS] + [now]
        if len(member.deaths) > MOST_RESTARTS:
            raise ChildGivenUp(f"{member.name} ended {len(member.deaths)} times within a minute (last code {code}).")
        member.restart_at = now + 0.25 * 2 ** len(member.deaths)
        print(f"{member.name} ended (code {code}); restarting it.", file=sys.stderr, flush=True)

    def bury(self, member: Member) -> None:
        """End the rest of a dead or stopping member's group, and forget it."""
        if member.process is None:
            return
        stop_child(member.process, seconds=member.seconds_to_stop)
        self.notify_watchdog("-", member.process.pid)
        member.process = None

    def stop(self) -> None:
        """Stop all processes: the first member last, because the others use it."""
        for member in self.members[1:]:
            if member.is_running():
                assert member.process is not None
                member.process.terminate()
        for member in reversed(self.members):
            self.bury(member)
        if self.watchdog.stdin is not None:
            self.watchdog.stdin.close()
        self.watchdog.wait()


def python_command(*arguments: str) -> list[str]:
    """Return the command that runs `arguments` with this environment's Python."""
    return [sys.executable, *arguments]


def manage_command(*arguments: str) -> list[str]:
    return python_command(str(Path(__file__).resolve().parents[2] / "manage.py"), *arguments)
