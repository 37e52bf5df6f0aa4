"""The images of deploy/Dockerfile, built and started by buildah: the services of deploy/compose.yaml as it names them.

    unshare --net python -m tests.hosting.containers FOLDER

All services share one network of their own, so each has the port that the file gives it. PostgreSQL and Valkey are
those of the tests; the world of email is a sink. Caddy's image comes from a registry, so it is not started here. Prints
what it found, as JSON.
"""

import json
import os
import re
import smtplib
import socket
import subprocess
import sys
import time
import urllib.request
from contextlib import ExitStack
from email.message import EmailMessage
from email.utils import formatdate
from pathlib import Path

import yaml
from aiosmtpd.controller import Controller

from fm_site.run.valkey import SOCKET_NAME
from tests.hosting.machine import DEPLOY, HOST, ROOT, Sink
from tests.services.postgres import PostgresServer
from tests.services.valkey import ValkeyServer

CERTIFICATES = "/etc/ssl/certs/ca-certificates.crt"
SINK_PORT = 2525
SERVED = ("web", "worker", "bots", "beat", "mail", "relay")


def build(target: str, base: str) -> str:
    """Build an image and return its name."""
    name = f"localhost/firetop-{target}-tried"
    buildah(
        *("bud", "--isolation", "chroot", "--network", "host", "-v", f"{CERTIFICATES}:{CERTIFICATES}:ro"),
        *("--build-arg", f"BASE={base}", "--target", target, "-t", name, "-f", str(DEPLOY / "Dockerfile"), str(ROOT)),
    )
    return name


def buildah(*arguments: str) -> str:
    done = subprocess.run(("buildah", *arguments), capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError(f"buildah {' '.join(arguments)}\n{done.stdout[-3000:]}{done.stderr[-3000:]}")
    return done.stdout.strip()


class Site:
    """The services of deploy/compose.yaml, started one by one."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.services = yaml.safe_load((DEPLOY / "compose.yaml").read_text())["services"]
        self.leaving = ExitStack()
        postgres, valkey = PostgresServer(self._make("pg")), ValkeyServer(self._make("valkey"))
        for server in (postgres, valkey):
            server.start()
            self.leaving.callback(server.stop)
        lines = (DEPLOY / "containers" / "site.env").read_text().splitlines()
        self.environment = dict(line.split("=", 1) for line in lines if line and line[0] != "#") | {
            "DATABASE_URL": postgres.url,
            "REDIS_URL": valkey.url,
            "EMAIL_URL": "smtp://127.0.0.1:25",
            "FM_TRUSTED_PROXIES": "127.0.0.1",
            "FM_RELAY_NETWORKS": "192.0.2.0/24",
            "FM_LMTP": "127.0.0.1:8024",
            "FM_SMARTHOST": f"[127.0.0.1]:{SINK_PORT}",
            # `buildah run` sometimes puts an empty volume over a folder that the image declares as one.
            "FM_DATA_DIR": "/mnt/data",
        }
        for name in ("data", "relay"):
            self._make(name)
        os.chown(folder / "data", 10001, 10001)
        for place in (folder, folder / "pg", folder / "pg" / "postgres", folder / "valkey"):
            place.chmod(0o755)
        # The site's user in the containers is not the one who runs the test.
        (folder / "valkey" / SOCKET_NAME).chmod(0o777)

    def _make(self, name: str) -> Path:
        (self.folder / name).mkdir()
        return self.folder / name

    def command_of(self, service: str, *command: str) -> list[str]:
        """The command that runs a service of the file, or another command, in a container of its image."""
        image = "localhost/firetop-relay-tried" if service == "relay" else "localhost/firetop-site-tried"
        container = buildah("from", "--pull-never", image)
        self.leaving.callback(buildah, "rm", container)
        volumes = [("relay", "/var/lib/relay")] if service == "relay" else [("data", "/mnt/data")]
        places = [("-v", f"{self.folder / name}:{place}") for name, place in volumes]
        places += [("-v", f"{self.folder / name}:{self.folder / name}") for name in ("pg", "valkey")]
        settings = [("-e", f"{name}={value}") for name, value in self.environment.items()]
        own = self.services[service].get("command") or read_command(image)
        options = [part for pair in (*places, *settings) for part in pair]
        return ["buildah", "run", "--isolation", "chroot", "--network", "host", *options, container, *(command or own)]

    def start(self, service: str) -> None:
        log = (self.folder / f"{service}.log").open("wb")
        process = subprocess.Popen(self.command_of(service), stdout=log, stderr=log)
        self.leaving.callback(process.wait)
        self.leaving.callback(process.terminate)

    def run(self, *command: str) -> str:
        done = subprocess.run(self.command_of("prepare", *command), capture_output=True, text=True)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout


def read_command(image: str) -> list[str]:
    found = json.loads(buildah("inspect", "--type", "image", image))
    return list(found["OCIv1"]["config"]["Cmd"])


def fetch(path: str) -> tuple[int, bytes]:
    request = urllib.request.Request(f"http://127.0.0.1:8000{path}")
    for name, value in {"Host": HOST, "X-Forwarded-Proto": "https", "X-Forwarded-For": "192.0.2.7"}.items():
        request.add_header(name, value)
    with urllib.request.urlopen(request, timeout=20) as answer:
        return answer.status, answer.read()


def wait(done, seconds: float = 90):
    """Return what this returns once it is true and raises no OSError."""
    end = time.monotonic() + seconds
    while True:
        try:
            found = done()
        except OSError as error:
            found, last = None, error
        else:
            last = None
        if found:
            return found
        if time.monotonic() > end:
            raise AssertionError(f"not within {seconds} s: {last}")
        time.sleep(0.5)


def write_to_the_site() -> None:
    mail = EmailMessage()
    mail["From"], mail["To"], mail["Subject"] = "anna@example.net", f"fm@{HOST}", "FM Orders"
    mail["Message-ID"], mail["Date"] = "<help@example.net>", formatdate()
    mail.set_content("RULES\n")
    with smtplib.SMTP("127.0.0.1", 25, local_hostname="example.net") as smtp:
        smtp.send_message(mail)


def main(folder: Path) -> dict[str, object]:
    subprocess.run(("ip", "link", "set", "lo", "up"), check=True)
    site, sink = Site(folder), Sink()
    with site.leaving:
        world = Controller(sink, hostname="127.0.0.1", port=SINK_PORT)
        world.start()
        site.leaving.callback(world.stop)
        site.run(*site.services["prepare"]["command"])
        for service in SERVED:
            site.start(service)
        found: dict[str, object] = {"ready": wait(lambda: fetch("/health/ready")[0])}
        page = fetch("/")[1].decode()
        styles = re.findall(r'href="(/static/[^"]+\.css)"', page)
        found["styles"] = {path: fetch(path)[0] for path in styles}
        found["who"] = site.run("id", "-u").strip()
        found["left out"] = site.run(
            "sh", "-c", "ls -d tests docs benchmarks .git packages 2>/dev/null || true"
        ).split()
        wait(lambda: smtplib.SMTP("127.0.0.1", 25, timeout=5).quit())
        wait(lambda: socket.create_connection(("127.0.0.1", 8024), 5).close() is None)
        write_to_the_site()
        found["answer"] = wait(lambda: sink.mails and sink.mails[0], seconds=180)
    return found


if __name__ == "__main__":
    try:
        print(json.dumps(main(Path(sys.argv[1]))))
    except BaseException:
        for log in Path(sys.argv[1]).glob("*.log"):
            print(f"== {log.name}\n{log.read_text(errors='replace')[-3000:]}", file=sys.stderr)
        raise
