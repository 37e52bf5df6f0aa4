"""docs/hosting.md works: its files are those of deploy/, and its commands and configurations run here, on loopback."""

import json
import re
import shutil
import smtplib
import socket
import ssl
import subprocess
import sys
import time
from argparse import Namespace
from email.message import EmailMessage
from pathlib import Path

import pytest
import yaml
from django.urls import URLResolver, get_resolver
from websockets.sync.client import connect

from fm_site.celery import app
from fm_site.run import supervisor, worker
from fm_site.upkeep import metrics_page
from fm_site.upkeep.logs import REDACTED, SECRET_PATHS, redact_text
from tests.hosting.deployed import firetop
from tests.hosting.document import list_commands, read_quotes
from tests.hosting.machine import DEPLOY, HOST, POSTGRES, ROOT, SERVICES, Machine, find_missing
from tests.services.plugin import LONG
from tests.services.scratch import make_scratch_folder
from tests.services.stack import find_free_ports

pytestmark = [pytest.mark.once]
UNITS = (*SERVICES, "small")


def test_the_document_quotes_the_files_exactly():
    quotes = read_quotes()
    assert {"deploy/environment", "deploy/nginx/firetop.conf", "deploy/postfix/main.cf"} <= set(quotes)
    for path, text in quotes.items():
        assert text == (ROOT / path).read_text(), path


def test_every_file_is_named_in_the_document():
    text = (ROOT / "docs" / "hosting.md").read_text()
    for file in DEPLOY.rglob("*"):
        folder = f"deploy/{file.relative_to(DEPLOY).parts[0]}/"
        if file.is_file():
            assert file.name in text or folder in text or f"{folder}*{file.suffix}" in text, file


@pytest.fixture
def units(tmp_path):
    """The units and their hardening as they are installed, with a program that is here."""
    for unit in UNITS:
        text = (DEPLOY / "systemd" / f"firetop-{unit}.service").read_text()
        (tmp_path / f"firetop-{unit}.service").write_text(re.sub(r"/usr/bin/env \S+", "/bin/true", text))
        (tmp_path / f"firetop-{unit}.service.d").mkdir()
        shutil.copy(DEPLOY / "systemd" / "hardening.conf", tmp_path / f"firetop-{unit}.service.d")
    for name in ("firetop.target", "firetop-web.socket", "firetop-small.socket"):
        shutil.copy(DEPLOY / "systemd" / name, tmp_path)
    return tmp_path


needs_systemd = pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="systemd-analyze is not installed")


@needs_systemd
@pytest.mark.parametrize("unit", UNITS)
def test_a_service_is_exposed_as_little_as_the_document_says(units, unit):
    command = ("systemd-analyze", "security", "--offline=true", "--threshold=20", f"{units}/firetop-{unit}.service")
    done = subprocess.run(command, capture_output=True, text=True, cwd=units)
    assert done.returncode == 0, done.stdout[-300:] + done.stderr
    assert float(re.search(r"exposure level for \S+: ([\d.]+)", done.stdout)[1]) <= 2


@needs_systemd
def test_systemd_understands_every_line_of_the_units(units):
    files = [str(file) for file in units.iterdir() if file.is_file()]
    done = subprocess.run(["systemd-analyze", "verify", "--man=no", *files], capture_output=True, text=True)
    ours = [line for line in done.stderr.splitlines() if "firetop" in line]
    assert ours == []


def test_containers_run_the_commands_of_the_units():
    services = yaml.safe_load((DEPLOY / "compose.yaml").read_text())["services"]
    for name in ("worker", "bots", "beat"):
        unit = (DEPLOY / "systemd" / f"firetop-{name}.service").read_text().replace("%%", "%")
        in_unit = re.search(r"^ExecStart=.+?/python -m (.+)$", unit, re.M)[1].split()
        command = services[name]["command"]
        assert command == [part for part in in_unit if part in command] and len(command) >= 4, name
    assert {"web", "worker", "bots", "beat", "mail", "prepare", "database", "broker", "relay", "caddy"} == set(services)
    built = {name: each["build"]["target"] for name, each in services.items() if "build" in each}
    assert built.pop("relay") == "relay" and set(built.values()) == {"site"}
    for name, service in services.items():
        assert (
            service["logging"] and service["mem_limit"] and (service.get("healthcheck") or name in ("relay", "caddy"))
        )
    image = (DEPLOY / "Dockerfile").read_text()
    assert "--require-hashes -r requirements.txt" in image and "--uid 10001" in image and "USER 10001" in image


