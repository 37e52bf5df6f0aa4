"""Machines of docs/many-machines.md that share a PostgreSQL and a Redis, and nothing else.

    unshare --net --mount --pid --fork --kill-child --mount-proc python -m tests.hosting.many_machines FOLDER

Each machine has a network, a name, a loopback and a data folder of its own, and cannot see the folders of the others.
This process is the proxy in front of them, and the players. PgBouncer pools by transactions, Redis takes TLS and one
user alone. Prints what it found, as JSON.
"""

import contextlib
import http.client
import json
import mailbox
import os
import re
import shlex
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
import urllib.parse
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import psycopg
import redis
from websockets.sync.client import connect

from benchmarks.crowd_players import CSRF, MAKE_DUELS, STAGE
from tests.hosting.document import list_blocks
from tests.hosting.machine import DEPLOY, HOST, POSTGRES, ROOT, SERVICES

# As the document has them.
SHARED, PROXY, MACHINES = "10.0.0.5", "10.0.0.4", {"play1": "10.0.0.2", "play2": "10.0.0.3"}
PYTHON = f"{ROOT}/.venv/bin/python"
PROGRAMS = ("ip", "unshare", "nsenter", "setpriv", "openssl", "pgbouncer", "redis-server")
# Commands of the page that are not run here, by their beginning, with the reason.
EXCEPTIONS = {
    "apt-get install": "the programs are there",
    "chown": "no service of this test has a user of its own, except PostgreSQL's",
    "systemctl": "the services are started by their commands",
}
LMTP = """
import smtplib, sys
with smtplib.LMTP("127.0.0.1", 8024) as line:
    line.sendmail(sys.argv[1], [sys.argv[2]], sys.stdin.buffer.read())
"""
# How long beats are watched while no worker takes what they send.
BEAT_SECONDS = 45


def wait(done: Callable[[], Any], seconds: float = 240) -> Any:
    """Return what this returns once it is true and raises nothing of the network."""
    end, last = time.monotonic() + seconds, None
    while time.monotonic() < end:
        try:
            if found := done():
                return found
        except (OSError, http.client.HTTPException, psycopg.OperationalError, redis.RedisError) as error:
            last = error
        time.sleep(0.2)
    raise AssertionError(f"not within {seconds} s: {last}")


def run(*command: str, **options: Any) -> str:
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, timeout=900, **options)
    assert done.returncode == 0, f"{command}\n{done.stdout[-3000:]}{done.stderr[-3000:]}"
    return done.stdout


def read_settings(file: Path) -> dict[str, str]:
    """Return the settings of a file as systemd reads them: of two lines with the same name, the last counts."""
    return dict(line.split("=", 1) for line in file.read_text().splitlines() if "=" in line and line[0] != "#")


def make_network() -> None:
    """One bridge, which has the addresses of the proxy and of the shared machine."""
    run("mount", "-t", "tmpfs", "none", "/run")
    run("ip", "link", "set", "lo", "up")
    run("ip", "link", "add", "cable", "type", "bridge")
    for address in (PROXY, SHARED):
        run("ip", "address", "add", f"{address}/24", "dev", "cable")
    run("ip", "link", "set", "cable", "up")


def start(command: list[str], log: Path, leaving: ExitStack, stop: int = signal.SIGTERM, **options: Any) -> Any:
    process = subprocess.Popen(command, stdout=log.open("ab"), stderr=subprocess.STDOUT, cwd=ROOT, **options)
    leaving.callback(end, process, stop)
    return process


def end(process: Any, stop: int = signal.SIGTERM) -> float:
    """End a process and return how many seconds that took."""
    begin = time.monotonic()
    process.send_signal(stop)
    try:
        process.wait(40)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
    return time.monotonic() - begin


