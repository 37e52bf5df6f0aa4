"""An upgrade with players in the middle of their turns, as docs/hosting.md has it: to this checkout from the first
commit whose migrations we still have and which starts by the same commands. (A release before 0.3.0 cannot be upgraded:
CHANGELOG.md.)"""

import contextlib
import json
import os
import shutil
import subprocess
import sys
import time
import urllib.error
import urllib.request

import pytest
from aiosmtpd.controller import Controller
from websockets.sync.client import connect

from tests.hosting.machine import Sink
from tests.services.earlier_version import check_out, find_earlier_commit, list_migrations
from tests.services.plugin import LONG
from tests.services.postgres import DURABLE, PostgresServer
from tests.services.scratch import make_scratch_folder
from tests.services.stack import LEFT_OUT, ROOT, find_free_ports
from tests.services.valkey import ValkeyServer

# One duel in which one mage is ready, and one in its third turn with nobody ready.
BEGIN = """
import json
from django.utils import timezone
from accounts.services.mages import register_mage
from accounts.services.tokens import issue_api_token
from accounts.services.users import create_user
from duels.models import Combatant
from duels.services.orders import submit_orders
from duels.services.start import start_battle, take_number
from duels.terms import Terms
now, numbers, tokens = timezone.now(), [], {}
for duel, turns in (("", 0), ("2", 2)):
    mages = []
    for name in (f"Froodal{duel}", f"Bung{duel}"):
        user = create_user(name=f"User{name}", email=f"{name.lower()}@example.org", email_verified=True, now=now)
        mages.append(register_mage(user=user, name=name, now=now))
        tokens[name] = issue_api_token(user=user, name="test", now=now)[1]
    battle = start_battle(number=take_number(), terms=Terms(), mages=mages, now=now)
    sides = [Combatant.objects.get(battle=battle, mage=mage) for mage in mages]
    for _ in range(turns):
        for side in sides:
            submit_orders(combatant=side, text="LH F\\nRH -", via="web", now=now, ready=True)
    numbers.append(battle.number)
    if not turns:
        submit_orders(combatant=sides[0], text="LH W\\nRH D", via="web", now=now, ready=True)
print("made", json.dumps([numbers, tokens]))
"""
CHECK = """
from duels.models import Battle, OrderSheet
for battle in Battle.objects.order_by("number"):
    rows = OrderSheet.objects.filter(stage__battle=battle, ready=True)
    rows = rows.order_by("stage__turn__seq", "combatant__position")
    print("sheets", battle.number, battle.seq, [(row.stage.turn.seq, row.text) for row in rows])
"""

pytestmark = [
    pytest.mark.once,
    pytest.mark.skipif(not LONG, reason="short count"),
    pytest.mark.skipif(not (ROOT / ".git").exists(), reason="without git there is no earlier version"),
]


class Version:
    """A checkout that serves the rows of the test."""

    def __init__(self, root, folder, url, **more):
        self.root, self.folder, self.process = root, folder, None
        (self.port,) = find_free_ports(1)
        self.environment = {
            **{name: value for name, value in os.environ.items() if name not in LEFT_OUT},
            "DATABASE_URL": url,
            "FM_DATA_DIR": str(folder / "data"),
            "FM_HASHED_FILES": "0",
            "FM_PORT": str(self.port),
            "FM_HTTPS": "0",
            "ALLOWED_HOSTS": "127.0.0.1",
            "REDIS_URL": f"unix://{folder}/no-valkey.sock",
            **more,
        }

    def manage(self, *arguments, told=""):
        command = [sys.executable, "manage.py", *arguments]
        options = {"capture_output": True, "text": True, "input": told}
        done = subprocess.run(command, cwd=self.root, env=self.environment, **options)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    def __enter__(self):
        self.process = subprocess.Popen([sys.executable, "-m", "fm_site.run.web"], cwd=self.root, env=self.environment)
        end = time.monotonic() + 60
        while time.monotonic() < end:
            try:
                with urllib.request.urlopen(f"http://127.0.0.1:{self.port}/battles/", timeout=5):
                    return self
            except OSError:
                time.sleep(0.2)
        self.__exit__()
        raise AssertionError("the site does not answer")

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait(20)

    def call(self, path, token, **body):
        head = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
        data = json.dumps(body).encode() if body else None
        request = urllib.request.Request(f"http://127.0.0.1:{self.port}/api/battles/{path}", data, head)
        try:
            with urllib.request.urlopen(request, timeout=20) as answer:
                return json.load(answer)
        except urllib.error.HTTPError as error:
            raise AssertionError(f"{path}: {error.code} {error.read()[:500]!r}") from error


