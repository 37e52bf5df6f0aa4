"""Ending a battle, and noting which results a player has seen."""

import datetime
from collections.abc import Collection

from django.db.models import OuterRef, Subquery

from accounts.models import Mage, User
from accounts.services.mages import release_mage
from duels.keys import StageKey
from duels.models import Battle, Combatant
from duels.selectors.battle_rows import read_combatants
from duels.selectors.result_news import find_unseen_results
from duels.services.clocks.battle_clocks import stop_clocks
from duels.services.news import mark_result_news_seen, write_news_of_result
from duels.services.notify import followers_of, name_end, notify_users, players_of
from duels.services.open_hooks import tell_hooks_of_end
from duels.terms import read_stakes
from duels.wakeups import wake_analysis_on_commit, wake_rating_on_commit
from ladder.services.apply_results import BattleResult, apply_result
from operations.selectors import read_policy
from rules_engine import NO_RESULT, Outcome, write_outcome


def finish_battle(
    battle: Battle, outcome: Outcome, key: StageKey, label: str, *, now: datetime.datetime, once: str = ""
) -> None:
    """End `battle` with `outcome`: count scores once, release every mage, notify users.

    `key` and `label` are those of the last turn, and `once` names its result if it was stuck. Mages who died or
    surrendered earlier are released only now: the original server keeps them until the end, when everything is
    revealed. Must run in the transaction that resolves the last turn and holds the battle's lock; the current state and
    event count of `battle` are saved too.
    """
    end = {
        "status": Battle.Status.FINISHED,
        "finished_at": now,
        "result": write_outcome(outcome),
        "state": battle.state,
        "event_count": battle.event_count,
    }
    if not Battle.objects.filter(pk=battle.pk, finished_at__isnull=True).update(**end):
        return
    for name, value in end.items():
        setattr(battle, name, value)
    stop_clocks(battle=battle, now=now)
    for mage in count_result(battle=battle, outcome=outcome, now=now):
        release_mage(mage=mage, kind="battle", number=battle.number)
    wake_rating_on_commit()
    wake_analysis_on_commit()
    followers = followers_of(battle)
    told = [*players_of(battle), *followers]
    notify_users(told, "battle_finished", battle, key, label, once=once or name_end(now), now=now)
    write_news_of_result(battle, outcome, key, label, followers=followers, now=now)
    tell_hooks_of_end(battle, key, label, now=now)


def count_result(*, battle: Battle, outcome: Outcome, now: datetime.datetime) -> list[Mage]:
    """Apply the result of a battle that ended with `outcome` at `now` to the ladder, once; return its mages.

    To the ladder, mages who left a melee without ever moving were not in it.
    """
    combatants = read_combatants(battle)
    mages = sorted((combatant.mage for combatant in combatants), key=lambda each: each.pk)
    by_name = {mage.name: mage for mage in mages}
    is_called_off = outcome.reason in NO_RESULT
    absent = [by_name[name] for name in outcome.absent if not is_called_off]
    apply_result(
        battle=battle.number,
        kind=battle.kind,
        practice=counts_as_practice(battle, outcome),
        result=BattleResult(
            players=[mage for mage in mages if mage not in absent],
            winners=[by_name[name] for name in outcome.winners],
            dead=[by_name[name] for name in outcome.dead],
            sharing=[by_name[name] for name in outcome.sharing],
            absent=absent,
        ),
        stakes=read_stakes(battle.terms),
        practice_deaths_are_real=bool(read_policy().practice_deaths)
        and not is_called_off
        and not any(each.stand_in or each.mage.user.is_bot for each in combatants),
        now=now,
    )
    return mages


def counts_as_practice(battle: Battle, outcome: Outcome) -> bool:
    """Return whether the battle changes no score or rating if it ends so: it is practice, or the end is no result."""
    return battle.practice or outcome.reason in NO_RESULT


def mark_results_seen(*, user: User, numbers: Collection[int]) -> int:
    """Note that `user` has seen how these battles ended, or how their mage fell in them; return how many were new.

    Other users' battles and running battles are ignored. If a battle is reopened and ends again, that is news. Safe to
    call twice.
    """
    unseen = find_unseen_results(user).filter(battle__number__in=numbers).values("pk")
    mine = Combatant.objects.filter(pk__in=list(unseen.values_list("pk", flat=True)))
    ended = Battle.objects.filter(pk=OuterRef("battle_id")).values("finished_at")[:1]
    fallen = mine.filter(battle__finished_at__isnull=True).update(is_fall_seen=True)
    seen = fallen + mine.filter(battle__finished_at__isnull=False).update(result_seen=Subquery(ended))
    if seen:
        mark_result_news_seen(user=user, numbers=numbers)
    return seen
