"""What janitors see of battles: the facts that anybody may know. Orders, states and seeds are shown to nobody."""

from typing import Any

from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils import timezone

from accounts.admin import JanitorAdmin, ReadOnlyAdmin
from duels.models import Battle, Replay
from duels.services import resolve_turn

SHOWN = ("number", "kind", "status", "label", "stuck_reference", "ruleset", "edition", "practice", "started_at")


@admin.register(Battle)
class BattleAdmin(JanitorAdmin):
    """Battles to look at. A stuck one can be tried again."""

    list_display = SHOWN
    list_filter = ("status", "kind", "practice")
    search_fields = ("=number", "=stuck_reference", "combatants__mage__name")
    fields = readonly_fields = (*SHOWN, "finished_at", "result", "terms")
    actions = ("try_again",)

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    @admin.action(description="Try to play on", permissions=["intervene"])
    def try_again(self, request: HttpRequest, battles: QuerySet[Battle]) -> None:
        for battle in battles.order_by("number"):
            played = resolve_turn(battle=battle, now=timezone.now())
            messages.info(request, f"{battle}: {played.outcome} {played.reference}".rstrip())


@admin.register(Replay)
class ReplayAdmin(ReadOnlyAdmin):
    """When a battle was last played again. What differed may hold secrets: the log and the command show it."""

    list_display = fields = ("battle", "played_at", "differs")
    list_select_related = ("battle",)

    @admin.display(boolean=True)
    def differs(self, replay: Replay) -> bool:
        return bool(replay.differences)
