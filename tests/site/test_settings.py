"""Security settings: for browsers, for the worker, and for a site that is not a demonstration."""

import os
import subprocess
import sys

import pytest
from django.urls import reverse

from fm_site import settings as written
from fm_site.celery import app
from fm_site.schedule import BEAT_SCHEDULE, LEFT_BY_A_DEAD_WORKER
from tests.services.stack import ROOT


def read_setting(tmp_path, expression, **environment):
    """Return the value of an expression over the settings in a new process with that environment."""
    clean = {"PATH": os.environ["PATH"], "FM_DATA_DIR": str(tmp_path), **environment}
    program = f"from fm_site import settings; print({expression})"
    answer = subprocess.run([sys.executable, "-c", program], env=clean, cwd=ROOT, capture_output=True, text=True)
    assert answer.returncode == 0, answer.stderr
    return answer.stdout.strip()


def test_by_default_debug_is_off_and_cookies_need_https(tmp_path):
    names = ("DEBUG", "SESSION_COOKIE_SECURE", "CSRF_COOKIE_SECURE", "SECURE_SSL_REDIRECT")
    printed = read_setting(tmp_path, "[" + ", ".join(f"settings.{name}" for name in names) + "]")
    assert printed == "[False, True, True, True]"


def test_without_debug_files_have_hashed_names(tmp_path):
    assert "HashedFiles" in read_setting(tmp_path, "settings.STORAGES['staticfiles']['BACKEND']")
    assert "HashedFiles" not in read_setting(tmp_path, "settings.STORAGES['staticfiles']['BACKEND']", DEBUG="1")


def test_database_url_and_redis_url_alone_switch_the_servers(tmp_path):
    printed = read_setting(
        tmp_path,
        "(settings.DATABASES['default']['ENGINE'], settings.CELERY_BROKER_URL, settings.CACHES['default']['LOCATION'],"
        " settings.REDIS_URL,"
        " settings.DATABASES['default']['OPTIONS'], settings.DATABASES['default']['DISABLE_SERVER_SIDE_CURSORS'])",
        # Behind a pooler, the site prepares no statements and leaves no cursor open.
        DATABASE_URL="postgres://fm@db/fm?server_side_binding=0",
        REDIS_URL="redis://cache:6379/0",
    )
    assert printed == str(
        (
            "django.db.backends.postgresql",
            *("redis://cache:6379/0", "redis://cache:6379/0", "redis://cache:6379/0"),
            {"server_side_binding": 0, "connect_timeout": 5},
            True,
        )
    )


def test_on_sqlite_every_connection_waits_until_a_commit_is_on_the_disk(tmp_path):
    """Otherwise orders and emails that were acknowledged may be lost in a power cut. Each thread has a connection."""
    program = """
import django; django.setup()
from concurrent.futures import ThreadPoolExecutor
from django.db import connection
def read(_=None):
    with connection.cursor() as cursor:
        return cursor.execute("PRAGMA synchronous").fetchone()[0]
found = [read()]
connection.close()
found.append(read())
with ThreadPoolExecutor(2) as pool:
    found += pool.map(read, range(2))
print(found)
"""
    clean = {"PATH": os.environ["PATH"], "FM_DATA_DIR": str(tmp_path), "DJANGO_SETTINGS_MODULE": "fm_site.settings"}
    answer = subprocess.run([sys.executable, "-c", program], env=clean, cwd=ROOT, capture_output=True, text=True)
    assert answer.returncode == 0, answer.stderr
    full = 2
    assert answer.stdout.strip() == str([full] * 4)


def test_every_scheduled_task_is_known_to_the_worker():
    app.loader.import_default_modules()
    assert {entry["task"] for entry in BEAT_SCHEDULE.values()} <= set(app.tasks)
    assert set(LEFT_BY_A_DEAD_WORKER) <= set(BEAT_SCHEDULE)


def test_passwords_are_hashed_with_argon2():
    assert written.PASSWORD_HASHERS[0].endswith("Argon2PasswordHasher")


@pytest.mark.django_db
def test_pages_may_use_only_our_own_scripts_and_styles(client):
    policy = client.get(reverse("account_login")).headers["Content-Security-Policy"]
    directives = dict(part.strip().split(" ", 1) for part in policy.split(";"))
    assert directives["default-src"] == "'none'"
    assert directives["script-src"] == directives["style-src"] == directives["connect-src"] == "'self'"
    assert "unsafe" not in policy


@pytest.mark.django_db
def test_pages_cannot_be_framed_and_send_no_referrer(client):
    headers = client.get(reverse("account_login")).headers
    assert headers["X-Frame-Options"] == "DENY"
    assert headers["Referrer-Policy"] == "same-origin"
    assert headers["X-Content-Type-Options"] == "nosniff"
