"""The janitors' view of battles: only public facts. Orders, states and seeds are never shown."""

from datetime import datetime
from typing import Any
from urllib.parse import urlencode

from django.contrib import admin
from django.contrib.admin.models import LogEntry
from django.contrib.contenttypes.models import ContentType
from django.core.exceptions import PermissionDenied
from django.db.models import Q, QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django.utils import timezone
from django.utils.formats import localize
from django.utils.html import format_html_join
from django.utils.safestring import mark_safe
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts.errors import MageUnavailable
from accounts.janitors import is_janitor
from accounts.models import User
from accounts.requests import user_of
from challenges.words import describe_terms
from duels.board.call import outcome_words
from duels.errors import DuelsError, IllegalOrders, InvalidOrders, InvalidTerms
from duels.models import Battle, Deadline, Replay
from duels.selectors.stage_keys import names_waited_for
from duels.terms import Terms
from moderation.admin.battle_actions import BATTLE_ACTIONS
from moderation.admin.row_actions import AdminWithActions
from moderation.errors import ModerationRefused
from moderation.janitor_tables import ReadOnlyAdmin
from moderation.journal_words import describe_entry
from moderation.models import JournalEntry, Report
from moderation.selectors.journal import list_entries_for_janitor
from moderation.selectors.reports import list_reports_for
from moderation.services.battles.journal import lock_for_janitor, refuse_players
from moderation.services.battles.undo import may_be_undone
from operations.errors import Refused

SHOWN = ("number", "kind", "status", "label", "stuck_reference", "ruleset", "edition", "practice", "started_at")
STATES = {
    "in": _("fighting"),
    "dead": _("dead"),
    "surrendered": _("surrendered"),
    "absent": _("never moved"),
    "victorious": _("victorious"),
}
MORE = ("number", "kind", "ruleset", "edition", "practice", "started_at", "finished_at")


def list_own_battles(request: HttpRequest) -> Any:
    """Return the running battles in which the janitor has a mage."""
    return Battle.objects.filter(combatants__mage__user=request.user.pk, finished_at=None)


def list_clocks(battle: Battle) -> QuerySet[Deadline]:
    return Deadline.objects.filter(battle=battle).select_related("combatant__mage")


def write_deadline(clock: Deadline | None) -> str:
    if clock is None or clock.ends_at is None or clock.forfeit_at is None:
        return gettext("clock stopped")
    late = clock.ends_at <= timezone.now()
    message = (
        gettext("was due on %(due)s; forfeits on %(end)s") if late else gettext("due on %(due)s; forfeits on %(end)s")
    )
    return message % {"due": _write_moment(clock.ends_at), "end": _write_moment(clock.forfeit_at)}


def _write_moment(moment: datetime) -> str:
    return str(localize(timezone.localtime(moment)))