def test_every_image_of_a_registry_can_be_pinned_by_the_commands_of_the_document():
    services = yaml.safe_load((DEPLOY / "compose.yaml").read_text())["services"]
    images = [each["image"] for each in services.values() if "build" not in each]
    images += {each["build"]["args"]["BASE"] for each in services.values() if "build" in each}
    images = dict(re.fullmatch(r"\$\{(\w+):-(\S+)\}", image).groups() for image in images)
    assert f"ARG BASE={images['BASE']}\n" in (DEPLOY / "Dockerfile").read_text() and len(images) == 4
    pins = {f"docker image inspect --format '{name}={{{{index .RepoDigests 0}}}}' {images[name]} " for name in images}
    assert pins == {line.partition(">")[0] for line in list_commands() if line.startswith("docker image inspect")}
    assert (
        "deploy/.env\n" in (ROOT / ".dockerignore").read_text()
        and "/deploy/.env\n" in (ROOT / ".gitignore").read_text()
    )


def list_queues(command):
    """Return the queues that a worker with this command listens to; none if it starts no worker."""
    if "worker" not in command:
        return set()
    command = list(command)
    return set(command[command.index("-Q") + 1].split(",")) if "-Q" in command else {app.conf.task_default_queue}


def test_every_queue_has_a_worker_wherever_the_site_runs_and_is_measured():
    """A queue without a worker grows forever, and what waits in it never happens."""
    used = {app.conf.task_default_queue}
    used |= {route["queue"] for route in app.conf.task_routes.values()}
    used |= {entry["options"].get("queue", app.conf.task_default_queue) for entry in app.conf.beat_schedule.values()}
    units = [file.read_text() for file in (DEPLOY / "systemd").glob("*.service")]
    services = yaml.safe_load((DEPLOY / "compose.yaml").read_text())["services"]
    table = (ROOT / "docs" / "keeping.md").read_text().partition("| process | what it does |")[2].partition("\n\n")[0]
    commands = {
        "units": [re.search(r"^ExecStart=(.+)$", unit, re.M)[1].split() for unit in units],
        "containers": [service.get("command", []) for service in services.values()],
        "./run": [supervisor.BOTS, worker.OPTIONS],
        "table of processes": [command.split() for command in re.findall(r"^\| `(.+?)`", table, re.M)],
    }
    for place, started in commands.items():
        assert set().union(*map(list_queues, started)) == used, place
    assert set(metrics_page.QUEUES) == used


def test_every_route_leads_to_a_task_that_exists():
    app.loader.import_default_modules()
    assert set(app.conf.task_routes) <= set(app.tasks)


@pytest.mark.skipif(shutil.which("caddy") is None, reason="caddy is not installed")
def test_caddy_understands_its_file(tmp_path):
    file = shutil.copy(DEPLOY / "caddy" / "Caddyfile", tmp_path)
    command = ("caddy", "validate", "--adapter", "caddyfile", "--config", file)
    done = subprocess.run(command, capture_output=True, text=True, env={"HOME": str(tmp_path), "PATH": "/usr/bin:/bin"})
    assert done.returncode == 0 and "Valid configuration" in done.stdout + done.stderr, done.stderr


# --- the log of nginx ------------------------------------------------------------------------------------------------


def list_log_patterns():
    """Return the patterns of the map that writes addresses into nginx's log, as Python reads them."""
    site = read_quotes()["deploy/nginx/firetop.conf"]
    rows = re.findall(r'^    "(~\*?)(.+)" "(.+)";$', site.partition("map $request_uri")[2].partition("}\n")[0], re.M)
    return [
        (re.compile(pattern.replace("(?<", "(?P<"), re.I if "*" in kind else 0), wanted)
        for kind, pattern, wanted in rows
    ]


def log_address(address):
    """Return the address as nginx writes it into its log."""
    for pattern, wanted in list_log_patterns():
        if found := pattern.search(address):
            return wanted.replace("${firetop_kept}", found["firetop_kept"])
    return address


