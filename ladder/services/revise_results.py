"""Annul, restore, correct or reopen a counted result, and recompute everything counted after it.

Penalties stop at zero, so a change in one battle may change what later ones cost: the later rows of the same mages are
recomputed. What every affected row was and became is kept. Points withheld because of the scores at a battle's start
stay withheld: those are the scores everyone saw then.
"""

from collections.abc import Collection, Sequence
from datetime import datetime

from django.db import transaction

from accounts.models import Mage
from ladder.errors import NotCounted, ResultAnnulled, WrongResult
from ladder.models import Placing, ScoredBattle, ScoreEntry, ScoreRevision
from ladder.scoring import PENALTY, ScoreChange
from ladder.services.apply_results import settle_battle
from ladder.services.count_requests import ask_for_count
from ladder.services.deaths import bury_mages, check_may_be_dead, refresh_remembrances, revive_mages
from ladder.services.rate_battles import mark_ratings_stale
from ladder.services.revision_log import HeldBattle, bring_back_rows, find_annulment, hold_battle, write_revision
from ladder.services.score_rows import recount_rows

What = ScoreRevision.What


def annul_result(*, battle: int, now: datetime, reason: str = "") -> bool:
    """Annul `battle`, including penalties for surrender; return whether it counted until now.

    Mages that it killed live again under their names, free. If the battle has not ended, its penalties are refunded;
    the caller must keep it from ending.
    """
    with transaction.atomic():
        held = hold_battle(battle)
        if held.is_annulled or (held.scored is None and not held.has_rows):
            return False
        _take_back(held, keep=())
        if held.scored is not None:
            ScoredBattle.objects.filter(pk=held.scored.pk).update(annulled_at=now)
        _recount(held, What.ANNULLED, reason, now=now)
    return True


def restore_result(*, battle: int, now: datetime, reason: str = "") -> bool:
    """Restore an annulled `battle`; return whether it was annulled until now.

    Its rows come back in their old places, and its dead are dead again. Raises MageElsewhere if one of them is now in
    something else.
    """
    with transaction.atomic():
        held = hold_battle(battle)
        annulment = find_annulment(held)
        if annulment is None:
            return False
        bring_back_rows(annulment)
        if held.scored is not None:
            check_may_be_dead(held.find_dead(), battle)
            ScoredBattle.objects.filter(pk=held.scored.pk).update(annulled_at=None)
            bury_mages(held.scored, held.find_dead(), died_at=held.scored.scored_at)
        _recount(held, What.RESTORED, reason, now=now)
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
) -> bool:
    """Give `battle` another result; return whether that changes anything.

    `surrendered` are the mages who pay for their surrender; None leaves that as it is, but winners never pay.
    `sharing` are those that share the points of a draw. Mages who are no longer dead live again, free; newly dead
    mages died at the battle's end. Raises NotCounted, ResultAnnulled, WrongResult, MageElsewhere.
    """
    with transaction.atomic():
        held = hold_battle(battle)
        scored = _get_counted(held)
        were_dead = held.find_dead()
        new_rows = correct_rows(scored, held.mages, winners, dead, surrendered, sharing)
        if not correct_placings(scored, winners, dead) and not new_rows:
            return False
        revive_mages(scored, [mage for mage in were_dead if mage not in dead])
        if scored.deadly:
            check_may_be_dead(dead, battle)
            bury_mages(scored, dead, died_at=scored.scored_at)
        _recount(held, What.CORRECTED, reason, now=now)
    return True


def reopen_result(*, battle: int, now: datetime, reason: str = "", keep_penalties: Collection[Mage] = ()) -> bool:
    """Remove the result of `battle`, which continues from an earlier turn; return whether there was one.

    Its dead live again, and its points are taken back; so are the penalties for surrender, except of the mages in
    `keep_penalties`, who surrendered before that turn. `apply_result` counts the battle when it ends again. Raises
    ResultAnnulled.
    """
    with transaction.atomic():
        held = hold_battle(battle)
        if held.is_annulled:
            raise ResultAnnulled(battle)
        if not _take_back(held, keep=keep_penalties) and held.scored is None:
            return False
        if held.scored is not None:
            held.scored.delete()
        _recount(held, What.REOPENED, reason, now=now)
    return True