@pytest.fixture
def folder():
    made = make_scratch_folder()
    yield made
    shutil.rmtree(made, ignore_errors=True)


@pytest.fixture
def earlier(folder):
    """The checkout of the earlier version."""
    commit = find_earlier_commit()
    assert list_migrations(commit) != list_migrations("HEAD"), "there is something to migrate"
    check_out(commit, folder / "old")
    return folder / "old"


@pytest.fixture
def server(folder):
    running = PostgresServer(folder, DURABLE)
    running.start()
    yield running
    running.stop()


def test_turns_that_were_begun_before_an_upgrade_are_played_after_it(folder, earlier, server):
    play_through_an_upgrade(Version(earlier, folder, server.url), Version(ROOT, folder, server.url))


# What an old process does while the new tables are there already: read, order, resolve, receive and send email.
THEIR_TESTS = (
    *("tests/duels/test_orders.py", "tests/duels/test_resolving.py", "tests/duels/test_pages.py"),
    *("tests/duels/test_api.py", "tests/duels/test_deadlines.py", "tests/email_gateway/test_orders.py"),
    *("tests/email_gateway/test_deliveries.py", "tests/ladder/test_scoring.py"),
)


def test_the_earlier_version_passes_its_tests_of_reading_and_ordering_on_the_new_tables(folder, earlier, server):
    """Its tests use the database that we have migrated, as its processes would during an upgrade."""
    new = Version(ROOT, folder, server.url.replace("@/postgres?", "@/test_postgres?"))
    subprocess.run([server.programs / "createdb", "-h", server.folder, "-U", "postgres", "test_postgres"], check=True)
    new.manage("migrate", "-v0")
    environment = {name: value for name, value in os.environ.items() if name not in LEFT_OUT}
    environment |= {"DATABASE_URL": server.url, "FM_TEST_LONG": "0"}
    command = [sys.executable, "-m", "pytest", "-q", "--reuse-db", "-p", "no:cacheprovider", *THEIR_TESTS]
    done = subprocess.run(command, cwd=earlier, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-1000:]
    ours = set(new.manage("showmigrations", "--plan", "-v0").splitlines())
    assert ours and all(line.startswith("[X]") for line in ours), "the tables are still the new ones"


def play_through_an_upgrade(old, new):
    subprocess.run([sys.executable, "-m", "fm_site.texts.catalogues"], cwd=old.root, check=True, env=old.environment)
    old.manage("prepare_site")
    said = old.manage("shell", "-c", BEGIN)
    (first, second), tokens = json.loads(next(x for x in said.splitlines() if x.startswith("made "))[5:])
    with old:
        assert old.call(f"{first}/", tokens["Bung"])["orders"]
        new.manage("prepare_site")
        # The old version still serves, on the new schema.
        page = old.call(f"{second}/", tokens["Froodal2"])
        assert page["key"]["seq"] == 3 and not page["orders"]["ready"]
        old.call(f"{second}/orders/", tokens["Froodal2"], orders="LH S\nRH -", ready=True)
    with new:
        state = new.call(f"{first}/", tokens["Froodal"])
        assert state["key"]["seq"] == 1 and state["orders"]["ready"], "the orders given before are still there"
        for number, name in ((first, "Bung"), (second, "Bung2")):
            new.call(f"{number}/orders/", tokens[name], orders="LH D\nRH -", ready=True)
        assert new.call(f"{first}/", tokens["Bung"])["key"]["seq"] == 2
        assert new.call(f"{second}/", tokens["Bung2"])["key"]["seq"] == 4
    sheets = new.manage("shell", "-v0", "-c", CHECK)
    assert f"sheets {first} 2 [(1, 'LH W\\nRH D'), (1, 'LH D\\nRH -')]" in sheets, sheets
    third_turn = "(3, 'LH S\\nRH -'), (3, 'LH D\\nRH -')]"
    assert f"sheets {second} 4" in sheets and third_turn in sheets, sheets
    new.manage("replay_battles", str(first), str(second))


# --- processes of two versions at once --------------------------------------------------------------------------------

