"""Reports, warnings and suspensions for janitors."""

from typing import Any

from django import forms
from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse, QueryDict
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.html import format_html
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts.languages import in_language_of
from accounts.models import AccountWarning, Sanction
from accounts.requests import user_of
from moderation.errors import ModerationRefused
from moderation.janitor_tables import ByService, JanitorAdmin, RowForm, ServiceForm, act_on_each
from moderation.models import Report
from moderation.selectors.reports import list_reports_for
from moderation.services.reports import (
    answer_report,
    assign_report,
    lift_sanction,
    read_reported_messages,
    suspend_user,
    unassign_report,
    warn_user,
    withdraw_warning,
)


def mark_answer(report: Report) -> str:
    """Return a mark of the report's answer, or that it has none."""
    return report.answered_at.isoformat() if report.answered_at else "none"


class ReportForm(RowForm):
    """The form with the answer. It knows the answer that its reader saw, so that nobody replaces another's unawares."""

    seen = forms.CharField(widget=forms.HiddenInput, required=False)

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        if "seen" in self.fields:
            self.fields["seen"].initial = mark_answer(self.instance)

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        fresh = Report.objects.select_for_update(of=("self",)).select_related("janitor").get(pk=self.instance.pk)
        if cleaned.get("seen") and cleaned["seen"] != mark_answer(fresh):
            assert isinstance(self.data, QueryDict)
            data = self.data.copy()
            data[self.add_prefix("seen")] = mark_answer(fresh)
            self.data = data
            words = gettext(
                "Nothing has been sent yet, because %(janitor)s has answered after you opened this page: “%(answer)s” "
                "To replace that answer with yours, send it again."
            )
            raise forms.ValidationError(words % {"janitor": fresh.janitor, "answer": fresh.answer})
        return cleaned

    def clean_answer(self) -> str:
        answer: str = self.cleaned_data["answer"].strip()
        if not answer:
            raise forms.ValidationError(gettext("Enter an answer."))
        return answer


@admin.register(Report)
class ReportAdmin(JanitorAdmin):
    """The change page contains the answer; saving sends it."""

    form = ReportForm
    button = _("Send answer")
    list_display = ("created_at", "subject", "reporter", "state", "janitor", "answered_at")
    list_filter = ("state",)
    list_select_related = ("reporter", "about_user", "janitor")
    search_fields = ("reporter__username", "about_user__username", "=about_battle")
    readonly_fields = (
        "created_at",
        "reporter",
        "stranger",
        "where",
        "about_user",
        "battle",
        "text",
        "has_messages",
        "state",
        "janitor",
        "answered_at",
    )
    fields = (*readonly_fields, "answer", "seen")
    actions = ("assign", "unassign", "read_messages")

    @admin.display(description=_("about battle"))
    def battle(self, report: Report) -> str:
        if report.about_battle is None:
            return "none"
        address = f"{reverse('admin:duels_battle_changelist')}?number={report.about_battle}"
        return format_html('<a href="{}">{}</a>', address, report.about_battle)

    @admin.display(description=_("messages"))
    def has_messages(self, report: Report) -> str:
        if report.messages_to is None:
            return gettext("It is not about messages.")
        return gettext("It is about their messages to each other: press “Read the reported messages”.")

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Report | None = None) -> bool:
        """Refuse a reported janitor, who cannot answer the report."""
        about_me = obj is not None and obj.about_user_id == request.user.pk
        return super().has_change_permission(request, obj) and not about_me

    def get_queryset(self, request: HttpRequest) -> QuerySet[Report]:
        return list_reports_for(user_of(request), super().get_queryset(request))

    def save_model(self, request: HttpRequest, obj: Report, form: Any, change: bool) -> None:
        answer = form.cleaned_data["answer"]
        if not answer_report(report=obj, by=user_of(request), answer=answer, now=timezone.now()):
            messages.info(request, gettext("The report already has this answer, so nothing was sent."))
        elif obj.reporter is None and not obj.email:
            messages.warning(
                request,
                gettext(
                    "Your answer is saved but not sent, because we have no address of the stranger: they left none, or "
                    "it was deleted after the first answer."
                ),
            )
        else:
            to = obj.reporter or gettext("a stranger")
            messages.success(request, gettext("Your reply is on its way to %(reporter)s.") % {"reporter": to})

    def response_change(self, request: HttpRequest, obj: Report) -> HttpResponse:
        return self.response_post_save_change(request, obj)

    @admin.action(description=_("Assign to me"), permissions=["intervene"])
    def assign(self, request: HttpRequest, reports: QuerySet[Report]) -> None:
        others = [report for report in reports if not assign_report(report=report, by=user_of(request))]
        messages.info(request, gettext("Assigned to you: %(taken)s.") % {"taken": len(reports) - len(others)})
        for report in Report.objects.filter(pk__in=[each.pk for each in others]).select_related("janitor"):
            facts = {"subject": report.subject, "state": report.get_state_display(), "janitor": report.janitor}
            messages.warning(request, gettext("%(subject)s: %(state)s, %(janitor)s.") % facts)

    @admin.action(description=_("Unassign"), permissions=["intervene"])
    def unassign(self, request: HttpRequest, reports: QuerySet[Report]) -> None:
        put = sum(unassign_report(report=report) for report in reports)
        messages.info(request, gettext("Unassigned: %(put)s.") % {"put": put})

    @admin.action(description=_("Read the reported messages"), permissions=["intervene"])
    def read_messages(self, request: HttpRequest, reports: QuerySet[Report]) -> HttpResponse | None:
        """Show the messages of one report, which is written into the journal."""
        try:
            report = reports.get()
            shown = read_reported_messages(report=report, by=user_of(request), now=timezone.now())
        except (Report.MultipleObjectsReturned, Report.DoesNotExist):
            messages.error(request, gettext("Choose one report."))
        except ModerationRefused as error:
            messages.error(request, str(error))
        else:
            context = {**self.admin_site.each_context(request), "report": report, "shown": shown}
            context["title"] = gettext("The messages that the report is about")
            return TemplateResponse(request, "admin/reported_messages.html", context)
        return None


