"""Scores and ratings for janitors, read-only."""

from django.contrib import admin

from ladder.models import (
    PairWatch,
    Placing,
    RatingEntry,
    Remembrance,
    RevisedEntry,
    ScoredBattle,
    ScoreEntry,
    ScoreRevision,
    UserRating,
)
from moderation.janitor_tables import ReadOnlyAdmin


@admin.register(ScoreEntry)
class ScoreEntryAdmin(ReadOnlyAdmin):
    list_display = ("mage", "kind", "battle", "due", "before", "change", "after", "reason", "created_at")
    list_filter = ("kind", "reason")
    search_fields = ("mage__name", "battle")
    list_select_related = ("mage",)


@admin.register(ScoredBattle)
class ScoredBattleAdmin(ReadOnlyAdmin):
    list_display = ("number", "kind", "practice", "stakes", "deadly", "scored_at", "annulled_at")
    list_filter = ("kind", "practice", "stakes")
    search_fields = ("number",)


@admin.register(Placing)
class PlacingAdmin(ReadOnlyAdmin):
    list_display = ("battle", "mage", "user", "won", "died", "is_real_death", "score_at_start")
    search_fields = ("mage__name", "user__username", "battle__number")
    list_select_related = ("battle", "mage", "user")


@admin.register(Remembrance)
class RemembranceAdmin(ReadOnlyAdmin):
    list_display = ("mage", "kind", "score", "battle", "died_at")
    list_filter = ("kind",)
    search_fields = ("mage__name",)
    list_select_related = ("mage",)


@admin.register(ScoreRevision)
class ScoreRevisionAdmin(ReadOnlyAdmin):
    list_display = ("battle", "what", "reason", "created_at")
    list_filter = ("what",)
    search_fields = ("battle", "reason")


@admin.register(RevisedEntry)
class RevisedEntryAdmin(ReadOnlyAdmin):
    list_display = ("revision", "entry", "mage", "kind", "battle", "was", "became")
    search_fields = ("mage__name", "battle")
    list_select_related = ("revision", "mage")


@admin.register(RatingEntry)
class RatingEntryAdmin(ReadOnlyAdmin):
    list_display = (
        "user", "kind", "battle", "rating_before", "rating", "deviation", "volatility", "elo", "battles", "ended_at",
    )  # fmt: skip
    list_filter = ("kind",)
    search_fields = ("user__username", "battle")
    list_select_related = ("user",)


@admin.register(UserRating)
class UserRatingAdmin(ReadOnlyAdmin):
    list_display = ("user", "kind", "rating", "deviation", "volatility", "elo", "battles", "day")
    list_filter = ("kind",)
    search_fields = ("user__username",)
    list_select_related = ("user",)


@admin.register(PairWatch)
class PairWatchAdmin(ReadOnlyAdmin):
    """Pairs who meet too often, win too reliably, often agree on draws, share an address or device, or in one league or
    cup a network. This proves nothing by itself."""

    list_display = (
        "one", "other", "battles", "one_won", "other_won", "one_share", "other_share", "meets_often", "is_one_sided",
        "agreed", "agrees_often", "same_address", "same_device", "same_network", "in_one_event", "seen_at",
    )  # fmt: skip
    list_filter = (
        "meets_often", "is_one_sided", "agrees_often", "same_address", "same_device", "same_network", "in_one_event",
    )  # fmt: skip
    search_fields = ("one__username", "other__username")
    list_select_related = ("one", "other")
    ordering = ("-battles", "one__username")
