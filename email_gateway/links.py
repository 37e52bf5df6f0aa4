"""Addresses of the site's pages in emails."""

from django.conf import settings
from django.urls import reverse


def link_to(view: str, *args: object) -> str:
    return f"{settings.FM_SITE_URL}{reverse(view, args=args)}"


def link_to_path(path: str) -> str:
    return f"{settings.FM_SITE_URL}{path}"
