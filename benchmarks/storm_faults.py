"""The faults of a storm."""

import contextlib
import os
import random
import shutil
import signal
import subprocess
import sys
import time
from collections import Counter
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import psycopg
import redis

from benchmarks.storm_disk import Disk, NoDisk
from benchmarks.storm_wires import Wires
from fm_site.run.children import start_child, stop_child
from fm_site.run.valkey import write_valkey_command
from tests.services.earlier_version import ROOT, check_out, find_earlier_commit
from tests.services.postgres import DURABLE, PostgresServer
from tests.services.stack import Stack

FAULT_NAMES = (
    *("kill-process", "hang-process", "kill-backend", "kill-postgres", "empty-valkey", "forbid-writing"),
    *("cut-wire", "jump-clock", "fill-disk", "cut-power", "old-worker"),
)
DISK_FAULTS = ("fill-disk", "cut-power")
# Who talks to what: a wire is cut for one pair.
PAIRS = (
    *(("fm-site", "database"), ("fm-worker", "database"), ("fm-mail-intake", "database"), ("fm-bots", "database")),
    *(("fm-site", "Valkey"), ("fm-worker", "Valkey")),
)
# How far clocks jump, forth or back: as one that was set wrong and is corrected by a time server.
JUMPS = (-3600, -300, -20, 20, 300, 3600)
CLOCK_LIBRARIES = sorted(Path("/usr/lib").glob("*/faketime/libfaketimeMT.so.1"))
# One less than the supervisor allows within a minute; a process that dies more often ends the site, as it should.
MOST_KILLS, SPAN = 4, 62.0


class Place:
    """The servers that the site of a storm uses, and the wires between them. They end when the block does."""

    def __init__(self, folder: Path, *, fakes_clock: bool = False) -> None:
        self.folder, self.fakes_clock, self.leaving = folder, fakes_clock and bool(CLOCK_LIBRARIES), ExitStack()
        self.disk: Disk | None = None
        self.clock = folder / "clock"
        self.valkey_socket = folder / "valkey" / "valkey.sock"

    def __enter__(self) -> "Place":
        with ExitStack() as leaving:
            self.wires = Wires()
            leaving.callback(self.wires.close)
            try:
                self.disk = Disk(self.folder / "disk")
                leaving.callback(self.disk.close)
            except NoDisk as reason:
                print(f"no faults of the disk: {reason}", flush=True)
            # A small log, so that a full disk is one that tables fill, too.
            settings = (*DURABLE, "max_wal_size=128MB")
            self.postgres = PostgresServer(self.disk.folder if self.disk else self.folder, settings)
            self.postgres.start()
            # Its cluster is made without syncing.
            subprocess.run(["sync", "-f", str(self.postgres.folder)], check=True)
            leaving.callback(lambda: self.postgres.stop())
            self.valkey_socket.parent.mkdir()
            self.start_valkey()
            leaving.callback(lambda: stop_child(self.valkey, seconds=5))
            near = self.folder / "wires"
            self.wires.lay("database", near / ".s.PGSQL.5432", self.postgres.folder / ".s.PGSQL.5432")
            self.wires.lay("Valkey", near / "valkey.sock", self.valkey_socket)
            self.set_clock(0)
            self.leaving = leaving.pop_all()
        return self

    def __exit__(self, *_: object) -> None:
        self.leaving.close()

    @property
    def environment(self) -> dict[str, str]:
        """What the site must know."""
        near = self.folder / "wires"
        names = {
            "DATABASE_URL": f"postgres://postgres@/postgres?host={near}",
            "REDIS_URL": f"unix://{near}/valkey.sock",
        }
        if self.fakes_clock:
            names |= {"LD_PRELOAD": str(CLOCK_LIBRARIES[0]), "FAKETIME_TIMESTAMP_FILE": str(self.clock)}
            names |= {"FAKETIME_CACHE_DURATION": "1", "FAKETIME_DONT_FAKE_MONOTONIC": "1"}
        return names

    def can(self, fault: str) -> bool:
        if fault in DISK_FAULTS:
            return self.disk is not None
        if fault == "old-worker":
            return (ROOT / ".git").exists()
        return fault != "jump-clock" or self.fakes_clock

    def start_valkey(self) -> None:
        self.valkey_socket.unlink(missing_ok=True)
        self.valkey = start_child(write_valkey_command(self.valkey_socket.parent), output=subprocess.DEVNULL)

    def kill_postgres(self) -> None:
        """Kill every process of PostgreSQL."""
        first = self.postgres.process.pid
        children = Path(f"/proc/{first}/task/{first}/children").read_text().split()
        for pid in (first, *map(int, children)):
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        self.postgres.process.wait(10)
        end = time.monotonic() + 10
        while any(read_name(int(pid)) == "postgres" for pid in children) and time.monotonic() < end:
            time.sleep(0.01)

    def set_clock(self, seconds: int) -> None:
        """Make the site's clocks go wrong by so many seconds, within a second."""
        new = self.clock.with_suffix(".new")
        new.write_text(f"{seconds:+d}\n")
        new.replace(self.clock)


