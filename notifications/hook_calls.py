"""Calling a hook: the allowed addresses, the signature, and one limited request, never to a private address."""

import base64
import hashlib
import hmac
import ipaddress
import socket
import ssl
from collections.abc import Mapping
from http.client import HTTPConnection, HTTPException
from queue import Empty, SimpleQueue
from threading import Thread, Timer
from typing import Any
from urllib.parse import SplitResult, urlsplit

from django.conf import settings
from django.utils.translation import gettext as _

from notifications.errors import InvalidHook

LONGEST_URL = 500
# For each step of a call, and for the whole.
STEP_SECONDS = 5
CALL_SECONDS = 10
# Of an answer, which must also end in time; nothing in it matters.
MOST_READ = 65_536
PORTS = {"http": 80, "https": 443}
TRANSLATED = ipaddress.ip_network("64:ff9b::/96")
# Of IPv6, only this is public.
PUBLIC_V6 = ipaddress.ip_network("2000::/3")
# All blocks of IANA's registries of special-purpose addresses, and multicast. Python's `is_global` differs between
# releases and lacks some of them. Those that are routed (AS112, AMT, relays) have no hooks either. 6to4 (2002::/16)
# is judged by the IPv4 address inside, as are IPv4-mapped addresses and NAT64 (64:ff9b::/96).
SPECIAL = tuple(
    ipaddress.ip_network(block)
    for block in (
        *("0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12"),
        *("192.0.0.0/24", "192.0.2.0/24", "192.31.196.0/24", "192.52.193.0/24", "192.88.99.0/24", "192.168.0.0/16"),
        *("192.175.48.0/24", "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24", "224.0.0.0/4", "240.0.0.0/4"),
        *("2001::/23", "2001:db8::/32", "2620:4f:8000::/48", "3fff::/20"),
    )
)
SECRET_START = "whsec_"
Address = ipaddress.IPv4Address | ipaddress.IPv6Address


class CallFailed(Exception):
    """A hook did not answer with 2xx; the message says what happened. `status` is that of its answer, or 0."""

    def __init__(self, message: str, status: int = 0) -> None:
        super().__init__(message)
        self.status = status


def check_url(url: str) -> str:
    """Return the address if it is allowed for a hook. Raises InvalidHook. Names are resolved later."""
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError as error:
        raise InvalidHook(_("This is not a valid address.")) from error
    if len(url) > LONGEST_URL:
        raise InvalidHook(_("An address can have at most %(most)d characters.") % {"most": LONGEST_URL})
    if not url.isascii() or not url.isprintable() or " " in url or not parts.hostname:
        raise InvalidHook(_("Enter a full address, such as https://bot.example/events."))
    if parts.scheme != "https" and not settings.FM_WEBHOOKS_TO_LOOPBACK:
        nearest = f"https://{parts.netloc}{parts.path}"
        raise InvalidHook(_("The address must begin with https://."), nearest)
    if parts.scheme not in PORTS or parts.username or parts.password or parts.fragment:
        raise InvalidHook(_("The address must not contain a name, a password or a #."))
    if port is not None and port != PORTS[parts.scheme] and port < 1024:
        raise InvalidHook(_("Use port 443, or one above 1023."))
    address = read_address(parts.hostname)
    is_local = parts.hostname.rstrip(".").rpartition(".")[2] == "localhost" and not settings.FM_WEBHOOKS_TO_LOOPBACK
    if is_local or (address is not None and not is_allowed(address)):
        raise InvalidHook(_("We call public addresses only."))
    return url


def read_address(host: str) -> Address | None:
    """Return the address that a host is; None for a name. Systems also read 127.1, 0x7f000001 and 2130706433 as
    addresses."""
    try:
        return ipaddress.ip_address(host)
    except ValueError:
        pass
    try:
        return ipaddress.IPv4Address(socket.inet_aton(host))
    except OSError:
        return None


