"""The installer does what docs/hosting.md says, and `firetop` keeps the site: on booted Debians in the long run."""

import json
import random
import re
import shutil
import string
import subprocess
import sys
import threading
import time

import pytest

from tests.hosting import booted
from tests.hosting.deployed import firetop, installer
from tests.hosting.document import COMMANDS, TEXT, list_blocks, list_commands
from tests.hosting.test_upgrade import BEGIN, CHECK
from tests.services.plugin import LONG
from tests.services.scratch import make_scratch_folder
from tests.services.stack import ROOT

pytestmark = pytest.mark.once
MAIN = 'if __name__ == "__main__":\n'
ANSWERS = {
    "DOMAIN": "play.example.org",
    "ADDRESS": "192.0.2.25",
    "MAILTO": "you@example.net",
    "JANITOR": "Keeper",
    "JANITOR_EMAIL": "keeper@example.net",
    "JANITOR_PASSWORD": "open sesame 7 and more",
}
# Commands of steps 1 to 7 that the installer leaves to you.
OTHERWISE = {
    "systemctl disable --now firetop-web.socket": "for a small machine",
    "systemctl enable --now firetop-small": "in place of the line before, on a small machine",
}
LOCAL = "curl -sk --resolve play.example.org:443:127.0.0.1 https://play.example.org"


def write_answers(folder):
    file = folder / "answers"
    file.write_text("".join(f'{name}="{value}"\n' for name, value in ANSWERS.items()))
    return file


def test_the_installer_runs_the_commands_of_the_document_in_their_order(tmp_path):
    steps = TEXT[TEXT.index("## 1. The name and the packages") : TEXT.index("Let a monitor on another")]
    lines = [line for block in COMMANDS.findall(steps) for line in block.splitlines() if line]
    wanted = [installer.put_in(line, ANSWERS) for line in lines if not line.startswith(tuple(OTHERWISE))]
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


def write_to_the_site(machine, sender):
    """Ask for help by email, and return the answer, which waits in Postfix's queue: nothing leads out of here."""
    mail = rf"From: {sender}\nTo: fm@play.example.org\nSubject: a question\n\nHELP\n"
    machine.run(f"printf '{mail}' | sendmail -f {sender} fm@play.example.org")
    ids = f"postqueue -j | grep {sender} | grep -o 'queue_id\": \"[^\"]*' | cut -d'\"' -f3"
    queue = f"for id in $({ids}); do postcat -q $id || true; done"
    wait_until(machine, lambda: "DKIM-Signature" in machine.run(queue))
    return machine.run(queue)


def wait_until(machine, done, seconds=120):
    end = time.monotonic() + seconds
    while not done():
        assert time.monotonic() < end, machine.run("journalctl --no-pager -n 60")
        time.sleep(1)


@on_debian
def test_the_first_email_is_answered_and_signed(debian):
    told = write_to_the_site(debian, "anna@example.net")
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
        # As long as an upgrade may take, on a machine where other tests run.
        self.codes += self.machine.run(loop, seconds=3600).split()

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
        ("fm_site/run/web.py", MAIN, f'{MAIN}    raise SystemExit("broken")\n'),
    ):
        file = folder / name
        assert old in file.read_text()
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
    assert asked.returncode == 1 and "new users: 1" in asked.stdout and count_users(debian) == users + 1
    told = debian.run("firetop rollback --with-data --yes", seconds=600)
    assert "new users: 1" in told and "0.3.0 serves again." in told
    assert count_users(debian) == users
    assert (
        json.loads(debian.run("curl -s http://127.0.0.1:8000/health/ready"))["checks"]["migrations"]["unapplied"] == 0
    )