class Weather:
    """The faults, and the parts of the site that they act on."""

    def __init__(self, place: "Place", stack: Stack, dice: random.Random, fault: str = "") -> None:
        self.place, self.stack, self.dice, self.fault = place, stack, dice, fault
        self.postgres = place.postgres
        self.killed: list[tuple[float, str]] = []
        self.earlier_worker: subprocess.Popen[bytes] | None = None

    def strike(self) -> str:
        """Cause one fault and return its name."""
        possible = [name for name in FAULT_NAMES if self.place.can(name)]
        # Processes die most often.
        name = self.fault or self.dice.choice([*possible, *["kill-process"] * 2])
        struck: str = getattr(self, name.replace("-", "_"))()
        return struck

    def kill_process(self) -> str:
        recent = Counter(name for at, name in self.killed if at > time.monotonic() - SPAN)
        alive = [(name, pid) for name, pid in self.list_parts() if recent[name] < MOST_KILLS]
        if not alive:
            return self.empty_valkey()
        name, pid = self.dice.choice(alive)
        self.killed.append((time.monotonic(), name))
        os.kill(pid, signal.SIGKILL)
        if pid == self.place.valkey.pid:
            time.sleep(self.dice.uniform(0.1, 1.0))
            self.place.start_valkey()
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
        parts = [(name, pid) for name, pid in sorted(found) if name.startswith("fm-")]
        return [*parts, ("Valkey", self.place.valkey.pid)]

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
        self.place.kill_postgres()
        time.sleep(self.dice.uniform(0.1, 1.0))
        self.postgres.launch()
        return "kill all of PostgreSQL"

    def cut_power(self) -> str:
        """Stop the disk, then PostgreSQL: what was not synced is lost."""
        disk = self.place.disk
        assert disk is not None
        disk.lose_power()
        self.place.kill_postgres()
        time.sleep(self.dice.uniform(0.1, 1.0))
        disk.return_power()
        self.postgres.launch()
        return "cut the power of PostgreSQL"

    def fill_disk(self) -> str:
        disk = self.place.disk
        assert disk is not None
        disk.fill()
        time.sleep(self.dice.uniform(1.0, 3.0))
        disk.clear()
        # Without room for its log, PostgreSQL may have ended.
        time.sleep(0.5)
        ended = self.postgres.process.poll() is not None
        if ended:
            self.postgres.launch()
        return "full disk, which ended PostgreSQL" if ended else "full disk"

    def cut_wire(self) -> str:
        process, server = self.dice.choice(PAIRS)
        resets = self.dice.random() < 0.5
        self.place.wires.cut(process, server)
        try:
            time.sleep(self.dice.uniform(1.0, 6.0))
        finally:
            self.place.wires.mend(process, server, resets=resets)
        return f"cut {process} from {server}"

    def old_worker(self) -> str:
        """Run a worker of an earlier version next to the current one; the next such fault kills one of the two."""
        if self.earlier_worker is not None:
            new = [pid for name, pid in self.list_parts() if name == "fm-worker"]
            if new and self.dice.random() < 0.5:
                os.kill(new[0], signal.SIGKILL)
                return "kill the new worker"
            self.end_old_worker()
            return "kill the old worker"
        root, data = self.place.folder / "earlier", self.place.folder / "earlier-data"
        if not root.exists():
            check_out(find_earlier_commit(), root)
            subprocess.run([sys.executable, "-m", "fm_site.texts.catalogues"], cwd=root, check=True)
            data.mkdir()
            shutil.copy(self.stack.data_dir / "secret_key", data)
        with self.stack.log.open("ab") as log:
            command = ("env", "-C", str(root), sys.executable, "-m", "fm_site.run.worker")
            environment = {"DEBUG": "1", **self.stack.environment, "FM_DATA_DIR": str(data)}
            self.earlier_worker = start_child(command, env=environment, output=log)
        return "an old worker joins"

    def end_old_worker(self) -> bool:
        """Kill the worker of the earlier version; return whether there was one."""
        if self.earlier_worker is None:
            return False
        self.earlier_worker.kill()
        self.earlier_worker.wait()
        self.earlier_worker = None
        return True

    def jump_clock(self) -> str:
        """Set the clock of the site's processes wrong for some seconds; PostgreSQL's and Valkey's stay right."""
        seconds = self.dice.choice(JUMPS)
        self.place.set_clock(seconds)
        try:
            time.sleep(self.dice.uniform(1.5, 4.0))
        finally:
            self.place.set_clock(0)
        return f"clock {seconds:+d} s"

    def empty_valkey(self) -> str:
        try:
            redis.Redis.from_url(f"unix://{self.place.valkey_socket}").flushall()
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
