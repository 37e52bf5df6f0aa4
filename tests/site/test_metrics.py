"""Prometheus reads what the site counts, and nobody else does."""

import os
import shutil
import subprocess
import sys
from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone
from prometheus_client.parser import text_string_to_metric_families

from duels.models import Battle
from email_gateway.receive.intake import ingest_mail
from fm_site.upkeep import health_checks
from fm_site.upkeep.backup import BACKUP
from operations.metrics import TURNS_RESOLVED
from operations.metrics_files import SolidFile
from operations.models import Chore, Heartbeat, SiteSum
from tests.duels.fights import start_fight
from tests.scenes import make_mage
from tests.services.stack import ROOT

pytestmark = pytest.mark.django_db(transaction=True)
TOKEN = {"authorization": "Bearer let me see"}


@pytest.fixture
def token(settings):
    settings.FM_METRICS_TOKEN = "let me see"


def read_metrics():
    answer = Client().get("/metrics", headers=TOKEN)
    assert answer.status_code == 200 and answer["Cache-Control"] == "no-store"
    return {
        (sample.name, *sorted(sample.labels.items())): sample.value
        for family in text_string_to_metric_families(answer.content.decode())
        for sample in family.samples
    }


def test_without_token_and_networks_there_are_no_metrics():
    assert Client().get("/metrics").status_code == 404
    assert Client().get("/metrics", headers={"authorization": "Bearer "}).status_code == 404


@pytest.mark.parametrize("given", [{}, {"authorization": "Bearer let me"}, {"authorization": "let me see too"}])
def test_a_wrong_token_finds_nothing(token, given):
    assert Client().get("/metrics", headers=given).status_code == 404


@pytest.mark.parametrize(
    ("networks", "proxies", "peer", "forwarded", "status"),
    [
        (["10.0.0.0/8"], [], "10.1.2.3", None, 200),
        (["10.0.0.0/8"], [], "192.0.2.1", None, 404),
        # Behind a proxy that nobody named, a stranger has the proxy's address.
        (["127.0.0.0/8"], [], "127.0.0.1", "192.0.2.1", 404),
        (["127.0.0.0/8"], ["127.0.0.1"], "127.0.0.1", "192.0.2.1", 404),
        (["10.0.0.0/8"], ["127.0.0.1"], "127.0.0.1", "10.1.2.3", 200),
    ],
)
def test_a_network_is_judged_by_the_client_and_not_by_the_proxy(settings, networks, proxies, peer, forwarded, status):
    settings.FM_METRICS_NETWORKS, settings.FM_TRUSTED_PROXIES = networks, proxies
    headers = {"x-forwarded-for": forwarded} if forwarded else {}
    assert Client().get("/metrics", REMOTE_ADDR=peer, headers=headers).status_code == status


def test_orders_turns_and_mail_are_counted(token):
    before = read_metrics()
    duel = start_fight(make_mage("Froodal"), make_mage("Bung"))
    for name in duel.names:
        duel.order(name, "LH W\nRH P", via="api")
    ingest_mail(raw=b"Subject: x\n\nHELP\n", mail_from="a@example.org", rcpt_tos=["fm@localhost"], now=timezone.now())
    after = read_metrics()
    grown = {key: after[key] - before.get(key, 0) for key in after if after[key] != before.get(key, 0)}
    assert grown[("fm_orders_total", ("via", "api"))] == 2
    assert grown[("fm_turns_resolved_total",)] == 1
    assert grown[("fm_mail_received_total",)] == 1
    assert grown[("fm_battles_current",)] == 1


def test_errors_are_measured(token):
    now = timezone.now()
    start_fight(make_mage("Froodal"), make_mage("Bung"))
    Battle.objects.update(status=Battle.Status.STUCK, stuck_reference="abcd")
    Heartbeat.objects.create(part=Heartbeat.Part.BEAT, beat_at=now - timedelta(hours=2))
    SiteSum.objects.create(name=health_checks.CERTIFICATE, amount=int((now + timedelta(days=3)).timestamp()))
    metrics = read_metrics()
    assert metrics[("fm_battles_stuck",)] == 1
    assert 7200 <= metrics[("fm_beat_age_seconds",)] < 7300
    assert metrics[("fm_part_ok", ("part", "beat"))] == metrics[("fm_part_ok", ("part", "certificate"))] == 0
    assert metrics[("fm_part_ok", ("part", "database"))] == 1 and metrics[("fm_queue_length", ("queue", "bots"))] >= 0


