"""The janitors' desk: what needs attention. Each row links to the page that deals with it; nothing here is secret."""

import datetime
from dataclasses import dataclass, field
from urllib.parse import urlencode
from zoneinfo import ZoneInfo

from django.conf import settings
from django.db.models import Model
from django.urls import reverse
from django.utils.text import Truncator
from django.utils.translation import gettext

from accounts.models import Host, User
from accounts.selectors.hold import list_suspended
from duels.models import Battle, ClockStop, ClockTrouble, Deadline, Replay
from moderation.journal_words import describe_entry
from moderation.models import JournalEntry, Report
from moderation.selectors.deliveries import list_deliveries_for
from moderation.selectors.reports import list_reports_for
from notifications.models import Delivery
from notifications.selectors.notices import zone_of
from operations.models import Announcement, SitePage
from operations.registry import DESK_SECTIONS, list_functions
from operations.selectors import list_current_pages, read_site_state
from operations.site_page_drafts import MISSING
from operations.text.dates import write_moment

MOST_ROWS = 15
RECENTLY = datetime.timedelta(days=7)


@dataclass(frozen=True)
class Item:
    """One item that needs attention: what, details, since when, and the page that deals with it."""

    what: str
    more: str
    moment: datetime.datetime | None
    url: str


@dataclass(frozen=True)
class Section:
    """Items of one kind, their total, the text if there are none, and the page that lists all."""

    title: str
    none: str
    count: int
    items: list[Item] = field(default_factory=list)
    url: str = ""


def list_sections(reader: User, now: datetime.datetime) -> list[Section]:
    """Return the sections, the most urgent first and empty ones last. Reports about `reader` or their own battles are
    left to other janitors, and so is the email of their opponents."""
    sections = [
        _stuck_battles(),
        _stuck_clocks(zone_of(reader)),
        _late_mages(now, zone_of(reader)),
        _open_reports(reader),
        _offers_to_host(),
        _paused_battles(),
        _other_replays(),
        _failed_mails(reader, now),
        *(section for list_more in list_functions(DESK_SECTIONS) for section in list_more(reader)),
        _announcements(now),
        _missing_pages(),
        _journal(),
    ]
    return sorted(sections, key=lambda section: not section.count)


def describe_site(reader: User, now: datetime.datetime) -> list[tuple[str, str]]:
    """Return names and values about the state of the site and its email, with times in the reader's zone."""
    state = read_site_state(now, zone_of(reader))
    waiting = Delivery.objects.filter(Delivery.EMAILS, state__in=Delivery.WAITING, due_at__lte=now)
    oldest = waiting.order_by("due_at").values_list("due_at", flat=True).first()
    email = str(waiting.count())
    if oldest:
        facts = {"count": email, "since": write_moment(oldest, zone_of(reader))}
        email = gettext("%(count)s, the oldest since %(since)s") % facts
    return [
        (
            gettext("Site"),
            gettext("under maintenance: %(reason)s") % {"reason": state.maintenance}
            if state.is_closed
            else gettext("open"),
        ),
        (gettext("Problems"), " ".join(state.doubts) or gettext("none")),
        (gettext("Email due"), email),
        (gettext("Current battles"), str(Battle.objects.filter(finished_at=None).count())),
    ]


def _stuck_battles() -> Section:
    stuck = Battle.objects.filter(status=Battle.Status.STUCK).order_by("number")
    items = [
        Item(
            str(battle),
            gettext("turn %(turn)s, reference %(reference)s")
            % {"turn": battle.label, "reference": battle.stuck_reference},
            battle.stuck_at,
            link_row(battle),
        )
        for battle in stuck[:MOST_ROWS]
    ]
    return Section(
        gettext("Stuck battles"),
        gettext("No battle is stuck."),
        stuck.count(),
        items,
        link_table(Battle, status__exact="stuck"),
    )


def _stuck_clocks(zone: ZoneInfo) -> Section:
    stuck = ClockTrouble.objects.order_by("since").select_related("battle")
    items = [
        Item(
            str(each.battle),
            gettext("failed attempts: %(count)s; next attempt on %(moment)s: %(error)s")
            % {"count": each.failures, "moment": write_moment(each.retry_at, zone), "error": each.error},
            each.since,
            link_row(each.battle),
        )
        for each in stuck[:MOST_ROWS]
    ]
    return Section(gettext("Battles with stuck clocks"), gettext("No clock is stuck."), stuck.count(), items)


def _late_mages(now: datetime.datetime, zone: ZoneInfo) -> Section:
    late = Deadline.objects.filter(ends_at__lte=now).order_by("forfeit_at")
    items = [
        Item(
            gettext("%(mage)s in %(battle)s") % {"mage": row.combatant.mage, "battle": row.battle},
            gettext("turn %(turn)s; forfeits on %(moment)s")
            % {"turn": row.battle.label, "moment": write_moment(row.forfeit_at, zone)},
            row.ends_at,
            link_row(row.battle),
        )
        for row in late.select_related("combatant__mage", "battle")[:MOST_ROWS]
        if row.forfeit_at is not None  # it always is where the deadline has an end
    ]
    return Section(gettext("Late mages"), gettext("No mage is past their deadline."), late.count(), items)