def is_allowed(address: Address) -> bool:
    """Return whether we may call this address: not if it is private or maps to a private one."""
    if isinstance(address, ipaddress.IPv6Address):
        inner = address.ipv4_mapped or address.sixtofour
        if address in TRANSLATED:
            inner = ipaddress.IPv4Address(int(address) & 0xFFFFFFFF)
        if inner is not None:
            return is_allowed(inner)
    if address.is_loopback:
        return bool(settings.FM_WEBHOOKS_TO_LOOPBACK)
    if address.version == 6 and address not in PUBLIC_V6:
        return False
    return not any(address in block for block in SPECIAL)


def resolve(host: str, port: int) -> str:
    """Return an address of the host. Raises CallFailed if it has none in time, or one that we don't call."""
    answers: SimpleQueue[list[Any]] = SimpleQueue()
    # The system waits for a name server as long as it likes, and nothing can stop it.
    Thread(target=_look_up, args=(host, port, answers), daemon=True, name="look up").start()
    try:
        records = answers.get(timeout=STEP_SECONDS)
    except Empty as error:
        raise CallFailed("the name server did not answer") from error
    if not records:
        raise CallFailed("the name has no address")
    addresses = [ipaddress.ip_address(str(each[4][0]).partition("%")[0]) for each in records]
    if not all(is_allowed(address) for address in addresses):
        raise CallFailed("the address is not public")
    return str(addresses[0])


def _look_up(host: str, port: int, answers: "SimpleQueue[list[Any]]") -> None:
    try:
        answers.put(socket.getaddrinfo(host, port, type=socket.SOCK_STREAM))
    except (OSError, UnicodeError):
        answers.put([])


def sign(secret: str, *, mark: str, timestamp: int, body: bytes) -> str:
    """Return the signature of a call (standardwebhooks.com): HMAC-SHA256 over its id, its time and its body."""
    key = base64.b64decode(secret.removeprefix(SECRET_START))
    text = b".".join((mark.encode(), str(timestamp).encode(), body))
    return "v1," + base64.b64encode(hmac.new(key, text, hashlib.sha256).digest()).decode()


def call(url: str, body: bytes, headers: Mapping[str, str], *, method: str = "POST") -> None:
    """Post to a hook. Raises CallFailed unless it answers with 2xx in time. Redirects are not followed."""
    parts = urlsplit(url)
    connection = _PinnedConnection(parts)
    timer = Timer(CALL_SECONDS, connection.abort)
    timer.daemon = True
    timer.start()
    try:
        target = parts.path or "/"
        connection.request(method, f"{target}?{parts.query}" if parts.query else target, body, dict(headers))
        response = connection.getresponse()
        status = response.status
        response.read(MOST_READ)
        # To the parser, an answer that `abort` cut off looks complete.
        if connection.is_aborted:
            raise TimeoutError
    except (OSError, HTTPException, ValueError) as error:  # a broken certificate is an OSError
        raise CallFailed(f"no answer: {type(error).__name__}") from error
    finally:
        timer.cancel()
        connection.close()
    if not 200 <= status < 300:
        raise CallFailed(f"answered {status}", status)


class _PinnedConnection(HTTPConnection):
    """A connection to the address that was checked, even if the name resolves differently a moment later."""

    def __init__(self, parts: SplitResult) -> None:
        port = parts.port or PORTS[parts.scheme]
        super().__init__(str(parts.hostname), port, timeout=STEP_SECONDS)
        self.is_secure = parts.scheme == "https"
        self.default_port = PORTS[parts.scheme]  # else the Host header would name it
        self.is_aborted = False

    def connect(self) -> None:
        pinned = resolve(self.host, self.port)
        self.sock = socket.create_connection((pinned, self.port), STEP_SECONDS)
        if self.is_aborted:
            raise TimeoutError
        if self.is_secure:
            # Not in one step, so that `abort` finds the socket during the handshake too.
            secure = ssl.create_default_context().wrap_socket(
                self.sock, server_hostname=self.host, do_handshake_on_connect=False
            )
            self.sock = secure
            secure.do_handshake()

    def abort(self) -> None:
        """End the call from another thread."""
        self.is_aborted = True
        sock = self.sock
        if sock is not None:
            try:
                sock.shutdown(socket.SHUT_RDWR)
            except OSError:
                return