class SharedMachine:
    """PostgreSQL, PgBouncer and Redis, made by the commands of the page."""

    def __init__(self, folder: Path, leaving: ExitStack) -> None:
        self.folder, self.leaving = folder, leaving
        folder.mkdir(mode=0o755)
        self.places = {
            "/etc/postgresql/15/main/conf.d": f"{folder}/conf.d",
            "/etc/postgresql/15/main": f"{folder}/data",
            "/etc/pgbouncer": f"{folder}/pgbouncer",
            "/etc/redis": f"{folder}/redis",
            "/var/log/postgresql": f"{folder}/pgbouncer",
            "/run/postgresql": f"{folder}/pgbouncer",
            "/etc/firetop": f"{folder}/firetop",
        }
        for name in ("conf.d", "pgbouncer", "redis", "firetop"):
            (folder / name).mkdir()
        shutil.chown(folder / "pgbouncer", "postgres", "postgres")
        self.as_postgres = ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups"]

    def translate(self, text: str) -> str:
        for theirs, ours in self.places.items():
            text = text.replace(theirs, ours)
        return text

    def make(self) -> None:
        data = self.folder / "data"
        data.mkdir()
        shutil.chown(data, "postgres", "postgres")
        programs = POSTGRES[-1]
        run(*self.as_postgres, f"{programs}/initdb", "-D", str(data), "-A", "trust", "--no-sync")
        # Debian asks everybody from the network for a password.
        access = data / "pg_hba.conf"
        access.write_text(re.sub(r"^(host .+ )trust$", r"\1scram-sha-256", access.read_text(), flags=re.M))
        # A server in another time zone, as Debian's are that were not installed in UTC.
        with (data / "postgresql.conf").open("a") as conf:
            conf.write(f"timezone = 'Europe/Berlin'\nunix_socket_directories = '{self.folder}/pgbouncer'\n")
            conf.write(f"include_dir = '{self.folder}/conf.d'\n")
        self.start_postgres()
        # In one shell: later commands use the variables of earlier ones.
        commands = [line for line in list_blocks("many-machines")[0] if not line.startswith(tuple(EXCEPTIONS))]
        environment = {**os.environ, "PATH": f"{programs}:{os.environ['PATH']}", "PGHOST": f"{self.folder}/pgbouncer"}
        text = self.translate("\n".join(commands)).replace("su postgres -c", f"{' '.join(self.as_postgres)} sh -c")
        run("bash", "-euc", text, env=environment)
        for file in (self.folder / "redis" / "machines.conf", self.folder / "pgbouncer" / "pgbouncer.ini"):
            file.write_text(self.translate(file.read_text()))
        self.redis_url = read_settings(self.folder / "firetop" / "machines")["REDIS_URL"]
        # With the addresses on which it listens.
        end(self.postgres, signal.SIGINT)
        self.start_postgres()
        start([*self.as_postgres, "pgbouncer", f"{self.folder}/pgbouncer/pgbouncer.ini"],
              self.folder / "pgbouncer.log", self.leaving)  # fmt: skip
        start(["redis-server", f"{self.folder}/redis/machines.conf"], self.folder / "redis.log", self.leaving)
        wait(lambda: self.redis().ping())

    def start_postgres(self) -> None:
        command = [*self.as_postgres, f"{POSTGRES[-1]}/postgres", "-D", f"{self.folder}/data"]
        self.postgres = start(command, self.folder / "postgres.log", self.leaving, signal.SIGINT)
        wait(lambda: not psycopg.connect(host=f"{self.folder}/pgbouncer", user="postgres", dbname="postgres").close())

    def redis(self) -> "redis.Redis":
        return redis.Redis.from_url(self.redis_url.replace("/etc/firetop/redis.crt", f"{self.folder}/redis/redis.crt"))

    def ask(self, query: str) -> list[tuple[Any, ...]]:
        with psycopg.connect(host=f"{self.folder}/pgbouncer", user="postgres", dbname="firetop") as rows:
            return rows.execute(query).fetchall()  # type: ignore[arg-type]


