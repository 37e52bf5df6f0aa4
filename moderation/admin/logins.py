"""Addresses, second factors and sessions of users, for superusers. Allauth's own tables show the secrets of second
factors and session keys, which would let a reader log in as another user; ours show neither."""

from typing import Any

from allauth.account.admin import EmailAddressAdmin as AllauthEmailAddressAdmin
from allauth.account.models import EmailAddress
from allauth.mfa.admin import Authenticator
from allauth.usersessions.admin import UserSession
from django.contrib import admin
from django.core.exceptions import ValidationError
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils import timezone
from django.utils.translation import gettext, pgettext_lazy

from moderation.janitor_tables import JanitorAdmin, RowForm, WithoutOpponents
from moderation.models import SecondFactor
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


class EmailAddressForm(RowForm):
    def clean_verified(self) -> bool:
        """The address itself cannot be edited here, so Django does not check that only one user has verified it."""
        verified: bool = self.cleaned_data["verified"]
        same = EmailAddress.objects.filter(email__iexact=self.instance.email, verified=True)
        other = same.exclude(pk=self.instance.pk).select_related("user").first()
        if verified and other is not None:
            words = gettext("%(user)s has verified this address. Remove that mark first.")
            raise ValidationError(words % {"user": other.user})
        return verified


@admin.register(EmailAddress)
class EmailAddressAdmin(SuperuserAdmin, AllauthEmailAddressAdmin):  # type: ignore[misc]  # allauth has no types
    """Addresses, and whether they are confirmed. Only the user can add or remove them."""

    form = EmailAddressForm
    readonly_fields = ("user", "email", "primary")
    raw_id_fields = ()

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


class KindFilter(admin.SimpleListFilter):
    title = pgettext_lazy("column", "kind")
    parameter_name = "kind"

    def lookups(self, request: HttpRequest, model_admin: Any) -> Any:
        return Authenticator.Type.choices

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        return queryset.filter(type=self.value()) if self.value() else queryset


@admin.register(SecondFactor)
class SecondFactorAdmin(SuperuserAdmin):
    """Second factors without their secrets. Deleting one lets a user log in who lost their device; they are
    notified."""

    list_display = fields = readonly_fields = ("owner", "kind", "created", "last_used")
    list_filter = (KindFilter,)
    search_fields = ("user__username",)
    list_select_related = ("user",)

    # Allauth's columns have only English names.
    @admin.display(description=pgettext_lazy("column", "user"), ordering="user")
    def owner(self, factor: SecondFactor) -> Any:
        return factor.user

    @admin.display(description=pgettext_lazy("column", "kind"), ordering="type")
    def kind(self, factor: SecondFactor) -> str:
        return str(factor.get_type_display())

    @admin.display(description=pgettext_lazy("column", "created"), ordering="created_at")
    def created(self, factor: SecondFactor) -> Any:
        return factor.created_at

    @admin.display(description=pgettext_lazy("column", "last used"), ordering="last_used_at")
    def last_used(self, factor: SecondFactor) -> Any:
        return factor.last_used_at

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def delete_model(self, request: HttpRequest, obj: SecondFactor) -> None:
        remove_second_factor(user=obj.user, now=timezone.now())

    def delete_queryset(self, request: HttpRequest, queryset: QuerySet[SecondFactor]) -> None:
        for factor in queryset.select_related("user"):
            self.delete_model(request, factor)
