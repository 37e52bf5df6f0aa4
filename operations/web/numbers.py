"""Numbers in addresses and forms: of battles, mostly."""

from django.http import HttpRequest


def read_number(request: HttpRequest, name: str) -> int | None:
    """Return a number from the address, or None if there is no valid one."""
    return parse_number(request.GET.get(name, ""))


def parse_number(text: str) -> int | None:
    """Return a number written in up to 14 ASCII digits, without a sign; None for anything else. It fits a key."""
    return int(text) if text.isascii() and text.isdigit() and len(text) < 15 else None
