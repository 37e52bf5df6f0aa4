"""The ports of the embedded site, and whether they are in use."""

import os
import socket
from collections.abc import Mapping
from http import HTTPStatus
from http.client import HTTPConnection, HTTPException

HOST = "127.0.0.1"
# The first file that systemd passes (sd_listen_fds).
FIRST_PASSED = 3
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


def serves_pages(listener: socket.socket) -> bool:
    """Return whether a web process answers on this socket; without one, new connections only wait."""
    host, port = listener.getsockname()[:2]
    line = HTTPConnection(host, port, timeout=5)
    try:
        line.request("GET", "/health/live")
        return line.getresponse().status == HTTPStatus.OK
    except (OSError, HTTPException):
        return False
    finally:
        line.close()


def take_sockets() -> list[socket.socket]:
    """Return the listening sockets that systemd has opened for this process, as sd_listen_fds does; usually none."""
    count, process = os.environ.pop("LISTEN_FDS", "0"), os.environ.pop("LISTEN_PID", "")
    os.environ.pop("LISTEN_FDNAMES", None)
    if process != str(os.getpid()):
        return []
    sockets = [socket.socket(fileno=number) for number in range(FIRST_PASSED, FIRST_PASSED + int(count))]
    for each in sockets:
        each.set_inheritable(False)
    return sockets
