"""Context for every page: how much waits for the reader, how much news is unseen, how many messages
unread, their theme, the site banner, and whether the local mailbox is open."""

from functools import cache
from typing import Any

from django.conf import settings
from django.http import HttpRequest
from django.utils import timezone
from django.utils.functional import SimpleLazyObject

from duels.waiting_for_reader import read_waiting
from email_gateway.mailbox_access import is_mailbox_open
from notifications.selectors.notices import preferences_of, zone_of
from operations.banner import read_banner
from operations.text.dates import name_zone


def navigation(request: HttpRequest) -> dict[str, Any]:
    """Return the context of `base.html`. The database is read only if a page needs the value."""
    user: Any = getattr(request, "user", None)
    known = user is not None and user.is_authenticated
    zone = cache(lambda: zone_of(user))
    return {
        "waiting_count": SimpleLazyObject(lambda: read_waiting(request).count if known else 0),
        "news_count": SimpleLazyObject(lambda: read_waiting(request).news if known else 0),
        "unread_count": SimpleLazyObject(lambda: read_waiting(request).messages if known else 0),
        "theme": user.theme if known and user.theme in ("light", "dark") else "",
        "has_motion": SimpleLazyObject(lambda: not known or preferences_of(user)["motion"] == "yes"),
        "single_keys": SimpleLazyObject(lambda: not known or preferences_of(user)["single_keys"] == "yes"),
        # Functions, which templates call; the tz filters need the zone itself.
        "zone": zone,
        "zone_name": lambda: name_zone(zone()),
        "site_banner": SimpleLazyObject(lambda: read_banner(timezone.now())),
        "mailbox_open": is_mailbox_open(request),
        "has_demonstration": settings.FM_DEMO,
    }
