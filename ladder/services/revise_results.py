"""Annul, restore, correct or reopen a counted result, and recompute everything counted after it.

Penalties stop at zero, so a change in one battle may change what later ones cost: the later rows of the same mages are
recomputed, and each changed row is logged before and after. Points withheld because of the scores at a battle's start
stay withheld: those are the scores everyone saw then.
"""

from collections.abc import Collection
from datetime import datetime

from django.db import transaction

from accounts.models import Mage
from ladder.errors import LadderRefused
from ladder.models import Placing, ScoredBattle, ScoreEntry, ScoreRevision
from ladder.scoring import PENALTY, ScoreChange
from ladder.services.apply_results import BattleResult, find_repeated, settle_battle
from ladder.services.count_requests import ask_for_count
from ladder.services.deaths import bury_mages, check_free_to_die, refresh_remembrances, revive_mages
from ladder.services.rate_battles import mark_ratings_stale
from ladder.services.revision_log import LockedBattle, find_annulment, lock_revised_battle, restore_rows, write_revision
from ladder.services.score_rows import recount_rows, sum_scores, write_row
from ladder.stakes import STAKES

What = ScoreRevision.What
SURRENDERED = ScoreEntry.Reason.SURRENDERED


def annul_result(*, battle: int, now: datetime, reason: str = "") -> bool:
    """Annul `battle`, including penalties for surrender; return whether it counted until now.

    Mages that it killed live again under their names, free. If the battle has not ended, its penalties are refunded;
    the caller must keep it from ending.
    """
    with transaction.atomic():
        locked = lock_revised_battle(battle)
        if locked.is_annulled or (locked.scored is None and not locked.has_rows):
            return False
        _delete_rows(locked, keep_penalties=())
        if locked.scored is not None:
            ScoredBattle.objects.filter(pk=locked.scored.pk).update(annulled_at=now)
        _recount(locked, What.ANNULLED, reason, now=now)
    return True


def restore_result(*, battle: int, now: datetime, reason: str = "") -> bool:
    """Restore an annulled `battle`; return whether it was annulled until now.

    Its rows come back in their old places, and its dead are dead again. Raises LadderRefused if one of them is now in
    something else.
    """
    with transaction.atomic():
        locked = lock_revised_battle(battle)
        annulment = find_annulment(locked)
        if annulment is None:
            return False
        restore_rows(annulment)
        if locked.scored is not None:
            check_free_to_die(locked.find_dead(), battle)
            ScoredBattle.objects.filter(pk=locked.scored.pk).update(annulled_at=None)
            bury_mages(locked.scored, locked.find_dead(), died_at=locked.scored.scored_at)
        _recount(locked, What.RESTORED, reason, now=now)
    return True


def correct_result(
    *,
    battle: int,
    winners: Collection[Mage],
    dead: Collection[Mage],
    now: datetime,
    reason: str = "",
    surrendered: Collection[Mage] | None = None,
    sharing: Collection[Mage] = (),
    practice: bool | None = None,
) -> bool:
    """Give `battle` another result; return whether that changes anything.

    `surrendered` are the mages who pay for their surrender; None leaves that as it is, but winners never pay.
    `sharing` are those that share the points of a draw. `practice`: whether it counts as practice from now on, as one
    that was called off does; None leaves that as it is. Mages who are no longer dead live again, free; newly dead
    mages died at the battle's end. Raises LadderRefused.
    """
    with transaction.atomic():
        locked = lock_revised_battle(battle)
        scored = _require_counted(locked)
        were_dead = locked.find_dead()
        result = BattleResult(locked.mages, winners, dead, sharing)
        counts_anew = False
        if practice is not None and practice != scored.practice:
            counts_anew = True
            scored.practice, scored.deadly = practice, not practice and STAKES[scored.stakes].scores
            scored.save(update_fields=["practice", "deadly"])
        repeated = find_repeated(scored, result, is_counted=True)
        if counts_anew:
            _write_rows_anew(scored, result, repeated=repeated)
        new_rows = correct_rows(scored, result, surrendered, repeated=repeated)
        if not correct_placings(scored, result, repeated=repeated) and not new_rows and not counts_anew:
            return False
        revive_mages(scored, [mage for mage in were_dead if mage not in dead])
        if scored.deadly:
            check_free_to_die(dead, battle)
            bury_mages(scored, dead, died_at=scored.scored_at)
        _recount(locked, What.CORRECTED, reason, now=now)
    return True


def reopen_result(*, battle: int, now: datetime, reason: str = "", keep_penalties: Collection[Mage] = ()) -> bool:
    """Remove the result of `battle`, which continues from an earlier turn; return whether there was one.

    Its dead live again, and its points are taken back; so are the penalties for surrender, except of the mages in
    `keep_penalties`, who surrendered before that turn. `apply_result` counts the battle when it ends again. Raises
    LadderRefused.
    """
    with transaction.atomic():
        locked = lock_revised_battle(battle)
        if locked.is_annulled:
            raise LadderRefused("annulled", number=battle)
        if not _delete_rows(locked, keep_penalties=keep_penalties) and locked.scored is None:
            return False
        if locked.scored is not None:
            locked.scored.delete()
        _recount(locked, What.REOPENED, reason, now=now)
    return True


