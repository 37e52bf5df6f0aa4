"""Another end for a battle that was counted, placing by placing and row by row."""

from collections.abc import Collection, Sequence

from accounts.models import Mage
from ladder.errors import WrongResult
from ladder.models import Placing, ScoredBattle, ScoreEntry
from ladder.scoring import PENALTY, ScoreChange
from ladder.services.results import settle_battle

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
