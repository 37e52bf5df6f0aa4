"""Prometheus reads what the site counts, and nobody else does."""

import os
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
from operations.models import Heartbeat, SiteSum
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