def _open_reports(reader: User) -> Section:
    reports = Report.objects.exclude(state=Report.State.ANSWERED).order_by("created_at")
    others = list_reports_for(reader, reports).select_related("reporter", "about_user")
    items = [
        Item(
            gettext("About %(subject)s") % {"subject": each.subject},
            gettext("%(state)s; by %(reporter)s")
            % {"state": each.get_state_display(), "reporter": each.reporter or gettext("a stranger")},
            each.created_at,
            link_row(each),
        )
        for each in others[:MOST_ROWS]
    ]
    return Section(gettext("Reports"), gettext("Every report is answered."), others.count(), items, link_table(Report))


def _offers_to_host() -> Section:
    offers = Host.objects.filter(offered_at__isnull=False, marked_at=None, user__is_active=True)
    offers = offers.exclude(user__in=list_suspended()).order_by("offered_at").select_related("user")
    items = [Item(str(each.user), "", each.offered_at, link_row(each.user)) for each in offers[:MOST_ROWS]]
    return Section(
        gettext("Offers to play newcomers"), gettext("Every offer to be a host is answered."), offers.count(), items
    )


def _paused_battles() -> Section:
    pauses = ClockStop.objects.filter(combatant=None, ended_at=None).order_by("since").select_related("battle")
    items = [
        Item(str(each.battle), each.get_reason_display(), each.since, link_row(each.battle))
        for each in pauses[:MOST_ROWS]
    ]
    return Section(gettext("Paused battles"), gettext("No battle is paused."), pauses.count(), items)


def _other_replays() -> Section:
    other = Replay.objects.exclude(differences=[]).order_by("-played_at").select_related("battle")
    items = [
        Item(str(each.battle), gettext("different outcome"), each.played_at, link_row(each.battle))
        for each in other[:MOST_ROWS]
    ]
    none = gettext("Every battle replays with the same outcome.")
    return Section(gettext("Battles that replay differently"), none, other.count(), items, link_table(Replay))


def _failed_mails(reader: User, now: datetime.datetime) -> Section:
    recent = Delivery.objects.filter(Delivery.EMAILS, state=Delivery.State.FAILED, due_at__gte=now - RECENTLY)
    failed = list_deliveries_for(reader, recent).order_by("-due_at")
    items = [
        Item(
            gettext("%(notice)s to %(user)s") % {"notice": each.about, "user": each.user or each.address},
            each.error,
            each.due_at,
            link_row(each),
        )
        for each in failed.select_related("notice", "user")[:MOST_ROWS]
    ]
    none = gettext("No email has failed in the last 7 days.")
    return Section(gettext("Failed email"), none, failed.count(), items, link_table(Delivery, state__exact="failed"))


def _announcements(now: datetime.datetime) -> Section:
    current = Announcement.objects.filter(starts_at__lte=now, until__gt=now, withdrawn_at=None).order_by("until")
    items = [
        Item(Truncator(each.text).words(12), gettext("on every page until"), each.until, link_row(each))
        for each in current[:MOST_ROWS]
    ]
    return Section(
        gettext("Announcements"), gettext("No announcements."), current.count(), items, link_table(Announcement)
    )


def _missing_pages() -> Section:
    """Return the operator's pages that don't exist, or that have gaps."""
    written: dict[str, list[SitePage]] = {}
    for page in list_current_pages():
        written.setdefault(page.name, []).append(page)
    items = []
    for name in SitePage.Name:
        versions = written.get(name, [])
        gaps = sum(page.text.count(MISSING) for page in versions)
        if versions and not gaps:
            continue
        language = next((page.language for page in versions if MISSING in page.text), settings.LANGUAGE_CODE)
        address = f"{reverse('admin:operations_sitepage_add')}?{urlencode({'name': name.value, 'language': language})}"
        what = gettext("Not filled in: %(count)s") % {"count": gaps} if gaps else gettext("Missing")
        items.append(Item(str(name.label), what, None, address))
    none = gettext("Every page is filled in.")
    return Section(gettext("Operator's pages"), none, len(items), items, link_table(SitePage))


def _journal() -> Section:
    """Return the latest actions, without looks: the reader may have a mage in that battle."""
    entries = (
        JournalEntry.objects.filter(battle__isnull=False)
        .exclude(kind=JournalEntry.Kind.LOOKED)
        .order_by("-made_at", "-pk")
    )
    items = [
        Item(str(entry.battle), _describe_entry(entry), entry.made_at, link_row(entry.battle))
        for entry in entries.select_related("battle", "by")[:MOST_ROWS]
        if entry.battle is not None
    ]
    return Section(
        gettext("Latest actions on battles"),
        gettext("No actions on battles yet."),
        entries.count(),
        items,
        link_table(JournalEntry),
    )


def _describe_entry(entry: JournalEntry) -> str:
    message = describe_entry(entry.kind, entry.facts)
    if entry.is_undone:
        message = gettext("Undone: %(action)s") % {"action": message}
    return f"{message} {entry.author}: {entry.why}"


def link_row(row: Model) -> str:
    return reverse(f"admin:{row._meta.app_label}_{row._meta.model_name}_change", args=[row.pk])


def link_table(model: type[Model], **filters: str) -> str:
    """Return the address of a table, filtered by `only`."""
    address = reverse(f"admin:{model._meta.app_label}_{model._meta.model_name}_changelist")
    return f"{address}?{urlencode(filters)}" if filters else address
