"""What the tables of janitors have in common."""

from typing import Any
from zoneinfo import ZoneInfo

from django import forms
from django.contrib import admin
from django.db.models.constants import LOOKUP_SEP
from django.http import HttpRequest
from django.utils import timezone

from accounts.janitors import is_janitor, is_reading_janitor
from accounts.moments import name_zone


class JanitorAdmin(admin.ModelAdmin):
    """Rows that every janitor reads, and that those change who act for the house."""

    def has_module_permission(self, request: HttpRequest) -> bool:
        return is_reading_janitor(request.user)

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return is_reading_janitor(request.user)

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return is_janitor(request.user)

    def lookup_allowed(self, lookup: str, value: str, request: HttpRequest | None = None) -> bool:
        """Only columns that are shown may be asked for in an address: Django would let any be searched, and answer
        letter by letter what a battle's state or a mail holds."""
        filters = [each if isinstance(each, str) else each[0] for each in self.list_filter]
        shown = {"pk", *(str(name) for name in self.list_display), *filters}
        return lookup.split(LOOKUP_SEP)[0] in shown and super().lookup_allowed(lookup, value, request)

    def formfield_for_dbfield(self, db_field: Any, request: HttpRequest, **kwargs: Any) -> Any:
        """A moment that is typed is the janitor's (fm_site.desk.own_time), and says so."""
        field = super().formfield_for_dbfield(db_field, request, **kwargs)
        if isinstance(field, forms.SplitDateTimeField):
            zone = name_zone(ZoneInfo(timezone.get_current_timezone_name()))
            field.help_text = f"{field.help_text} As the clocks of {zone} show it.".lstrip()
        return field

    def has_intervene_permission(self, request: HttpRequest) -> bool:
        """For actions on lists that are marked with "intervene"."""
        return is_janitor(request.user)


class ReadOnlyAdmin(JanitorAdmin):
    """Shows rows and changes none."""

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


class AddedOnceAdmin(JanitorAdmin):
    """Rows that a janitor adds, by a service, and nobody changes or deletes afterwards."""

    def has_add_permission(self, request: HttpRequest) -> bool:
        return is_janitor(request.user)

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False
