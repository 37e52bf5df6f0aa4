"""Addresses of the site's pages in emails."""

from django.conf import settings
from django.urls import reverse


def link_to(view: str, *args: object) -> str:
    """Return the full address of a page."""
    return f"{settings.FM_SITE_URL}{reverse(view, args=args)}"


def link_to_path(path: str) -> str:
    """Return the full address of a path of this site."""
    return f"{settings.FM_SITE_URL}{path}"
