"""The installer does what docs/hosting.md says, and `firetop` keeps the site: on booted Debians in the long run."""

import json
import re
import shutil
import subprocess
import sys
import threading
import time

import pytest

from tests.hosting import booted
from tests.hosting.deployed import firetop, installer
from tests.hosting.document import COMMANDS, TEXT
from tests.services.plugin import LONG
from tests.services.scratch import make_scratch_folder
from tests.services.stack import ROOT

pytestmark = pytest.mark.once
ANSWERS = {
    "DOMAIN": "play.example.org",
    "ADDRESS": "192.0.2.25",
    "MAILTO": "you@example.net",
    "JANITOR": "Keeper",
    "JANITOR_EMAIL": "keeper@example.net",
    "JANITOR_PASSWORD": "open sesame 7 and more",
}
# Commands of steps 1 to 7 that the installer leaves to you.
OTHERWISE = {"systemctl enable --now firetop-small": "in place of the line before, on a small machine"}
LOCAL = "curl -sk --resolve play.example.org:443:127.0.0.1 https://play.example.org"


def write_answers(folder):
    file = folder / "answers"
    file.write_text("".join(f'{name}="{value}"\n' for name, value in ANSWERS.items()))
    return file


def test_the_installer_runs_the_commands_of_the_document_in_their_order(tmp_path):
    steps = TEXT[TEXT.index("## 1. The name and the packages") : TEXT.index("Let a monitor on another")]
    lines = [line for block in COMMANDS.findall(steps) for line in block.splitlines() if line]
    wanted = [installer.put_in(line, ANSWERS) for line in lines if line not in OTHERWISE]
    # How others ask the same.
    assert [line.split()[0] for line in wanted[-2:]] == ["curl", "curl"]
    command = [sys.executable, ROOT / "deploy" / "install", "--dry-run", "--answers", write_answers(tmp_path)]
    told = subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()
    assert told == wanted[:-2]


@pytest.mark.parametrize(
    ("name", "value"),
    [("DOMAIN", "play example"), ("DOMAIN", "$(reboot).org"), ("ADDRESS", "here"), ("MAILTO", "me@play.example.org")],
)
def test_an_answer_that_would_break_a_command_is_refused(name, value):
    with pytest.raises(installer.Problem):
        installer.check_answers(ANSWERS | {name: value})


# --- firetop ----------------------------------------------------------------------------------------------------------


def test_every_command_of_firetop_has_a_line_of_help_and_stands_in_the_document(capsys):
    with pytest.raises(SystemExit):
        firetop.main(["--help"])
    told = " ".join(capsys.readouterr().out.split())
    for name in ("status", "logs", "back-up", "restore", "upgrade", "rollback", "manage", "maintenance"):
        assert re.search(rf"\b{name} \w+", told) and f"| `firetop {name}" in TEXT, name


@pytest.fixture
def home(tmp_path, monkeypatch):
    """Folders in place of those of a machine."""
    for name, place in (
        ("RELEASES", "releases"),
        ("CURRENT", "current"),
        ("PREVIOUS", "previous"),
        ("STATIC", "static"),
    ):
        monkeypatch.setattr(firetop, name, tmp_path / place)
    monkeypatch.setattr(firetop, "HOME", tmp_path)
    (tmp_path / "static").mkdir()
    return tmp_path


def make_release(home, name, *, age):
    folder = home / "releases" / name
    (folder / "static").mkdir(parents=True)
    (folder / ".complete").touch()
    for file in (f"only.{name}.css", "same.abc.css"):
        (folder / "static" / file).write_text(name)
        shutil.copy(folder / "static" / file, home / "static")
    moment = time.time() - age
    firetop.os.utime(folder / ".complete", (moment, moment))
    return folder


def test_the_last_three_releases_are_kept_and_the_one_that_serves(home):
    made = [make_release(home, f"0.{number}.0", age=100 - number) for number in range(1, 6)]
    firetop.switch(made[0])
    firetop.remove_old()
    assert sorted(each.name for each in firetop.list_releases()) == ["0.1.0", "0.4.0", "0.5.0"]
    left = sorted(file.name for file in (home / "static").iterdir())
    assert left == ["only.0.1.0.css", "only.0.4.0.css", "only.0.5.0.css", "same.abc.css"]
    firetop.switch(made[4])
    assert firetop.release_of(firetop.CURRENT) == made[4]


def test_an_archive_that_was_changed_is_refused(tmp_path):
    archive = tmp_path / "firetop-mountain-9.tar.gz"
    archive.write_bytes(b"archive")
    firetop.check_hash(archive)
    (tmp_path / "SHA256SUMS").write_text(f"{'0' * 64}  {archive.name}\n")
    with pytest.raises(firetop.Problem, match="Download it again"):
        firetop.check_hash(archive)


