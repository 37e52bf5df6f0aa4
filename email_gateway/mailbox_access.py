"""Who may read the local mailbox: only visitors on this machine, and only with DEBUG."""

from ipaddress import ip_address

from django.conf import settings
from django.http import HttpRequest

# Behind a proxy every visitor would seem to be on this machine.
PROXY_MARKS = ("HTTP_X_FORWARDED_FOR", "HTTP_FORWARDED", "HTTP_X_REAL_IP")


def is_mailbox_open(request: HttpRequest) -> bool:
    """Return whether this visitor may read the local mailbox."""
    if not settings.DEBUG or any(request.META.get(mark) for mark in PROXY_MARKS):
        return False
    try:
        return ip_address(request.META.get("REMOTE_ADDR", "")).is_loopback
    except ValueError:
        return False
