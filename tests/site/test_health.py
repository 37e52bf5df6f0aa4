"""Live and ready are different, and without its database the site says when to try again."""

from datetime import timedelta
from types import SimpleNamespace

import pytest
from django.core.management import call_command
from django.db import connection, connections
from django.db.migrations.recorder import MigrationRecorder
from django.test import Client, RequestFactory
from django.utils import timezone
from django.utils.html import escape

from accounts.services.tokens import issue_api_token
from duels.models import OrderSheet
from duels.services.start import start_battle, take_number
from duels.terms import Terms
from email_gateway.receive.intake import ingest_mail
from fm_site.serving.static_files import SOURCES
from fm_site.serving.unavailable import refuse_for_now
from fm_site.upkeep import health_checks
from operations import clock_check
from operations.models import Heartbeat, Lease
from tests.duels.fights import start_fight
from tests.scenes import log_in, make_mage
from tests.services.stack import find_free_ports

# Of tests.services.fixtures: the real clocks are compared here.
COMPARES_CLOCKS = True
pytestmark = pytest.mark.django_db(transaction=True)
PAGES = (
    "/",
    "/accounts/login/",
    "/battles/",
    "/battles/1/",
    "/challenges/",
    "/ladder/",
    "/admin/desk/",
    "/users/Anna/",
)


@pytest.fixture
def no_database(monkeypatch):
    """The test's database connection leads to an address without a server."""
    connections.close_all()
    monkeypatch.setitem(connection.settings_dict, "HOST", "127.0.0.1")
    monkeypatch.setitem(connection.settings_dict, "PORT", str(find_free_ports(1)[0]))
    monkeypatch.setitem(connection.settings_dict, "OPTIONS", {"connect_timeout": 2})
    yield
    monkeypatch.undo()
    connections.close_all()


@pytest.mark.parametrize("path", ["/health/live", "/health/ready", "/health/ready/", "/up/"])
def test_a_healthy_site_is_live_and_ready_under_any_host_and_scheme(settings, path):
    settings.SECURE_SSL_REDIRECT, settings.ALLOWED_HOSTS = True, ["play.example.org"]
    answer = Client().get(path, headers={"host": "10.0.0.7"})
    assert answer.status_code == 200 and answer["Cache-Control"] == "no-store" and not answer.cookies


def test_ready_reports_the_state_of_each_part():
    now = timezone.now()
    Heartbeat.objects.create(part=Heartbeat.Part.BEAT, beat_at=now - timedelta(seconds=30))
    # Just stopped, to be started again.
    Lease.objects.create(name="beat", holder="stopped", until=now - timedelta(seconds=20))
    answer = Client().get("/health/ready")
    report = answer.json()
    assert answer.status_code == 200 and report["status"] == "ok"
    parts = {"database", "clock", "migrations", "beat", "mail_in", "mail_out", "broker", "disk", "static_files"}
    assert set(report["checks"]) == parts and all(part["status"] == "ok" for part in report["checks"].values())
    assert 30 <= report["checks"]["beat"]["seconds"] < 60 and report["checks"]["disk"]["bytes_free"] > 0


def beat_is_silent(monkeypatch, now):
    Heartbeat.objects.create(part=Heartbeat.Part.BEAT, beat_at=now - timedelta(hours=1))


def beat_has_died(monkeypatch, now):
    Heartbeat.objects.create(part=Heartbeat.Part.BEAT, beat_at=now - timedelta(minutes=2))
    Lease.objects.create(name="beat", holder="dead", until=now - timedelta(seconds=61))


def mail_waits(monkeypatch, now):
    late = now - timedelta(hours=1)
    ingest_mail(raw=b"Subject: x\n\nHELP\n", mail_from="a@example.org", rcpt_tos=["fm@localhost"], now=late)


def disk_is_low(monkeypatch, now):
    monkeypatch.setattr(health_checks.shutil, "disk_usage", lambda _: SimpleNamespace(total=10**12, used=0, free=10**9))


def live_battle_without_stamps(monkeypatch, now):
    mages = [make_mage("Swift"), make_mage("Rapid")]
    begun = now - timedelta(minutes=5)
    start_battle(number=take_number(), terms=Terms(pace="live3"), mages=mages, now=begun)


FAULTS = [
    ("beat", beat_is_silent),
    ("beat", beat_has_died),
    ("page_stamps", live_battle_without_stamps),
    ("mail_in", mail_waits),
    ("disk", disk_is_low),
]


