"""Every command of docs/hosting.md, from the text itself: in its order, by hand, in the shell of a booted Debian."""

import re
import shutil
import subprocess
import time

import pytest

from tests.hosting import booted
from tests.hosting.deployed import installer
from tests.hosting.document import list_commands, list_mentioned_commands, read_quotes
from tests.services.plugin import LONG
from tests.services.scratch import make_scratch_folder

pytestmark = pytest.mark.once
# The only commands that no test runs, by their beginning, with the reason.
EXCEPTIONS = {
    "systemctl disable --now firetop-web.socket": "for a small machine: test_installer.py makes one of a larger one",
    "systemctl enable --now firetop-small": "in place of the line before, on a small machine: test_installer.py",
    "certbot ": "Let's Encrypt reaches no machine without a name in the DNS; the test makes a certificate itself",
    "docker ": "no container engine runs here; test_containers.py starts the same services",
    "cp deploy/containers": "for the container engine alone",
    "openssl rand -hex 24": "for the container engine alone",
    "deploy/install": "it does the steps below it; test_installer.py runs it on machines of its own",
    "opendkim-testkey": "asks the DNS",
    "pip install": "`firetop upgrade` runs it",
    "systemd-analyze": "test_hosting.py runs it on the units",
    "./run test": "runs the tests",
}
# Commands in sentences and tables, and what the reader types: in the end, in this order.
MENTIONED = {
    "apt-get install -y python3": "apt-get install -y python3",
    "echo try | sendmail root": "echo try | sendmail root",
    "firetop COMMAND --help": "firetop status --help",
    "firetop logs": "firetop logs",
    "firetop logs -f": "timeout 5 firetop logs -f || test $? = 124",
    "firetop maintenance on REASON": "firetop maintenance on 'a new disk' && firetop maintenance off",
    "firetop rollback RELEASE": "firetop rollback 0.4.0",
    "systemctl stop firetop.target": "systemctl stop firetop.target",
    "systemctl start firetop.target": "systemctl start firetop.target",
    "systemctl try-restart 'firetop-*.service'": "systemctl try-restart 'firetop-*.service'",
}
# What the document leaves to the reader, and what the test puts there.
VERSION, NEXT = "0.3.0", "0.4.0"
KEEPER = "--noinput --username Keeper --email keeper@example.net"
MISSING = booted.find_missing()


def test_every_exception_is_a_command_of_the_document():
    lines = list_commands() + list_mentioned_commands()
    assert [each for each in EXCEPTIONS if not any(line.startswith(each) for line in lines)] == []


def test_every_command_of_a_sentence_is_typed_too():
    """If none of a block begins as it does, without the words that the reader puts in."""
    typed = (*EXCEPTIONS, *MENTIONED)
    blocks = list_commands()
    left = []
    for line in list_mentioned_commands():
        beginning = re.sub(r" [A-Z]+$", "", line)
        if not line.startswith(typed) and not any(each.startswith(beginning) for each in blocks):
            left.append(line)
    assert left == [] and set(MENTIONED) <= set(list_mentioned_commands())


