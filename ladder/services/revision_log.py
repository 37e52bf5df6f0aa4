"""Lock a counted battle for a revision, and log what the revision changed."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from accounts.models import Mage
from ladder.models import Placing, RevisedEntry, ScoredBattle, ScoreEntry, ScoreRevision
from ladder.services.score_rows import lock_mages, lock_users

Columns = Mapping[str, Any]


@dataclass(frozen=True)
class LockedBattle:
    """A battle and its mages, locked, and all score rows of these mages before the revision, by key.

    `scored` is None if the battle has not ended: then there are at most penalties. `kind` is "" if the ladder does not
    know the battle.
    """

    number: int
    scored: ScoredBattle | None
    kind: str
    mages: tuple[Mage, ...]
    rows_before: Mapping[int, ScoreEntry]

    @property
    def is_annulled(self) -> bool:
        return self.scored is not None and self.scored.annulled_at is not None

    @property
    def has_rows(self) -> bool:
        return any(row.battle == self.number for row in self.rows_before.values())

    def find_dead(self) -> list[Mage]:
        """Return the mages that the battle killed for good."""
        dead = set(Placing.objects.filter(battle=self.scored, is_real_death=True).values_list("mage_id", flat=True))
        return [mage for mage in self.mages if mage.pk in dead]


def lock_revised_battle(number: int) -> LockedBattle:
    """Lock the battle's row, its mages and their users; return the mages with the mages' score rows."""
    scored = ScoredBattle.objects.select_for_update().filter(number=number).first()
    kinds = dict(ScoreEntry.objects.filter(battle=number).values_list("mage_id", "kind"))
    kinds |= dict(RevisedEntry.objects.filter(battle=number).values_list("mage_id", "kind"))
    kind = scored.kind if scored else next(iter(kinds.values()), "")
    placed = Placing.objects.filter(battle=scored).values_list("mage_id", flat=True) if scored else ()
    mages = lock_mages({*kinds, *placed})
    lock_users(mage.user_id for mage in mages)
    return LockedBattle(number, scored, kind, tuple(mages), _read_rows(mages, kind))


def find_annulment(locked: LockedBattle) -> ScoreRevision | None:
    last = ScoreRevision.objects.filter(battle=locked.number).order_by("-pk").first()
    return last if last is not None and last.what == ScoreRevision.What.ANNULLED else None


def write_revision(locked: LockedBattle, what: ScoreRevision.What, reason: str, *, now: datetime) -> ScoreRevision:
    """Log the rows before and after the revision."""
    revision = ScoreRevision.objects.create(
        battle=locked.number,
        what=what,
        reason=reason,
        created_at=now,
        ended_at=locked.scored.scored_at if locked.scored else None,
    )
    rows_after = _read_rows(locked.mages, locked.kind)
    entries = []
    for key in sorted({*locked.rows_before, *rows_after}):
        old, new = locked.rows_before.get(key), rows_after.get(key)
        if (old and columns_of(old)) == (new and columns_of(new)):
            continue
        row = new or locked.rows_before[key]
        entries.append(
            RevisedEntry(
                revision=revision,
                entry=key,
                mage_id=row.mage_id,
                kind=row.kind,
                battle=row.battle,
                was=columns_of(old) if old else None,
                became=columns_of(new) if new else None,
            )
        )
    RevisedEntry.objects.bulk_create(entries)
    return revision


def columns_of(row: ScoreEntry) -> dict[str, Any]:
    """Return the columns of a row that a revision keeps."""
    return {
        "due": row.due,
        "before": row.before,
        "change": row.change,
        "after": row.after,
        "reason": row.reason,
        "created_at": row.created_at.isoformat(),
    }


def restore_rows(revision: ScoreRevision) -> None:
    """Restore the rows that `revision` deleted, under their old keys; the caller recounts them."""
    ScoreEntry.objects.bulk_create(
        ScoreEntry(
            pk=entry.entry, mage_id=entry.mage_id, kind=entry.kind, battle=entry.battle, **_read_columns(entry.was)
        )
        for entry in revision.entries.all()
        if entry.was and not entry.became
    )


def _read_columns(columns: Columns) -> dict[str, Any]:
    return {**columns, "created_at": datetime.fromisoformat(columns["created_at"])}


def _read_rows(mages: "list[Mage] | tuple[Mage, ...]", kind: str) -> dict[int, ScoreEntry]:
    return {row.pk: row for row in ScoreEntry.objects.filter(mage__in=mages, kind=kind)}
