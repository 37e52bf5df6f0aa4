"""Results that are annulled, restored, corrected or fought out anew, with everything that was counted after them.

Penalties stop at zero, so a change in one battle may change what later ones cost: the later rows of the same mages are
worked out anew. What every touched row was and became is kept. Points that were withheld because of the scores at a
battle's start stay withheld: those scores are what everybody saw then.
"""

from collections.abc import Collection
from datetime import datetime

from django.db import transaction

from accounts.models import Mage
from ladder.errors import NotCounted, ResultAnnulled
from ladder.models import ScoredBattle, ScoreEntry, ScoreRevision
from ladder.services.correcting import correct_placings, correct_rows
from ladder.services.counting import ask_for_count
from ladder.services.deaths import bury_mages, check_may_be_dead, refresh_remembrances, revive_mages
from ladder.services.rating import mark_ratings_stale
from ladder.services.revisions import HeldBattle, bring_back_rows, find_annulment, hold_battle, write_revision
from ladder.services.rows import recount_rows

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
