"""The site for janitors: policy, maintenance, announcements, the operator's pages, heartbeats and outages."""

from dataclasses import asdict
from typing import Any

from django import forms
from django.conf import settings
from django.contrib import admin, messages
from django.core.exceptions import ValidationError
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils import timezone
from django.utils.functional import lazy
from django.utils.html import format_html_join
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext, override, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from accounts.janitors import is_janitor
from accounts.requests import user_of
from moderation.janitor_tables import AddedOnceAdmin, JanitorAdmin, ReadOnlyAdmin, RowForm
from notifications.services.announcements import announce, withdraw_announcement
from operations.errors import write_problem
from operations.models import Announcement, Chore, Heartbeat, Maintenance, Outage, SitePage, SitePolicy
from operations.policy import PRESETS, SETTINGS, find_policy_problems
from operations.selectors import list_current_pages, read_policy
from operations.services.outages import end_maintenance, forget_heartbeat, start_maintenance
from operations.services.policy import set_policy
from operations.services.site_pages import save_site_page
from operations.site_page_drafts import DRAFTS

mark_safe_lazy = lazy(mark_safe, SafeString)


class SitePolicyForm(RowForm):
    """All policy numbers, with the current ones filled in, and the reason for the change."""

    why = forms.CharField(max_length=300, help_text=_("Other janitors see this in the history."))

    class Meta:
        model = SitePolicy
        fields = (*SETTINGS, "why")

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        numbers = {name: cleaned[name] for name in SETTINGS if cleaned.get(name) is not None}
        for problem in find_policy_problems(numbers):
            if problem.name not in self.errors:
                self.add_error(problem.name, write_problem(problem))
        return cleaned

    def _post_clean(self) -> None:
        """Skip the model's own checks, which say the same less clearly."""


@admin.register(SitePolicy)
class SitePolicyAdmin(AddedOnceAdmin):
    """New numbers are a new row; the earlier rows are the history."""

    form = SitePolicyForm
    title = _("Change the site policy")
    words = _(
        "The new numbers apply immediately, and the rules page shows them. Running clocks keep their time; the new "
        "numbers apply from the next turn. The history keeps the old numbers."
    )
    button = _("Apply policy")
    done = _("Policy saved. The new numbers apply now.")
    list_display = ("set_at", "set_by", "why", "what_changed")
    list_select_related = ("set_by",)
    fieldsets = (
        (
            None,
            {
                "fields": (*SETTINGS, "why"),
                "description": mark_safe_lazy(
                    _(
                        'The form shows the current numbers. You can start from <a href="?preset=document">those in '
                        'the rules document</a> or <a href="?preset=server">those of the classic server</a> instead.'
                    )
                ),
            },
        ),
    )

    def get_changeform_initial_data(self, request: HttpRequest) -> dict[str, Any]:
        """Return the current numbers, or those of ?preset=."""
        chosen = PRESETS.get(request.GET.get("preset", ""), read_policy())
        return {**asdict(chosen)}

    def save_model(self, request: HttpRequest, obj: SitePolicy, form: Any, change: bool) -> None:
        numbers = {name: form.cleaned_data[name] for name in SETTINGS}
        written = set_policy(by=user_of(request), why=form.cleaned_data["why"], numbers=numbers, now=timezone.now())
        obj.pk = written.pk
        obj.set_at, obj.set_by = written.set_at, written.set_by

    @admin.display(description=_("what changed"))
    def what_changed(self, row: SitePolicy) -> str:
        before = SitePolicy.objects.filter(pk__lt=row.pk).order_by("-pk").first() or PRESETS["document"]
        changed = [
            (setting.words, getattr(before, name), setting.describe(getattr(row, name)))
            for name, setting in SETTINGS.items()
            if getattr(before, name) != getattr(row, name)
        ]
        return format_html_join("; ", "{} {} → {}", changed) or gettext("nothing")


@admin.register(Maintenance)
class MaintenanceAdmin(AddedOnceAdmin):
    """Adding a row starts maintenance; the action ends it."""

    title = _("Start maintenance")
    words = _(
        "Every page shows your text. Email waits, reminders stop, and all clocks stop until a janitor ends the "
        "maintenance."
    )
    button = _("Start maintenance")
    done = _("The site is under maintenance. You can end it from the desk.")

    list_display = ("started_at", "started_by", "reason", "ended_at", "ended_by")
    list_select_related = ("started_by", "ended_by")
    fields = ("reason",)
    actions = ("end_maintenance",)

    def save_model(self, request: HttpRequest, obj: Maintenance, form: Any, change: bool) -> None:
        closed = start_maintenance(by=user_of(request), reason=obj.reason, now=timezone.now())
        obj.pk, obj.started_at, obj.started_by = closed.pk, closed.started_at, closed.started_by
        if closed.reason != obj.reason:
            messages.warning(
                request, gettext("The site is already under maintenance: %(reason)s") % {"reason": closed.reason}
            )

    @admin.action(description=_("End maintenance"), permissions=["intervene"])
    def end_maintenance(self, request: HttpRequest, rows: QuerySet[Maintenance]) -> None:
        opened = end_maintenance(by=user_of(request), now=timezone.now())
        messages.info(
            request, gettext("Maintenance has ended.") if opened else gettext("The site is not under maintenance.")
        )


