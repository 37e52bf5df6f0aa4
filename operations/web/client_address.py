"""The network address of a client, determined in one place for limits, traces, logs and sockets.

Behind a proxy every request comes from the proxy, which writes the client into X-Forwarded-For. Anyone can send that
header, so only entries added by a proxy in FM_TRUSTED_PROXIES count: read from the right, the client is the first
address that is not one of these proxies.
"""

from collections.abc import Mapping
from functools import lru_cache
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address, ip_network
from typing import Any

import structlog
from django.conf import settings
from django.http import HttpRequest
from django.http.response import HttpResponseBase

from operations.web.middleware import GetResponse

Address = IPv4Address | IPv6Address
# The entry in FM_TRUSTED_PROXIES for a proxy on a Unix socket, which has no address.
UNIX = "unix"
# No chain of proxies is longer; entries further left came from the client.
MOST_HOPS = 20
V4_NETWORK_BITS, V6_NETWORK_BITS = 24, 64


class InvalidProxies(ValueError):
    """FM_TRUSTED_PROXIES contains an entry that is not an address, a network or "unix"."""


def client_address(request: HttpRequest) -> str:
    """Return the client's address, as limits count it; "" if there is none. An IPv4 address written as IPv6 is returned
    as IPv4."""
    return find_client(request.META.get("REMOTE_ADDR", ""), request.META.get("HTTP_X_FORWARDED_FOR", ""))


def scope_address(scope: Mapping[str, Any]) -> str:
    """Return the client's address for an ASGI scope, like `client_address`."""
    client = scope.get("client")
    values = [value.decode("latin1") for name, value in scope.get("headers", ()) if name == b"x-forwarded-for"]
    return find_client(client[0] if client else "", ",".join(values))


def find_client(peer: str, forwarded: str) -> str:
    """Return the client, given the address at the other end of the connection and the X-Forwarded-For header."""
    return _find_client(peer, forwarded, tuple(settings.FM_TRUSTED_PROXIES))


@lru_cache(maxsize=256)
def _find_client(peer: str, forwarded: str, proxies: tuple[str, ...]) -> str:
    client = read_address(peer)
    if not _is_trusted(client, peer, proxies):
        return str(client) if client else ""
    for text in reversed(forwarded.split(",")[-MOST_HOPS:]):
        hop = read_address(text)
        if hop is None:  # not written by a proxy: the entry to its right is the last we know
            break
        client = hop
        if not _is_trusted(hop, text, proxies):
            break
    return str(client) if client else ""


def network_of(address: str) -> str:
    """Return the network that one customer of a provider usually has: the /24 of an IPv4 address, the /64 of an IPv6
    address; the text itself if it is not an address."""
    ip = read_address(address)
    if ip is None:
        return address
    bits = V6_NETWORK_BITS if isinstance(ip, IPv6Address) else V4_NETWORK_BITS
    return str(ip_network((ip, bits), strict=False))


def read_address(text: str) -> Address | None:
    """Parse an address as proxies write it, with or without a port; None for anything else."""
    text = text.strip().strip('"')
    if text.startswith("["):
        text = text[1:].partition("]")[0]
    elif text.count(":") == 1:
        text = text.partition(":")[0]
    try:
        ip = ip_address(text.partition("%")[0])
    except ValueError:
        return None
    return (ip.ipv4_mapped or ip) if isinstance(ip, IPv6Address) else ip


@lru_cache(maxsize=8)
def read_proxies(entries: tuple[str, ...]) -> tuple[Any, ...]:
    """Return the networks of the entries. Raises InvalidProxies, which names the invalid ones."""
    networks, wrong = [], []
    for entry in entries:
        try:
            if entry != UNIX:
                networks.append(_read_network(entry))
        except ValueError:
            wrong.append(entry)
    if wrong:
        raise InvalidProxies(", ".join(wrong))
    return tuple(networks)


def _read_network(entry: str) -> Any:
    network = ip_network(entry)
    if isinstance(network, IPv6Network) and network.network_address.ipv4_mapped and network.prefixlen >= 96:
        return ip_network(f"{network.network_address.ipv4_mapped}/{network.prefixlen - 96}")
    return network


def _is_trusted(address: Address | None, text: str, entries: tuple[str, ...]) -> bool:
    if address is None:
        return UNIX in entries and not text.strip()
    return any(address in network for network in read_proxies(entries))


def is_from_trusted_proxy(meta: Mapping[str, Any]) -> bool:
    peer = str(meta.get("REMOTE_ADDR", ""))
    return _is_trusted(read_address(peer), peer, tuple(settings.FM_TRUSTED_PROXIES))


def identify_client(
    get_response: GetResponse,
) -> GetResponse:
    """Middleware, the first one: adds the client to log lines and believes only trusted proxies about HTTPS."""

    def respond(request: HttpRequest) -> HttpResponseBase:
        if settings.FM_TRUSTED_PROXIES and not is_from_trusted_proxy(request.META):
            request.META.pop("HTTP_X_FORWARDED_PROTO", None)
        with structlog.contextvars.bound_contextvars(client=client_address(request)):
            return get_response(request)

    return respond
