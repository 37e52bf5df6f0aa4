"""Faults strike a site while battles are played: ./run storm [--count N] [--seed N] [--fault NAME]

A `./run` of its own, on a PostgreSQL of its own that syncs every commit. In each storm, programs play duels by the API
while processes of the site, a connection's PostgreSQL process or all of PostgreSQL are killed (SIGKILL), a process
hangs for seconds (SIGSTOP), Valkey is emptied, or the database is made read-only for a moment. Then every duel must go
on by a turn, and the rows are audited: accepted orders are stored as they were sent, every turn was played once, no
battle is stuck, and each replays to the states that are stored. Prints a line for each storm; the exit code is 1 if
anything was found.
"""

import argparse
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import psycopg
import redis

from benchmarks.storm_players import Duel
from fm_site.sockets import embedded_redis_url
from tests.services.postgres import DURABLE, PostgresServer
from tests.services.stack import Stack

DUELS, FAULTS = 3, 2
FAULT_NAMES = ("kill-process", "hang-process", "kill-backend", "kill-postgres", "empty-valkey", "forbid-writing")
PATIENCE = 90.0
# One less than the supervisor allows within a minute; a process that dies more often ends the site, as it should.
MOST_KILLS, SPAN = 4, 62.0
MAKE_DUELS = """
import json
from django.utils import timezone
from accounts.services import create_user, issue_api_token, register_mage
from duels.services import start_battle, take_number
from duels.terms import Terms
now, made = timezone.now(), []
for duel in range({duels}):
    users = [create_user(name=f"Storm{storm}{{side}}{{duel}}", now=now) for side in "ab"]
    mages = [register_mage(user=user, name=f"Mage{storm}{{side}}{{duel}}", now=now) for side, user in zip("ab", users)]
    tokens = {{mage.name: issue_api_token(user=mage.user, name="storm", now=now)[1] for mage in mages}}
    made.append([start_battle(number=take_number(), terms=Terms(), mages=mages, now=now).number, tokens])
print("made", json.dumps(made))
"""
SHEETS = (
    "SELECT t.seq || '.' || t.attempt || '.' || s.number, m.name, o.text, o.ready FROM duels_ordersheet o"
    " JOIN duels_stage s ON s.id = o.stage_id JOIN duels_turn t ON t.id = s.turn_id"
    " JOIN duels_battle b ON b.id = t.battle_id JOIN duels_combatant c ON c.id = o.combatant_id"
    " JOIN accounts_mage m ON m.id = c.mage_id WHERE b.number = %s"
)
TURNS = (
    "SELECT t.seq, t.attempt, t.resolved_at IS NOT NULL FROM duels_turn t JOIN duels_battle b ON b.id = t.battle_id"
    " WHERE b.number = %s ORDER BY 1, 2"
)


class Weather:
    """The faults, and what they need to know."""

    def __init__(self, stack: Stack, postgres: PostgresServer, dice: random.Random, fault: str = "") -> None:
        self.stack, self.postgres, self.dice, self.fault = stack, postgres, dice, fault
        self.killed: list[tuple[float, str]] = []

    def strike(self) -> str:
        """Cause one fault and return its name."""
        faults: dict[str, Callable[[], str]] = {name: getattr(self, name.replace("-", "_")) for name in FAULT_NAMES}
        if self.fault:
            return faults[self.fault]()
        # Processes die most often.
        return self.dice.choice([*faults.values(), *[self.kill_process] * 3])()

    def kill_process(self) -> str:
        recent = Counter(name for at, name in self.killed if at > time.monotonic() - SPAN)
        alive = [(name, pid) for name, pid in self.list_parts() if recent[name] < MOST_KILLS]
        if not alive:
            return self.empty_valkey()
        name, pid = self.dice.choice(alive)
        self.killed.append((time.monotonic(), name))
        os.kill(pid, signal.SIGKILL)
        return f"kill {name}"

    def hang_process(self) -> str:
        name, pid = self.dice.choice(self.list_parts())
        os.kill(pid, signal.SIGSTOP)
        try:
            time.sleep(self.dice.uniform(1.0, 5.0))
        finally:
            os.kill(pid, signal.SIGCONT)
        return f"hang {name}"

    def list_parts(self) -> list[tuple[str, int]]:
        """Return the processes of the site and of Valkey, but not the one that looks after them."""
        found = [(read_name(pid), pid) for pid in self.stack.list_processes() if pid != self.process_number]
        return [(name, pid) for name, pid in sorted(found) if name.startswith(("fm-", "valkey"))]

    @property
    def process_number(self) -> int:
        assert self.stack.process is not None
        return self.stack.process.pid

    def kill_backend(self) -> str:
        with self.connect() as rows:
            question = "SELECT pid FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> %s"
            pids = [pid for (pid,) in rows.execute(question, [rows.info.backend_pid])]
        if not pids:
            return self.empty_valkey()
        os.kill(self.dice.choice(pids), signal.SIGKILL)
        return "kill a PostgreSQL backend"

    def kill_postgres(self) -> str:
        first = self.postgres.process.pid
        children = Path(f"/proc/{first}/task/{first}/children").read_text().split()
        for pid in (first, *map(int, children)):
            os.kill(pid, signal.SIGKILL)
        self.postgres.process.wait(10)
        time.sleep(self.dice.uniform(0.1, 1.0))
        self.postgres.launch()
        return "kill all of PostgreSQL"

    def empty_valkey(self) -> str:
        try:
            redis.Redis.from_url(embedded_redis_url(self.stack.data_dir)).flushall()
        except redis.ConnectionError:
            return "Valkey is away"
        return "FLUSHALL"

    def forbid_writing(self) -> str:
        for value in ("on", "off"):
            with self.connect() as rows:
                rows.execute("SET default_transaction_read_only = off")
                rows.execute(f"ALTER SYSTEM SET default_transaction_read_only = {value}")
                rows.execute("SELECT pg_reload_conf()")
            time.sleep(1.0 if value == "on" else 0)
        return "read-only database"

    def connect(self) -> "psycopg.Connection[Any]":
        """Connect, and wait while PostgreSQL recovers."""
        self.postgres.wait_until_ready()
        return psycopg.connect(self.postgres.url, autocommit=True)


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="./run storm", description=__doc__)
    parser.add_argument("--count", type=int, default=10, help="storms")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--fault", choices=FAULT_NAMES, default="", help="only this one")
    options = parser.parse_args(arguments)
    # Stopped from outside, we still end our site and its PostgreSQL.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    dice = random.Random(options.seed)
    number, found, orders, faults = 0, 0, 0, Counter[str]()
    with tempfile.TemporaryDirectory(prefix="fm-storm-") as name:
        # PostgreSQL has a user of its own and reads its programs there.
        Path(name).chmod(0o711)
        postgres = PostgresServer(Path(name), DURABLE)
        postgres.start()
        stack = Stack(Path(name) / "data", DATABASE_URL=postgres.url)
        stack.start()
        try:
            stack.wait_until_open()
            weather = Weather(stack, postgres, dice, options.fault)
            for number in range(1, options.count + 1):
                problems, struck, accepted = play_storm(weather, number)
                found, orders = found + len(problems), orders + accepted
                faults.update(struck)
                print(f"storm {number}: {', '.join(struck)}; {accepted} orders, {len(problems)} problems", flush=True)
                for problem in problems:
                    print(f"  {problem}", flush=True)
                if stack.process is None or stack.process.poll() is not None:
                    print(stack.read_log()[-2000:])
                    break
        finally:
            stack.interrupt()
            postgres.stop()
    told = f"{sum(faults.values())} faults ({dict(faults)}), {orders} accepted orders, {found} problems"
    print(f"{number} storms, seed {options.seed}, {told}")
    return 1 if found else 0