@pytest.mark.parametrize(("part", "happens"), FAULTS)
def test_faults_that_affect_no_page_are_reported_and_fail_only_for_a_monitor(monkeypatch, part, happens):
    happens(monkeypatch, timezone.now())
    answer = Client().get("/health/ready")
    assert (answer.status_code, answer.json()["status"]) == (200, "degraded")
    assert answer.json()["checks"][part]["status"] == "warn"
    assert Client().get("/health/ready?strict=1").status_code == 503


def test_a_database_without_the_tables_of_this_release_is_not_ready(recorded_migrations):
    MigrationRecorder(connection).record_unapplied("duels", "0001_initial")
    try:
        answer = Client().get("/health/ready")
    finally:
        MigrationRecorder(connection).record_applied("duels", "0001_initial")
    assert answer.status_code == 503
    assert answer.json()["checks"]["migrations"] == {"status": "down", "unapplied": 1}


@pytest.fixture
def read_only():
    """The test's connection takes no changes, as on a replica, or on a disk that the system has mounted read-only."""
    forbid, allow = {
        "sqlite": ("PRAGMA query_only = 1", "PRAGMA query_only = 0"),
        "postgresql": ("SET default_transaction_read_only = on", "SET default_transaction_read_only = off"),
    }[connection.vendor]
    with connection.cursor() as cursor:
        cursor.execute(forbid)
    yield
    with connection.cursor() as cursor:
        cursor.execute(allow)


@pytest.mark.parametrize("path", ["/up/", "/health/ready", "/health/ready?strict=1"])
def test_a_database_that_takes_no_changes_is_not_ready(read_only, path):
    answer = Client().get(path)
    assert answer.status_code == 503 and answer["Retry-After"]
    assert answer.json()["status"] == answer.json()["checks"]["database"]["status"] == "down"


@pytest.fixture
def full_disk(monkeypatch):
    """No room in the data folder."""
    monkeypatch.setattr(health_checks.shutil, "disk_usage", lambda _: SimpleNamespace(total=10**12, used=0, free=10**7))


def test_a_full_disk_is_named_and_is_not_ready_if_the_database_is_on_it(full_disk):
    answer = Client().get("/health/ready")
    status, state = (503, "down") if connection.vendor == "sqlite" else (200, "warn")
    assert (answer.status_code, answer.json()["checks"]["disk"]) == (status, {"status": state, "bytes_free": 10**7})
    assert Client().get("/health/ready?strict=1").status_code == 503
    assert Client().get("/status/").context["all_work"] is False


READ = ("/", "/battles/{}/", "/ladder/", "/status/", "/play/", "/lobby/", "/news/", "/inbox/", "/accounts/settings/")


def test_pages_go_on_while_the_database_takes_no_changes(request):
    """As with a full disk: what a page writes beside its purpose is left out."""
    fight = start_fight(make_mage("Froodal"), make_mage("Bung"))
    user = log_in(fight.user("Froodal"))
    request.getfixturevalue("read_only")
    for path in READ:
        assert user.get(path.format(fight.number)).status_code == 200, path
    for path in READ[:6]:
        assert Client().get(path.format(fight.number)).status_code == 200, path


def test_orders_that_the_database_has_no_room_for_come_back_to_their_player(request):
    fight = start_fight(make_mage("Froodal"), make_mage("Bung"))
    client = log_in(fight.user("Froodal"))
    client.raise_request_exception = False
    assert client.get(f"/battles/{fight.number}/").status_code == 200
    # As with a full disk, whose error is answered in the same way.
    request.getfixturevalue("read_only")
    words = "Prepare to <b>meet</b> your doom. " * 4
    form = {"act": "ready", "mage": "Froodal", "stage": "1.0.0", "LH": "W", "RH": "P", "say": words}
    answer = client.post(f"/battles/{fight.number}/", form)
    page = answer.content.decode()
    assert answer.status_code == 503 and answer["Retry-After"] == "10"
    assert f"{escape(words)}</textarea>" in page and '<input type="hidden" name="LH" value="W">' in page
    assert f'<form method="post" action="/battles/{fight.number}/">' in page
    assert not OrderSheet.objects.exclude(lines=[]).exists()
    assert client.get(f"/battles/{fight.number}/").status_code == 200


def test_a_form_with_a_secret_is_not_written_back(read_only):
    form = {"login": "bung", "password": "open sesame 7"}
    answer = Client(raise_request_exception=False).post("/accounts/login/", form)
    assert b"sesame" not in answer.content
    request = RequestFactory().post("/accounts/login/", form)
    assert b"sesame" not in refuse_for_now(request).content


@pytest.fixture
def own_static_folder(settings, tmp_path):
    """The folder of a web machine of its own, which has its static files only after `collectstatic`."""
    settings.STATIC_ROOT = tmp_path / "static"
    settings.STATIC_ROOT.mkdir()
    backend = {"BACKEND": "fm_site.serving.static_files.HashedFiles"}
    settings.STORAGES = {**settings.STORAGES, "staticfiles": backend}
    return settings.STATIC_ROOT