SECRET_ADDRESSES = [
    *(f"/some/{before}/hunter2/more/?page=2" for before in SECRET_PATHS),
    *(f"/battles/12/?page=2&{name}=hunter2" for name in ("token", "key", "code", "password", "signature")),
    "/accounts/login/?next=/challenges/join/hunter2/",
    "/reply+hunter2@example.org",
    "/api/users/bung.hunter2@example.org/more/",
    "/users/bung.hunter2%40example.org/",
    "/%75sers/bung.hunter2%40example.org",
]


@pytest.mark.parametrize("address", SECRET_ADDRESSES)
def test_the_log_of_nginx_has_no_secret_that_the_log_of_the_site_leaves_out(address):
    assert "hunter2" not in log_address(address) and REDACTED in log_address(address)


def read_settings(path):
    """Return the settings of a file that has one on each line."""
    lines = [line for line in read_quotes()[path].splitlines() if not line.startswith("#")]
    return dict(re.split(r"\s*=\s*|\s+", line, maxsplit=1) for line in lines)


def test_every_line_for_postfix_is_one_that_postconf_takes():
    """The document hands the file's lines to `postconf -e`."""
    lines = read_quotes()["deploy/postfix/main.cf"].splitlines()
    assert any(
        re.fullmatch(r"sed .+ \S+/deploy/postfix/main.cf \| grep = \| xargs .+ postconf -e", line)
        for line in list_commands()
    )
    assert all(re.match(r"\w+ = \S", line) for line in lines if "=" in line)
    assert all("=" in line for line in lines if not line.startswith("#"))


def test_email_to_root_stays_outside_the_domain_of_the_site():
    settings = read_settings("deploy/postfix/main.cf")
    assert settings["myorigin"] == settings["mydestination"] == "localhost" != settings["virtual_mailbox_domains"]
    assert any(re.match(r'echo "root: \$MAILTO" >> /etc/aliases', line) for line in list_commands())


def test_opendkim_signs_what_postfix_hands_it_with_the_key_that_was_made():
    signer, mail = read_settings("deploy/opendkim/opendkim.conf"), read_settings("deploy/postfix/main.cf")
    kind, port, host = re.fullmatch(r"(inet):(\d+)@(.+)", signer["Socket"]).groups()
    assert mail["smtpd_milters"] == mail["non_smtpd_milters"] == f"{kind}:{host}:{port}"
    assert {"+Message-ID", "+List-Unsubscribe-Post"} < set(signer["SignHeaders"].split(","))
    make = next(line for line in list_commands() if line.startswith("opendkim-genkey"))
    folder = Path(re.search(r"--directory (\S+)", make)[1])
    assert (
        Path(signer["KeyFile"]) == folder / f"{signer['Selector']}.private"
        and f"--selector {signer['Selector']} " in make
    )
    assert signer["Domain"] == mail["virtual_mailbox_domains"]
    commands = list_commands()
    assert commands.index("systemctl restart opendkim") > commands.index(make)


def test_the_name_leads_here_before_the_certificate_is_asked_for():
    text = (ROOT / "docs" / "hosting.md").read_text()
    assert 0 < text.index("play.example.org.  A ") < text.index("certbot certonly")


def test_the_site_may_write_where_the_document_puts_its_backups():
    make = next(line for line in list_commands() if line.startswith("install -d") and "/var/backups/firetop" in line)
    made = make.split()[-1]
    assert made == "/var/backups/firetop"
    hardening = read_quotes()["deploy/systemd/hardening.conf"]
    assert f"-{made}" in re.search(r"^ReadWritePaths=(.+)$", hardening, re.M)[1].split()
    assert any(f"back-up --to {made} " in line for line in list_commands())


def test_a_rollback_with_data_says_that_its_backup_is_no_longer_kept(tmp_path, monkeypatch):
    now, before = tmp_path / "0.4.0", tmp_path / "0.3.0"
    now.mkdir()
    (now / firetop.BACKUP).write_text(str(tmp_path / "firetop-20310504T030000Z.dump"))
    monkeypatch.setattr(firetop, "serving_release", lambda: now)
    monkeypatch.setattr(firetop, "release_of", lambda link: before)
    with pytest.raises(firetop.Problem, match=r"made before 0\.4\.0 has been deleted"):
        firetop.rollback(Namespace(release=None, with_data=True, yes=False))


def list_routes(resolver=None, before=""):
    """Yield the routes of all pages."""
    for entry in (resolver or get_resolver()).url_patterns:
        route = before + str(entry.pattern)
        if isinstance(entry, URLResolver):
            yield from list_routes(entry, route)
        else:
            yield route


