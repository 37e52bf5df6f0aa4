"""Telling the hooks of battles and of the site what everyone may know."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.db.models import Q

from notifications.models import Hook
from notifications.services.outbox import write_notices


def tell_open_hooks(
    *,
    kind: str,
    event: str,
    key: str,
    facts: Mapping[str, Any],
    now: datetime,
    battle: int | None = None,
    of_site: bool = False,
) -> None:
    """Tell the hooks of this battle (its number), and with `of_site` those of the site, that have chosen `event`; once
    for each `key`."""
    whose = Q(battle=battle, scope=Hook.Scope.BATTLE) if battle is not None else Q(pk=None)
    if of_site:
        whose |= Q(scope=Hook.Scope.SITE)
    hooks = Hook.objects.filter(whose, off_at=None).select_related("user").order_by("pk")
    entries = [
        (f"{key}/hook/{hook.pk}", hook.user, {**facts, "hook": hook.pk}) for hook in hooks if event in hook.events
    ]
    write_notices(kind=kind, entries=entries, now=now)