def _require_counted(locked: LockedBattle) -> ScoredBattle:
    if locked.scored is None:
        raise LadderRefused("not_counted", number=locked.number)
    if locked.is_annulled:
        raise LadderRefused("annulled", number=locked.number)
    return locked.scored


def _delete_rows(locked: LockedBattle, *, keep_penalties: Collection[Mage]) -> bool:
    """Delete the battle's score rows, except the penalties of these mages, and revive its dead; return whether there
    was a row."""
    rows = ScoreEntry.objects.filter(battle=locked.number)
    penalties = rows.filter(reason=SURRENDERED, mage__in=keep_penalties)
    deleted, _ = rows.exclude(pk__in=penalties.values("pk")).delete()
    if locked.scored is not None:
        revive_mages(locked.scored, locked.find_dead())
    return bool(deleted)


def _recount(locked: LockedBattle, what: ScoreRevision.What, reason: str, *, now: datetime) -> None:
    recount_rows(mages=locked.mages, kind=locked.kind)
    refresh_remembrances(locked.mages, locked.kind)
    write_revision(locked, what, reason, now=now)
    if locked.scored is not None:
        mark_ratings_stale(locked.scored)
    ask_for_count(battle=locked.number)


def _write_rows_anew(scored: ScoredBattle, result: BattleResult, *, repeated: Collection[Mage]) -> None:
    """Give each mage the row for the end of a battle that counts from now on, or delete these rows of one that counts
    no more. Penalties for surrender stay. The caller recounts the rows."""
    ScoreEntry.objects.filter(battle=scored.number).exclude(reason=SURRENDERED).delete()
    scores = sum_scores(result.players, scored.kind)
    settlement = settle_battle(scored, result, repeated=repeated, scores=scores, starting=_read_starting(scored))
    by_name = {mage.name: mage for mage in result.players}
    for change in settlement.changes:
        write_row(by_name[change.mage], change, kind=scored.kind, battle=scored.number, now=scored.scored_at)


def _read_starting(scored: ScoredBattle) -> dict[str, int]:
    return dict(Placing.objects.filter(battle=scored).values_list("mage__name", "score_at_start"))


def correct_placings(scored: ScoredBattle, result: BattleResult, *, repeated: Collection[Mage] = ()) -> bool:
    """Store who won, who died, and who gives no points; return whether that changed anything."""
    won, died, gives_none = ({mage.pk for mage in mages} for mages in (result.winners, result.dead, repeated))
    changed = []
    for placing in Placing.objects.filter(battle=scored):
        new = (placing.mage_id in won, placing.mage_id in died, placing.mage_id in gives_none)
        if (placing.won, placing.died, placing.is_repeated) != new:
            placing.won, placing.died, placing.is_repeated = new
            placing.is_real_death = placing.is_real_death and placing.died
            changed.append(placing)
    Placing.objects.bulk_update(changed, ["won", "died", "is_repeated", "is_real_death"])
    return bool(changed)


def correct_rows(
    scored: ScoredBattle,
    result: BattleResult,
    surrendered: Collection[Mage] | None,
    *,
    repeated: Collection[Mage] = (),
) -> bool:
    """Store the points due to each mage and why; return whether that changed anything. The caller recounts the rows.

    Mages have a row for the end of the battle and, if they paid for a surrender, one before that. Rows keep their
    order: mages who must now pay do so in their last row. Raises LadderRefused.
    """
    if surrendered is not None and set(surrendered) & set(result.winners):
        raise LadderRefused("winner_pays")
    starting = _read_starting(scored)
    settlement = settle_battle(scored, result, repeated=repeated, scores=starting, starting=starting)
    by_name = {mage.name: mage for mage in result.players}
    has_changed = False
    for change in settlement.changes:
        mage = by_name[change.mage]
        rows = list(ScoreEntry.objects.filter(battle=scored.number, mage=mage, kind=scored.kind).order_by("pk"))
        has_paid = any(row.reason == SURRENDERED and row.due for row in rows)
        pays = has_paid if surrendered is None else mage in surrendered
        has_changed |= _correct_mage(rows, change, pays=pays and mage not in result.winners)
    return has_changed


def _correct_mage(rows: list[ScoreEntry], change: ScoreChange, *, pays: bool) -> bool:
    end, penalty = rows[-1], rows[0] if len(rows) > 1 else None
    if penalty is None and pays:
        return _correct_row(end, -PENALTY, SURRENDERED)
    penalty_changed = penalty is not None and _correct_row(penalty, -PENALTY if pays else 0, SURRENDERED)
    return _correct_row(end, change.due, change.reason) or penalty_changed


def _correct_row(row: ScoreEntry, due: int, reason: str) -> bool:
    if (row.due, row.reason) == (due, reason):
        return False
    # The row must be consistent by itself until all rows are recounted.
    change = max(due, -row.before)
    ScoreEntry.objects.filter(pk=row.pk).update(due=due, reason=reason, change=change, after=row.before + change)
    return True
