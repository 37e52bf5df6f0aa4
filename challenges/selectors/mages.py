"""Find the mages that a challenge names, and those that may be invited."""

import difflib
import re
from collections.abc import Iterable, Sequence

from django.db.models import QuerySet
from django.db.models.functions import Lower

from accounts.models import Mage, User
from accounts.selectors.ties import find_users_apart_from
from challenges.errors import ChallengeProblem
from challenges.rules import Seating
from challenges.words import PROBLEMS
from duels.models import Combatant
from ladder.stakes import FRIENDLY, LADDER, STAKES, Stake

# How many mages "all" invites: more would be a mailing, not a challenge.
MOST_CALLED = 200
# How many battles with people are friendly unless their player chooses otherwise.
FRIENDLY_BATTLES = 3


def find_mages_to_invite(*, text: str, place: str = "against") -> tuple[list[Mage], list[ChallengeProblem]]:
    """Read names separated by spaces, commas or "and": return the mages in order, and a problem for each unknown
    name."""
    names = [name for name in re.split(r"[\s,]+", text) if name]
    if "and" in map(str.lower, names) and not _by_names(["and"]).exists():
        names = [name for name in names if name.lower() != "and"]
    return find_mages_by_name(names=names, place=place)


def find_mages_by_name(*, names: Sequence[str], place: str = "against") -> tuple[list[Mage], list[ChallengeProblem]]:
    """Return the mages with these names (in any case, repeated if named twice), and a problem for each unknown name."""
    known = {mage.name.lower(): mage for mage in _by_names(names)} if names else {}
    mages = [known[name.lower()] for name in names if name.lower() in known]
    return mages, [_unknown(name, place) for name in names if name.lower() not in known]


def list_free_mages(*, user: User, seating: Seating | None = None) -> list[Mage]:
    """Return the mages that "all" invites for `user`: free, not retired, not yet invited, and without a block between
    them and anyone in the challenge; recently active ones first, at most MOST_CALLED."""
    joined = {place.user_id for place in seating.joined} if seating else set()
    states = {"joined", "invited", "excluded"}
    named = [place.mage_id for place in seating.places if place.state in states] if seating else []
    players = {"user__is_active": True, "user__is_bot": False, "user__is_guest": False}
    mages = Mage.objects.filter(died_at=None, retired_at=None, engagement=None, **players)
    mages = mages.exclude(user__in=find_users_apart_from(joined | {user.pk})).exclude(pk__in=named)
    return list(mages.select_related("user").order_by("-last_active_at", "pk")[:MOST_CALLED])


def _by_names(names: Iterable[str]) -> "QuerySet[Mage]":
    keys = {name.lower() for name in names}
    return Mage.objects.select_related("user", "engagement").alias(key=Lower("name")).filter(key__in=keys)


def _unknown(name: str, place: str) -> ChallengeProblem:
    living = Mage.objects.filter(died_at__isnull=True, name__istartswith=name[:1]).values_list("name", flat=True)[:500]
    nearest = difflib.get_close_matches(name.capitalize(), living, n=1)
    return ChallengeProblem(place, "unknown", PROBLEMS["unknown"] % {"mage": name}, nearest[0] if nearest else None)


def choose_stake_of_match(user: User) -> Stake:
    """Return what a user risks in a match of one click."""
    return STAKES[choose_stakes(user)]


def choose_stakes(user: User) -> str:
    """Return the stakes that a user is offered first: friendly in their first three battles with people, then the
    ladder."""
    fought = Combatant.objects.filter(mage__user=user, battle__practice=False).values("battle").distinct()
    return FRIENDLY if fought[:FRIENDLY_BATTLES].count() < FRIENDLY_BATTLES else LADDER
