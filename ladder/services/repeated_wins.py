"""Wins over one user count only so often: the first within a month score and rate, whatever the stakes (policy).

Duels of leagues and cups are apart from this: nobody chooses their opponent there. They always count, and use up none
of the wins that count elsewhere.
"""

from collections import Counter
from collections.abc import Collection
from datetime import timedelta

from django.db.models import QuerySet

from ladder.models import Placing, ScoredBattle
from ladder.stakes import STAKES
from operations.selectors import read_policy

SPAN = timedelta(days=30)
# Battles with bots have a rating of their own; practice and very friendly battles change nothing.
LIMITED = tuple(stake.word for stake in STAKES.values() if stake.counts and not stake.is_event)


def find_users_beaten_too_often(
    scored: ScoredBattle, *, winners: Collection[int], losers: Collection[int], is_counted: bool
) -> frozenset[int]:
    """Return the users among the `losers` over whom each of the `winners` has had as many wins as count, since a month
    before the end of `scored`. The caller has locked all these users.

    Wins in battles that ended later count too: of battles that end together, the one counted first may be the last.
    Only for a battle that `is_counted` already, as its result is corrected, they do not.
    """
    others = set(losers) - set(winners)
    if scored.practice or scored.stakes not in LIMITED or not winners:
        return frozenset()
    most = read_policy().wins_that_count
    battles = ScoredBattle.objects.filter(
        practice=False, annulled_at=None, stakes__in=LIMITED, scored_at__gt=scored.scored_at - SPAN
    ).exclude(pk=scored.pk)
    if is_counted:
        battles = battles.filter(scored_at__lte=scored.scored_at)
    return frozenset.intersection(*(_list_beaten(battles, winner, others, most) for winner in set(winners)))


def _list_beaten(battles: QuerySet[ScoredBattle], winner: int, losers: Collection[int], most: int) -> frozenset[int]:
    """Return the users over whom this one has had `most` wins that counted."""
    won = battles.filter(placings__user=winner, placings__won=True)
    beaten = Placing.objects.filter(battle__in=won, user__in=losers, won=False, is_repeated=False)
    wins = Counter(user for _, user in set(beaten.values_list("battle_id", "user_id")))
    return frozenset(user for user in losers if wins[user] >= most)
