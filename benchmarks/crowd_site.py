"""The site of docs/hosting.md on loopback, for `./run bench --crowd`: every service by the command of its unit, some of
them several times, on a PostgreSQL that syncs every commit and a Valkey, without a proxy; the crowd names its clients
as a proxy would, and spreads them as one."""

import os
import re
import shlex
import subprocess
import time
import urllib.request
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import psycopg
from aiosmtpd.controller import Controller

from benchmarks.idle import read_process
from benchmarks.own_site import run_valkey
from fm_site.run.children import start_child, stop_child
from tests.services.postgres import DURABLE, PostgresServer
from tests.services.stack import LEFT_OUT, find_free_ports

ROOT = Path(__file__).resolve().parent.parent
SERVICES = ("web", "worker", "bots", "beat", "mail")
HOST = "play.example.org"
# Emails that have been due for five seconds: some wait for a moment by design.
WAITING = (
    "SELECT (SELECT count(*) FROM email_gateway_inboundmail WHERE state IN ('received', 'claimed')"
    " AND due_at < now() - interval '5 s'), (SELECT count(*) FROM notifications_delivery WHERE channel = 'mail'"
    " AND state IN ('due', 'claimed') AND due_at < now() - interval '5 s')"
)


class Mailbox:
    """Receives the site's email, and records when each arrived."""

    def __init__(self) -> None:
        self.times: list[float] = []
        # Arrival times by address, until someone asks for them.
        self.arrivals: dict[str, list[float]] = {}

    async def handle_DATA(self, server: object, session: object, envelope: Any) -> str:
        now = time.perf_counter()
        self.times.append(now)
        self.arrivals.setdefault(envelope.rcpt_tos[0], []).append(now)
        return "250 OK"