class PlayMachine:
    """One machine with all services, by the commands of their units."""

    def __init__(self, name: str, folder: Path, shared: SharedMachine, leaving: ExitStack) -> None:
        self.name, self.address, self.shared, self.leaving = name, MACHINES[name], shared, leaving
        self.home = folder / name
        self.log = folder / f"{name}.log"
        self.hidden = [str(folder / other) for other in (*MACHINES, "shared") if other != name]
        self.services: dict[str, Any] = {}
        self.places = {
            "/var/lib/firetop": f"{self.home}/data",
            "/srv/firetop/current/static": f"{self.home}/static",
            "/run/firetop": f"{self.home}/run",
            "/etc/firetop": f"{self.home}/etc",
        }
        run("ip", "netns", "add", name)
        run("ip", "link", "add", f"to-{name}", "type", "veth", "peer", "name", "eth0", "netns", name)
        run("ip", "link", "set", f"to-{name}", "master", "cable", "up")
        inside = ("ip", "-n", name)
        run(*inside, "address", "add", f"{self.address}/24", "dev", "eth0")
        for device in ("lo", "eth0"):
            run(*inside, "link", "set", device, "up")

    def install(self) -> None:
        """A machine without anything of its own but its settings and its static files."""
        shutil.rmtree(self.home, ignore_errors=True)
        for name in ("data", "static", "etc", "run"):
            (self.home / name).mkdir(parents=True)
        mailbox.Maildir(str(self.home / "sent"))
        shutil.copy(self.shared.folder / "redis" / "redis.crt", self.home / "etc")
        shutil.copy(self.shared.folder / "firetop" / "machines", self.home / "etc")
        settings = self.home / "etc" / "environment"
        settings.write_text((DEPLOY / "environment").read_text())
        run("sh", "-ec", "\n".join(list_blocks("many-machines")[1]).replace("/etc/firetop", f"{self.home}/etc"))
        text = settings.read_text()
        for theirs, ours in self.places.items():
            text = text.replace(theirs, ours)
        settings.write_text(text)
        # In place of the socket of systemd.
        listen = {"FM_HOST": self.address, "FM_PORT": "8000"}
        self.environment = {"PATH": f"{POSTGRES[-1]}:{os.environ['PATH']}", **read_settings(settings), **listen}
        self.manage("collectstatic", "--noinput")

    def inside(self, *command: str) -> list[str]:
        """The command on this machine: in its network, by its name, without the folders of the others."""
        hide = "; ".join(f"mount -t tmpfs none {place}" for place in ("/tmp", *self.hidden) if Path(place).exists())
        shell = f'hostname {self.name}; {hide}; exec "$@"'
        return ["nsenter", f"--net=/run/netns/{self.name}", "unshare", "--uts", "--mount", "sh", "-ec", shell, "sh",
                *command]  # fmt: skip

    def manage(self, *arguments: str) -> str:
        return run(*self.inside(PYTHON, "manage.py", *arguments), env=self.environment)

    def call(self, task: str) -> Any:
        """Run a scheduled task of the site here, and return what it returns."""
        script = f"import json; from fm_site.upkeep import tasks; print('told', json.dumps(tasks.{task}()))"
        told = self.manage("shell", "-v0", "-c", script)
        return json.loads(next(line for line in told.splitlines() if line.startswith("told "))[5:])

    def start(self, *services: str) -> None:
        for service in services:
            if service == "relay":
                command = f"{PYTHON} -m aiosmtpd -n -l 127.0.0.1:25 -c aiosmtpd.handlers.Mailbox {self.home}/sent"
            else:
                unit = (DEPLOY / "systemd" / f"firetop-{service}.service").read_text()
                command = re.search(r"^ExecStart=(.+)$", unit, re.M)[1].replace("%%h", self.name)  # type: ignore[index]
            log = self.log.with_name(f"{self.name}-{service}.log")
            self.services[service] = start(self.inside(*shlex.split(command)), log, self.leaving, env=self.environment)

    def start_all(self) -> None:
        self.start("relay", *SERVICES)
        self.wait_until_ready()

    def wait_until_ready(self) -> None:
        wait(lambda: self.ask("/health/ready")[0] == 200, 600)

    def stop(self, *services: str, by: int = signal.SIGTERM) -> float:
        """End the services and return how many seconds the slowest took."""
        return max(end(self.services.pop(service), by) for service in services)

    def kill(self) -> None:
        """As if its power failed."""
        for process in self.services.values():
            process.kill()
        for process in self.services.values():
            process.wait()
        self.services.clear()

    # --- what a player or a mail server does -------------------------------------------------------------------------

    @property
    def head(self) -> dict[str, str]:
        return {
            "Host": HOST,
            "X-Forwarded-Proto": "https",
            "X-Forwarded-For": "192.0.2.77",
            "Origin": f"https://{HOST}",
            "Referer": f"https://{HOST}/",
        }

    def ask(self, path: str, body: bytes | None = None, **head: str) -> tuple[int, bytes]:
        line = http.client.HTTPConnection(self.address, 8000, timeout=30, source_address=(PROXY, 0))
        fields = {**self.head, **{name.replace("_", "-"): value for name, value in head.items()}}
        with contextlib.closing(line):
            line.request("GET" if body is None else "POST", path, body, fields)
            answer = line.getresponse()
            return answer.status, answer.read()

    def ask_again(self, path: str, body: bytes | None = None, **head: str) -> tuple[int, bytes]:
        """Ask as a player does who tries again while the site says that it is too busy: beside other tests, the first
        page of a process can take longer than it may."""
        return wait(lambda: (answer := self.ask(path, body, **head))[0] != 503 and answer)  # type: ignore[no-any-return]

    def take_mail(self, sender: str, to: str, text: str) -> None:
        mail = f"From: {sender}\nTo: {to}\nSubject: orders\nMessage-ID: <{time.monotonic()}@example.net>\n\n{text}\n"
        run(*self.inside(PYTHON, "-c", LMTP, sender, to), env=self.environment, input=mail)

    def list_sent(self) -> list[tuple[str, str, str]]:
        """Return the emails that left by this machine: to whom, about what, and their ids."""
        box = mailbox.Maildir(str(self.home / "sent"))
        return [(mail["To"], mail["Subject"], mail["Message-ID"]) for mail in box]


