"""A site of a benchmark's own: settings, a Valkey and a PostgreSQL in a temporary folder."""

import os
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.services.postgres import DURABLE, SPEED, PostgresServer


@contextmanager
def run_own_site(*, durable: bool = False, **environment: str) -> Iterator[None]:
    """Set up Django on a new PostgreSQL and Valkey, with these settings; both end with the block.

    If `durable`, every commit reaches the disk.
    """
    with tempfile.TemporaryDirectory(prefix="fm-bench-") as name:
        folder = Path(name)
        # The server runs as another user, who needs access.
        folder.chmod(0o711)
        server = PostgresServer(folder, DURABLE if durable else SPEED)
        server.start()
        try:
            os.environ.update(DATABASE_URL=server.url, FM_HASHED_FILES="0", **environment)
            prepare_environment(folder)
            with run_valkey(folder):
                set_up_django()
                yield
        finally:
            server.stop()


def prepare_environment(folder: Path) -> None:
    """Set the environment of a site in this folder; on SQLite, unless DATABASE_URL is set."""
    os.environ.setdefault("DATABASE_URL", f"sqlite:///{folder / 'bench.sqlite3'}")
    os.environ.update(
        DJANGO_SETTINGS_MODULE="fm_site.settings",
        FM_DATA_DIR=str(folder),
        REDIS_URL=f"unix://{folder / 'valkey.sock'}",
        DEBUG="0",
        FM_HTTPS="0",
        LOG_LEVEL="WARNING",
        SECRET_KEY="for measuring alone; it protects nothing",
    )


@contextmanager
def run_valkey(folder: Path) -> "Iterator[subprocess.Popen[bytes]]":
    from fm_site.run.children import start_child, stop_child
    from fm_site.run.valkey import write_valkey_command

    process = start_child(write_valkey_command(folder), output=subprocess.DEVNULL)
    try:
        yield process
    finally:
        stop_child(process, seconds=5)


def set_up_django() -> None:
    import django
    from django.core.management import call_command

    django.setup()
    call_command("migrate", verbosity=0)