def test_a_web_machine_is_ready_only_with_the_static_files_of_its_release(own_static_folder):
    """A process that runs stays ready while the next release collects its files."""

    def ask():
        answer = Client().get("/health/ready")  # a new handler, as of a process that starts now
        return answer.status_code, answer.json()["checks"]["static_files"]["status"]

    assert ask() == (503, "down")
    call_command("collectstatic", interactive=False, verbosity=0)
    assert ask() == (200, "ok")
    running = Client()
    assert running.get("/health/ready").status_code == 200
    # The files of another release are no help: their names differ.
    (own_static_folder / SOURCES).write_text("0" * 64)
    assert ask() == (503, "down")
    assert running.get("/health/ready").status_code == 200


def test_a_probe_is_cheap(recorded_migrations, django_assert_max_num_queries):
    Client().get("/health/ready")
    with django_assert_max_num_queries(10):
        Client().get("/health/ready")
    with django_assert_max_num_queries(0):
        Client().get("/health/live")


def test_probes_change_nothing():
    assert Client().post("/health/ready").status_code == 405
    assert Client().head("/health/ready").status_code == 200


@pytest.mark.postgres
def test_without_its_database_the_site_is_live_and_not_ready(no_database):
    client = Client(raise_request_exception=False)
    assert client.get("/health/live").status_code == 200
    for path in ("/health/ready", "/up/"):
        answer = client.get(path)
        assert (
            answer.status_code == 503
            and answer.json()["checks"]["database"] == {"status": "down"}
            and answer["Retry-After"]
        )


@pytest.mark.postgres
@pytest.mark.parametrize("debug", [False, True])
@pytest.mark.parametrize("path", PAGES)
def test_without_its_database_every_page_says_when_to_come_again(settings, no_database, path, debug):
    settings.DEBUG = debug
    client = Client(raise_request_exception=False)
    client.cookies[settings.SESSION_COOKIE_NAME] = "somebodyssession"
    answer = client.get(path)
    assert answer.status_code == 503 and answer["Retry-After"] == "10"
    assert b"Traceback" not in answer.content and b"briefly unavailable" in answer.content


@pytest.mark.postgres
@pytest.mark.parametrize("authorization", [{}, {"Authorization": "Bearer something"}])
def test_without_its_database_the_api_answers_as_a_problem(no_database, authorization):
    client = Client(raise_request_exception=False)
    answer = client.post(
        "/api/battles/1/orders/", {"orders": "x"}, content_type="application/json", headers=authorization
    )
    if not authorization:
        answer = client.get("/api/battles/1/")
    assert answer.status_code == 503 and answer["Retry-After"] == "10"
    assert answer["Content-Type"] == "application/problem+json" and answer.json()["status"] == 503


@pytest.mark.once
@pytest.mark.parametrize("days", [40, -40])
def test_a_site_whose_clock_is_wrong_is_not_ready(monkeypatch, days):
    wrong = timezone.now() + timedelta(days=days)
    monkeypatch.setattr(clock_check.timezone, "now", lambda: wrong)
    monkeypatch.setattr(clock_check, "_verdict", None)
    answer = Client().get("/health/ready")
    assert answer.status_code == 503 and answer.json()["checks"]["clock"]["status"] == "down"


@pytest.mark.postgres
def test_while_the_database_is_read_only_changes_are_refused_for_now():
    fight = start_fight(make_mage("Froodal"), make_mage("Bung"))
    client = log_in(fight.user("Froodal"))
    token = issue_api_token(user=fight.user("Bung"), name="test", now=timezone.now())[1]
    client.get(f"/battles/{fight.number}/")
    client.raise_request_exception = False
    with connection.cursor() as cursor:
        cursor.execute("SET default_transaction_read_only = on")
    try:
        form = {"act": "ready", "mage": "Froodal", "stage": "1.0.0", "LH": "W", "RH": "P"}
        page = client.post(f"/battles/{fight.number}/", form)
        call = client.post(
            f"/api/v1/battles/{fight.number}/orders/",
            {"orders": "W/P"},
            content_type="application/json",
            headers={"Authorization": f"Bearer {token}"},
        )
    finally:
        with connection.cursor() as cursor:
            cursor.execute("SET default_transaction_read_only = off")
    for answer in (page, call):
        assert answer.status_code == 503 and answer["Retry-After"] == "10", answer.content
        assert b"Traceback" not in answer.content
    assert not OrderSheet.objects.exclude(lines=[]).exists()
