"""Janitors' actions on one row, each with its own form, a reason and a service."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from http import HTTPStatus
from typing import TYPE_CHECKING, Any, TypedDict

from django import forms
from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.db.models import Model, QuerySet
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect, QueryDict
from django.template.response import TemplateResponse
from django.urls import URLPattern, path, reverse
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts.janitors import is_janitor, is_reading_janitor
from accounts.languages import in_language_of
from accounts.models import User
from accounts.requests import user_of
from moderation.janitor_tables import ReadOnlyAdmin
from moderation.selectors.journal import describe_changes_since, mark_journal
from moderation.services.audit import log_janitor

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

    ChoiceOfRows = forms.ModelChoiceField[Any]
else:
    ChoiceOfRows = forms.ModelChoiceField


class AmountField(forms.IntegerField):
    """A whole number within bounds, with clear errors."""

    default_error_messages = {
        "min_value": _("Enter at least %(limit_value)s."),
        "max_value": _("Enter at most %(limit_value)s."),
    }


class ReasonForm(forms.Form):
    """A form about one row, with a reason that everyone concerned can read. `seen` is the mark of the
    journal (mark_journal) when it was opened."""

    seen = forms.CharField(widget=forms.HiddenInput, required=False)
    reason = forms.CharField(
        label=_("Reason"),
        max_length=500,
        widget=forms.Textarea(attrs={"rows": 2, "cols": 60}),
        help_text=_("The people concerned and other janitors see this."),
        error_messages={"required": _("Enter a reason.")},
    )

    def __init__(self, *args: Any, about: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        self.about = about
        self.fields["seen"].initial = mark_journal(about)
        # The reason comes last, after the fields of subclasses.
        self.order_fields([name for name in self.fields if name != "reason"])

    def refuse_if_stale(self, button: str) -> bool:
        """Return whether a janitor has acted on the row since the form was opened. Then the form, already validated,
        says so, and can be sent again."""
        news = describe_changes_since(self.about, self.data.get("seen", ""))
        if not news:
            return False
        words = gettext(
            "Nothing has changed yet, because this happened after you opened the form. %(news)s If you still want your "
            "action, press %(button)s again."
        )
        self.add_error(None, words % {"news": news, "button": button})
        assert isinstance(self.data, QueryDict)
        data = self.data.copy()
        data["seen"] = mark_journal(self.about)
        self.data = data
        return True

    def offer(self, name: str, choices: Iterable[tuple[int | str, str]]) -> None:
        field = self.fields[name]
        assert isinstance(field, forms.ChoiceField)
        field.choices = list(choices)

    def offer_rows(self, name: str, rows: QuerySet[Any]) -> None:
        field = self.fields[name]
        assert isinstance(field, forms.ModelChoiceField)
        field.queryset = rows


class RowField(ChoiceOfRows):
    """A choice of one row; `words` describes it. The form offers the rows (ReasonForm.offer_rows)."""

    def __init__(self, *, words: Callable[[Any], str], label: StrOrPromise, rows: type[Model], **more: Any) -> None:
        super().__init__(label=label, queryset=rows._default_manager.none(), empty_label=None, **more)
        self.words = words

    def label_from_instance(self, obj: Model) -> str:
        return self.words(obj)


Data = Mapping[str, Any]
Perform = Callable[[HttpRequest, Any, Data], HttpResponse | str]


class ActDetails(TypedDict):
    """The keywords that the service of every action takes: who acts, why, and when."""

    by: User
    reason: str
    now: datetime


def read_details(request: HttpRequest, data: Data) -> ActDetails:
    return {"by": user_of(request), "reason": data["reason"], "now": timezone.now()}


@dataclass(frozen=True)
class RowAction:
    """One action on a row.

    `words` say what will happen; `button` is the button's label. `perform` calls the service and returns a sentence or
    a response. `undo` says how, or for how long, it can be undone. With `only_reads`, read-only janitors may do it too.
    `is_offered` decides for which rows it is shown.
    """

    slug: str
    title: StrOrPromise
    words: StrOrPromise
    button: StrOrPromise
    form: type[ReasonForm]
    perform: Perform
    undo: StrOrPromise = ""
    only_reads: bool = False
    is_offered: Callable[[Any], bool] = lambda _: True

    def is_for(self, user: Any) -> bool:
        return is_reading_janitor(user) if self.only_reads else is_janitor(user)


class AdminWithActions(ReadOnlyAdmin):
    """Rows that only `row_actions` can change. Errors of a service (`refusals`) are shown above the form."""

    row_actions: tuple[RowAction, ...] = ()
    refusals: tuple[type[Exception], ...] = ()
    change_form_template = "admin/row_with_actions.html"

    def refuse(self, user: Any, about: Any) -> str | None:
        """Return why `user` may not act on this row at all, or None."""
        return None

    def get_urls(self) -> list[URLPattern]:
        name = f"{self.opts.app_label}_{self.opts.model_name}_act"
        address = path("<int:pk>/act/<slug:slug>/", self.admin_site.admin_view(self.take_action), name=name)
        return [address, *super().get_urls()]

    def change_view(self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: Any = None) -> Any:
        about = self.get_object(request, object_id)
        refused = self.refuse(request.user, about) if about else None
        offered = [] if about is None or refused else self._list_actions(request, about)
        context = {"offered_actions": offered, "refused": refused, **(extra_context or {})}
        return super().change_view(request, object_id, form_url, context)

    def _list_actions(self, request: HttpRequest, about: Any) -> list[dict[str, StrOrPromise]]:
        return [
            {"title": action.title, "words": action.words, "url": self.address_of(action, about)}
            for action in self.row_actions
            if action.is_for(request.user) and action.is_offered(about)
        ]

    def address_of(self, action: RowAction, about: Any) -> str:
        return reverse(f"admin:{self.opts.app_label}_{self.opts.model_name}_act", args=[about.pk, action.slug])

    def take_action(self, request: HttpRequest, pk: int, slug: str) -> HttpResponse:
        """Show the form of an action, or take it. Attempts without permission are logged, without the form's
        content."""
        about = self.get_object(request, str(pk))
        action = next((each for each in self.row_actions if each.slug == slug), None)
        if about is None or action is None:
            raise Http404
        refused = self.refuse(request.user, about)
        if refused or not action.is_for(request.user):
            with in_language_of(None):
                why = self.refuse(request.user, about) or "This janitor does not have permission."
                log_janitor(
                    by=user_of(request), about=about, message=f'Refused: "{action.title}". {why}', now=timezone.now()
                )
            raise PermissionDenied(refused or "")
        initial = request.GET.dict()
        form = action.form(request.POST if request.method == "POST" else None, about=about, initial=initial)
        answer = self._perform(request, about, action, form) if form.is_bound else None
        if answer is None:
            return self._ask(request, about, action, form)
        return answer if isinstance(answer, HttpResponse) else self._show_result(request, about, answer)

    def _perform(
        self, request: HttpRequest, about: Any, action: RowAction, form: ReasonForm
    ) -> HttpResponse | str | None:
        """Take the action and return its answer; None if the form has an error."""
        try:
            with transaction.atomic():
                self.lock(about)
                is_valid = form.is_valid()
                is_stale = not action.only_reads and form.refuse_if_stale(str(action.button))
                if is_valid and not is_stale:
                    return action.perform(request, about, form.cleaned_data)
        except self.refusals as error:
            form.add_error(None, str(error))
        return None

    def lock(self, about: Any) -> None:
        """Lock the row, so that nobody else acts on it at the same moment."""

    def _show_result(self, request: HttpRequest, about: Any, message: str) -> HttpResponse:
        messages.success(request, message)
        return HttpResponseRedirect(
            reverse(f"admin:{self.opts.app_label}_{self.opts.model_name}_change", args=[about.pk])
        )

    def _ask(self, request: HttpRequest, about: Any, action: RowAction, form: ReasonForm) -> HttpResponse:
        context = {
            **self.admin_site.each_context(request),
            "title": action.title,
            "subtitle": str(about),
            "opts": self.opts,
            "about": about,
            "action": action,
            "form": form,
        }
        status = HTTPStatus.UNPROCESSABLE_ENTITY if form.errors else HTTPStatus.OK
        return TemplateResponse(request, "admin/row_action.html", context, status=status)
