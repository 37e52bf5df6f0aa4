"""The site's statements to browsers and security researchers; the documented settings pass every check, and keys can
be changed."""

import os
import subprocess
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.internal.auth import TOTP
from cryptography.fernet import Fernet
from django.apps import apps
from django.core import signing
from django.test import Client
from django.utils import timezone

from accounts.services.users import create_user
from email_gateway.addresses import find_mailbox, make_bounce_address
from email_gateway.errors import UnknownMailbox
from email_gateway.models import InboundMail, LocalMail
from email_gateway.receive.intake import ingest_mail
from fm_site.demonstration.people import CLARA
from fm_site.serving.security import UNUSED
from fm_site.upkeep.key_rotation import SEALED, count_unreadable, reseal_everything
from notifications.models import Hook, Notice
from notifications.services.outbox import write_notice
from operations import encryption
from operations.encryption import InvalidToken, seal, unseal, unseal_bytes
from tests.scenes import log_in
from tests.services.second_factors import read_code

ROOT = Path(__file__).resolve().parents[2]
OLD, NEW = "the old key " * 6, "the new key " * 6
ENVIRONMENT = ROOT / "deploy" / "environment"


@pytest.mark.django_db
@pytest.mark.parametrize("path", ["/", "/rules/", "/accounts/login/", "/nowhere/", "/health/live", "/api/v1/bots/"])
def test_no_answer_asks_for_a_power_of_the_browser(path):
    policy = Client().get(path)["Permissions-Policy"]
    assert {"camera=()", "geolocation=()", "payment=()", "usb=()"} <= set(policy.split(", "))
    assert "*" not in policy and "self" not in policy


def test_no_power_is_denied_that_a_script_of_ours_uses():
    powers = {"navigator.share(": "web-share", "clipboard.writeText(": "clipboard-write"}
    scripts = "".join(path.read_text() for path in ROOT.glob("[a-z]*/static/js/**/*.js"))
    used = {power for call, power in powers.items() if call in scripts}
    assert "web-share" in used
    assert not used & set(UNUSED)


@pytest.mark.django_db
def test_security_txt_says_where_to_report_and_is_not_out_of_date(settings):
    settings.FM_SITE_URL, settings.FM_SECURITY_CONTACT = "https://play.example.org", "mailto:abuse@play.example.org"
    answer = Client().get("/.well-known/security.txt")
    assert answer["Content-Type"].startswith("text/plain")
    fields = dict(line.split(": ", 1) for line in answer.content.decode().splitlines())
    assert fields["Contact"] == "mailto:abuse@play.example.org"
    assert fields["Canonical"] == "https://play.example.org/.well-known/security.txt"
    ends = datetime.strptime(fields["Expires"], "%Y-%m-%dT%H:%M:%SZ").replace(tzinfo=UTC)
    assert timedelta(days=100) < ends - timezone.now() < timedelta(days=365)


@pytest.mark.django_db
def test_browsers_must_keep_using_https(settings):
    settings.SECURE_SSL_REDIRECT, settings.SECURE_HSTS_SECONDS = True, 2_592_000
    answer = Client().get("/rules/", secure=True)
    assert answer["Strict-Transport-Security"] == "max-age=2592000"


def read_documented_settings():
    lines = [line for line in ENVIRONMENT.read_text().splitlines() if line and not line.startswith("#")]
    return dict(line.split("=", 1) for line in lines)


def check_deploy(tmp_path, **changes):
    documented = read_documented_settings() | {"FM_DATA_DIR": str(tmp_path)} | changes
    environment = {"PATH": os.environ["PATH"], **documented}
    command = [sys.executable, "manage.py", "check", "--deploy", "--fail-level", "WARNING"]
    return subprocess.run(command, env=environment, cwd=ROOT, capture_output=True, text=True)


def test_the_documented_settings_pass_every_check(tmp_path):
    done = check_deploy(tmp_path)
    assert done.returncode == 0, done.stderr
    assert "no issues" in done.stdout


