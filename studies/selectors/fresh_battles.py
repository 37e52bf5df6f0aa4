"""Battles that have just ended and are analysed by themselves: those with a person or a rated bot, and a guest's."""

import datetime

from django.db.models import Count, Exists, F, OuterRef, Q, QuerySet

from accounts.models import User
from duels.models import Battle, Turn
from ladder.stakes import BOTS
from studies.models import Analysis

# A battle that ended longer ago is analysed only on request.
FRESH = datetime.timedelta(days=1)
GUEST_WINDOW = datetime.timedelta(days=1)


def list_fresh_battles(now: datetime.datetime) -> "QuerySet[Battle]":
    """Return the battles to analyse that have no analysis yet, the latest end first: someone may be looking at it.

    Guests' battles are among them whether or not this guest has had an analysis today (`has_guest_had_one`).
    """
    known = Analysis.objects.filter(battle=OuterRef("pk"), ended_at=OuterRef("finished_at"))
    played = Turn.objects.filter(battle=OuterRef("pk"), taken_back_by=None, resolved_at__isnull=False)
    people = Q(combatants__mage__user__is_bot=False)
    ended = Battle.objects.filter(finished_at__gt=now - FRESH, status=Battle.Status.FINISHED)
    counted = ended.exclude(company=Battle.Company.BOTS).annotate(
        people=Count("combatants__mage__user", filter=people, distinct=True),
        guests=Count("combatants", filter=Q(combatants__mage__user__is_guest=True)),
    )
    wanted = counted.filter(Q(people__gt=1) | Q(terms__stakes=BOTS) | Q(guests__gt=0))
    return wanted.filter(~Exists(known), Exists(played)).order_by("-finished_at", "-number")


def has_guest_had_one(battle: Battle, now: datetime.datetime) -> bool:
    """Return whether it is a guest's battle against bots, and another one of theirs was analysed within a day."""
    people = list(User.objects.filter(mages__combatants__battle=battle, is_bot=False).distinct())
    if len(people) != 1 or not people[0].is_guest:
        return False
    theirs = Analysis.objects.filter(battle__combatants__mage__user=people[0], battle__finished_at=F("ended_at"))
    return theirs.filter(created_at__gt=now - GUEST_WINDOW).exclude(battle=battle).exists()