class Shell:
    """One shell of root on a booted Debian, in which a reader types the commands one after another."""

    def __init__(self, machine):
        command = ["nsenter", "-t", str(machine.init), "-m", "-p", "-u", "-i", "-C", "-n", "-r", "bash"]
        pipe = subprocess.PIPE
        environment = {"PATH": "/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "HOME": "/root", "LANG": "C.UTF-8"}
        self.process = subprocess.Popen(
            command, env=environment, stdin=pipe, stdout=pipe, stderr=subprocess.STDOUT, text=True
        )
        self.run("cd /root; set -o pipefail")

    def run(self, line):
        """Type a line, and "yes" if it asks; return what it says, or fail with it if it fails."""
        self.process.stdin.write(f"{{ {line}\n}} <<< yes\nstatus=$?; echo; echo __done__ $status\n")
        self.process.stdin.flush()
        told = []
        while not (said := self.process.stdout.readline()).startswith("__done__"):
            assert said, f"the shell has ended: {line}\n{''.join(told)}"
            told.append(said)
        assert said.split()[1] == "0", f"{line}\n{''.join(told)[-5000:]}"
        return "".join(told).removesuffix("\n")

    def refuse(self, line):
        """Type a line that fails; return what it says."""
        return self.run(f"if {line}; then false; fi")

    def run_soon(self, line, seconds=180):
        """Run a line that may fail until the site is up."""
        end = time.monotonic() + seconds
        while True:
            try:
                return self.run(line)
            except AssertionError:
                if time.monotonic() > end:
                    raise
            time.sleep(3)

    def end(self):
        self.process.stdin.close()
        self.process.wait(20)


class Reader:
    """Someone who follows the document. `left` are the commands that they have not come to yet."""

    def __init__(self, shell):
        self.shell, self.left = shell, list_commands()

    def follow(self, until):
        """Run the commands up to the first that begins with `until`, and that one, except the EXCEPTIONS."""
        told = ""
        while self.left:
            line = self.left.pop(0)
            if not line.startswith(tuple(EXCEPTIONS)):
                told = self.shell.run(line.replace("VERSION", VERSION))
            if line.startswith(until):
                return told
        raise AssertionError(f"The document has no {until} there.")

    def take(self, beginning):
        """Return the next command, which begins so, and is typed otherwise than as it stands."""
        line = self.left.pop(0)
        assert line.startswith(beginning), line
        return line


@pytest.fixture(scope="module", params=["12"])
def debian(request):
    packages = next(step.command for step in installer.STEPS if step.command.startswith("apt-get install"))
    folder = make_scratch_folder()
    with booted.BootedDebian(booted.make_root(request.param, packages.split()[3:]), folder) as machine:
        home = machine.root / "root"
        for version in (VERSION, NEXT):
            booted.write_archive(home / f"firetop-mountain-{version}.tar.gz", version)
        with (machine.root / "etc" / "hosts").open("a") as hosts:
            hosts.write("127.0.0.1 localhost play.example.org\n")
        yield machine
    shutil.rmtree(folder, ignore_errors=True)


def make_certificate(shell):
    """In place of Let's Encrypt's: one that this machine trusts."""
    answers = {"DOMAIN": "play.example.org", "ADDRESS": "192.0.2.25", "MAILTO": "you@example.net"}
    shell.run(installer.put_in(installer.SELF_SIGNED, answers))
    shell.run("cp /etc/letsencrypt/live/play.example.org/fullchain.pem /usr/local/share/ca-certificates/play.crt")
    shell.run("update-ca-certificates")


@pytest.mark.skipif(not LONG or bool(MISSING), reason=f"short count, or missing: {MISSING}")
def test_a_reader_who_types_every_command_has_a_site_backups_an_upgrade_and_a_way_back(debian):
    shell = Shell(debian)
    reader = Reader(shell)
    # Steps 1 to 4. The first janitor is asked for at a terminal.
    reader.follow("firetop manage check --deploy")
    shell.run("export DJANGO_SUPERUSER_PASSWORD='open sesame 7 and more'")
    shell.run(f"{reader.take('firetop manage createsuperuser')} {KEEPER}")
    # Steps 5 to 7.
    reader.follow("systemctl enable --now firetop-web")
    make_certificate(shell)
    reader.follow("systemctl restart opendkim")
    shell.run_soon(reader.take("firetop status"))
    told = shell.run_soon(reader.take("curl -fsS https://play.example.org/health/ready?strict=1"))
    assert '"status": "ok"' in told
    assert "fm_battles_current" in reader.follow("curl -fsS http://127.0.0.1:8000/metrics")
    # Backups.
    recipient = reader.follow("age-keygen").split()[-1]
    made = shell.run(reader.take("firetop back-up --to").replace("age1...", recipient)).split()[-1]
    name = re.search(r"firetop-\d+T\d+Z\.dump", made)[0]
    decrypt = reader.take("age --decrypt").replace("firetop-20310504T030000Z.dump.age", made)
    shell.run(decrypt.replace("firetop-20310504T030000Z.dump", name))
    shell.run("firetop manage createsuperuser --noinput --username Lost --email lost@example.net")
    assert "cannot read" in shell.refuse(f"touch ~/{name}; firetop restore ~/{name}")
    told = shell.run(reader.take("firetop restore").replace("firetop-20310504T030000Z.dump", name))
    assert "new users: 1" in told
    names = (
        "firetop manage shell -v0 -c 'from accounts.models import User; print(*User.objects.values_list(\"username\"))'"
    )
    assert "Keeper" in (told := shell.run(names)) and "Lost" not in told
    # To a minute.
    reader.follow("install -d -o postgres")
    (place,) = re.findall(r"^# (/etc/postgresql\S+):", read_quotes()["deploy/postgresql/wal.conf"], re.M)
    shell.run(f"cp /srv/firetop/current/deploy/postgresql/wal.conf {place}")
    reader.follow('su postgres -c "pg_basebackup')
    assert "replayed" in reader.follow("firetop manage drill_restore")
    # Another release, and back, without and with its data.
    shell.run(f"mv ../firetop-mountain-{NEXT}.tar.gz .")
    upgrade = reader.take("firetop upgrade").replace("VERSION", NEXT)
    shell.run(upgrade)
    assert f"Release   {NEXT}" in shell.run_soon("firetop status")
    reader.follow("firetop rollback")
    assert f"Release   {VERSION}" in shell.run_soon("firetop status")
    shell.run(upgrade)
    reader.follow("firetop rollback --with-data")
    assert f"Release   {VERSION}" in shell.run_soon("firetop status")
    assert "Sealed again" in reader.follow("firetop manage reseal")
    # What sentences and tables mention.
    for line in MENTIONED.values():
        shell.run(line)
    assert "you@example.net" in shell.run("postqueue -p")
    told = shell.run_soon("firetop status")
    assert f"Release   {NEXT}" in told and "Ready     yes" in told
    # The rest are exceptions.
    assert [line for line in reader.left if not line.startswith(tuple(EXCEPTIONS))] == []
    shell.end()