class Duel:
    """A duel between Anna, who uses pages, and Bert, who has a program and an email address."""

    def __init__(self, machine: PlayMachine) -> None:
        told = machine.manage("shell", "-v0", "-c", f"FIRST, LAST = 0, 1\n{MAKE_DUELS}")
        [self.facts] = json.loads(next(line for line in told.splitlines() if line.startswith("made "))[5:])
        self.number, self.seq = self.facts["number"], 1
        self.cookies = f"sessionid={self.facts['session']}; csrftoken={CSRF}"
        self.token = f"Bearer {self.facts['token']}"

    def read(self, machine: PlayMachine) -> dict[str, Any]:
        """Return the battle as Bert's program sees it."""
        status, body = machine.ask_again(f"/api/v1/battles/{self.number}/", Authorization=self.token)
        assert status == 200, body
        return json.loads(body)

    def order_on_page(self, machine: PlayMachine, left: str, right: str) -> None:
        path = f"/battles/{self.number}/"
        status, page = machine.ask_again(path, Cookie=self.cookies)
        assert status == 200, page[-500:]
        stage = STAGE.search(page)[1].decode()  # type: ignore[index]
        form = {"csrfmiddlewaretoken": CSRF, "stage": stage, "mage": self.facts["mage"], "act": "ready",
                "confirmed": "yes", "line": f"LH {left}; RH {right}"}  # fmt: skip
        kind = {"Content_Type": "application/x-www-form-urlencoded", "HX_Request": "true", "Cookie": self.cookies}
        status, answer = machine.ask_again(path, urllib.parse.urlencode(form).encode(), **kind)
        assert status == 200, answer[-2000:]

    def order_by_program(self, machine: PlayMachine, left: str, right: str) -> None:
        body = json.dumps({"orders": f"LH {left}\nRH {right}", "ready": True}).encode()
        path = f"/api/v1/battles/{self.number}/orders/"
        head = {"Authorization": self.token, "Content_Type": "application/json"}
        status, answer = machine.ask_again(path, body, **head)
        assert status == 200, answer

    def order_by_mail(self, machine: PlayMachine, left: str, right: str) -> None:
        machine.take_mail(self.facts["emails"][1], self.facts["mailboxes"][self.seq - 1], f"{left}/{right}")

    def wait_for_turn(self, *machines: PlayMachine, seconds: float = 240) -> None:
        """Return when each of the machines shows the next turn."""
        self.seq += 1
        for machine in machines:
            wait(lambda: self.read(machine)["key"]["seq"] == self.seq, seconds)  # noqa: B023

    def play(self, page: PlayMachine, program: PlayMachine) -> None:
        """Play a turn: Anna at one machine, Bert at another."""
        self.order_on_page(page, "W", "-")
        self.order_by_program(program, "P", "-")
        self.wait_for_turn(page, program)


