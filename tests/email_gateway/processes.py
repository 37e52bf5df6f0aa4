"""Separate processes on the rows of the test: mail servers, and workers that die."""

import os
import subprocess
import sys
from pathlib import Path
from urllib.parse import urlsplit, urlunsplit

from django.db import connection

ROOT = Path(__file__).resolve().parent.parent.parent


def child_environment() -> dict[str, str]:
    """The environment in which a child works on the database of the running test (PostgreSQL)."""
    parts = urlsplit(os.environ["DATABASE_URL"])
    url = urlunsplit(parts._replace(path=f"/{connection.settings_dict['NAME']}"))
    # urlunsplit leaves out the slashes of an address that names no host.
    return {**os.environ, "DATABASE_URL": url.replace("postgres:/", "postgres:///") if "//" not in url else url}


def run_code(code: str) -> subprocess.CompletedProcess[str]:
    """Run Python code with Django set up."""
    start = "import os, signal, django; os.environ['DJANGO_SETTINGS_MODULE'] = 'fm_site.settings'; django.setup()\n"
    return subprocess.run(
        [sys.executable, "-c", start + code],
        cwd=ROOT,
        env=child_environment(),
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def start_command(*arguments: str) -> "subprocess.Popen[str]":
    """Start a command of manage.py."""
    return subprocess.Popen(
        [sys.executable, "manage.py", *arguments],
        cwd=ROOT,
        env=child_environment(),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
