"""What users log in with, for superusers. Django-allauth's own tables show the secrets of a second factor and the keys
of sessions, with which anybody could log in as somebody else: ours show neither."""

from typing import Any

from allauth.account.admin import EmailAddressAdmin as AllauthEmailAddressAdmin
from allauth.account.models import EmailAddress
from allauth.mfa.admin import Authenticator
from allauth.usersessions.admin import UserSession
from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest

from accounts.admin.base import JanitorAdmin
from accounts.selectors import list_fellows_of

for model in (EmailAddress, Authenticator, UserSession):
    admin.site.unregister(model)


class SuperuserAdmin(JanitorAdmin):
    """Rows for superusers, without those of users who are in a battle with the one who looks."""

    def has_module_permission(self, request: HttpRequest) -> bool:
        return is_superuser(request)

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return is_superuser(request)

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    has_change_permission = has_delete_permission = has_view_permission

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        return super().get_queryset(request).exclude(user__in=list_fellows_of(request.user))


def is_superuser(request: HttpRequest) -> bool:
    return bool(request.user.is_active and request.user.is_superuser)


@admin.register(EmailAddress)
class EmailAddressAdmin(SuperuserAdmin, AllauthEmailAddressAdmin):
    """Addresses, and whether they are proven. A new one is its user's to add."""

    readonly_fields = ("user", "primary")
    raw_id_fields = ()


@admin.register(Authenticator)
class AuthenticatorAdmin(SuperuserAdmin):
    """That a user has a second factor, not its secret. Deleting it lets in who has lost his device."""

    list_display = fields = readonly_fields = ("user", "type", "created_at", "last_used_at")
    list_filter = ("type",)
    search_fields = ("user__username",)
    list_select_related = ("user",)