class AnnouncementForm(RowForm):
    class Meta:
        model = Announcement
        fields = ("text", "until", "is_mailed")

    def clean_until(self) -> Any:
        until = self.cleaned_data["until"]
        if until <= timezone.now():
            raise ValidationError(gettext("Choose an end in the future."))
        return until


@admin.register(Announcement)
class AnnouncementAdmin(AddedOnceAdmin):
    """Adding a row publishes it; the action removes it from the pages."""

    form = AnnouncementForm
    title = _("Make an announcement")
    words = _(
        "The announcement is shown on every page until it ends; you can remove it sooner. If you email it, it goes "
        "to everyone who wants such emails, and you cannot recall it."
    )
    button = _("Announce")
    done = _("Announcement published.")
    list_display = ("text", "written_by", "starts_at", "until", "is_mailed", "withdrawn_at")
    list_select_related = ("written_by",)
    fields = ("text", "until", "is_mailed")
    actions = ("withdraw",)

    def save_model(self, request: HttpRequest, obj: Announcement, form: Any, change: bool) -> None:
        written = announce(
            by=user_of(request), text=obj.text, until=obj.until, is_mailed=obj.is_mailed, now=timezone.now()
        )
        obj.pk, obj.starts_at, obj.written_by = written.pk, written.starts_at, written.written_by

    @admin.action(description=_("Remove from all pages"), permissions=["intervene"])
    def withdraw(self, request: HttpRequest, rows: QuerySet[Announcement]) -> None:
        taken = sum(withdraw_announcement(announcement=row, now=timezone.now()) for row in rows)
        messages.info(request, gettext("%(count)s removed from all pages.") % {"count": taken})


class SitePageForm(RowForm):
    language = forms.ChoiceField(label=pgettext_lazy("column", "language"), choices=settings.LANGUAGES)


@admin.register(SitePage)
class SitePageAdmin(JanitorAdmin):
    """Each row is a version; saving a form makes a new one. `?name=` and `?language=` fill in a draft."""

    form = SitePageForm
    button = _("Save")
    list_display = ("saved_at", "name", "language", "saved_by")
    list_filter = ("name", "language")
    list_select_related = ("saved_by",)
    fields = ("name", "language", "text")

    def get_readonly_fields(self, request: HttpRequest, obj: SitePage | None = None) -> tuple[str, ...]:
        return ("name", "language") if obj else ()

    def has_add_permission(self, request: HttpRequest) -> bool:
        return is_janitor(request.user)

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def get_form(self, request: HttpRequest, obj: Any = None, change: bool = False, **kwargs: Any) -> type[RowForm]:
        form = super().get_form(request, obj, change, **kwargs)
        if "text" in form.base_fields:  # those who only read have no fields
            form.base_fields["text"].required = obj is None
        return form

    def changeform_view(
        self, request: HttpRequest, object_id: Any = None, form_url: str = "", extra_context: Any = None
    ) -> Any:
        words = gettext("Saving makes a new version. A blank text takes the page down.")
        context = {"words": words, **self._name_button(), **(extra_context or {})}
        return super().changeform_view(request, object_id, form_url, context)

    def get_changeform_initial_data(self, request: HttpRequest) -> dict[str, Any]:
        name, language = request.GET.get("name", ""), request.GET.get("language", "")
        if name not in DRAFTS or language not in dict(settings.LANGUAGES):
            return {}
        current = list_current_pages().filter(name=name, language=language).first()
        with override(language):
            return {"name": name, "language": language, "text": current.text if current else str(DRAFTS[name])}

    def save_model(self, request: HttpRequest, obj: SitePage, form: Any, change: bool) -> None:
        saved = save_site_page(
            name=obj.name,
            language=obj.language,
            text=form.cleaned_data["text"],
            by=user_of(request),
            now=timezone.now(),
        )
        obj.pk = saved.pk


@admin.register(Heartbeat)
class HeartbeatAdmin(ReadOnlyAdmin):
    list_display = ("part", "beat_at", "failing_since")
    actions = ("watch_no_more",)

    @admin.action(description=_("Stop watching until the next heartbeat"), permissions=["intervene"])
    def watch_no_more(self, request: HttpRequest, rows: QuerySet[Heartbeat]) -> None:
        for row in rows:
            forget_heartbeat(part=row.part)
        messages.info(request, gettext("No longer watched."))


@admin.register(Chore)
class ChoreAdmin(ReadOnlyAdmin):
    list_display = ("name", "day", "claimed_at", "done_at", "remark")
    list_filter = ("name",)


@admin.register(Outage)
class OutageAdmin(ReadOnlyAdmin):
    list_display = ("part", "started_at", "ended_at", "given_back_at")
