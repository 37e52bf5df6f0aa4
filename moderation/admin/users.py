"""Users, mages and notices for janitors. Services make all changes."""

from typing import Any
from urllib.parse import urlencode

from django.contrib import admin
from django.core.exceptions import PermissionDenied, ValidationError
from django.db.models import QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django.utils import timezone
from django.utils.html import format_html, format_html_join
from django.utils.safestring import mark_safe
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts.errors import AccountsError
from accounts.models import Engagement, Mage, Name, User, UserMerge, Vacation
from accounts.requests import user_of
from accounts.selectors.engagements import find_shared_battle
from accounts.selectors.users import list_mages_of
from moderation.admin.row_actions import AdminWithActions
from moderation.admin.user_actions import USER_ACTIONS
from moderation.janitor_tables import ReadOnlyAdmin, RowForm, WithoutOpponents
from moderation.journal_words import describe_entry
from moderation.models import JournalEntry
from moderation.selectors.conflicts import find_conflict
from moderation.selectors.deliveries import list_deliveries_for
from moderation.selectors.journal import list_entries_for_janitor
from moderation.services.user_journal import list_undoable_entries, lock_users
from notifications.models import Delivery, Notice
from notifications.selectors.notices import zone_of
from operations.errors import Refused

MAILS_SHOWN = ENTRIES_SHOWN = 20


class UserForm(RowForm):
    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        if self.instance.is_bot and (cleaned.get("is_staff") or cleaned.get("is_superuser")):
            raise ValidationError(gettext("A bot cannot be a janitor or a superuser."))
        return cleaned


@admin.register(User)
class UserAdmin(AdminWithActions):
    """Users, and the actions on them. Only a superuser can make someone a janitor."""

    form = UserForm
    list_display = ("username", "is_active", "is_staff", "is_guest", "created_at", "last_active_at")
    list_filter = ("is_active", "is_staff", "is_guest", "is_bot")
    search_fields = ("username", "email", "mages__name")
    fieldsets = (
        (None, {"fields": ("username", "email", "living", "created_at", "last_active_at")}),
        (_("Permissions"), {"classes": ("collapse",), "fields": ("is_active", "is_staff", "is_superuser", "groups")}),
    )
    # `is_active` is not editable: users close their own account, and janitors suspend.
    readonly_fields = ("username", "email", "living", "is_active", "created_at", "last_active_at")
    row_actions = USER_ACTIONS
    refusals = (Refused, AccountsError)

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return bool(request.user.is_active and request.user.is_superuser)

    def refuse(self, user: Any, about: Any) -> str | None:
        conflict = find_conflict(user=about, by=user)
        return str(conflict) if conflict else None

    def lock(self, about: User) -> None:
        lock_users(about)

    def change_view(self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: Any = None) -> Any:
        user = self.get_object(request, object_id)
        context: dict[str, Any] = {}
        if user:
            context = {"journal": self._read_journal(request, user)}
            if not find_shared_battle(user, user_of(request)):
                context |= {"mails": self._list_mails(user), "mail_pages": self._list_mail_pages(user)}
        return super().change_view(request, object_id, form_url, {**context, **(extra_context or {})})

    def history_view(self, request: HttpRequest, object_id: str, extra_context: Any = None) -> Any:
        """Hide the log about a janitor from themselves: it tells of reports about them."""
        if self.get_object(request, object_id) == request.user:
            raise PermissionDenied
        return super().history_view(request, object_id, extra_context)

    @admin.display(description=_("mages"))
    def living(self, user: User) -> str:
        """Return the living mages, each with their challenge or battle."""
        rows = [(mage, self._link_business(mage)) for mage in list_mages_of(user)]
        return format_html_join(mark_safe("<br>"), "{} {}", rows) or gettext("none")

    def _link_business(self, mage: Mage) -> str:
        busy = mage.busy_with
        if busy is None:
            return ""
        kind = Engagement.Kind(busy.kind)
        table = {Engagement.Kind.BATTLE: "duels_battle", Engagement.Kind.CHALLENGE: "challenges_challenge"}[kind]
        address = reverse(f"admin:{table}_changelist")
        words = {
            Engagement.Kind.BATTLE: gettext("in battle %(number)s"),
            Engagement.Kind.CHALLENGE: gettext("in challenge %(number)s"),
        }[kind]
        return format_html('<a href="{}?number={}">{}</a>', address, busy.number, words % {"number": busy.number})

    def _read_journal(self, request: HttpRequest, user: User) -> list[dict[str, Any]]:
        """Return the latest entries of the user's journal, each with an undo link where possible."""
        undo = next(action for action in self.row_actions if action.slug == "undo")
        address = self.address_of(undo, user)
        zone = zone_of(request.user)
        may = undo.is_for(request.user) and self.refuse(request.user, user) is None
        entries = list_entries_for_janitor(user_of(request), JournalEntry.objects.filter(user=user))
        entries = entries.select_related("by", "undone_by")[:ENTRIES_SHOWN]
        undoable = list_undoable_entries(user=user, entries=entries, now=timezone.now()) if may else []
        return [
            {
                "entry": entry,
                "text": describe_entry(entry.kind, entry.facts, zone=zone),
                "undo": f"{address}?{urlencode({'entry': entry.pk})}" if entry in undoable else "",
            }
            for entry in entries
        ]

    def _list_mails(self, user: User) -> list[Delivery]:
        """Return the user's latest deliveries: their state, not their content."""
        return list(Delivery.objects.filter(user=user).select_related("notice").order_by("-pk")[:MAILS_SHOWN])

    def _list_mail_pages(self, user: User) -> list[tuple[str, str]]:
        sent = reverse("admin:notifications_delivery_changelist")
        came = reverse("admin:email_gateway_inboundmail_changelist")
        return [
            (gettext("All email to this user"), f"{sent}?{urlencode({'user__id__exact': user.pk})}"),
            (gettext("All email from this user"), f"{came}?{urlencode({'user__id__exact': user.pk})}"),
        ]


