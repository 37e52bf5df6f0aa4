"""What every page needs: how much waits for the reader, their theme, word of the house, whether
the local mailbox is open."""

from functools import cache
from typing import Any

from django.http import HttpRequest
from django.utils import timezone
from django.utils.functional import SimpleLazyObject

from duels.selectors import count_unseen_results, list_battles_waiting_for
from email_gateway.views import is_mailbox_open
from fm_site.notifications.selectors import preferences_of, zone_of
from fm_site.operations.banner import read_banner
from fm_site.operations.moments import name_zone


def navigation(request: HttpRequest) -> dict[str, Any]:
    """Context of `base.html`. Nothing is read from the database before a page asks."""
    user = getattr(request, "user", None)
    known = user is not None and user.is_authenticated
    zone = cache(lambda: zone_of(user))
    return {
        "waiting_count": SimpleLazyObject(lambda: count_waiting(user) if known else 0),
        "theme": user.theme if known and user.theme in ("light", "dark") else "",
        "single_keys": SimpleLazyObject(lambda: not known or preferences_of(user)["single_keys"] == "yes"),
        # Functions, which templates call: tz filters want the zone itself.
        "zone": zone,
        "zone_name": lambda: name_zone(zone()),
        "site_banner": SimpleLazyObject(lambda: read_banner(timezone.now())),
        "mailbox_open": is_mailbox_open(request),
    }


def count_waiting(user: Any) -> int:
    """How much waits for a user: battles that want orders, and results that the user has not seen."""
    return len(list_battles_waiting_for(user)) + count_unseen_results(user)