def test_every_page_whose_address_is_a_key_is_left_out_of_both_logs():
    """By the names of what is in the address."""
    keys = re.compile(r"<(?:str|slug):(?:token|secret|key|study|collection)>")
    addresses = [f"/{keys.sub('hunter2', route)}" for route in list_routes() if keys.search(route)]
    assert len(addresses) >= 8, addresses
    for address in addresses:
        assert "hunter2" not in redact_text(address), address
        assert "hunter2" not in log_address(address), address


def test_nginx_writes_no_other_log_of_addresses():
    site = read_quotes()["deploy/nginx/firetop.conf"]
    logs = re.findall(r"^ *(access_log|error_log) (.+);$", site, re.M)
    assert {what for what in logs if what[1] != "off"} == {
        ("access_log", "/var/log/nginx/access.log firetop"),
        ("error_log", "/var/log/nginx/error.log crit"),
    }
    for server in site.split("\nserver {")[1:]:
        assert server.count("access.log firetop;") == server.count("error.log crit;") == 1
    written = re.search(r"^log_format firetop (.+?);", site, re.M | re.S)[1]
    assert not re.search(r"\$(request|request_uri|uri|args|query_string|http_referer|http_cookie)\b", written)


def test_nginx_waits_as_long_as_a_restart_may_take():
    """The old process ends, and the new one gets ready or the upgrade is taken back; systemd holds the requests."""
    pages = read_quotes()["deploy/nginx/firetop.conf"]
    ends = [
        int(re.search(r"^TimeoutStopSec=(\d+)$", (DEPLOY / "systemd" / f"{name}.service").read_text(), re.M)[1])
        for name in firetop.PAGES
    ]
    assert int(re.search(r"proxy_read_timeout (\d+)s;", pages)[1]) > max(ends) + firetop.READY_SECONDS


@pytest.mark.parametrize("address", ["/", "/battles/12/", "/api/v1/battles/7/orders/"])
def test_the_log_of_nginx_names_ordinary_pages(address):
    assert log_address(address) == address


# --- the machine -----------------------------------------------------------------------------------------------------

# All of it takes minutes.
on_machine = pytest.mark.skipif(not LONG or bool(find_missing()), reason=f"short count, or missing: {find_missing()}")


@pytest.fixture(scope="module")
def machine():
    made = Machine(make_scratch_folder())
    with made.leaving:
        made.prepare_folders()
        made.start_postgres()
        made.start_redis()
        made.wait(lambda: made.run(f"{POSTGRES[-1]}/pg_isready"))
        yield made


def run_as_written(machine, beginning, **more):
    """Run the one command of the document that begins so, as the services' user would."""
    (command,) = {line for line in list_commands() if line.startswith(beginning)}
    ours = machine.translate(command)
    return machine.run(re.sub(r"-o \w+ -g [\w-]+ ", "", ours), DJANGO_SUPERUSER_PASSWORD="open sesame 7", **more)


def ask(machine, path, *options):
    """Return the status, the headers and the body of a page through nginx."""
    place = (f"--resolve {HOST}:{machine.ports['https']}:127.0.0.1 --cacert {machine.folder}/tls/fullchain.pem",)
    address = f"https://{HOST}:{machine.ports['https']}{path}"
    told = machine.run(f"curl -sSi --http1.1 {' '.join((*place, *options))} '{address}'")
    head, _, body = told.partition("\n\n")
    status, *lines = head.split("\n")
    return int(status.split()[1]), {line.split(": ")[0].lower(): line.split(": ", 1)[1] for line in lines}, body


