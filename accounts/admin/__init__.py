"""Users and mages for janitors: to look at and to switch off. What has rules is changed by services, not here."""

from django.contrib import admin
from django.http import HttpRequest

from accounts.admin import house, moderation
from accounts.admin.base import JanitorAdmin, ReadOnlyAdmin
from accounts.models import Delivery, Engagement, Mage, Name, Notice, User, Vacation

__all__ = ["JanitorAdmin", "ReadOnlyAdmin", "house", "moderation"]


@admin.register(User)
class UserAdmin(JanitorAdmin):
    list_display = ("username", "is_active", "is_staff", "is_guest", "created_at", "last_active_at")
    list_filter = ("is_active", "is_staff", "is_guest")
    search_fields = ("username", "email")
    fields = (
        "username", "email", "is_active", "is_staff", "is_superuser", "groups", "created_at", "last_active_at",
    )  # fmt: skip
    readonly_fields = ("username", "email", "created_at", "last_active_at")

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False  # a user has a row of Name beside his own, which sign-up makes

    def has_delete_permission(self, request: HttpRequest, obj: User | None = None) -> bool:
        return False

    def get_readonly_fields(self, request: HttpRequest, obj: User | None = None) -> tuple[str, ...]:
        """Only a superuser makes janitors."""
        extra = () if request.user.is_superuser else ("is_staff", "is_superuser", "groups")
        return (*self.readonly_fields, *extra)


@admin.register(Mage)
class MageAdmin(ReadOnlyAdmin):
    list_display = ("name", "user", "created_at", "last_active_at", "died_at", "retired_at")
    search_fields = ("name", "user__username")
    list_select_related = ("user",)


@admin.register(Name)
class NameAdmin(ReadOnlyAdmin):
    list_display = ("written", "kind", "owner", "created_at")
    search_fields = ("key",)
    list_select_related = ("owner",)


@admin.register(Engagement)
class EngagementAdmin(ReadOnlyAdmin):
    list_display = ("mage", "kind", "number")
    list_filter = ("kind",)
    list_select_related = ("mage",)


@admin.register(Notice)
class NoticeAdmin(ReadOnlyAdmin):
    list_display = ("key", "user", "kind", "created_at")
    list_filter = ("kind",)
    search_fields = ("key", "user__username")
    list_select_related = ("user",)


@admin.register(Delivery)
class DeliveryAdmin(ReadOnlyAdmin):
    list_display = ("notice", "channel", "state", "attempts", "due_at", "sent_at", "error")
    list_filter = ("state", "channel")
    list_select_related = ("notice",)


@admin.register(Vacation)
class VacationAdmin(ReadOnlyAdmin):
    list_display = ("user", "starts_at", "until", "ended_at")
    search_fields = ("user__username",)
    list_select_related = ("user",)
