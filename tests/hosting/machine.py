"""The machine of docs/hosting.md on loopback: Debian's PostgreSQL, Redis, nginx and Postfix, and the site by the
commands of its units, with folders and ports of this test in place of the document's."""

import os
import re
import shlex
import shutil
import signal
import subprocess
import time
from collections.abc import Callable, Collection
from contextlib import ExitStack
from datetime import UTC, datetime, timedelta
from pathlib import Path

from aiosmtpd.controller import Controller
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

from tests.services.stack import find_free_ports

ROOT = Path(__file__).resolve().parents[2]
DEPLOY = ROOT / "deploy"
HOST = "play.example.org"
SERVICES = ("web", "worker", "bots", "beat", "mail")
POSTGRES = sorted(Path("/usr/lib/postgresql").glob("*/bin"))
PROGRAMS = ("nginx", "redis-server", "postfix", "age", "curl", "runuser")
# The document's configuration needs this module of nginx; Debian has it in a package of its own.
BROTLI = Path("/usr/lib/nginx/modules/ngx_http_brotli_static_module.so")


def find_missing(programs: Collection[str] = PROGRAMS) -> str:
    """Return what this machine lacks for a test that needs these programs, PostgreSQL and root, or ""."""
    missing = [name for name in programs if shutil.which(name, path=f"{os.environ['PATH']}:/usr/sbin") is None]
    if "nginx" in programs and not BROTLI.exists():
        missing.append("libnginx-mod-http-brotli-static")
    if not POSTGRES:
        missing.append("postgresql")
    if os.getuid() != 0:
        missing.append("root (Postfix and PostgreSQL start as users of their own)")
    return ", ".join(missing)


class Sink:
    """Takes the email that leaves the machine."""

    def __init__(self) -> None:
        self.mails: list[str] = []

    async def handle_DATA(self, server: object, session: object, envelope: object) -> str:
        self.mails.append(envelope.content.decode())
        return "250 OK"