@on_machine
def test_the_site_of_the_document_runs(machine):
    """From an empty machine to a played turn, an answered email, a backup elsewhere, and back."""
    for beginning in ("install -d -o firetop -g firetop -m 0700 /var/lib", "install -d -m 0755 /etc/f"):
        run_as_written(machine, beginning)
    run_as_written(machine, 'su postgres -c "createuser')
    run_as_written(machine, 'su postgres -c "createdb')
    run_as_written(machine, "python3 deploy/firetop upgrade")
    assert "no issues" in run_as_written(machine, "firetop manage check --deploy")
    (command,) = (line for line in list_commands() if line == "firetop manage createsuperuser")
    who = "--noinput --username Keeper --email keeper@play.example.org"
    machine.run(f"{machine.translate(command)} {who}", DJANGO_SUPERUSER_PASSWORD="open sesame 7")
    for beginning in (
        "cp /srv/firetop/current/deploy/systemd/firetop*",
        "install -d /etc/systemd",
        "cp /srv/firetop/current/deploy/systemd/hard",
    ):
        run_as_written(machine, beginning)
    assert (machine.folder / "units" / "firetop-.service.d" / "hardening.conf").exists()
    machine.start_site()
    conf = machine.start_nginx()
    machine.start_postfix()
    machine.run(f"nginx -t -c {conf} -e stderr")
    machine.wait(lambda: ask(machine, "/health/ready?strict=1")[0] == 200, seconds=120)


@on_machine
def test_pages_go_by_tls_with_their_headers(machine):
    status, headers, body = ask(machine, "/")
    assert status == 200 and "Firetop Mountain" in body, machine.read_logs()
    assert headers["strict-transport-security"] == "max-age=2592000"
    assert "camera=()" in headers["permissions-policy"] and headers["x-request-id"]
    told = machine.run(f"curl -si -H 'Host: {HOST}' http://127.0.0.1:{machine.ports['http']}/ladder/")
    assert told.startswith("HTTP/1.1 301") and f"Location: https://{HOST}/ladder/" in told


@on_machine
def test_the_real_log_of_nginx_has_no_join_link(machine):
    ask(machine, "/challenges/join/hunter2/?next=/hunter2/")
    log = machine.folder / "nginx-log" / "access.log"
    machine.wait(lambda: "/challenges/join/[redacted] " in log.read_text())
    assert "hunter2" not in log.read_text()


@on_machine
def test_static_files_come_from_nginx_compressed_and_for_ever(machine):
    link = re.search(r"/static/[\w./-]+\.css", ask(machine, "/rules/")[2])[0]
    status, headers, _ = ask(machine, link, "-H 'Accept-Encoding: br'", "-o /dev/null -D -")
    assert (status, headers["content-encoding"]) == (200, "br")
    assert "immutable" in headers["cache-control"] and headers["x-content-type-options"] == "nosniff"


@on_machine
def test_a_second_web_machine_is_ready_with_static_files_of_its_own(machine, tmp_path):
    """Only the database and Redis are shared."""
    port = find_free_ports(1)[0]
    own = {"FM_DATA_DIR": str(tmp_path / "data"), "FM_STATIC_DIR": str(tmp_path / "static"), "FM_PORT": str(port)}
    for folder in ("data", "static"):
        (tmp_path / folder).mkdir()

    def ask_second(path):
        told = machine.run(f"curl -s -w '%{{http_code}}' -H 'Host: {HOST}' -H 'X-Forwarded-Proto: https' {path}")
        return int(told[-3:]), told[:-3]

    def run_second(name, path):
        command = ("env", *(f"{key}={value}" for key, value in own.items()), sys.executable, "-m", "fm_site.run.web")
        machine.start(*command, name=name)
        return machine.wait(lambda: (found := ask_second(f"http://127.0.0.1:{port}{path}"))[0] and found)

    status, told = run_second("second", "/health/ready")
    assert (status, json.loads(told)["checks"]["static_files"]["status"]) == (503, "down")
    own["FM_PORT"] = str(port := find_free_ports(1)[0])
    machine.run(".venv/bin/python manage.py collectstatic --noinput", **own)
    status, told = run_second("second-again", "/health/ready")
    assert (status, json.loads(told)["checks"]["static_files"]["status"]) == (200, "ok")
    assert ask_second(f"http://127.0.0.1:{port}/rules/")[0] == 200


@on_machine
def test_metrics_are_for_this_machine_alone(machine):
    assert ask(machine, "/metrics")[0] == 404
    assert "fm_battles_current" in run_as_written(machine, "curl -fsS http://127.0.0.1:8000/metrics")


