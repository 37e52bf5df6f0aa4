"""The folder of the embedded Valkey's socket: short, because socket paths are limited to 107 bytes, and private."""

import hashlib
import os
import tempfile
from pathlib import Path

SOCKET_NAME = "valkey.sock"


def socket_folder(data_dir: Path) -> Path:
    """Return the folder for the sockets of the site with data in `data_dir`; it need not exist.

    It is the same in every process, so that a command finds a running site.
    """
    mark = hashlib.sha256(str(data_dir.resolve()).encode()).hexdigest()[:12]
    return Path(tempfile.gettempdir()) / f"firetop-{os.getuid()}-{mark}"


def embedded_redis_url(data_dir: Path) -> str:
    """Return the address of the Valkey that `./run` starts for `data_dir`."""
    return f"unix://{socket_folder(data_dir) / SOCKET_NAME}"


def celery_url(redis_url: str) -> str:
    """Return `redis_url` in Celery's form, which calls a Unix socket redis+socket."""
    if redis_url.startswith("unix://"):
        return "redis+socket://" + redis_url.removeprefix("unix://").replace("?db=", "?virtual_host=")
    return redis_url
