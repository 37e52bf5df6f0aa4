"""Deaths of mages in battles, and their revival when the battle is annulled."""

from collections.abc import Collection
from datetime import datetime

from accounts.models import Mage
from accounts.services.mages import kill_mage, revive_mage
from ladder.errors import LadderRefused
from ladder.models import Placing, Remembrance, ScoredBattle
from ladder.services.score_rows import sum_scores


def bury_mages(battle: ScoredBattle, mages: Collection[Mage], *, died_at: datetime) -> None:
    """Mark the mages as dead since `died_at`, and remember their scores. Mages who were already dead are skipped."""
    Placing.objects.filter(battle=battle, mage__in=mages).update(is_real_death=True)
    for mage in mages:
        if kill_mage(mage=mage, now=died_at):
            _remember(mage, battle)


def revive_mages(battle: ScoredBattle, mages: Collection[Mage]) -> None:
    """Revive only the mages that `battle` killed; mages who died of something else stay dead."""
    for mage in mages:
        was_killed, _ = Remembrance.objects.filter(mage=mage, battle=battle.number).delete()
        if not was_killed:
            continue
        other = _find_other_death(mage, battle)
        if other is None:
            revive_mage(mage=mage)
        else:
            _remember(mage, other)


def _find_other_death(mage: Mage, battle: ScoredBattle) -> ScoredBattle | None:
    """Return another counting battle that killed the mage: one restored after the mage had died in this one."""
    deaths = ScoredBattle.objects.filter(placings__mage=mage, placings__is_real_death=True, annulled_at=None)
    return deaths.exclude(pk=battle.pk).order_by("scored_at", "number").first()


def _remember(mage: Mage, battle: ScoredBattle) -> None:
    Remembrance.objects.create(
        mage=mage,
        kind=battle.kind,
        battle=battle.number,
        score=sum_scores([mage], battle.kind)[mage.name],
        died_at=battle.scored_at,
    )


def refresh_remembrances(mages: Collection[Mage], kind: str) -> None:
    """Update the remembered scores to the current sums of rows."""
    scores = sum_scores(mages, kind)
    for mage in mages:
        Remembrance.objects.filter(mage=mage, kind=kind).update(score=scores[mage.name])


def check_free_to_die(mages: Collection[Mage], battle: int) -> None:
    """Raise LadderRefused for living mages who are now in anything other than `battle`."""
    living = Mage.objects.filter(pk__in=[mage.pk for mage in mages], died_at=None).select_related("engagement")
    elsewhere = [
        LadderRefused(f"in_{busy.kind}", mage=mage.name, number=busy.number)
        for mage in living.order_by("pk")
        if (busy := mage.busy_with) and (busy.kind, busy.number) != ("battle", battle)
    ]
    if elsewhere:
        raise LadderRefused.together(elsewhere)