class CrowdSite:
    """Services, rows and the mailbox of one run. Leave it to end all of them."""

    def __init__(self, folder: Path, *, webs: int = 1, workers: int = 1) -> None:
        self.folder, self.stack, self.mailbox = folder, ExitStack(), Mailbox()
        self.lmtp_port, sink, *self.web_ports = find_free_ports(2 + webs)
        self.numbers = {"web": webs, "worker": workers}
        self.postgres = PostgresServer(folder, DURABLE)
        self.services: dict[str, subprocess.Popen[bytes]] = {}
        self.places = {
            "/srv/firetop/current/static": f"{folder}/static",
            "/srv/firetop/current": str(ROOT),
            "/run/firetop": f"{folder}/run",
            "/var/lib/firetop-static": f"{folder}/static",
            "/var/lib/firetop": f"{folder}/data",
            "127.0.0.1:8024": f"127.0.0.1:{self.lmtp_port}",
        }
        self.environment = {name: value for name, value in os.environ.items() if name not in LEFT_OUT}
        for line in self.translate((ROOT / "deploy" / "environment").read_text()).splitlines():
            if "=" in line and not line.startswith("#"):
                name, _, value = line.partition("=")
                self.environment[name] = value
        self.environment |= {
            "DATABASE_URL": self.postgres.url,
            "REDIS_URL": f"unix://{folder}/valkey.sock",
            "EMAIL_URL": f"smtp://127.0.0.1:{sink}",
        }
        self.sink = Controller(self.mailbox, hostname="127.0.0.1", port=sink)

    def translate(self, text: str) -> str:
        """Return the text of a file of deploy/ with the paths and ports of this run."""
        for deployed, own in self.places.items():
            text = text.replace(deployed, own)
        return text

    def __enter__(self) -> "CrowdSite":
        try:
            for name in ("data", "static"):
                (self.folder / name).mkdir()
            self.postgres.start()
            self.stack.callback(self.postgres.stop)
            self.valkey = self.stack.enter_context(run_valkey(self.folder))
            self.sink.start()
            self.stack.callback(self.sink.stop)
            self.manage("prepare_site")
            for name in SERVICES:
                for number in range(self.numbers.get(name, 1)):
                    self.start_service(name, number)
            for port in self.web_ports:
                self.wait_until_open(port)
        except BaseException:
            self.stack.close()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self.stack.close()

    def manage(self, *arguments: str) -> str:
        """Run a command of manage.py and return what it printed."""
        command = (f"{ROOT}/.venv/bin/python", "manage.py", *arguments)
        done = subprocess.run(command, env=self.environment, cwd=ROOT, capture_output=True, text=True)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    def choose_port(self, place: int) -> int:
        """Return the port of the web process that a proxy could choose for this client."""
        return self.web_ports[place % len(self.web_ports)]

    def start_service(self, name: str, number: int = 0) -> None:
        """Start a service, the first of its kind or another one."""
        unit = self.translate((ROOT / "deploy" / "systemd" / f"firetop-{name}.service").read_text())
        found = re.search(r"^ExecStart=(.+)$", unit, re.M)
        assert found, unit
        title = f"{name} {number + 1}" if number else name
        log = self.stack.enter_context((self.folder / f"{title}.log").open("wb"))
        # The units' %h is the machine's name.
        command = shlex.split(found[1].replace("%%", "%"))
        environment = {**self.environment, "FM_PORT": str(self.choose_port(number))}
        process = start_child(command, output=log, env=environment)
        self.services[title] = process
        self.stack.callback(stop_child, process, seconds=20)

    def wait_until_open(self, port: int, seconds: float = 300) -> None:
        end = time.monotonic() + seconds
        head = {"Host": HOST, "X-Forwarded-Proto": "https"}
        while True:
            try:
                address = f"http://127.0.0.1:{port}/health/ready?strict=1"
                with urllib.request.urlopen(urllib.request.Request(address, headers=head), timeout=5):
                    return
            except OSError as error:
                if time.monotonic() > end:
                    raise AssertionError(f"{error}\n{self.read_logs()}") from error
                time.sleep(0.3)

    def read_logs(self) -> str:
        return "\n".join(f"== {log.name}\n{log.read_text()[-1500:]}" for log in self.folder.glob("*.log"))

    def count_faults(self) -> int:
        logs = [self.folder / f"{title}.log" for title in self.services]
        return sum(log.read_text(errors="replace").count("Traceback") for log in logs)

    def count_waiting(self) -> tuple[int, int]:
        """Return how many emails should have been processed, and how many sent, five seconds ago."""
        with psycopg.connect(self.postgres.url) as rows:
            counts = rows.execute(WAITING).fetchone()
        assert counts
        return counts[0], counts[1]

    def read_processes(self) -> dict[str, tuple[float, float]]:
        """Return the processor seconds and the megabytes of each service, and of PostgreSQL's processes together.

        The usage of PostgreSQL processes that have ended is counted with their parent.
        """
        usage = {}
        for name, process in (*self.services.items(), ("Valkey", self.valkey)):
            assert process.poll() is None, f"{name} has ended\n{self.read_logs()}"
            _, cpu, _, memory = read_process(process.pid)
            usage[name] = cpu, memory
        first = self.postgres.process.pid
        cpu = read_children_cpu(first)
        memory = 0.0
        for pid in (first, *map(int, Path(f"/proc/{first}/task/{first}/children").read_text().split())):
            try:
                _, used, _, held = read_process(pid)
            except OSError:
                continue
            cpu, memory = cpu + used, memory + held
        return {**usage, "PostgreSQL": (cpu, memory)}

    def read_web(self) -> tuple[float, float]:
        """Return the processor seconds and the megabytes of all web processes."""
        webs = [used for name, used in self.read_processes().items() if name.startswith("web")]
        return sum(cpu for cpu, _ in webs), sum(memory for _, memory in webs)


def read_children_cpu(pid: int) -> float:
    """Return the processor seconds of a process's ended children."""
    stat = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(stat[13]) + int(stat[14])) / os.sysconf("SC_CLK_TCK")


def read_machine() -> tuple[float, float]:
    """Return the seconds that all cores were busy, and that they were not."""
    fields = [int(part) for part in Path("/proc/stat").read_text().split("\n", 1)[0].split()[1:9]]
    idle = fields[3] + fields[4]
    tick = os.sysconf("SC_CLK_TCK")
    return (sum(fields) - idle) / tick, idle / tick
