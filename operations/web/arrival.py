"""When a request reached the site."""

from datetime import datetime

from django.http import HttpRequest
from django.utils import timezone


def find_arrival(request: HttpRequest) -> datetime:
    """Return when the request was complete, before it waited for a page thread; now on a server that does not say."""
    arrived: datetime | None = request.META.get("asgi.scope", {}).get("arrived_at")
    return arrived or timezone.now()
