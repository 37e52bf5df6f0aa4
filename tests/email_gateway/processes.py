"""Separate processes on the rows of the test: mail servers."""

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
