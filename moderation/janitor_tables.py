"""Base classes for the janitors' tables."""

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any
from zoneinfo import ZoneInfo

from django import forms
from django.contrib import admin, messages
from django.db.models import Model, QuerySet
from django.db.models.constants import LOOKUP_SEP
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.text import capfirst
from django.utils.translation import gettext

from accounts.janitors import is_janitor, is_reading_janitor
from accounts.languages import in_language_of
from accounts.requests import user_of
from accounts.selectors.engagements import list_users_in_battle_with
from moderation.services.audit import log_janitor
from operations.errors import Refused
from operations.text.dates import name_zone

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

    Table = admin.ModelAdmin[Any]
    RelatedRows = admin.TabularInline[Any, Any]
    RowForm = forms.ModelForm[Any]
else:  # Django's classes know no type arguments when they run
    Table, RelatedRows, RowForm = admin.ModelAdmin, admin.TabularInline, forms.ModelForm

# As in Django's stubs: the action's response, if any, does not matter here.
Action = Callable[..., Any]


class JanitorAdmin(Table):
    """Rows that all janitors can read, and acting janitors can change.

    List actions are logged for each row and also appear as buttons on a row's page. `button` is the label that saves
    its form.
    """

    change_form_template = "admin/row.html"
    button: "StrOrPromise" = ""

    def change_view(self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: Any = None) -> Any:
        offered = self.get_actions(request).items()
        own = {name: action[2] for name, action in offered if action and name in (self.actions or ())}
        context = {
            "title": capfirst(self.opts.verbose_name),
            "row_actions": own.items(),
            "list_url": reverse(f"admin:{self.opts.app_label}_{self.opts.model_name}_changelist"),
            **self._name_button(),
        }
        return super().change_view(request, object_id, form_url, {**context, **(extra_context or {})})

    def _name_button(self) -> dict[str, Any]:
        return {"save_words": self.button, "show_save_and_continue": False, "show_save_and_add_another": False}

    def get_actions(self, request: HttpRequest) -> dict[str, tuple[Action, str, str] | None]:
        found = {name: action for name, action in super().get_actions(request).items() if action is not None}
        return {
            name: (log_action(act, words) if name in (self.actions or ()) else act, name, words)
            for name, (act, _, words) in found.items()
        }

    def has_module_permission(self, request: HttpRequest) -> bool:
        return is_reading_janitor(request.user)

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return is_reading_janitor(request.user)

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return is_janitor(request.user)

    def lookup_allowed(self, lookup: str, value: str, request: HttpRequest) -> bool:
        """Allow only visible columns in URL filters: Django would allow any, which would reveal a battle's state or an
        email letter by letter."""
        filters = [str(each[0] if isinstance(each, tuple) else each) for each in self.list_filter]
        shown = {"pk", *(str(name) for name in self.list_display), *filters}
        return lookup.split(LOOKUP_SEP)[0] in shown and super().lookup_allowed(lookup, value, request)

    def formfield_for_dbfield(self, db_field: Any, request: HttpRequest, **kwargs: Any) -> Any:
        """Dates and times are in the janitor's time zone (moderation.time_zone); the help text says so."""
        field = super().formfield_for_dbfield(db_field, request, **kwargs)
        if isinstance(field, forms.SplitDateTimeField):
            zone = name_zone(ZoneInfo(timezone.get_current_timezone_name()))
            for part, name in zip(field.widget.widgets, (gettext("Date"), gettext("Time")), strict=True):
                part.attrs["aria-label"] = name
            message = gettext("Time zone: %(zone)s.") % {"zone": zone}
            field.help_text = f"{field.help_text} {message}".lstrip()
        return field

    def has_intervene_permission(self, request: HttpRequest) -> bool:
        """Return whether list actions marked with "intervene" are allowed."""
        return is_janitor(request.user)


class WithoutOpponents(Table):
    """Rows of a `user`, without those of users in a battle with the reader: their times tell what an opponent does."""

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        return super().get_queryset(request).exclude(user__in=list_users_in_battle_with(user_of(request)))


class ReadOnlyAdmin(JanitorAdmin):
    """Rows that can only be read."""

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


class AddedOnceAdmin(JanitorAdmin):
    """Rows that a janitor adds through a service and nobody changes or deletes afterwards.

    The page shows `title` and `words` (what will happen) above the form, and `done` afterwards.
    """

    title: "StrOrPromise" = ""
    words: "StrOrPromise" = ""
    done: "StrOrPromise" = ""

    def response_add(self, request: HttpRequest, obj: Any, post_url_continue: str | None = None) -> HttpResponse:
        messages.success(request, self.done)
        return self.response_post_save_add(request, obj)

    def add_view(self, request: HttpRequest, form_url: str = "", extra_context: Any = None) -> Any:
        context = {"title": self.title, "words": self.words, **self._name_button()}
        return super().add_view(request, form_url, {**context, **(extra_context or {})})

    def has_add_permission(self, request: HttpRequest) -> bool:
        return is_janitor(request.user)

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


class ServiceForm(RowForm):
    """A form that calls a service. The service's errors are shown in the form."""

    # Calls the service with the cleaned data; set for each request (ByService.get_form). Raises Refused.
    make: Callable[[dict[str, Any]], Model]

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        if not self.errors:
            try:
                self.made = self.make(cleaned)
            except Refused as error:
                raise forms.ValidationError(list(error.problems)) from error
        return cleaned

    def _post_clean(self) -> None:
        """The service has checked."""


class ByService(AddedOnceAdmin):
    """Rows that a service creates from the form."""

    form = ServiceForm

    def get_form(self, request: HttpRequest, obj: Any = None, change: bool = False, **kwargs: Any) -> type[RowForm]:
        form = super().get_form(request, obj, change, **kwargs)
        made: type[RowForm] = type(form.__name__, (form,), {"make": partial(self.make, request)})
        return made

    def make(self, request: HttpRequest, cleaned: dict[str, Any]) -> Model:
        """Call the service; raises Refused."""
        raise NotImplementedError

    def save_form(self, request: HttpRequest, form: Any, change: bool) -> Any:
        return form.made

    def save_model(self, request: HttpRequest, obj: Any, form: Any, change: bool) -> None:
        """The service has written it."""

    def save_related(self, request: HttpRequest, form: Any, formsets: Any, change: bool) -> None:
        """There are no related rows."""


def act_on_each(request: HttpRequest, rows: QuerySet[Any], act: Callable[[Any], bool], done: str) -> None:
    """Act on each chosen row; report errors and continue with the others."""
    count = 0
    for row in rows:
        try:
            count += act(row)
        except Refused as error:
            messages.error(request, f"{row}: {error}")
    messages.info(request, done % {"count": count})


def log_action(act: Action, words: str) -> Action:
    """Log the action for each chosen row."""

    def logged(table: Table, request: HttpRequest, rows: QuerySet[Any]) -> Any:
        chosen = list(rows)
        answer = act(table, request, rows)
        for row in chosen:
            with in_language_of(None):
                log_janitor(by=user_of(request), about=row, message=f"{words}.", now=timezone.now())
        return answer

    return logged
