"""Mages whom a battle kills, and who come back when it is annulled."""

from collections.abc import Collection
from datetime import datetime

from accounts.models import Mage
from accounts.services import kill_mage, revive_mage
from ladder.errors import MageElsewhere
from ladder.models import Placing, Remembrance, ScoredBattle
from ladder.services.rows import sum_scores


def bury_mages(battle: ScoredBattle, mages: Collection[Mage], *, died_at: datetime) -> None:
    """Let them be dead since `died_at` and remembered with their scores; whoever is dead already is left in peace."""
    scores = sum_scores(mages, battle.kind)
    for mage in mages:
        if not kill_mage(mage=mage, now=died_at):
            continue
        Placing.objects.filter(battle=battle, mage=mage).update(is_real_death=True)
        Remembrance.objects.update_or_create(
            mage=mage,
            defaults={"kind": battle.kind, "battle": battle.number, "score": scores[mage.name], "died_at": died_at},
        )


def revive_mages(battle: ScoredBattle, mages: Collection[Mage]) -> None:
    """Let those live again whom `battle` killed; nobody remembers that they were dead."""
    for mage in mages:
        forgotten, _ = Remembrance.objects.filter(mage=mage, battle=battle.number).delete()
        if forgotten:
            revive_mage(mage=mage)


def refresh_remembrances(mages: Collection[Mage], kind: str) -> None:
    """Give the dead the scores that their rows add up to now."""
    scores = sum_scores(mages, kind)
    for mage in mages:
        Remembrance.objects.filter(mage=mage, kind=kind).update(score=scores[mage.name])


def check_may_be_dead(mages: Collection[Mage], battle: int) -> None:
    """Raise MageElsewhere for living mages who are in something else than `battle` now."""
    held = Mage.objects.filter(pk__in=[mage.pk for mage in mages], died_at=None).select_related("engagement")
    places = [
        f"{mage.name} is in {busy.kind} {busy.number}"
        for mage in held.order_by("pk")
        if (busy := mage.busy_with) and (busy.kind, busy.number) != ("battle", battle)
    ]
    if places:
        raise MageElsewhere(places)
