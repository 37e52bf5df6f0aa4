"""Challenges for janitors: to look at. Whatever changes one goes through the services."""

from django.contrib import admin
from django.http import HttpRequest

from challenges.models import Challenge, Seat


class SeatInline(admin.TabularInline):
    model = Seat
    extra = 0
    can_delete = False

    def has_change_permission(self, request: HttpRequest, obj: object = None) -> bool:
        return False

    def has_add_permission(self, request: HttpRequest, obj: object = None) -> bool:
        return False


@admin.register(Challenge)
class ChallengeAdmin(admin.ModelAdmin):
    list_display = ("number", "challenger", "status", "seats_taken", "limit", "mages_per_user", "updated_at")
    list_filter = ("status",)
    search_fields = ("=number", "challenger__name", "comment")
    inlines = (SeatInline,)

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: object = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: object = None) -> bool:
        return False