def stop_start_and_restart(machine, name):
    """A stopped site is not started by a request, and a restart leaves its socket open."""
    machine.run("systemctl stop firetop.target")
    # The command doesn't wait for its services.
    refused = 7
    wait_until(machine, lambda: machine.try_run("curl -s http://127.0.0.1:8000/health/live").returncode == refused)
    wait_until(machine, lambda: machine.try_run(f"systemctl is-active {name}").stdout.strip() == "inactive")
    machine.run("systemctl start firetop.target")
    wait_until(machine, lambda: "200" in machine.run(f"{LOCAL}/ -o /dev/null -w '%{{http_code}}'"))
    before = machine.run(f"systemctl show {name}.socket -p ActiveEnterTimestampMonotonic")
    machine.run("systemctl try-restart 'firetop-*.service'")
    assert machine.run(f"systemctl show {name}.socket -p ActiveEnterTimestampMonotonic") == before, "still open"
    wait_until(machine, lambda: "Ready     yes" in machine.try_run("firetop status").stdout)


@on_debian
def test_a_stopped_site_is_not_started_by_a_request(debian):
    stop_start_and_restart(debian, "firetop-web")


@on_debian
def test_a_machine_without_pages_is_upgraded_when_its_services_run(debian):
    """One for workers alone. It has no web process that could be asked."""
    pages = "firetop-web.socket firetop-web firetop-mail"
    debian.run(f"systemctl disable --now {pages}")
    debian.run("firetop upgrade firetop-mountain-0.4.0", seconds=600)
    status = debian.run("firetop status")
    assert "Release   0.4.0" in status and "Ready     yes" in status and "web" not in status
    debian.run("firetop rollback", seconds=600)
    assert "Release   0.3.0" in debian.run("firetop status")
    debian.run(f"systemctl enable --now {pages}")
    wait_until(debian, lambda: "Ready     yes" in debian.try_run("firetop status").stdout)


@on_debian
def test_a_full_disk_ends_no_page_and_is_survived(debian):
    """The data and the database have a disk each, which is full, and then has room again."""
    made = run_python(debian, BEGIN)
    (number, _), tokens = json.loads(made[made.index("[[") :])
    debian.run("systemctl stop firetop.target firetop-{web.socket,web,worker,bots,beat,mail} 'postgresql*'")
    for place in DISKS:
        debian.run(f"mv {place} {place}.kept && mkdir {place} && mount -t tmpfs -o size=400m tmpfs {place}")
        debian.run(
            f"cp -a {place}.kept/. {place}; for each in chown chmod; do $each --reference {place}.kept {place}; done"
        )
    debian.run("systemctl start postgresql firetop.target")
    wait_until(debian, lambda: "Ready     yes" in debian.try_run("firetop status").stdout)
    fill, free = "head -c 1G /dev/zero > {0}/ballast; ! echo more >> {0}/ballast", "rm -f {0}/ballast"
    try:
        # The data: everything goes on, and the disk is named.
        debian.run(fill.format(DISKS[0]))
        assert read_pages(debian) == {"200"} and order(debian, number, tokens["Bung"]) == "200"
        assert "disk" in debian.run("firetop status")
        # The database, too: pages go on, and orders are refused for now.
        debian.run(fill.format(DISKS[1]))
        wait_until(debian, lambda: order(debian, number, tokens["Bung"]) == "503")
        assert read_pages(debian) == {"200"}
    finally:
        debian.run(";".join(free.format(place) for place in DISKS))
    wait_until(debian, lambda: order(debian, number, tokens["Bung"]) == "200")
    debian.run("firetop back-up")
    assert read_pages(debian) == {"200"}
    wait_until(debian, lambda: "Ready     yes" in debian.run("firetop status"))


DISKS = "/var/lib/firetop", "/var/lib/postgresql"


def run_python(machine, code):
    """Run Python on the site and return its output."""
    (machine.root / "root" / "code.py").write_text(code)
    return machine.run("cat code.py | firetop manage shell -v0")


def read_pages(machine):
    """Return the codes of some pages."""
    pages = " ".join(f"{LOCAL}{path} -o /dev/null -w '%{{http_code}} ';" for path in ("/", "/rules/", "/battles/", "/"))
    return set(machine.run(pages).split())