class Machine:
    """Folders, ports and programs of one run."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        names = ("http", "https", "web", "lmtp", "smtp", "sink")
        self.ports = dict(zip(names, find_free_ports(len(names)), strict=True))
        self.sink = Sink()
        self.leaving = ExitStack()
        self.ends: dict[str, Callable[[], None]] = {}
        self.environment = {"PATH": f"{POSTGRES[-1]}:{os.environ['PATH']}:/usr/sbin", "PGHOST": str(folder / "pg")}
        # From the document's places to ours; the longest first.
        self.places = {
            "/etc/firetop": f"{folder}/etc",
            "/etc/systemd/system": f"{folder}/units",
            "/etc/letsencrypt/live/play.example.org": f"{folder}/tls",
            "/var/lib/firetop-static": f"{folder}/static",
            "/var/lib/firetop": f"{folder}/data",
            "/var/backups": f"{folder}/backups",
            "python3 deploy/firetop upgrade .": f"{ROOT}/.venv/bin/python manage.py prepare_site",
            "/var/log/nginx": f"{folder}/nginx-log",
            "/var/www/html": f"{folder}/www",
            "/run/postgresql": f"{folder}/pg",
            "/run/redis": f"{folder}/redis",
            "/run/firetop": f"{folder}/run",
            "/srv/firetop/current/static": f"{folder}/static",
            "/srv/firetop/current": str(ROOT),
            "/srv/firetop/releases": f"{folder}/releases",
            "firetop manage ": f"{ROOT}/.venv/bin/python manage.py ",
            "firetop back-up": f"{ROOT}/.venv/bin/python manage.py back_up",
            "127.0.0.1:8024": f"127.0.0.1:{self.ports['lmtp']}",
            "127.0.0.1:8000": f"127.0.0.1:{self.ports['web']}",
            "smtp://127.0.0.1:25": f"smtp://127.0.0.1:{self.ports['smtp']}",
            f"https://{HOST}/": f"https://{HOST}:{self.ports['https']}/",
        }

    def translate(self, text: str) -> str:
        """Return a file or command of the document with this run's places."""
        for theirs, ours in self.places.items():
            text = text.replace(theirs, ours)
        return text

    def read(self, name: str) -> str:
        """Return a file of deploy/ with this run's places."""
        return self.translate((DEPLOY / name).read_text())

    def run(self, command: str, **more: str) -> str:
        """Run a command line of the document and return its output; fail with it if it fails."""
        done = subprocess.run(
            ["bash", "-euc", command],
            env={**self.environment, **more},
            cwd=ROOT,
            capture_output=True,
            text=True,
            timeout=900,
        )
        assert done.returncode == 0, f"{command}\n{done.stdout}{done.stderr}"
        return done.stdout + done.stderr

    def start(self, *command: str, name: str, stop: int = signal.SIGTERM) -> None:
        """Start a program that ends with the test."""
        log = (self.folder / f"{name}.log").open("wb")
        process = subprocess.Popen(command, env=self.environment, cwd=ROOT, stdout=log, stderr=log)

        def end() -> None:
            process.send_signal(stop)
            try:
                process.wait(20)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()

        self.ends[name] = end
        self.leaving.callback(end)

    def wait(self, done: Callable[[], object], seconds: float = 60) -> object:
        """Return what `done` returns once it is true and raises nothing."""
        end, last = time.monotonic() + seconds, None
        while time.monotonic() < end:
            try:
                found = done()
                if found:
                    return found
            except (OSError, AssertionError, subprocess.SubprocessError) as error:
                last = error
            time.sleep(0.2)
        raise AssertionError(f"not within {seconds} s: {last}\n{self.read_logs()}")

    def read_logs(self) -> str:
        """Return the ends of all logs."""
        return "\n".join(
            f"== {log.name}\n{log.read_text(errors='replace')[-1500:]}" for log in self.folder.glob("*.log")
        )

    # --- what runs ---------------------------------------------------------------------------------------------------

    def prepare_folders(self) -> None:
        self.folder.chmod(0o755)
        for name in ("etc", "units", "tls", "data", "static", "redis", "www", "pg", "backups", "nginx", "nginx-log"):
            (self.folder / name).mkdir()
        shutil.chown(self.folder / "pg", "postgres", "postgres")
        # Its copies are written by PostgreSQL and by the site.
        (self.folder / "backups").chmod(0o777)
        self.write_certificate()
        text = self.read("environment")
        (self.folder / "etc" / "environment").write_text(text)
        self.environment |= dict(line.split("=", 1) for line in text.splitlines() if "=" in line and line[0] != "#")
        self.environment["FM_PORT"] = str(self.ports["web"])

    def write_certificate(self) -> None:
        key = ec.generate_private_key(ec.SECP256R1())
        name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, HOST)])
        now = datetime.now(UTC)
        builder = x509.CertificateBuilder(
            name, name, key.public_key(), 1, now - timedelta(days=1), now + timedelta(days=60)
        )
        builder = builder.add_extension(x509.SubjectAlternativeName([x509.DNSName(HOST)]), critical=False)
        pem = serialization.Encoding.PEM
        secret = key.private_bytes(pem, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
        (self.folder / "tls" / "privkey.pem").write_bytes(secret)
        (self.folder / "tls" / "fullchain.pem").write_bytes(builder.sign(key, hashes.SHA256()).public_bytes(pem))

    def start_postgres(self) -> None:
        """A cluster as Debian makes it, with the document's archiving."""
        data, wal = self.folder / "pg" / "data", self.folder / "backups" / "firetop-wal"
        self.run(f"runuser -u postgres -- {POSTGRES[-1]}/initdb -D {data} -A trust --no-sync")
        wal.mkdir(mode=0o700)
        shutil.chown(wal, "postgres", "postgres")
        with (data / "postgresql.conf").open("a") as conf:
            conf.write(f"listen_addresses = ''\nunix_socket_directories = '{self.folder}/pg'\n")
            conf.write(self.read("postgresql/wal.conf"))
        self.start_cluster(data, "postgres")

    def start_cluster(self, data: Path, name: str) -> None:
        command = ("setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups")
        self.start(*command, f"{POSTGRES[-1]}/postgres", "-D", str(data), name=name, stop=signal.SIGINT)

    def start_redis(self) -> None:
        socket = str(self.folder / "redis" / "redis-server.sock")
        options = ("--unixsocket", socket, "--unixsocketperm", "770", "--port", "0", "--save", "")
        self.start("redis-server", *options, name="redis")

    def start_site(self) -> None:
        """Every service by the command of its unit."""
        for service in SERVICES:
            unit = self.read(f"systemd/firetop-{service}.service")
            command = re.search(r"^ExecStart=(.+)$", unit, re.M)[1].replace("%%", "%")
            self.start(*shlex.split(command), name=service)

    def stop_site(self) -> None:
        """As `systemctl stop firetop.target`."""
        for service in SERVICES:
            self.ends[service]()

    def start_nginx(self) -> Path:
        site = self.read("nginx/firetop.conf")
        site = re.sub(r"^ *listen \[::\].*\n", "", site, flags=re.M)
        site = site.replace("listen 80;", f"listen 127.0.0.1:{self.ports['http']};")
        site = site.replace("listen 443 ", f"listen 127.0.0.1:{self.ports['https']} ")
        paths = "".join(
            f"{name}_temp_path {self.folder}/nginx/{name};"
            for name in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
        )
        conf = self.folder / "nginx.conf"
        conf.write_text(
            f"include /etc/nginx/modules-enabled/*.conf; user root; worker_processes 1; daemon off;\n"
            f"pid {self.folder}/nginx.pid; error_log stderr;\nevents {{}}\n"
            f"http {{ include /etc/nginx/mime.types; access_log off; {paths}\n{site} }}\n"
        )
        self.start("nginx", "-c", str(conf), "-e", "stderr", name="nginx", stop=signal.SIGQUIT)
        return conf

    def start_postfix(self) -> None:
        """Debian's master.cf without its folders of its own, the document's main.cf, and a world that is our sink."""
        conf = self.folder / "postfix"
        for part in ("queue", "state"):
            (conf / part).mkdir(parents=True)
        shutil.chown(conf / "state", "postfix", "postfix")
        master = Path("/usr/share/postfix/master.cf.dist").read_text()
        master = re.sub(r"^smtp( +inet.*)$", rf"127.0.0.1:{self.ports['smtp']}\1", master, flags=re.M)
        lines = [re.sub(r"^(\S+\s+\w[\w-]+\s+\S+\s+\S+\s+)\S+", r"\1n", line) for line in master.splitlines()]
        (conf / "master.cf").write_text("\n".join(lines) + "\n")
        own = {
            "compatibility_level": "3.6",
            "queue_directory": conf / "queue",
            "data_directory": conf / "state",
            "mail_owner": "postfix",
            "setgid_group": "postdrop",
            "command_directory": "/usr/sbin",
            "daemon_directory": "/usr/lib/postfix/sbin",
            "inet_interfaces": "127.0.0.1",
            "inet_protocols": "ipv4",
            "mynetworks": "127.0.0.1/32",
            "maillog_file": self.folder / "postfix.log",
            "maillog_file_prefixes": self.folder,
            "default_transport": f"smtp:[127.0.0.1]:{self.ports['sink']}",
            "smtp_tls_security_level": "none",
            "alias_maps": "",
            "alias_database": "",
        }
        lines = [line for line in self.read("postfix/main.cf").splitlines() if not line.startswith("smtp_tls_security")]
        written = [*lines, *(f"{name} = {value}" for name, value in own.items())]
        (conf / "main.cf").write_text("\n".join(written) + "\n")
        world = Controller(self.sink, hostname="127.0.0.1", port=self.ports["sink"])
        world.start()
        self.leaving.callback(world.stop)
        self.run(f"postfix -c {conf} check")
        self.run(f"postfix -c {conf} start")
        self.leaving.callback(lambda: subprocess.run(["postfix", "-c", str(conf), "stop"], capture_output=True))