# --- on booted machines -----------------------------------------------------------------------------------------------

MISSING = booted.find_missing()
on_debian = pytest.mark.skipif(not LONG or bool(MISSING), reason=f"short count, or missing: {MISSING}")
INSTALL = "cd firetop-mountain-0.3.0 && python3 deploy/install --self-signed --answers ../answers 2>&1"
NEW_TABLE = """
from django.db import migrations, models
class Migration(migrations.Migration):
    dependencies = [("operations", "%s")]
    operations = [migrations.CreateModel("Tried", [("id", models.BigAutoField(primary_key=True))])]
"""


@pytest.fixture(scope="module", params=["12", "13"])
def debian(request):
    """A booted Debian on which the installer has run, with the archive of the next release."""
    packages = next(step.command for step in installer.STEPS if step.command.startswith("apt-get install"))
    folder = make_scratch_folder()
    with booted.BootedDebian(booted.make_root(request.param, packages.split()[3:]), folder) as machine:
        home = machine.root / "root"
        booted.write_archive(home / "firetop-mountain-0.3.0.tar.gz", "0.3.0")
        write_answers(home)
        machine.run("tar -x -f firetop-mountain-0.3.0.tar.gz")
        machine.run("apt-get update; DEBIAN_FRONTEND=noninteractive apt-get install -y python3")
        machine.told = machine.run(INSTALL, seconds=1800)
        yield machine
    shutil.rmtree(folder, ignore_errors=True)


@on_debian
def test_one_command_leads_from_a_fresh_debian_to_the_first_page(debian):
    assert "Ready     yes" in debian.told.split("firetop status")[-1]
    page = debian.run(f"{LOCAL}/")
    link = re.search(r"/static/[\w./-]+\.css", page)[0]
    assert "Firetop Mountain" in page
    assert debian.run(f"{LOCAL}{link} -o /dev/null -w '%{{http_code}}'") == "200"
    units = debian.run("systemctl is-active firetop-{web,worker,bots,beat,mail} nginx postfix opendkim").split()
    assert set(units) == {"active"}
    assert 'missing sel1._domainkey.play.example.org.  TXT  "v=DKIM1' in debian.told


@on_debian
def test_the_first_email_is_answered_and_signed(debian):
    """The answer waits in Postfix's queue: nothing leads out of here."""
    mail = r"From: anna@example.net\nTo: fm@play.example.org\nSubject: a question\n\nHELP\n"
    debian.run(f"printf '{mail}' | sendmail -f anna@example.net fm@play.example.org")
    ids = "postqueue -j | grep anna@example.net | grep -o 'queue_id\": \"[^\"]*' | cut -d'\"' -f3"
    queue = f"for id in $({ids}); do postcat -q $id || true; done"
    end = time.monotonic() + 120
    while "DKIM-Signature" not in (told := debian.run(queue)):
        assert time.monotonic() < end, told + debian.run("journalctl --no-pager -n 40")
        time.sleep(2)
    assert "d=play.example.org" in told and "Message-ID" in re.search(r"\sh=[^;]+;", told)[0]


@on_debian
def test_the_installer_can_run_again(debian):
    debian.run("echo FM_MARK=kept >> /etc/firetop/environment")
    key = debian.run("cat /etc/dkimkeys/play/sel1.private /var/lib/firetop/secret_key")
    told = debian.run(INSTALL, seconds=1800)
    assert told.count("is done already") >= 6 and "0.3.0 serves already." in told
    assert "FM_MARK=kept" in debian.run("cat /etc/firetop/environment")
    assert debian.run("cat /etc/dkimkeys/play/sel1.private /var/lib/firetop/secret_key") == key
    assert debian.run("grep -c '^root:' /etc/aliases; grep -c firetop.conf /etc/redis/redis.conf").split() == ["1", "1"]


class Readers:
    """Requests through nginx until the block ends."""

    def __init__(self, machine):
        self.machine, self.codes = machine, []
        self.threads = [threading.Thread(target=self.read, args=[path]) for path in ("/", "/rules/", "/battles/")]

    def read(self, path):
        loop = f"while [ ! -e /tmp/stop ]; do {LOCAL}{path} -o /dev/null -w '%{{http_code}} '; sleep 0.1; done"
        self.codes += self.machine.run(loop).split()

    def __enter__(self):
        self.machine.run("rm -f /tmp/stop")
        for thread in self.threads:
            thread.start()
        return self.codes

    def __exit__(self, *_):
        self.machine.run("touch /tmp/stop")
        for thread in self.threads:
            thread.join()


