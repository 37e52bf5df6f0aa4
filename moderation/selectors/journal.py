"""Reading a battle's public journal and the questions to its players."""

from dataclasses import dataclass

from django.db.models import Count, Max, Q, QuerySet
from django.utils.translation import gettext

from accounts.models import User
from duels.models import Battle
from duels.selectors.journal import JanitorQuestion, JournalNote
from moderation.journal_words import describe_entry
from moderation.models import Consent, JournalEntry
from operations.web.numbers import parse_number


@dataclass(frozen=True)
class Answers:
    """Which players agreed to rewind a turn, which refused, and which did not answer or were not asked."""

    agreed: tuple[str, ...]
    refused: tuple[str, ...]
    silent: tuple[str, ...]


def list_entries_for_anyone(battle: Battle) -> tuple[JournalNote, ...]:
    """Return the entries, oldest first. Looks are included once the battle is over."""
    # Most battles have none, and then nobody is looked for.
    entries = JournalEntry.objects.filter(battle=battle).prefetch_related("by", "undone_by").order_by("number")
    looked = JournalEntry.Kind.LOOKED
    return tuple(_read(entry) for entry in entries.defer("before", "after") if battle.is_over or entry.kind != looked)


def _read(entry: JournalEntry) -> JournalNote:
    return JournalNote(
        number=entry.number,
        kind=entry.kind,
        seq=entry.seq,
        attempt=entry.attempt,
        label=entry.label,
        text=describe_entry(entry.kind, entry.facts),
        reason=entry.why,
        by=str(entry.by) if entry.by else None,
        made_at=entry.made_at,
        undone_by=str(entry.undone_by) if entry.undone_by else None,
        undone_at=entry.undone_at,
        undone_reason=entry.undone_reason,
    )


def list_entries_for_janitor(janitor: User, entries: QuerySet[JournalEntry]) -> QuerySet[JournalEntry]:
    """Return the `entries` without looks into the janitor's own running battles, and without readings of messages that
    a report about them names."""
    own = Battle.objects.filter(combatants__mage__user=janitor.pk, finished_at=None)
    looked = JournalEntry.Kind.LOOKED
    return entries.exclude(kind=looked, battle__in=own).exclude(kind=looked, user=janitor.pk)


def mark_journal(about: Battle | User) -> str:
    """Return a mark of the journal of a battle or user as it is now, for `describe_changes_since`."""
    found = _list_changes(about).aggregate(last=Max("pk"), undone=Count("pk", filter=Q(undone_at__isnull=False)))
    return f"{found['last'] or 0}.{found['undone']}"


def describe_changes_since(about: Battle | User, mark: str) -> str:
    """Return what janitors have done to a battle or user since this mark, or "" (also for a malformed mark)."""
    last, undone = (parse_number(part) for part in mark.partition(".")[::2])
    if last is None or undone is None or mark == mark_journal(about):
        return ""
    changes = _list_changes(about).select_related("by", "undone_by")
    undoings = changes.filter(undone_at__isnull=False).order_by("-undone_at")
    fresh = undoings[: max(0, undoings.count() - undone)]
    news = [
        (entry.author, describe_entry(entry.kind, entry.facts, entry.why))
        for entry in changes.filter(pk__gt=last).order_by("pk")
    ]
    for entry in reversed(fresh):
        words = describe_entry(entry.kind, entry.facts, entry.undone_reason)
        news.append((str(entry.undone_by), gettext("Undone: %(action)s") % {"action": words}))
    return " ".join(gettext("%(by)s: %(action)s") % {"by": by, "action": _end_sentence(words)} for by, words in news)


def _end_sentence(text: str) -> str:
    """Return a text that a janitor may have ended without a full stop."""
    return text if text.endswith((".", "!", "?", "…")) else f"{text}."


def _list_changes(about: Battle | User) -> QuerySet[JournalEntry]:
    place = {"user": about} if isinstance(about, User) else {"battle": about}
    kinds = (JournalEntry.Kind.LOOKED, JournalEntry.Kind.REPLAYED)
    return JournalEntry.objects.filter(**place).exclude(kind__in=kinds).defer("before", "after")


def find_open_question(battle: Battle, user: User) -> Consent | None:
    """Return the janitor's question that `user` may still answer, or None."""
    if battle.status == Battle.Status.ANNULLED:
        return None
    asked = _find_question(battle)
    return Consent.objects.filter(asked=asked, user=user).select_related("asked__by").first() if asked else None


def ask_player(battle: Battle, user: User) -> JanitorQuestion | None:
    """Return the open question to `user` as the battle page shows it, or None."""
    consent = find_open_question(battle, user)
    if consent is None:
        return None
    asked = consent.asked
    return JanitorQuestion(asked.number, asked.facts["turn"], asked.author, asked.reason, consent.agrees)


def find_decided(numbers: list[int]) -> frozenset[int]:
    found = JournalEntry.objects.filter(battle__number__in=numbers, kind=JournalEntry.Kind.DECIDED)
    return frozenset(found.values_list("battle__number", flat=True))


def find_answers(battle: Battle, seq: int, *, before: int | None = None) -> Answers:
    """Return the players' answers to the latest question about going back to turn `seq` (`before` that entry). Bots are
    not asked."""
    players = User.objects.filter(mages__combatants__battle=battle, is_bot=False).distinct().order_by("pk")
    asked = _find_question(battle, seq, before)
    answers = dict(Consent.objects.filter(asked=asked).values_list("user__username", "agrees")) if asked else {}
    names = [user.username for user in players]
    return Answers(
        agreed=tuple(name for name in names if answers.get(name) is True),
        refused=tuple(name for name in names if answers.get(name) is False),
        silent=tuple(name for name in names if answers.get(name) is None),
    )


def _find_question(battle: Battle, seq: int | None = None, before: int | None = None) -> JournalEntry | None:
    """Return the last open question: not withdrawn, and no rewind since."""
    asked = JournalEntry.objects.filter(battle=battle, undone_at=None, kind__in=["asked", "rewound"])
    asked = asked if before is None else asked.filter(number__lt=before)
    last = asked.order_by("number").last()
    if last is None or last.kind != JournalEntry.Kind.ASKED:
        return None
    return last if seq is None or last.facts.get("seq") == seq else None