def test_the_age_of_the_last_backup_is_measured(token):
    name, now = ("fm_backup_age_seconds",), timezone.now()
    assert name not in read_metrics()
    made = Chore.objects.create(name=BACKUP, day=now.date() - timedelta(days=3), claimed_at=now)
    assert name not in read_metrics(), "one that has only begun is none"
    Chore.objects.filter(pk=made.pk).update(done_at=now - timedelta(days=3))
    Chore.objects.create(name=BACKUP, day=now.date(), claimed_at=now)
    assert 259_200 <= read_metrics()[name] < 259_300


def test_the_counts_of_all_processes_are_added_up(tmp_path):
    """Two processes count, a third one reads."""
    environment = {"PATH": os.environ["PATH"], "FM_DATA_DIR": str(tmp_path), "FM_METRICS_TOKEN": "x"}

    def run(program):
        begin = "from fm_site import settings; "
        done = subprocess.run([sys.executable, "-c", begin + program], env=environment, cwd=ROOT, capture_output=True)
        assert done.returncode == 0, done.stderr
        return done.stdout.decode()

    # A process that is copied before it counts has no file that its copies would close.
    run("from operations import metrics")
    assert list((tmp_path / "metrics").iterdir()) == []
    for _ in range(2):
        run("from operations.metrics import MISSED_TURNS; MISSED_TURNS.inc(2)")
    metrics = run(
        "from prometheus_client import CollectorRegistry, generate_latest;"
        "from prometheus_client.multiprocess import MultiProcessCollector;"
        "registry = CollectorRegistry(); MultiProcessCollector(registry, path=str(settings.FM_METRICS_DIR));"
        "print(generate_latest(registry).decode())"
    )
    assert "fm_missed_turns_total 4.0" in metrics


COUNTS = """
from fm_site import settings
from operations.metrics import MAIL_OUT, MISSED_TURNS, ORDERS
for number in range({labels}):
    MAIL_OUT.labels(outcome=f"outcome {{number}}").inc()
MISSED_TURNS.inc(3)
from prometheus_client import REGISTRY, generate_latest
print(generate_latest(REGISTRY).decode())
"""


def count_in(folder, data, begin=(), labels=3):
    """Return what a process counts that keeps its counts in `folder`, started with `begin`."""
    environment = {"PATH": os.environ["PATH"], "FM_DATA_DIR": str(data), "FM_METRICS_TOKEN": "x"}
    environment["FM_METRICS_DIR"] = str(folder)
    program = [sys.executable, "-c", COUNTS.format(labels=labels)]
    done = subprocess.run([*begin, *program], env=environment, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, (done.returncode, done.stderr)
    return done.stdout


def can_mount():
    return shutil.which("unshare") and not subprocess.run(["unshare", "-Urm", "true"], capture_output=True).returncode


@pytest.mark.skipif(not can_mount(), reason="no user namespaces here: a full file system cannot be mounted")
@pytest.mark.parametrize(("size", "labels"), [("16k", 100), ("0", 3), ("68k", 2000)], ids=["begin", "any", "grow"])
def test_a_full_file_system_ends_no_process_that_counts(tmp_path, size, labels):
    """A hole in a mapped file that cannot be filled ends the process with SIGBUS."""
    folder = tmp_path / "counts"
    folder.mkdir()
    # 0 would be no limit.
    full = f"head -c 1M /dev/zero > {folder}/full 2> /dev/null;" if size == "0" else ""
    options = "size=16k" if size == "0" else f"size={size}"
    mount = f'mount -t tmpfs -o {options} none {folder}; {full} exec "$@"'
    told = count_in(folder, tmp_path, ["unshare", "-Urm", "sh", "-c", mount, "sh"], labels)
    assert "fm_missed_turns_total 3.0" in told and told.count("fm_mail_sent_total{") == labels


def test_a_folder_that_cannot_be_made_ends_no_process_that_counts(tmp_path):
    (tmp_path / "file").write_text("no folder")
    assert "fm_missed_turns_total 3.0" in count_in(tmp_path / "file" / "counts", tmp_path)


def test_files_of_counts_have_no_holes(tmp_path):
    assert "fm_missed_turns_total 3.0" in count_in(tmp_path / "counts", tmp_path, labels=2000)
    [file] = (tmp_path / "counts").iterdir()
    state = file.stat()
    assert state.st_size > 65_536 and state.st_blocks * 512 >= state.st_size


def test_a_process_without_room_for_its_file_shows_its_own_counts(token, settings, tmp_path, monkeypatch):
    settings.FM_METRICS_DIR = tmp_path
    assert ("fm_turns_resolved_total",) not in read_metrics()
    monkeypatch.setattr(SolidFile, "without_file", True)
    TURNS_RESOLVED.inc()
    assert read_metrics()[("fm_turns_resolved_total",)] >= 1