def order(machine, number, token):
    """Give long orders that are not ready; return the code of the answer."""
    text = "".join(random.choices(string.ascii_letters, k=450))
    body = json.dumps({"orders": f"LH W\nRH P\nSAY {text}", "ready": False})
    (machine.root / "root" / "order.json").write_text(body)
    head = f"-H 'Authorization: Bearer {token}' -H 'Content-Type: application/json' -d @order.json"
    return machine.run(f"{LOCAL}/api/v1/battles/{number}/orders/ {head} -o /dev/null -w '%{{http_code}}'")


@on_debian
def test_a_small_site_takes_the_place_of_the_larger_one_and_its_upgrade_fails_no_request(debian):
    """By the commands of the document for a small machine."""
    for beginning in OTHERWISE:
        (line,) = (each for each in list_commands() if each.startswith(beginning))
        debian.run(line)
    wait_until(debian, lambda: "Ready     yes" in debian.try_run("firetop status").stdout)
    status = debian.run("firetop status")
    assert "small     active" in status and "worker" not in status
    # Pages come first. Postfix would try again, but only in some minutes.
    wait_until(debian, lambda: debian.try_run("exec 3<>/dev/tcp/127.0.0.1/8024").returncode == 0)
    assert "HELP" in write_to_the_site(debian, "bert@example.net")
    stop_start_and_restart(debian, "firetop-small")
    with Readers(debian) as codes:
        debian.run("firetop upgrade firetop-mountain-0.4.0", seconds=1800)
        assert "Release   0.4.0" in debian.run("firetop status")
        assert "0.3.0 serves again." in debian.run("firetop rollback", seconds=600)
    assert set(codes) == {"200"} and len(codes) > 30, sorted(set(codes))
    # A boot starts it, and none of the others.
    enabled = debian.run("systemctl list-unit-files 'firetop*' --state enabled --no-legend | cut -d' ' -f1").split()
    assert sorted(enabled) == ["firetop-small.service", "firetop-small.socket", "firetop.target"]


@pytest.fixture(scope="module")
def luggage():
    """What leaves one machine for the next."""
    folder = make_scratch_folder()
    yield folder
    shutil.rmtree(folder, ignore_errors=True)


def read_what_moves(machine, numbers):
    """Return the users' names, and the orders in these battles."""
    names = (
        "from accounts.models import User\nprint('users', sorted(User.objects.values_list('username', flat=True)))\n"
    )
    told = run_python(machine, names + CHECK).splitlines()
    kept = ("users ", *(f"sheets {number} " for number in numbers))
    return [line for line in told if line.startswith(kept)]


@on_debian
def test_the_site_moves_to_another_machine_with_its_rows_and_keys(debian, luggage):
    """From the first Debian to the second, by the commands of docs/moving.md. The first one only leaves."""
    leave, (restore, *check) = list_blocks("moving")
    things = "var/lib/firetop/secret_key etc/firetop/environment etc/dkimkeys/play"
    if not any(luggage.iterdir()):
        made = run_python(debian, BEGIN.replace("Froodal", "Ada").replace("Bung", "Emma"))
        numbers, tokens = json.loads(made[made.index("[[") :])
        said = [debian.run(line) for line in leave]
        backup = said[-1].split()[-1]
        debian.run(f"tar -C / -c -f luggage.tar {things} {backup[1:]}")
        shutil.copy(debian.root / "root" / "luggage.tar", luggage)
        moves = numbers, tokens, backup, read_what_moves(debian, numbers)
        (luggage / "moves.json").write_text(json.dumps(moves))
        return
    numbers, tokens, backup, before = json.loads((luggage / "moves.json").read_text())
    debian.run("systemctl stop firetop.target")
    shutil.copy(luggage / "luggage.tar", debian.root / "root")
    debian.run("tar -C / -x -p -f luggage.tar && systemctl restart opendkim")
    debian.run(f"echo yes | {restore.replace('/var/backups/firetop/BACKUP', backup)}", seconds=600)
    for line in check:
        debian.run(line)
    assert read_what_moves(debian, numbers) == before and "UserAda" in before[0] and len(before) == 3
    assert order(debian, numbers[0], tokens["Emma"]) == "200", "by the token of before"
