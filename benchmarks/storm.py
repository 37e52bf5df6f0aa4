"""Faults strike a site while battles are played: ./run storm [--count N] [--seed N] [--fault NAME]

Its own `./run`, on a PostgreSQL that syncs every commit. In each storm, programs play battles by the
API, by the page's form and by SMTP (one battle by all three) while faults strike (benchmarks/storm_faults.py). Then
every battle must be played to its end, and the rows, the emails that came and the sessions are audited
(benchmarks/storm_audit.py). Prints a line for each storm; the exit code is 1 if anything was found.
"""

import argparse
import json
import random
import signal
import sys
import tempfile
import threading
import time
from collections import Counter
from pathlib import Path
from typing import Any

from aiosmtpd.controller import Controller

from benchmarks.storm_audit import Inbox, audit_battle, audit_mail, audit_notices, audit_scores, audit_sessions, settle
from benchmarks.storm_faults import FAULT_NAMES, Place, Weather
from benchmarks.storm_players import BATTLES, MAKE_BATTLES, Duel, Player
from tests.services.stack import ROOT, Stack, find_free_ports

FAULTS = 2
PATIENCE = 90.0
# Battles are begun, emails settled and records replayed for so many storms at once: each time costs a start of Python.
CHUNK = 10


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="./run storm", description=__doc__)
    parser.add_argument("--count", type=int, default=10, help="storms")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--fault", choices=FAULT_NAMES, default="", help="only this one")
    options = parser.parse_args(arguments)
    # Stopped from outside, we still end our site and its PostgreSQL.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    report = Report()
    with tempfile.TemporaryDirectory(prefix="fm-storm-") as name:
        # PostgreSQL runs as another user and reads its programs there.
        Path(name).chmod(0o711)
        inbox, (sink_port,) = Inbox(), find_free_ports(1)
        sink = Controller(inbox, hostname="127.0.0.1", port=sink_port)
        sink.start()
        try:
            with Place(Path(name), fakes_clock=options.fault == "jump-clock") as place:
                brew(place, inbox, sink_port, options, report)
        finally:
            sink.stop()
    faults, ways = report.faults, ", ".join(f"{report.orders[way]} by {way}" for way in sorted(report.orders))
    message = f"{sum(faults.values())} faults ({dict(faults)}), {sum(report.orders.values())} accepted orders ({ways})"
    print(f"{report.storms} storms, seed {options.seed}, {message}, {len(inbox.texts)} emails, ", end="")
    print(f"{len(report.problems)} problems")
    return 1 if report.problems else 0


def brew(place: Place, inbox: Inbox, sink_port: int, options: argparse.Namespace, report: "Report") -> None:
    """Start the site, and play all storms on it."""
    stack = Stack(
        place.folder / "data",
        root=ROOT,
        **place.environment,
        EMAIL_URL=f"smtp://127.0.0.1:{sink_port}",
        FM_API_CALLS_PER_MINUTE="60000",
        FM_API_CALLS_OF_NETWORK="60000",
    )
    stack.start()
    # Only the site's clock is faked, not that of the commands with which we audit it.
    stack.environment.pop("LD_PRELOAD", None)
    try:
        stack.wait_until_open()
        weather = Weather(place, stack, random.Random(options.seed), options.fault)
        try:
            for first in range(0, options.count, CHUNK):
                play_storms(weather, inbox, range(first, min(first + CHUNK, options.count)), report)
        finally:
            weather.end_old_worker()
    except StackEnded:
        report.problems.append("the site has ended")
        print(stack.read_log()[-2000:])
    finally:
        stack.interrupt()


class StackEnded(Exception):
    """The site has ended by itself."""


class Report:
    """What happened in all storms."""

    def __init__(self) -> None:
        self.storms = 0
        self.problems: list[str] = []
        self.faults, self.orders = Counter[str](), Counter[str]()

    def add(self, problems: list[str]) -> None:
        self.problems += problems
        for problem in problems:
            print(f"  {problem}", flush=True)


def play_storms(weather: Weather, inbox: Inbox, numbers: range, report: Report) -> None:
    """Begin the battles of these storms, play one storm after the other, and audit what they left."""
    places = numbers.start * len(BATTLES), numbers.stop * len(BATTLES)
    script = f"FIRST, LAST = {places}\nWAYS = {BATTLES}\n{MAKE_BATTLES}"
    said = weather.stack.manage("shell", "-v0", "-c", script)
    made = json.loads(next(line for line in said.splitlines() if line.startswith("made ")).removeprefix("made "))
    duels: list[Duel] = []
    for number in numbers:
        begin = time.monotonic()
        mine, struck = play_storm(weather, made[: len(BATTLES)])
        made, duels, report.storms = made[len(BATTLES) :], duels + mine, report.storms + 1
        problems = [problem for duel in mine for problem in duel.problems]
        with weather.connect() as rows:
            for duel in mine:
                problems += audit_battle(rows, duel)
                for _, mage in duel.accepted:
                    report.orders[next(player.way for player in duel.players if player.mage == mage)] += 1
        # Emails are accepted when they are stored; that they became orders is what the players wait for.
        report.orders["mail"] += sum(player.taken for duel in mine for player in duel.players)
        report.faults.update(struck)
        seconds = time.monotonic() - begin
        print(f"storm {number + 1}: {', '.join(struck)}; {len(problems)} problems, {seconds:.0f} s", flush=True)
        report.add(problems)
        if weather.stack.process is None or weather.stack.process.poll() is not None:
            raise StackEnded
    found = settle(weather.stack, [duel.number for duel in duels])
    with weather.connect() as rows:
        found += audit_notices(rows, duels, inbox) + audit_mail(rows, duels) + audit_scores(rows)
    report.add(found + audit_sessions(duels))


def play_storm(weather: Weather, made: list[tuple[int, list[dict[str, Any]]]]) -> tuple[list[Duel], list[str]]:
    """Play these battles while faults strike; return them and the faults."""
    stack, dice = weather.stack, weather.dice
    duels = [
        Duel(stack.url, stack.smtp_port, number, [Player(**each) for each in players], dice.random())
        for number, players in made
    ]
    threads = [threading.Thread(target=duel.play) for duel in duels]
    for thread in threads:
        thread.start()
    struck = []
    for _ in range(FAULTS):
        time.sleep(dice.uniform(0.5, 2.0))
        struck.append(weather.strike())
    end = time.monotonic() + PATIENCE
    for duel in duels:
        duel.finish_soon(end)
    for thread in threads:
        thread.join()
    return duels, struck


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
