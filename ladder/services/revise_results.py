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
from ladder.services.count_battles import ask_for_count
from ladder.services.deaths import bury_mages, check_may_be_dead, refresh_remembrances, revive_mages
from ladder.services.rate_battles import mark_ratings_stale
from ladder.services.revision_log import HeldBattle, bring_back_rows, find_annulment, hold_battle, write_revision
from ladder.services.score_rows import recount_rows

What = ScoreRevision.What


def annul_result(*, battle: int, now: datetime, reason: str = "") -> bool:
    """Let `battle` count for nothing, penalties for surrender included; say whether it counted until now.

    Mages whom it killed live again under their names, free. Of a battle that has not ended the penalties are given
    back; the caller sees to it that it does not end.
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
    """Let an annulled `battle` count again as it did; say whether it was annulled until now.

    Its rows come back in their old places. Its dead are dead again. Raises MageElsewhere when one of them is in
    something else now.
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
    """Let `battle` have ended otherwise; say whether that is anything new.

    `surrendered` are those who pay for their surrender; None leaves that as it is, but winners never pay. `sharing` are
    those who share the points of a draw. Who is not
    dead any more lives again, free; who is dead now is dead since the battle's end. Raises NotCounted, ResultAnnulled,
    WrongResult, MageElsewhere.
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
    """Forget how `battle` ended, for it is played on from an earlier turn; say whether there was anything to forget.

    Its dead live again and its points are taken back; so are the penalties for surrenders, except of the mages in
    `keep_penalties`, who surrendered before that turn. `apply_result` counts it when it ends anew. Raises
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
    """Take the battle's rows away and let its dead live; say whether there was a row."""
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
    """Write who won and who died; say whether that is anything new."""
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
    """Write what is due to each mage and why; say whether that is anything new. The figures follow by counting anew.

    A mage has a row for the end and, if he paid for a surrender, one before it. Rows keep their places in his account:
    where one has to pay who has not, the row of the end takes the point.
    Raises WrongResult.
    """
    if surrendered is not None and set(surrendered) & set(winners):
        raise WrongResult("A winner does not pay for a surrender.")
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
    # The row holds by itself until all rows are counted anew.
    change = max(due, -row.before)
    ScoreEntry.objects.filter(pk=row.pk).update(due=due, reason=reason, change=change, after=row.before + change)
    return True
