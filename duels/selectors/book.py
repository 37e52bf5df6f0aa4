"""The janitors' book of a battle, as everybody may read it, and what players are asked in it."""

import datetime
from dataclasses import dataclass

from accounts.models import User
from duels.intervention_words import describe_intervention
from duels.models import Battle, Consent, Intervention


@dataclass(frozen=True)
class BookEntry:
    """One entry: what was done in words, where the battle stood, by whom, when, why; and whether it was undone."""

    number: int
    kind: str
    seq: int
    attempt: int
    label: str
    text: str
    reason: str
    by: str
    made_at: datetime.datetime
    undone_by: str | None
    undone_at: datetime.datetime | None
    undone_reason: str


@dataclass(frozen=True)
class Answers:
    """Which players agreed that a turn is played again, which refused, and which said nothing or were not asked."""

    agreed: tuple[str, ...]
    refused: tuple[str, ...]
    silent: tuple[str, ...]


def list_book_for_anybody(battle: Battle) -> tuple[BookEntry, ...]:
    """Return the entries, the oldest first. That a janitor looked is told once the battle is over."""
    entries = Intervention.objects.filter(battle=battle).select_related("by", "undone_by").order_by("number")
    if not battle.is_over:
        entries = entries.exclude(kind=Intervention.Kind.LOOKED)
    return tuple(_read(entry) for entry in entries.defer("before", "after"))


def _read(entry: Intervention) -> BookEntry:
    return BookEntry(
        number=entry.number,
        kind=entry.kind,
        seq=entry.seq,
        attempt=entry.attempt,
        label=entry.label,
        text=describe_intervention(entry.kind, entry.facts),
        reason=entry.reason,
        by=entry.by.username,
        made_at=entry.made_at,
        undone_by=entry.undone_by.username if entry.undone_by else None,
        undone_at=entry.undone_at,
        undone_reason=entry.undone_reason,
    )


def find_open_question(battle: Battle, user: User) -> Consent | None:
    """Return what `user` is asked by a janitor and may still answer, or None."""
    if battle.status == Battle.Status.ANNULLED:
        return None
    asked = _find_question(battle)
    return Consent.objects.filter(asked=asked, user=user).select_related("asked__by").first() if asked else None


def find_answers(battle: Battle, seq: int, *, before: int | None = None) -> Answers:
    """Return what the players say to going back to turn `seq`, as it was last asked (`before` that entry)."""
    players = User.objects.filter(mages__combatants__battle=battle).distinct().order_by("pk")
    asked = _find_question(battle, seq, before)
    told = dict(Consent.objects.filter(asked=asked).values_list("user__username", "agrees")) if asked else {}
    names = [user.username for user in players]
    return Answers(
        agreed=tuple(name for name in names if told.get(name) is True),
        refused=tuple(name for name in names if told.get(name) is False),
        silent=tuple(name for name in names if told.get(name) is None),
    )


def _find_question(battle: Battle, seq: int | None = None, before: int | None = None) -> Intervention | None:
    """The last question that is open: not withdrawn, and nothing has been taken back since."""
    asked = Intervention.objects.filter(battle=battle, undone_at=None, kind__in=["asked", "rewound"])
    asked = asked if before is None else asked.filter(number__lt=before)
    last = asked.order_by("number").last()
    if last is None or last.kind != Intervention.Kind.ASKED:
        return None
    return last if seq is None or last.facts.get("seq") == seq else None
