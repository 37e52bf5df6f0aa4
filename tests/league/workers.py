"""Worker processes of the league whose clock a test moves, and which it kills.

`python -m tests.league.workers CLOCK [DAYS]`: does again and again what beat would have it do, at the time in the file
CLOCK. With DAYS, it is on a machine whose clock is wrong by so many, which it can tell from the database's.
"""

import os
import random
import signal
import subprocess
import sys
import time
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, Self
from urllib.parse import urlsplit, urlunsplit

WORKERS = 2
DAYS_WRONG = 40
PATIENCE = 60


class Workers:
    """Two workers on the test's database and the clock that they go by, and a third whose clock is wrong."""

    def __init__(self, clock: Path, league: Any) -> None:
        self.clock, self.league = clock, league
        self.chance = random.Random(17)
        self.killed = 0
        self.processes: list[subprocess.Popen[bytes]] = []

    def __enter__(self) -> Self:
        self.write(self.league.now)
        self.processes = [*(self.start() for _ in range(WORKERS)), self.start(str(DAYS_WRONG))]
        return self

    def __exit__(self, *error: object) -> None:
        for process in self.processes:
            process.terminate()
        for process in self.processes:
            process.wait(20)

    def start(self, *more: str) -> subprocess.Popen[bytes]:
        from django.db import connection

        url = urlsplit(os.environ["DATABASE_URL"])._replace(path=f"/{connection.settings_dict['NAME']}")
        environment = {**os.environ, "DATABASE_URL": urlunsplit(url)}
        command = [sys.executable, "-m", "tests.league.workers", str(self.clock), *more]
        return subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def write(self, now: datetime) -> None:
        after = self.clock.with_suffix(".new")
        after.write_text(now.isoformat())
        after.replace(self.clock)

    def go(self, moment: datetime) -> None:
        """Move the clock on to `moment`, half a day at a time. Each time both do all that is due, and one may be killed
        over it."""
        while self.league.now < moment:
            self.league.now = min(self.league.now + timedelta(hours=12), moment)
            self.write(self.league.now)
            if self.chance.random() < 0.3:
                time.sleep(self.chance.random() / 5)
                self.processes[0].send_signal(signal.SIGKILL)
                self.processes[0].wait()
                self.killed += 1
                self.processes[0] = self.start()
            self.wait()

    def wait(self) -> None:
        """Wait until the worker that is never killed has done all that is due."""
        mark = self.clock.with_name(f"done by {self.processes[1].pid}")
        end = time.monotonic() + PATIENCE
        while not mark.exists() or mark.read_text() != self.league.now.isoformat():
            assert self.processes[1].poll() is None, "the worker has ended"
            assert time.monotonic() < end, "the workers do not finish"
            time.sleep(0.01)


def work(clock: Path, days_wrong: int) -> None:
    """Run the tasks at the time of the clock until something ends this process."""
    from django.utils import timezone

    from duels.tasks import run_absences, run_deadlines
    from league.tasks import run_league
    from operations import clock_check

    if not days_wrong:
        # The test moves the clock of the whole site, and cannot move the database's.
        clock_check.MOST_DIFFERENCE = timedelta.max
    mark = clock.with_name(f"done by {os.getpid()}")
    while True:
        now = datetime.fromisoformat(clock.read_text())
        timezone.now = lambda now=now: now + timedelta(days=days_wrong)
        run_deadlines()
        run_absences()
        if not run_league():
            mark.write_text(now.isoformat())
            time.sleep(0.5 if days_wrong else 0.02)


def main(arguments: list[str]) -> None:
    import django

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "fm_site.settings")
    django.setup()
    work(Path(arguments[0]), int(arguments[1]) if arguments[1:] else 0)


if __name__ == "__main__":
    main(sys.argv[1:])
