"""Removing the demonstration, with all that it left."""

from django.db import models, transaction
from django.db.models import Q
from django.db.models.deletion import ProtectedError

from accounts.demonstration import DEMONSTRATION_DOMAIN
from accounts.models import Engagement, Mage, User
from challenges.models import Challenge
from duels.models import Battle
from ladder.models import CountDue, RatingEntry, RevisedEntry, ScoredBattle, ScoreEntry, ScoreRevision
from ladder.rating import KINDS
from ladder.services.count_battles import uncount_battle
from ladder.services.count_requests import ask_for_count
from ladder.services.rate_battles import rebuild_ratings
from ladder.services.score_rows import recount_rows
from league.models import Group, Season
from notifications.models import Notice


@transaction.atomic
def remove_demonstration() -> int:
    """Delete the users of the demonstration, their mages, and all challenges and battles that these are or were in,
    also with others; return how many users there were. Scores and ratings of others are counted anew.

    Only for a site on which nothing counts: on any other nothing is ever deleted.
    """
    users = User.objects.filter(email__endswith=f"@{DEMONSTRATION_DOMAIN}")
    battles = Battle.objects.filter(combatants__mage__user__in=users).distinct()
    numbers = list(battles.values_list("number", flat=True))
    others = list(Mage.objects.filter(combatants__battle__in=battles).exclude(user__in=users).distinct())
    for number in numbers:
        ask_for_count(battle=number)
        uncount_battle(number=number, times=CountDue.objects.get(battle=number).times)
        Notice.objects.filter(key__startswith=f"battle/{number}/").delete()
    for model in (ScoreEntry, RatingEntry, RevisedEntry, ScoreRevision):
        model._default_manager.filter(battle__in=numbers).delete()
    _delete(ScoredBattle.objects.filter(number__in=numbers))
    Engagement.objects.filter(kind=Engagement.Kind.BATTLE, number__in=numbers).delete()
    _delete(Battle.objects.filter(number__in=numbers))
    challenges = Challenge.objects.filter(Q(challenger__user__in=users) | Q(seats__mage__user__in=users))
    open_numbers = list(challenges.values_list("number", flat=True))
    Engagement.objects.filter(kind=Engagement.Kind.CHALLENGE, number__in=open_numbers).delete()
    _delete(Challenge.objects.filter(number__in=open_numbers))
    found = users.count()
    _delete(users)
    # Of the league, only groups without a place are left.
    Group.objects.filter(places=None).delete()
    Season.objects.filter(drawn_at__isnull=False, groups=None).delete()
    for kind in ("duel", "melee"):
        recount_rows(mages=others, kind=kind)
    for kind in KINDS:
        rebuild_ratings(kind=kind)
    return found


def _delete(rows: "models.QuerySet[models.Model]") -> None:
    """Delete the rows, and first those that protect them."""
    while True:
        try:
            rows.delete()
        except ProtectedError as error:
            for row in error.protected_objects:
                _delete(type(row)._default_manager.filter(pk=row.pk))
        else:
            return