def _get_counted(held: HeldBattle) -> ScoredBattle:
    if held.scored is None:
        raise NotCounted(held.number)
    if held.is_annulled:
        raise ResultAnnulled(held.number)
    return held.scored


def _take_back(held: HeldBattle, *, keep: Collection[Mage]) -> bool:
    """Delete the battle's rows and revive its dead; return whether there was a row."""
    rows = ScoreEntry.objects.filter(battle=held.number)
    kept = rows.filter(reason=ScoreEntry.Reason.SURRENDERED, mage__in=keep)
    taken, _ = rows.exclude(pk__in=kept.values("pk")).delete()
    if held.scored is not None:
        revive_mages(held.scored, held.find_dead())
    return bool(taken)


def _recount(held: HeldBattle, what: ScoreRevision.What, reason: str, *, now: datetime) -> None:
    recount_rows(held.mages, held.kind)
    refresh_remembrances(held.mages, held.kind)
    write_revision(held, what, reason, now=now)
    if held.scored is not None:
        mark_ratings_stale(held.scored)
    ask_for_count(battle=held.number)


SURRENDERED = ScoreEntry.Reason.SURRENDERED


def correct_placings(scored: ScoredBattle, winners: Collection[Mage], dead: Collection[Mage]) -> bool:
    """Store who won and who died; return whether that changed anything."""
    won, died = {mage.pk for mage in winners}, {mage.pk for mage in dead}
    changed = []
    for placing in Placing.objects.filter(battle=scored):
        new = (placing.mage_id in won, placing.mage_id in died)
        if (placing.won, placing.died) != new:
            placing.won, placing.died = new
            placing.is_real_death = placing.is_real_death and placing.died
            changed.append(placing)
    Placing.objects.bulk_update(changed, ["won", "died", "is_real_death"])
    return bool(changed)


def correct_rows(
    scored: ScoredBattle,
    mages: Sequence[Mage],
    winners: Collection[Mage],
    dead: Collection[Mage],
    surrendered: Collection[Mage] | None,
    sharing: Collection[Mage] = (),
) -> bool:
    """Store the points due to each mage and why; return whether that changed anything. The caller recounts the rows.

    A mage has a row for the end of the battle and, if it paid for a surrender, one before that. Rows keep their order:
    a mage who must now pay does so in its last row. Raises WrongResult.
    """
    if surrendered is not None and set(surrendered) & set(winners):
        raise WrongResult("A winner cannot pay for a surrender.")
    starting = dict(Placing.objects.filter(battle=scored).values_list("mage__name", "score_at_start"))
    settlement = settle_battle(
        scored, players=mages, winners=winners, dead=dead, sharing=sharing, scores=starting, starting=starting
    )
    by_name = {mage.name: mage for mage in mages}
    new = False
    for change in settlement.changes:
        mage = by_name[change.mage]
        rows = list(ScoreEntry.objects.filter(battle=scored.number, mage=mage, kind=scored.kind).order_by("pk"))
        pays = _has_paid(rows) if surrendered is None else mage in surrendered
        new |= _correct_mage(rows, change, pays=pays and mage not in winners)
    return new


def _has_paid(rows: list[ScoreEntry]) -> bool:
    return any(row.reason == SURRENDERED and row.due for row in rows)


def _correct_mage(rows: list[ScoreEntry], change: ScoreChange, *, pays: bool) -> bool:
    end, penalty = rows[-1], rows[0] if len(rows) > 1 else None
    if penalty is None and pays:
        return _correct_row(end, -PENALTY, SURRENDERED)
    paid_new = penalty is not None and _correct_row(penalty, -PENALTY if pays else 0, SURRENDERED)
    return _correct_row(end, change.due, change.reason) or paid_new


def _correct_row(row: ScoreEntry, due: int, reason: str) -> bool:
    if (row.due, row.reason) == (due, reason):
        return False
    # The row must be consistent by itself until all rows are recounted.
    change = max(due, -row.before)
    ScoreEntry.objects.filter(pk=row.pk).update(due=due, reason=reason, change=change, after=row.before + change)
    return True