@admin.register(UserMerge)
class UserMergeAdmin(ReadOnlyAdmin):
    list_display = fields = ("kept", "merged", "reason", "merged_by", "merged_at", "undone_by", "undone_at")
    search_fields = ("kept__username", "merged__username")
    list_select_related = ("kept", "merged", "merged_by", "undone_by")


@admin.register(Mage)
class MageAdmin(ReadOnlyAdmin):
    list_display = ("name", "user", "created_at", "last_active_at", "died_at", "has_left", "retired_at")
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
class NoticeAdmin(WithoutOpponents, ReadOnlyAdmin):
    """Notices: their users and kinds. Their content is private."""

    list_display = fields = ("key", "user", "kind", "created_at")
    list_filter = ("kind",)
    search_fields = ("key", "user__username")
    list_select_related = ("user",)


@admin.register(Delivery)
class DeliveryAdmin(ReadOnlyAdmin):
    """Outgoing email, including answers: what happened to it, but not its text, which may contain pending orders."""

    fields = (
        *("notice", "user", "subject", "channel", "address", "state", "reason", "attempts"),
        *("created_at", "due_at", "claimed_at", "sent_at", "error"),
    )
    search_fields = ("user__username", "address")
    list_display = ("matter", "user", "channel", "state", "reason", "attempts", "due_at", "sent_at", "error")
    list_filter = ("state", "reason", "channel")
    list_select_related = ("notice", "user")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        return list_deliveries_for(user_of(request), super().get_queryset(request))

    @admin.display(description=_("about"))
    def matter(self, delivery: Delivery) -> str:
        return delivery.about


@admin.register(Vacation)
class VacationAdmin(ReadOnlyAdmin):
    list_display = ("user", "starts_at", "until", "ended_at")
    search_fields = ("user__username",)
    list_select_related = ("user",)
