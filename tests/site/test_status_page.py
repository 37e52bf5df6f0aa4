"""The state of the site as players see it, and warnings to janitors."""

import socket
import ssl
import threading
from datetime import UTC, datetime, timedelta
from types import SimpleNamespace

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from django.contrib.auth.models import Group
from django.test import Client
from django.utils import timezone

from accounts.janitors import JANITORS
from accounts.models import User
from accounts.services.users import create_user
from fm_site.upkeep import health_checks
from fm_site.upkeep.desk_warnings import list_site_sections
from fm_site.upkeep.tasks import find_certificate_end, watch_certificate
from notifications.services.announcements import announce
from operations.models import Chore, Heartbeat, Outage, SiteSum
from operations.services.outages import start_maintenance, watch_parts
from tests.scenes import HOUR, log_in

pytestmark = [pytest.mark.django_db, pytest.mark.once]


@pytest.fixture
def janitor():
    user = create_user(name="Jane", email="jane@example.org", now=timezone.now(), email_verified=True)
    User.objects.filter(pk=user.pk).update(is_staff=True)
    user.groups.add(Group.objects.get_or_create(name=JANITORS)[0])
    return User.objects.get(pk=user.pk)


def read_rows():
    """Return part → state and since, as the page tells them."""
    answer = Client().get("/status/")
    assert answer.status_code == 200
    return {str(part.title): (part.works, part.since) for part in answer.context["parts"]}, answer.content.decode()


def beat(now, **more):
    Heartbeat.objects.update_or_create(part=Heartbeat.Part.BEAT, defaults={"beat_at": now, **more})


def test_a_working_site_says_so():
    beat(timezone.now())
    rows, page = read_rows()
    assert all(works for works, _ in rows.values()) and len(rows) == 7
    assert "Everything works." in page and "No outages." in page


def test_a_full_disk_is_named_and_a_low_one_is_not(monkeypatch):
    beat(timezone.now())
    for free, works in ((10**9, True), (10**7, False)):
        usage = SimpleNamespace(total=10**12, used=0, free=free)
        monkeypatch.setattr(health_checks.shutil, "disk_usage", lambda _, usage=usage: usage)
        assert read_rows()[0]["Room on the disk"] == (works, None)


def test_silent_background_work_is_shown_with_its_start():
    begun = timezone.now() - 3 * HOUR
    beat(begun)
    rows, page = read_rows()
    works, since = rows["Turns, deadlines and bots"]
    assert not works and abs(since - begun) < timedelta(seconds=5)
    assert rows["Pages"][0] and "Part of the site isn't working" in page


def test_an_outage_is_shown_while_it_lasts_and_for_a_month():
    now = timezone.now()
    beat(now)
    Heartbeat.objects.create(part=Heartbeat.Part.MAIL_OUT, beat_at=now - HOUR, failing_since=now - HOUR)
    watch_parts(now=now)
    assert read_rows()[0]["Emails to you"] == (False, now - HOUR)
    Heartbeat.objects.filter(part=Heartbeat.Part.MAIL_OUT).update(failing_since=None, beat_at=now + HOUR)
    watch_parts(now=now + timedelta(minutes=1))
    rows, page = read_rows()
    assert rows["Emails to you"] == (True, Outage.objects.get().ended_at) and "Emails to you</th>" in page
    Outage.objects.update(started_at=now - timedelta(days=40), ended_at=now - timedelta(days=39))
    assert "No outages." in read_rows()[1]


def test_maintenance_and_announcements_are_on_the_page(janitor):
    now = timezone.now()
    beat(now)
    announce(by=janitor, text="We move on Sunday.", until=now + HOUR, is_mailed=False, now=now)
    start_maintenance(by=janitor, reason="New disks.", now=now)
    page = read_rows()[1]
    assert "We move on Sunday." in page and "The site is under maintenance: New disks." in page


def test_the_desk_warns_before_something_fails(janitor, monkeypatch):
    now = timezone.now()
    beat(now)
    assert list_site_sections()[0].items == []
    beat(now - HOUR)
    usage = type("Usage", (), {"total": 10**12, "used": 0, "free": 300_000_000})
    monkeypatch.setattr(health_checks.shutil, "disk_usage", lambda _: usage)
    SiteSum.objects.create(name=health_checks.CERTIFICATE, amount=int((now + timedelta(days=3, hours=1)).timestamp()))
    Chore.objects.create(name="backup", day=now.date(), claimed_at=now, remark="The disk is full.")
    browser = log_in(janitor)
    page = browser.get("/admin/desk/").content.decode()
    for words in (
        "Background work doesn&#x27;t run",
        "last seen 60 minutes ago",
        "300 MB are free",
        "in 3 days; renew it",
        "There is no recent backup",
        "The disk is full.",
    ):
        assert words in page, words


def make_certificate(folder, end):
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "localhost")])
    made = x509.CertificateBuilder(name, name, key.public_key(), 1, end - timedelta(days=90), end)
    file = folder / "both.pem"
    parts = serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    both = key.private_bytes(*parts) + made.sign(key, hashes.SHA256()).public_bytes(serialization.Encoding.PEM)
    file.write_bytes(both)
    return file


@pytest.mark.parametrize("days", [5, -5])
def test_the_end_of_the_certificate_is_seen_also_when_it_is_over(settings, tmp_path, days):
    end = datetime.now(UTC).replace(microsecond=0) + timedelta(days=days)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(make_certificate(tmp_path, end))
    with socket.create_server(("127.0.0.1", 0)) as server:

        def answer():
            line, _ = server.accept()
            with context.wrap_socket(line, server_side=True):
                pass

        thread = threading.Thread(target=answer)
        thread.start()
        settings.FM_SITE_URL = f"https://127.0.0.1:{server.getsockname()[1]}"
        assert watch_certificate()
        thread.join(timeout=10)
    assert SiteSum.objects.get(name=health_checks.CERTIFICATE).amount == int(end.timestamp())
    beat(timezone.now())
    assert [row.what for row in list_site_sections()[0].items] == ["The certificate expires soon"]


def test_a_site_without_https_has_no_certificate():
    assert find_certificate_end("http://127.0.0.1:8000") is None