class Watched:
    """What an open page and an open stream get to hear, each with the turn that it showed."""

    def __init__(self, duel: Duel) -> None:
        self.duel, self.heard = duel, {"page": [], "stream": []}  # type: Duel, dict[str, list[str]]

    @contextlib.contextmanager
    def page(self, machine: PlayMachine) -> Iterator[None]:
        line = socket.create_connection((machine.address, 8000), source_address=(PROXY, 0))
        head = {name: value for name, value in machine.head.items() if name.startswith("X-")}
        address = f"ws://{HOST}/ws/battles/{self.duel.number}/"
        head["Cookie"] = self.duel.cookies
        with connect(address, sock=line, origin=f"https://{HOST}", additional_headers=head) as page:  # type: ignore[arg-type]
            threading.Thread(target=lambda: self.heard["page"].extend(map(str, page)), daemon=True).start()
            yield

    @contextlib.contextmanager
    def stream(self, machine: PlayMachine) -> Iterator[None]:
        line = http.client.HTTPConnection(machine.address, 8000, timeout=90, source_address=(PROXY, 0))
        head = {**machine.head, "Authorization": self.duel.token, "Accept": "text/event-stream"}
        line.request("GET", f"/api/v1/battles/{self.duel.number}/stream/", headers=head)
        answer = line.getresponse()
        assert answer.status == 200, answer.read()

        def listen() -> None:
            with contextlib.suppress(OSError, ValueError, AttributeError, http.client.HTTPException):
                while text := answer.readline():
                    if text.startswith(b"data:"):
                        self.heard["stream"].append(text.decode())

        threading.Thread(target=listen, daemon=True).start()
        try:
            yield
        finally:
            line.close()

    def wait_for(self, where: str, count: int) -> int:
        wait(lambda: len(self.heard[where]) >= count)
        return len(self.heard[where])


