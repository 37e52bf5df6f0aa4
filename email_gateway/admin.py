"""Received emails for janitors: their processing, but never their sealed content."""

from typing import Any

from django import forms
from django.contrib import admin, messages
from django.db.models import F, QuerySet
from django.http import HttpRequest
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts.requests import user_of
from email_gateway.commands.dispatch import hide_mage_commands
from email_gateway.deliver.stopped_addresses import resume_address, stop_address
from email_gateway.models import InboundMail, MailAddress
from email_gateway.receive.find_writer import find_opponent_behind, list_mails_for
from email_gateway.receive.process_mail import release_mail
from moderation.janitor_tables import ByService, ReadOnlyAdmin, ServiceForm, act_on_each
from moderation.selectors.conflicts import find_conflict

MAIL_FIELDS = ("received_at", "state", "user", "size", "copies", "attempts", "processed_at", "remark", "reading")


@admin.register(InboundMail)
class InboundMailAdmin(ReadOnlyAdmin):
    """Received emails, as they were read. Stuck or apparently automatic ones can be processed again."""

    list_display = ["pk", "received_at", "state", "user", "size", "copies", "attempts", "remark"]
    list_filter = ["state"]
    fields = MAIL_FIELDS
    actions = ["process_again"]

    def get_queryset(self, request: HttpRequest) -> QuerySet[InboundMail]:
        return list_mails_for(user_of(request), super().get_queryset(request))

    def get_fields(self, request: HttpRequest, obj: Any = None) -> tuple[str, ...]:
        """Without its text, if its user or apparent writer is in a battle with the janitor."""
        kept_back = {"reading"} if obj is not None and find_opponent_behind(obj, user_of(request)) else set()
        return tuple(name for name in MAIL_FIELDS if name not in kept_back)

    @admin.display
    def reading(self, mail: InboundMail) -> str:
        """Return the scrubbed copy without mage commands: a janitor may be the opponent."""
        return hide_mage_commands(mail.scrubbed)

    @admin.action(description=_("Process stuck and automatic emails again"), permissions=["intervene"])
    def process_again(self, request: HttpRequest, queryset: QuerySet[InboundMail]) -> None:
        for mail in queryset.select_related("user"):
            opponent = find_opponent_behind(mail, user_of(request))
            if opponent is not None:
                messages.error(
                    request,
                    gettext("Email %(number)s: %(why)s")
                    % {"number": mail.pk, "why": find_conflict(user=opponent, by=user_of(request))},
                )
            else:
                release_mail(mail=mail, now=timezone.now())


class StopForm(ServiceForm):
    reason = forms.CharField(
        label=_("Reason"), max_length=300, help_text=_("Other janitors see this, and the user whose address it is.")
    )


@admin.register(MailAddress)
class MailAddressAdmin(ByService):
    """Addresses that email does not reach, or that we write nothing to because their owners have asked for it."""

    form = StopForm
    title = _("Take an address out of all mailing")
    words = _(
        "For an owner of an address who asks for it, with an account or without: we stop all email to it, including "
        "codes. If it belongs to a user, the site shows them a notice, where they can resume email."
    )
    button = _("Stop all email")
    done = _("We write nothing to this address any more.")
    list_display = ["address", "bounce_score", "bounced_at", "last_error", "stopped_at", "stopped_for"]
    fields = ["address", "reason"]
    search_fields = ["address"]
    ordering = [F("stopped_at").desc(nulls_last=True), "-bounce_score"]
    actions = ["resume"]

    def get_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        return self.fields if obj is None else self.list_display

    def make(self, request: HttpRequest, cleaned: dict[str, Any]) -> MailAddress:
        return stop_address(
            address=cleaned["address"], by=user_of(request), reason=cleaned["reason"], now=timezone.now()
        )

    @admin.action(description=_("Write to it again"), permissions=["intervene"])
    def resume(self, request: HttpRequest, queryset: QuerySet[MailAddress]) -> None:
        def act(row: MailAddress) -> bool:
            return resume_address(row=row, by=user_of(request), reason=_("Resumed from the list."), now=timezone.now())

        act_on_each(request, queryset, act, gettext("%(count)s resumed."))
