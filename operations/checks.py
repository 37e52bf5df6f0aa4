"""System checks of FM_TRUSTED_PROXIES, most of them only with --deploy."""

from collections.abc import Iterator
from typing import Any

from django.conf import settings
from django.core.checks import CheckMessage, Error, Tags, Warning, register

from operations.web.client_address import InvalidProxies, read_proxies

# No network of proxies needs to be wider; 10.0.0.0/8 just passes.
WIDEST = {4: 8, 6: 16}


@register()
def check_proxies(**_: Any) -> list[CheckMessage]:
    """Report invalid entries, which would fail at the first request."""
    try:
        read_proxies(tuple(settings.FM_TRUSTED_PROXIES))
    except InvalidProxies as error:
        hint = 'Give addresses (192.0.2.1), networks (10.0.0.0/8, 2001:db8::/32) or "unix", separated by commas.'
        return [Error(f"FM_TRUSTED_PROXIES has invalid entries: {error}.", hint=hint, id="accounts.E001")]
    return []


@register(Tags.security, deploy=True)
def check_proxies_for_deploy(**_: Any) -> list[CheckMessage]:
    """Warn of missing proxies, which make all users share an address, and of trust that lets clients choose theirs."""
    return [] if check_proxies() else list(_list_doubts())


def _list_doubts() -> Iterator[CheckMessage]:
    entries = tuple(settings.FM_TRUSTED_PROXIES)
    if not entries:
        yield Warning(
            "FM_TRUSTED_PROXIES is not set. Behind a proxy, all users share its address, so one person who guesses"
            " passwords locks everyone out.",
            hint="List the addresses of your proxies, for example 127.0.0.1,::1. Ignore this if you have no proxy.",
            id="accounts.W001",
        )
    for network in read_proxies(entries):
        if network.prefixlen < WIDEST[network.version]:
            yield Warning(
                f"FM_TRUSTED_PROXIES trusts {network}: any client there can choose the address that limits apply to.",
                hint="List only your proxies.",
                id="accounts.W002",
            )