PRACTICE = """
import json
from django.utils import timezone
from accounts.services.mages import register_mage
from accounts.services.tokens import issue_api_token
from accounts.services.users import create_user
from challenges.services.play_now import play_bot
now = timezone.now()
made = []
for number in range(%d):
    user = create_user(name=f"UserWil{number}", email=f"wil{number}@example.org", email_verified=True, now=now)
    battle = play_bot(mage=register_mage(user=user, name=f"Wil{number}", now=now), strength="Apprentice", now=now)
    made.append([battle.number, issue_api_token(user=user, name="test", now=now)[1]])
print("made", json.dumps(made))
"""
MAIL = """From: wil%d@example.net
To: fm@localhost
Subject: a question
Message-ID: <question-%d@example.net>

HELP
"""
WORKER = ("worker", "-P", "threads", "-c", "4", "--without-gossip", "--without-mingle", "--loglevel", "WARNING")
BOTS = ("worker", "-Q", "bots,analysis", "-n", "bots@%h", "-P", "solo", "--without-gossip", "--loglevel", "WARNING")
BEAT = ("beat", "--loglevel", "WARNING", "--pidfile=")
# The versions of web, worker and beat. Any two of the three differ in two of the rows, in both ways.
TOGETHER = (("old", "new", "old"), ("new", "old", "new"), ("new", "new", "old"), ("old", "old", "new"))


@contextlib.contextmanager
def running(version, *command):
    """Run a program of Celery of this version until the block ends."""
    with (version.folder / "celery.log").open("ab") as log:
        words = [sys.executable, "-m", "celery", "-A", "fm_site", *command]
        process = subprocess.Popen(words, cwd=version.root, env=version.environment, stdout=log, stderr=log)
    try:
        yield
    finally:
        process.terminate()
        process.wait(60)


def wait_for(version, done, seconds=120):
    end = time.monotonic() + seconds
    while not done():
        assert time.monotonic() < end, (version.folder / "celery.log").read_text()[-4000:]
        time.sleep(0.3)


@pytest.fixture
def versions(folder, earlier, server):
    """Both versions on the new tables, with one Valkey; what they send is in the list."""
    valkey, sink = ValkeyServer(folder), Sink()
    valkey.start()
    world = Controller(sink, hostname="127.0.0.1", port=find_free_ports(1)[0])
    world.start()
    more = {"REDIS_URL": valkey.url, "EMAIL_URL": f"smtp://127.0.0.1:{world.port}"}
    both = {
        "old": Version(earlier, folder, server.url, **more),
        "new": Version(ROOT, folder, server.url, **more),
    }
    old = both["old"]
    subprocess.run([sys.executable, "-m", "fm_site.texts.catalogues"], cwd=old.root, check=True, env=old.environment)
    for version in both.values():
        version.manage("prepare_site")
    yield both, sink.mails
    world.stop()
    valkey.stop()


def test_web_worker_and_beat_each_work_beside_those_of_the_other_version(versions):
    """A bot answers in a worker, and the open page hears of it from there; an email that one version takes is answered
    by the other's worker; beat wakes the worker, which notes that beat lives."""
    both, mails = versions
    said = both["old"].manage("shell", "-v0", "-c", PRACTICE % len(TOGETHER))
    practice = json.loads(next(line for line in said.splitlines() if line.startswith("made "))[5:])
    for names, (number, token) in zip(TOGETHER, practice, strict=True):
        work_together(*(both[name] for name in names), number, token, mails)


def work_together(web, worker, beat, number, token, mails):
    begun, writer = time.monotonic(), f"wil{number}@example.net"
    with web, running(worker, *WORKER), running(beat, *BEAT):
        page = connect(f"ws://127.0.0.1:{web.port}/ws/battles/{number}/", origin=f"http://127.0.0.1:{web.port}")
        seq = wait_for_the_bot(web, number, token)
        with page:
            with contextlib.suppress(TimeoutError):
                while True:
                    page.recv(timeout=2)
            with running(worker, *BOTS):
                assert f'"battle": {number}' in page.recv(timeout=120)
                wait_for(worker, lambda: web.call(f"{number}/", token)["key"]["seq"] == seq + 1)
        web.manage("receive_mail", "--stdin", "--from", writer, told=MAIL % (number, number))
        wait_for(worker, lambda: any(f"To: {writer}" in mail for mail in mails))
        wait_for(beat, lambda: read_age_of_beat(web) < time.monotonic() - begun)


def wait_for_the_bot(web, number, token):
    """Give orders until the turn waits for the bot alone, whose worker does not run; return the turn."""
    while True:
        seq = web.call(f"{number}/", token)["key"]["seq"]
        web.call(f"{number}/orders/", token, orders="LH W\nRH D", ready=True)
        if web.call(f"{number}/", token)["key"]["seq"] == seq:
            return seq


def read_age_of_beat(web):
    with urllib.request.urlopen(f"http://127.0.0.1:{web.port}/health/ready", timeout=10) as answer:
        return json.load(answer)["checks"]["beat"].get("seconds", float("inf"))
