"""The real Valkey for tests, from the same wheel and with the same options as in `./run`."""

import time
from pathlib import Path

import redis

from fm_site.run.children import start_child, stop_child
from fm_site.run.valkey import SOCKET_NAME, write_valkey_command


class ValkeyServer:
    """One server on a socket in `folder`."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.url = f"unix://{folder / SOCKET_NAME}"

    def start(self) -> None:
        """Start it and return when it answers."""
        with (self.folder / "valkey.log").open("wb") as log:
            self.process = start_child(write_valkey_command(self.folder), output=log)
        client = redis.Redis.from_url(self.url)
        for _ in range(500):
            try:
                client.ping()
                client.close()
                return
            except redis.ConnectionError:
                time.sleep(0.01)
        raise RuntimeError(f"Valkey did not start:\n{(self.folder / 'valkey.log').read_text(errors='replace')}")

    def stop(self) -> None:
        """End it."""
        stop_child(self.process, seconds=5)