class Story:
    """What happens to two machines, and what is found of it."""

    def __init__(self, folder: Path, leaving: ExitStack) -> None:
        self.shared = SharedMachine(folder / "shared", leaving)
        self.shared.make()
        self.one, self.two = (PlayMachine(name, folder, self.shared, leaving) for name in MACHINES)
        self.found: dict[str, Any] = {}

    def tell(self) -> dict[str, Any]:
        for machine in (self.one, self.two):
            machine.install()
        self.one.manage("prepare_site")
        self.one.start_all()
        self.two.start_all()
        self.duel = Duel(self.one)
        for chapter in (
            self.play_on_both,
            self.take_mail_on_one_and_send_by_the_other,
            self.watch_two_beats,
            self.back_up_on_the_named_machine,
            self.drain_and_add,
            self.lose_and_add,
            self.count_emails,
        ):
            chapter()
            print(chapter.__name__, f"{time.monotonic():.0f}", file=sys.stderr, flush=True)
        return self.found

    def play_on_both(self) -> None:
        """Turns by both players, while the page is open on one machine and the stream on the other."""
        watched = Watched(self.duel)
        with watched.page(self.one), watched.stream(self.two):
            watched.wait_for("stream", 1)
            self.duel.play(page=self.one, program=self.two)
            # The last order was given at the other machine.
            self.found["page heard"] = watched.wait_for("page", 1)
            heard = len(watched.heard["stream"])
            self.duel.order_by_program(self.two, "S", "-")
            self.duel.order_on_page(self.one, "-", "S")
            self.duel.wait_for_turn(self.one, self.two)
            self.found["stream heard"] = watched.wait_for("stream", heard + 1)
        self.found["turns on both"] = self.duel.seq

    def take_mail_on_one_and_send_by_the_other(self) -> None:
        self.one.stop("worker")
        before = len(self.two.list_sent())
        watched = Watched(self.duel)
        with watched.page(self.one):
            self.duel.order_on_page(self.two, "D", "-")
            self.duel.order_by_mail(self.one, "-", "-")
            self.duel.wait_for_turn(self.one, self.two)
            watched.wait_for("page", 1)
        self.found["sent by the other"] = wait(lambda: len(self.two.list_sent()) - before >= 2)
        self.one.start("worker")

    def watch_two_beats(self) -> None:
        """While no worker takes what they send, the queue shows all of it."""
        for machine in (self.one, self.two):
            machine.stop("worker", "bots")
        queue = self.shared.redis()
        queue.delete("firetop", "bots", "analysis")
        begin = time.monotonic()
        time.sleep(BEAT_SECONDS)
        heads = [json.loads(row)["headers"] for row in queue.lrange("firetop", 0, -1)]
        took = time.monotonic() - begin
        self.found["beats that fire"] = sorted({head["origin"].partition("@")[2] for head in heads})
        sent = Counter(head["task"] for head in heads)
        # Once every 20 s and once every 30 s.
        self.found["fired"] = {name.rpartition(".")[2]: sent[name] for name in
                               ("duels.tasks.sweep_deadlines", "duels.tasks.sweep_unresolved_battles")}  # fmt: skip
        self.found["may fire"] = {
            "sweep_deadlines": int(took // 20) + 1,
            "sweep_unresolved_battles": int(took // 30) + 1,
        }
        for machine in (self.one, self.two):
            machine.start("worker", "bots")

    def back_up_on_the_named_machine(self) -> None:
        """PostgreSQL's programs pass PgBouncer, whose connections stay as they were."""
        self.found["drill without a backup here"] = self.two.call("drill_restore_weekly")
        self.found["backup elsewhere"] = self.two.call("back_up_site")
        statuses, is_over = set(), threading.Event()

        def read_pages() -> None:
            while not is_over.is_set():
                statuses.update(machine.ask("/ladder/")[0] for machine in (self.one, self.two))

        readers = [threading.Thread(target=read_pages) for _ in range(2)]
        for reader in readers:
            reader.start()
        try:
            self.found["backup"] = self.one.call("back_up_site")
            self.found["drill"] = self.one.call("drill_restore_weekly")
        finally:
            is_over.set()
        for reader in readers:
            reader.join()
        self.found["pages meanwhile"] = sorted(statuses)
        self.found["alarms"] = self.shared.ask("SELECT facts FROM notifications_notice WHERE kind = 'chore_fails'")

    def drain_and_add(self) -> None:
        """A machine is stopped properly and goes; an empty one takes its place."""
        self.found["seconds to drain"] = self.two.stop(*SERVICES, "relay")
        self.kept = self.two.list_sent()
        self.duel.play(page=self.one, program=self.one)
        self.two.install()
        self.two.start_all()
        self.duel.play(page=self.two, program=self.one)
        self.found["turns after draining"] = self.duel.seq

    def lose_and_add(self) -> None:
        """The machine whose beat works loses its power; the other one goes on alone, until an empty one joins."""
        [(holder,)] = self.shared.ask("SELECT holder FROM operations_lease WHERE name = 'beat'")
        lost, left = (self.one, self.two) if holder.startswith(self.one.name) else (self.two, self.one)
        lost.kill()
        self.kept += lost.list_sent()
        begin = time.monotonic()
        self.duel.play(page=left, program=left)
        self.duel.order_on_page(left, "W", "-")
        self.duel.order_by_mail(left, "-", "-")
        self.duel.wait_for_turn(left)
        held = "SELECT holder FROM operations_lease WHERE name = 'beat' AND until > now()"
        wait(lambda: any(holder.startswith(left.name) for (holder,) in self.shared.ask(held)))
        self.found["seconds until the other beat works"] = time.monotonic() - begin
        lost.install()
        lost.start_all()
        self.duel.play(page=lost, program=left)
        self.found["turns after the loss"] = self.duel.seq

    def count_emails(self) -> None:
        waiting = "SELECT count(*) FROM notifications_delivery WHERE channel = 'mail' AND state IN ('due', 'claimed')"
        wait(lambda: self.shared.ask(waiting) == [(0,)])
        # An email that is sent again has the same Message-ID.
        sent = [*self.kept, *self.one.list_sent(), *self.two.list_sent()]
        self.found["emails"] = len(sent)
        self.found["emails sent twice"] = [mail for mail, times in Counter(sent).items() if times > 1]


def main(folder: Path) -> dict[str, Any]:
    make_network()
    with ExitStack() as leaving:
        return Story(folder, leaving).tell()


if __name__ == "__main__":
    try:
        print(json.dumps(main(Path(sys.argv[1])), default=str))
    except BaseException:
        for log in sorted(Path(sys.argv[1]).rglob("*.log")):
            print(f"== {log.name}\n{log.read_text(errors='replace')[-2500:]}", file=sys.stderr)
        raise