def test_bad_settings_fail_the_checks(tmp_path):
    """Each by its code; all in one process, because it needs six seconds."""
    of_emails = {"FM_MAIL_DOMAIN": "localhost", "FM_MAIL_WEBHOOK": "postmark"}  # without a secret
    done = check_deploy(tmp_path, FM_HSTS_SECONDS="0", FM_TRUSTED_PROXIES="", SECRET_KEY="short", **of_emails)
    assert done.returncode != 0
    codes = ("security.W004", "accounts.W001", "security.W009", "email_gateway.E002", "email_gateway.E003")
    assert {code for code in codes if code not in done.stderr} == set()


@pytest.mark.slow
def test_debug_fails_the_checks(tmp_path):
    done = check_deploy(tmp_path, DEBUG="1")
    assert done.returncode != 0 and "security.W018" in done.stderr


@pytest.fixture
def rotate(settings):
    """Change the key, as the document says: the old one is a fallback for a while, and then gone."""
    settings.SECRET_KEY, settings.SECRET_KEY_FALLBACKS = OLD, []

    def change(*, forget=False):
        settings.SECRET_KEY, settings.SECRET_KEY_FALLBACKS = NEW, [] if forget else [OLD]

    yield change
    encryption._box.cache_clear()


def test_sealed_data_can_be_read_until_the_old_key_is_gone(rotate):
    sealed = seal({"code": "1234"})
    rotate()
    assert unseal(sealed) == {"code": "1234"}
    fresh = seal({"code": "5678"})
    rotate(forget=True)
    assert unseal(fresh) == {"code": "5678"}
    with pytest.raises(InvalidToken):
        unseal(sealed)


@pytest.mark.django_db
def test_reseal_makes_the_old_key_unnecessary_for_all_that_is_kept(rotate):
    """A second factor, a hook, an email that came, one that goes out, a session, and a row nobody can read."""
    user = create_user(name="Anna", email="anna@example.org", password="open sesame 7", now=timezone.now())
    TOTP.activate(user, CLARA.totp_secret)
    sealed = seal({"secret": "whsec"})
    Hook.objects.create(user=user, scope="user", place="x", format="json", sealed=sealed, created_at=timezone.now())
    ingest_mail(raw=b"Subject: x\n\nHELP\n", mail_from="a@b.example", rcpt_tos=["fm@localhost"], now=timezone.now())
    write_notice(key="x", user=user, kind="account_changed", facts={}, secrets={"code": "1"}, now=timezone.now())
    client = log_in(user)
    lost = LocalMail.objects.create(message_id="x", sealed=Fernet(Fernet.generate_key()).encrypt(b"x"))
    assert count_unreadable() == 1
    rotate(forget=True)
    assert count_unreadable() == 6
    rotate()
    assert reseal_everything()[1] == 1
    rotate(forget=True)
    encryption._box.cache_clear()
    assert unseal(Hook.objects.get().sealed) == {"secret": "whsec"}
    assert unseal(Notice.objects.get().sealed) == {"code": "1"}
    assert b"HELP" in unseal_bytes(bytes(InboundMail.objects.get().sealed))
    factor = Authenticator.objects.get(user=user, type="totp").wrap()
    assert factor.validate_code(read_code(CLARA.totp_secret))
    assert client.get("/accounts/settings/").status_code in (200, 302)
    assert bytes(LocalMail.objects.get(pk=lost.pk).sealed) == bytes(lost.sealed)


def test_every_field_with_something_sealed_is_sealed_again():
    """By their names: a new one must be in the list."""
    named = {
        f"{model._meta.app_label}.{model.__name__}.{field.name}"
        for model in apps.get_models()
        for field in model._meta.concrete_fields
        if field.name.startswith("sealed")
    }
    assert named | {"sessions.Session.session_data"} == set(SEALED)


def test_signatures_count_until_the_old_key_is_gone(rotate):
    signed, address = signing.dumps("invite"), make_bounce_address(address_id=7)
    rotate()
    mailbox = find_mailbox(address)
    assert signing.loads(signed) == "invite" and mailbox.token.numbers == (7,)
    rotate(forget=True)
    with pytest.raises(signing.BadSignature):
        signing.loads(signed)
    with pytest.raises(UnknownMailbox):
        find_mailbox(address)
