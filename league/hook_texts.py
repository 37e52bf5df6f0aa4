"""What the hooks of the site say about the league."""

from collections.abc import Mapping
from typing import Any

from django.conf import settings
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accounts.models import User
from notifications.hook_formats import HookMessage
from notifications.hook_texts import writes_hook


@writes_hook("open_season")
def write_season(kind: str, facts: Mapping[str, Any], user: User) -> HookMessage:
    """Say that the leagues of a season are drawn, or who won it."""
    if facts["what"] == "begins":
        words = ngettext(
            "Season %(season)s of the league begins: %(mages)s mages in %(leagues)s league.",
            "Season %(season)s of the league begins: %(mages)s mages in %(leagues)s leagues.",
            facts["leagues"],
        )
    else:
        words = _("Season %(season)s of the league is over. The champion is %(champion)s with %(points)s of %(duels)s.")
    return HookMessage(words % facts, settings.FM_SITE_URL + reverse("league:season", args=[facts["season"]]))
