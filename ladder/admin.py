"""Score rows for janitors to read."""

from django.contrib import admin

from accounts.admin import ReadOnlyAdmin
from ladder.models import ScoredBattle, ScoreEntry


@admin.register(ScoreEntry)
class ScoreEntryAdmin(ReadOnlyAdmin):
    list_display = ("mage", "kind", "battle", "before", "change", "after", "reason", "created_at")
    list_filter = ("kind", "reason")
    search_fields = ("mage__name", "battle")
    list_select_related = ("mage",)


@admin.register(ScoredBattle)
class ScoredBattleAdmin(ReadOnlyAdmin):
    list_display = ("number", "kind", "practice", "scored_at")