def play_storm(weather: Weather, number: int) -> tuple[list[str], list[str], int]:
    """Return the problems, the faults, and how many orders were accepted."""
    said = weather.stack.manage("shell", "-v0", "-c", MAKE_DUELS.format(storm=number, duels=DUELS))
    line = next(line for line in said.splitlines() if line.startswith("made "))
    seeds = [weather.dice.random() for _ in range(DUELS)]
    made = zip(json.loads(line.removeprefix("made ")), seeds, strict=True)
    duels = [Duel(weather.stack.url, battle, tokens, seed) for (battle, tokens), seed in made]
    threads = [threading.Thread(target=duel.play) for duel in duels]
    for thread in threads:
        thread.start()
    struck = []
    for _ in range(FAULTS):
        time.sleep(weather.dice.uniform(0.5, 2.0))
        struck.append(weather.strike())
    end = time.monotonic() + PATIENCE
    for duel in duels:
        duel.finish_soon(end)
    for thread in threads:
        thread.join()
    problems = [problem for duel in duels for problem in duel.problems]
    with weather.connect() as rows:
        for duel in duels:
            problems += audit(rows, duel)
    problems += replay(weather.stack, [duel.number for duel in duels])
    return problems, struck, sum(len(duel.accepted) for duel in duels)


def audit(rows: "psycopg.Connection[Any]", duel: Duel) -> list[str]:
    """Return what the rows of a duel say that the players were not told, and the other way round."""
    stored = {(key, mage): (text, ready) for key, mage, text, ready in rows.execute(SHEETS, [duel.number])}
    problems = [
        f"battle {duel.number}: {mage} sent {text!r} for {key}, stored is {stored.get((key, mage))}"
        for (key, mage), text in duel.accepted.items()
        if stored.get((key, mage)) != (text, True)
    ]
    problems += [
        f"battle {duel.number}: {mage} sent nothing for {key}, stored is {text!r}"
        for (key, mage), (text, ready) in stored.items()
        if ready and text not in duel.sent[key, mage]
    ]
    turns = rows.execute(TURNS, [duel.number]).fetchall()
    if [seq for seq, *_ in turns] != list(range(1, len(turns) + 1)) or any(attempt for _, attempt, _ in turns):
        problems.append(f"battle {duel.number}: its turns are {turns}")
    if not all(resolved for *_, resolved in turns[:-1]):
        problems.append(f"battle {duel.number}: a turn before the last is open: {turns}")
    return problems


def replay(stack: Stack, numbers: list[int]) -> list[str]:
    """Return what plays differently from its record."""
    try:
        stack.manage("replay_battles", *map(str, numbers))
    except subprocess.CalledProcessError as error:
        return [f"replay: {error.stdout}{error.stderr[-500:]}"]
    return []


def read_name(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/comm").read_text().strip()
    except OSError:
        return ""


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
