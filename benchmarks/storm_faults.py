"""The faults of a storm."""

import os
import random
import signal
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import psycopg
import redis

from fm_site.sockets import embedded_redis_url
from tests.services.postgres import PostgresServer
from tests.services.stack import Stack

FAULT_NAMES = ("kill-process", "hang-process", "kill-backend", "kill-postgres", "empty-valkey", "forbid-writing")
# One less than the supervisor allows within a minute; a process that dies more often ends the site, as it should.
MOST_KILLS, SPAN = 4, 62.0


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


def read_name(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/comm").read_text().strip()
    except OSError:
        return ""