def count_users(machine):
    return int(
        machine.run("firetop manage shell -v0 -c 'from accounts.models import User; print(User.objects.count())'")
    )


@on_debian
def test_an_upgrade_with_a_new_table_and_a_rollback_fail_no_request_and_lose_nothing(debian):
    folder = debian.root / "root" / "firetop-mountain-0.4.0"
    shutil.copytree(debian.root / "root" / "firetop-mountain-0.3.0", folder)
    file = folder / "pyproject.toml"
    file.write_text(file.read_text().replace('version = "0.3.0"', 'version = "0.4.0"', 1))
    last = sorted(
        path.stem for path in (folder / "operations" / "migrations").glob("0*") if "squashed" not in path.name
    )[-1]
    (folder / "operations" / "migrations" / "9999_tried.py").write_text(NEW_TABLE % last)
    table = 'su postgres -c "psql -tAc \\"SELECT to_regclass(\'operations_tried\')\\" firetop"'
    users = count_users(debian)
    with Readers(debian) as codes:
        debian.run("firetop upgrade firetop-mountain-0.4.0", seconds=1800)
        assert debian.run("readlink /srv/firetop/current").strip().endswith("/0.4.0")
        debian.run(
            "firetop manage createsuperuser --noinput --username After --email after@example.net",
        )
        told = debian.run("firetop rollback", seconds=600)
    assert "0.3.0 serves again." in told
    assert set(codes) == {"200"} and len(codes) > 30, sorted(set(codes))
    assert debian.run(table, cwd="/").strip() == "operations_tried", "the tables are still the new ones"
    assert count_users(debian) == users + 1
    status = debian.run("firetop status")
    assert "Release   0.3.0" in status and "0.4.0" in status and "Ready     yes" in status
    assert debian.run("firetop maintenance").strip() == "The site is open."


@on_debian
def test_a_release_that_cannot_serve_never_serves(debian):
    folder = debian.root / "root" / "firetop-mountain-0.5.0"
    shutil.copytree(debian.root / "root" / "firetop-mountain-0.4.0", folder)
    for name, old, new in (
        ("pyproject.toml", 'version = "0.4.0"', 'version = "0.5.0"'),
        ("fm_site/run/web.py", "def main() -> None:\n", 'def main() -> None:\n    raise SystemExit("broken")\n'),
    ):
        file = folder / name
        file.write_text(file.read_text().replace(old, new, 1))
    with Readers(debian) as codes:
        done = debian.try_run("firetop upgrade firetop-mountain-0.5.0")
    assert done.returncode == 1 and "0.5.0 does not get ready" in done.stderr
    assert set(codes) == {"200"}
    assert "Release   0.3.0" in debian.run("firetop status")


@on_debian
def test_a_rollback_with_data_says_first_what_is_lost(debian):
    debian.run("firetop upgrade firetop-mountain-0.4.0", seconds=1800)
    users = count_users(debian)
    debian.run("firetop manage createsuperuser --noinput --username Lost --email lost@example.net")
    asked = debian.try_run("echo no | firetop rollback --with-data")
    assert asked.returncode == 1 and "1 new users" in asked.stdout and count_users(debian) == users + 1
    told = debian.run("firetop rollback --with-data --yes", seconds=600)
    assert "1 new users" in told and "0.3.0 serves again." in told
    assert count_users(debian) == users
    assert (
        json.loads(debian.run("curl -s http://127.0.0.1:8000/health/ready"))["checks"]["migrations"]["unapplied"] == 0
    )


@on_debian
def test_a_stopped_site_is_not_started_by_a_request(debian):
    debian.run("systemctl stop firetop.target")
    # The command doesn't wait for its services.
    end, refused = time.monotonic() + 60, 7
    while debian.try_run("curl -s http://127.0.0.1:8000/health/live").returncode != refused:
        assert time.monotonic() < end
        time.sleep(1)
    assert debian.try_run("systemctl is-active firetop-web").stdout.strip() == "inactive"
    debian.run("systemctl start firetop.target")
    end = time.monotonic() + 60
    while "200" not in debian.run(f"{LOCAL}/ -o /dev/null -w '%{{http_code}}'"):
        assert time.monotonic() < end
        time.sleep(1)
    before = debian.run("systemctl show firetop-web.socket -p ActiveEnterTimestampMonotonic")
    debian.run("systemctl restart firetop.target")
    assert debian.run("systemctl show firetop-web.socket -p ActiveEnterTimestampMonotonic") == before, "still open"