@on_machine
def test_large_forms_end_at_the_proxy_and_slow_ones_use_no_thread(machine):
    (machine.folder / "large").write_bytes(b"x" * 900_000)
    assert ask(machine, "/accounts/login/", f"--data-binary @{machine.folder}/large -H 'Expect:'")[0] == 413
    address, lines = ("127.0.0.1", machine.ports["https"]), []
    trust = ssl.create_default_context(cafile=f"{machine.folder}/tls/fullchain.pem")
    begun = f"POST /accounts/login/ HTTP/1.1\r\nHost: {HOST}\r\nContent-Length: 1000\r\n\r\nslow"
    for _ in range(20):
        line = trust.wrap_socket(socket.create_connection(address), server_hostname=HOST)
        line.sendall(begun.encode())
        lines.append(line)
    begin = time.monotonic()
    assert ask(machine, "/rules/")[0] == 200 and time.monotonic() - begin < 5
    for line in lines:
        line.close()


@on_machine
def test_a_played_turn_reaches_an_open_page_through_the_proxy(machine):
    shell = f"{sys.executable} manage.py shell -c"
    begin = "from tests.duels.fights import start_fight; from tests.scenes import make_mage;"
    told = machine.run(
        f'{shell} \'{begin} print("number", start_fight(make_mage("Froodal"), make_mage("Bung")).number)\''
    )
    number = re.search(r"number (\d+)", told)[1]
    trust = ssl.create_default_context(cafile=f"{machine.folder}/tls/fullchain.pem")
    line = socket.create_connection(("127.0.0.1", machine.ports["https"]))
    address = f"wss://{HOST}:{machine.ports['https']}/ws/battles/{number}/"
    with connect(address, sock=line, ssl=trust, server_hostname=HOST, origin=f"https://{HOST}") as page:
        order = (
            "from django.utils import timezone; from duels.models import Combatant;"
            "from duels.services.orders import submit_orders;"
            f'[submit_orders(combatant=each, text="W/P", via="web", now=timezone.now(), ready=True)'
            f" for each in Combatant.objects.filter(battle__number={number})]"
        )
        machine.run(f"{shell} '{order}'")
        assert f'"battle": {number}' in page.recv(timeout=20)
    # Nobody from another site may open one.
    with pytest.raises(Exception, match="403"):
        connect(
            address,
            sock=socket.create_connection(("127.0.0.1", machine.ports["https"])),
            ssl=trust,
            server_hostname=HOST,
            origin="https://evil.example",
        )


@on_machine
def test_an_email_goes_through_postfix_to_the_site_and_its_answer_back(machine):
    mail = EmailMessage()
    mail["From"], mail["To"], mail["Subject"] = "anna@example.net", f"fm@{HOST}", "a question"
    mail.set_content("HELP\n")
    with smtplib.SMTP("127.0.0.1", machine.ports["smtp"], local_hostname="mail.example.net") as line:
        line.send_message(mail)
        line.mail("anna@example.net")
        # From this machine, anyone may be written to; the listener decides about its own mailboxes.
        assert line.rcpt(f"orders@{HOST}")[0] == 250
    answers = machine.wait(lambda: [each for each in machine.sink.mails if "anna@example.net" in each], seconds=90)
    assert f"@{HOST}" in answers[0] and "HELP" in answers[0]


@on_machine
def test_a_mailbox_that_does_not_exist_is_rejected_for_the_world(machine):
    """As someone outside: this machine's own networks are nobody's for a moment."""
    machine.run(f"postconf -c {machine.folder}/postfix mynetworks=192.0.2.9/32")
    machine.run(f"postfix -c {machine.folder}/postfix reload")
    try:

        def name(mailbox):
            with smtplib.SMTP("127.0.0.1", machine.ports["smtp"], local_hostname="mail.example.net") as line:
                line.ehlo()
                line.mail("anna@example.net")
                return line.rcpt(mailbox)[0]

        assert machine.wait(lambda: name(f"nobody@{HOST}") == 550 and name(f"fm@{HOST}") == 250, seconds=60)
        assert name("someone@elsewhere.example") == 554
    finally:
        machine.run(f"postconf -c {machine.folder}/postfix mynetworks=127.0.0.1/32")
        machine.run(f"postfix -c {machine.folder}/postfix reload")


