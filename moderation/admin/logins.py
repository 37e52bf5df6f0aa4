"""Addresses, second factors and sessions of users, for superusers. Allauth's own tables show the secrets of second
factors and session keys, which would let a reader log in as another user; ours show neither."""

from typing import Any

from allauth.account.admin import EmailAddressAdmin as AllauthEmailAddressAdmin
from allauth.account.models import EmailAddress
from allauth.mfa.admin import Authenticator
from allauth.usersessions.admin import UserSession
from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils import timezone

from moderation.janitor_tables import JanitorAdmin, WithoutOpponents
from moderation.services.user_actions import remove_second_factor

for model in (EmailAddress, Authenticator, UserSession):
    admin.site.unregister(model)


class SuperuserAdmin(WithoutOpponents, JanitorAdmin):
    """Rows for superusers, without those of users in a battle with the reader."""

    def has_module_permission(self, request: HttpRequest) -> bool:
        return is_superuser(request)

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return is_superuser(request)

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    has_change_permission = has_delete_permission = has_view_permission


def is_superuser(request: HttpRequest) -> bool:
    return bool(request.user.is_active and request.user.is_superuser)


@admin.register(EmailAddress)
class EmailAddressAdmin(SuperuserAdmin, AllauthEmailAddressAdmin):  # type: ignore[misc]  # allauth has no types
    """Addresses, and whether they are confirmed. Only the user can add or remove them."""

    readonly_fields = ("user", "email", "primary")
    raw_id_fields = ()

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


@admin.register(Authenticator)
class AuthenticatorAdmin(SuperuserAdmin):
    """Second factors without their secrets. Deleting one lets a user log in who lost their device; they are
    notified."""

    list_display = fields = readonly_fields = ("user", "type", "created_at", "last_used_at")
    list_filter = ("type",)
    search_fields = ("user__username",)
    list_select_related = ("user",)

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def delete_model(self, request: HttpRequest, obj: Authenticator) -> None:
        remove_second_factor(user=obj.user, now=timezone.now())

    def delete_queryset(self, request: HttpRequest, queryset: QuerySet[Authenticator]) -> None:
        for factor in queryset.select_related("user"):
            self.delete_model(request, factor)
