"""The ports of the embedded site, and whether they are in use."""

import os
import socket
from collections.abc import Mapping

HOST = "127.0.0.1"
DEFAULT_PORTS = {"FM_PORT": 8000, "FM_SMTP_PORT": 8025}


def read_ports(environment: Mapping[str, str] = os.environ) -> dict[str, int]:
    """Return the port for each variable in DEFAULT_PORTS. Raises ValueError with a message for the operator."""
    ports = {}
    for name, default in DEFAULT_PORTS.items():
        text = environment.get(name, str(default))
        if not text.isascii() or not text.isdigit() or not 0 < int(text) < 65536:
            raise ValueError(f"{name} is {text!r}. Choose a port from 1 to 65535, for example {name}={default}.")
        ports[name] = int(text)
    if len(set(ports.values())) < len(ports):
        raise ValueError(f"{' and '.join(ports)} are both {ports['FM_PORT']}. Choose different ports.")
    return ports


def list_busy_ports(ports: Mapping[str, int]) -> list[str]:
    """Return one sentence for each port that is in use."""
    return [
        f"Port {port} is in use by another program. Choose another, for example {name}={port + 100} ./run"
        for name, port in ports.items()
        if not can_listen(port)
    ]


def can_listen(port: int) -> bool:
    """Return whether the port is free."""
    with socket.socket() as probe:
        # Like the servers, ignore connections that are still closing.
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((HOST, port))
        except OSError:
            return False
        return True


def answers(port: int) -> bool:
    with socket.socket() as probe:
        probe.settimeout(1)
        return probe.connect_ex((HOST, port)) == 0