@on_machine
def test_a_backup_leaves_encrypted_and_comes_back(machine):
    told = run_as_written(machine, "age-keygen")
    shutil.move(ROOT / "firetop-backup.key", machine.folder / "firetop-backup.key")
    recipient = told.split()[-1]
    command = next(line for line in list_commands() if "back-up --to" in line)
    ours = machine.translate(command).replace("age1...", recipient)
    place = machine.run(ours).splitlines()[-1]
    assert place.endswith(".dump.age")
    dump = machine.folder / "firetop.dump"
    machine.run(f"age --decrypt -i {machine.folder}/firetop-backup.key -o {dump} {place}")
    told = run_as_written(machine, "firetop manage drill_restore")
    assert "1 battles, 1 replayed" in told and "different" not in told
    count = "psql -At -U firetop firetop -c 'SELECT COUNT(*) FROM duels_battle'"
    assert machine.run(count).strip() == "1"
    machine.run("psql -q -U firetop firetop -c 'TRUNCATE duels_battle CASCADE'")
    restore = f".venv/bin/python manage.py restore_backup {dump} --yes"
    with pytest.raises(AssertionError, match="Stop the site's services first"):
        machine.run(restore)
    machine.stop_site()
    for name in ("second", "second-again"):
        machine.ends[name]()
    assert "kept as firetop_before" in machine.run(restore)
    assert machine.run(count).strip() == "1"
    machine.start_site()
    machine.wait(lambda: ask(machine, "/health/ready")[0] == 200, seconds=120)


@on_machine
def test_rows_are_restored_to_the_moment_before_a_mistake(machine):
    """The base backup, the archive of changes, and the three lines of the document."""
    run_as_written(machine, 'su postgres -c "pg_basebackup')
    sql = "psql -At -U firetop firetop -c"
    machine.run(f"{sql} 'CREATE TABLE told (what text)'; {sql} \"INSERT INTO told VALUES ('kept')\"")
    moment = machine.run(f"{sql} 'SELECT pg_sleep(1)' > /dev/null; {sql} 'SELECT now()'").strip()
    machine.run(f"{sql} 'SELECT pg_sleep(1)'; {sql} 'DROP TABLE told'")
    machine.run("psql -q -U postgres postgres -c 'SELECT pg_switch_wal()'")
    wal = machine.folder / "backups" / "firetop-wal"
    machine.wait(lambda: len([file for file in wal.iterdir() if len(file.name) == 24]) >= 2)
    base = machine.folder / "backups" / "firetop-base"
    text = (ROOT / "docs" / "hosting.md").read_text()
    (lines,) = re.findall(r"^(restore_command = .*?)```", text, re.M | re.S)
    lines = machine.translate(lines).replace("2031-05-04 12:34:00+00", moment)
    with (base / "postgresql.conf").open("a") as conf:
        conf.write(f"{lines}\nunix_socket_directories = '{machine.folder}/restored'\narchive_mode = off\n")
    (base / "recovery.signal").touch()
    for path in (base / "recovery.signal", machine.folder / "restored"):
        path.mkdir(exist_ok=True) if path.name == "restored" else None
        shutil.chown(path, "postgres", "postgres")
    machine.start_cluster(base, "restored")
    read = f"psql -h {machine.folder}/restored -At -U firetop firetop -c 'SELECT what FROM told'"
    machine.wait(lambda: machine.run(read).strip() == "kept")


@on_machine
def test_the_keys_can_be_changed(machine):
    assert "Sealed again" in run_as_written(machine, "firetop manage reseal")


def name_metrics(text):
    return {re.sub(r"_(total|bucket|count)$", "", name) for name in re.findall(r"\bfm_\w+", text)}


def test_alerts_and_dashboard_ask_for_metrics_that_exist():
    source = "".join(path.read_text() for app in ("fm_site", "operations") for path in (ROOT / app).rglob("*.py"))
    alerts = (DEPLOY / "prometheus" / "firetop-alerts.yml").read_text()
    names = name_metrics(alerts)
    assert len(names) >= 4 and all(f'"{name}"' in source for name in names), names
    assert yaml.safe_load(alerts)["groups"]
    panels = json.loads((DEPLOY / "grafana" / "firetop.json").read_text())["panels"]
    shown = name_metrics(" ".join(target["expr"] for panel in panels for target in panel.get("targets", ())))
    table = (ROOT / "docs" / "keeping.md").read_text().partition("| metric | what |")[2].partition("\n\n")[0]
    assert shown == name_metrics(table), "the dashboard shows every metric of the document"
    assert all(f'"{name}"' in source for name in shown), shown
    places = [(panel["gridPos"]["x"] + panel["gridPos"]["w"], panel["id"]) for panel in panels]
    assert max(places)[0] <= 24 and len({number for _, number in places}) == len(panels)