class ReasonedForm(ServiceForm):
    """A form that may name the report behind an action."""

    report = forms.ModelChoiceField(
        Report.objects.all(),
        required=False,
        widget=forms.NumberInput,
        help_text=_("The number of the report that led to this, if there is one."),
    )


@admin.register(AccountWarning)
class AccountWarningAdmin(ByService):
    form = ReasonedForm
    autocomplete_fields = ("user",)
    title = _("Warn a user")
    words = _(
        "The user must read and acknowledge your text before they can continue. You can withdraw the warning until "
        "then."
    )
    button = _("Warn")
    done = _("The user is warned and must acknowledge the warning to continue.")
    list_display = ("given_at", "user", "text", "given_by", "acknowledged_at", "withdrawn_at")
    list_select_related = ("user", "given_by")
    search_fields = ("user__username",)
    fields = ("user", "text", "report")
    actions = ("withdraw",)

    def make(self, request: HttpRequest, cleaned: dict[str, Any]) -> AccountWarning:
        return warn_user(
            user=cleaned["user"],
            by=user_of(request),
            text=cleaned["text"],
            report=cleaned["report"],
            now=timezone.now(),
        )

    @admin.action(description=_("Withdraw"), permissions=["intervene"])
    def withdraw(self, request: HttpRequest, warnings: QuerySet[AccountWarning]) -> None:
        def take_back(warning: AccountWarning) -> bool:
            with in_language_of(warning.user):
                reason = gettext("Withdrawn from the list.")
            return withdraw_warning(warning=warning, by=user_of(request), reason=reason, now=timezone.now())

        act_on_each(request, warnings, take_back, gettext("%(count)s withdrawn."))


@admin.register(Sanction)
class SanctionAdmin(ByService):
    form = ReasonedForm
    autocomplete_fields = ("user",)
    title = _("Suspend a user")
    words = _(
        "The user can read but not play or write, and sees why and until when. Their clocks keep running. You can "
        "lift the suspension."
    )
    button = _("Suspend")
    done = _("The user is suspended and notified.")
    list_display = ("starts_at", "user", "reason", "ends_at", "imposed_by", "lifted_at", "expired_at")
    list_select_related = ("user", "imposed_by")
    search_fields = ("user__username",)
    fields = ("user", "reason", "ends_at", "report")
    actions = ("lift",)

    def make(self, request: HttpRequest, cleaned: dict[str, Any]) -> Sanction:
        return suspend_user(
            user=cleaned["user"],
            by=user_of(request),
            reason=cleaned["reason"],
            ends_at=cleaned["ends_at"],
            report=cleaned["report"],
            now=timezone.now(),
        )

    @admin.action(description=_("Lift"), permissions=["intervene"])
    def lift(self, request: HttpRequest, sanctions: QuerySet[Sanction]) -> None:
        def end(sanction: Sanction) -> bool:
            with in_language_of(sanction.user):
                why = gettext("Lifted from the list.")
            return lift_sanction(sanction=sanction, by=user_of(request), why=why, now=timezone.now())

        act_on_each(request, sanctions, end, gettext("%(count)s lifted."))