@admin.register(Battle)
class BattleAdmin(AdminWithActions):
    """Battles, and the actions on them."""

    list_display = SHOWN
    list_filter = ("status", "kind", "practice")
    search_fields = ("=number", "=stuck_reference", "combatants__mage__name")
    readonly_fields = ("mages", "turn", "waits_for", *SHOWN, "finished_at", "outcome", "agreed")
    fieldsets = (
        (None, {"fields": ("mages", "status", "stuck_reference", "turn", "waits_for", "outcome")}),
        (_("More"), {"classes": ("collapse",), "fields": (*MORE, "agreed")}),
    )
    row_actions = BATTLE_ACTIONS
    refusals = (Refused, DuelsError, MageUnavailable, InvalidOrders, IllegalOrders)

    def lock(self, about: Battle) -> None:
        lock_for_janitor(battle=about)

    @admin.display(description=_("mages"))
    def mages(self, battle: Battle) -> str:
        fighting = battle.combatants.select_related("mage__user").order_by("position")
        rows = [
            (
                each.mage,
                reverse("admin:accounts_user_change", args=[each.mage.user_id]),
                each.mage.user,
                STATES[each.standing],
            )
            for each in fighting
        ]
        return format_html_join(mark_safe("<br>"), gettext('{} of <a href="{}">{}</a>: {}'), rows)

    @admin.display(description=_("turn"))
    def turn(self, battle: Battle) -> str:
        return battle.label

    @admin.display(description=_("waiting for"))
    def waits_for(self, battle: Battle) -> str:
        """Return the mages whose orders are missing, with their deadlines."""
        clocks = {each.combatant.mage.name: each for each in list_clocks(battle)}
        rows = [(f"{name}: {write_deadline(clocks.get(name))}",) for name in names_waited_for(battle)]
        return format_html_join(mark_safe("<br>"), "{}", rows) or gettext("nobody")

    @admin.display(description=_("result"))
    def outcome(self, battle: Battle) -> str:
        return outcome_words(battle.result) if battle.is_over else "-"

    @admin.display(description=_("terms"))
    def agreed(self, battle: Battle) -> str:
        """Return the terms in words; of a battle whose rules are missing, why they can't be read."""
        try:
            terms = Terms.from_json(battle.terms)
        except InvalidTerms as error:
            return str(error)
        return describe_terms(terms, is_practice=battle.practice)

    def refuse(self, user: Any, about: Any) -> str | None:
        """Janitors, including superusers, may not act on their own battles."""
        try:
            refuse_players(battle=about, by=user)
        except ModerationRefused as error:
            return str(error)
        return None

    def history_view(self, request: HttpRequest, object_id: str, extra_context: Any = None) -> Any:
        """Hide the log, which lists looks, from the battle's own players until it is over."""
        battle = self.get_object(request, object_id)
        if battle is not None and not battle.is_over and self.refuse(request.user, battle):
            raise PermissionDenied
        return super().history_view(request, object_id, extra_context)

    def change_view(self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: Any = None) -> Any:
        battle = self.get_object(request, object_id)
        journal = self._read_journal(request, battle) if battle else []
        return super().change_view(request, object_id, form_url, {"journal": journal, **(extra_context or {})})

    def _read_journal(self, request: HttpRequest, battle: Battle) -> list[dict[str, Any]]:
        """Return the whole journal with looks; a janitor who plays in the battle gets what every player can read."""
        refused = self.refuse(request.user, battle)
        entries = battle.journal.select_related("by", "undone_by", "battle").order_by("-number")
        undo = next(action for action in self.row_actions if action.slug == "undo")
        address = self.address_of(undo, battle)
        return [
            {
                "entry": entry,
                "text": describe_entry(entry.kind, entry.facts),
                "undo": f"{address}?{urlencode({'entry': entry.number})}"
                if not refused and is_janitor(request.user) and may_be_undone(entry=entry, now=timezone.now())
                else "",
            }
            for entry in entries
            if not refused or battle.is_over or entry.kind != JournalEntry.Kind.LOOKED
        ]


@admin.register(JournalEntry)
class JournalEntryAdmin(ReadOnlyAdmin):
    """Janitors' actions on battles and users. The changed rows contain secrets and are not shown."""

    list_display = fields = (
        "battle", "user", "label", "kind", "what", "reason", "report", "by", "made_at", "undone_by", "undone_at",
    )  # fmt: skip
    list_filter = ("kind",)
    search_fields = ("=battle__number", "user__username", "by__username")
    list_select_related = ("battle", "user", "report", "by", "undone_by")

    def get_queryset(self, request: HttpRequest) -> Any:
        return list_entries_for_janitor(user_of(request), super().get_queryset(request))

    @admin.display(description=_("action"))
    def what(self, entry: JournalEntry) -> str:
        return describe_entry(entry.kind, entry.facts)


@admin.register(LogEntry)
class LogEntryAdmin(ReadOnlyAdmin):
    """The log of everything janitors did and viewed."""

    list_display = fields = ("action_time", "user", "content_type", "object_repr", "change_message")
    list_filter = (("content_type", admin.RelatedOnlyFieldListFilter),)
    search_fields = ("user__username", "object_repr", "change_message")
    list_select_related = ("user", "content_type")

    def get_queryset(self, request: HttpRequest) -> Any:
        """Leave out the janitor's own running battles, what others did about them, and reports that they may not
        read."""
        me = user_of(request)
        own = [str(pk) for pk in list_own_battles(request).values_list("pk", flat=True)]
        readable = list_reports_for(me, Report.objects.all())
        hidden = [str(pk) for pk in Report.objects.exclude(pk__in=readable.values("pk")).values_list("pk", flat=True)]
        battles, users, reports = (ContentType.objects.get_for_model(model) for model in (Battle, User, Report))
        return (
            super()
            .get_queryset(request)
            .exclude(content_type=battles, object_id__in=own)
            .exclude(~Q(user=me), content_type=users, object_id=str(me.pk))
            .exclude(content_type=reports, object_id__in=hidden)
        )


@admin.register(Replay)
class ReplayAdmin(ReadOnlyAdmin):
    """When a battle was last replayed. Differences may contain secrets: see the log or the command."""

    list_display = fields = ("battle", "played_at", "differs")
    list_select_related = ("battle",)

    @admin.display(boolean=True)
    def differs(self, replay: Replay) -> bool:
        return bool(replay.differences)
