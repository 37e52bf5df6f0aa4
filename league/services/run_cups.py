"""Running the cups: made by the schedule, cancelled or begun, led from round to round, and ended.

All steps of a cup happen under its lock, and each asks what is stored whether it is still to do. So a task that runs
late, twice or on two machines, or dies half-way, does nothing twice.
"""

from datetime import datetime

from django.db import transaction
from django.db.models import Q

from accounts.bots import BOTS
from accounts.models import Mage
from accounts.selectors.hold import list_suspended
from ladder.models import UserRating
from ladder.rating import NEW_DUEL
from league.models import Cup, Pairing, Place
from league.rules.bot_groups import MOST_ENTRANTS as MOST_IN_ROUND_ROBIN
from league.rules.cup_calendar import DECIDED_BEFORE, find_next_evening, find_next_knockout, find_next_round_robin
from league.rules.knockout import MOST_ENTRANTS as MOST_IN_KNOCKOUT
from league.rules.knockout import choose_size
from league.rules.swiss import MOST_ENTRANTS as MOST_IN_EVENING
from league.services.cup_duels import decide_without_duel, list_open_duels_of, mark_left
from league.services.cup_notices import notify_entrants, notify_out, tell_hooks_of_cup
from league.services.evenings import advance_rounds, pair_round
from league.services.knockouts import advance_knockout, begin_knockout
from operations.selectors import (
    is_site_closed,
    list_doubts,
    list_gaps_to_make_good,
    list_outages_to_give_back,
    read_policy,
)
from operations.sweeps import act_on_each


def make_next_cups(*, now: datetime) -> int:
    """Make the next cup of each kind that people or bots can sign up for, if there is none; return how many are new."""
    policy = read_policy()
    knockout = find_next_knockout(now, day=policy.knockout_day)
    evening = find_next_evening(now, weekday=policy.evening_weekday, hour=policy.evening_hour)
    robin = find_next_round_robin(now, weekday=policy.round_robin_weekday, hour=policy.round_robin_hour)
    wanted = (
        (Cup.Kind.KNOCKOUT, f"{knockout:%Y-%m}", knockout, MOST_IN_KNOCKOUT, policy.knockout_bots),
        (Cup.Kind.EVENING, f"evening-{evening:%Y-%m-%d}", evening, MOST_IN_EVENING, policy.evening_bots),
        (Cup.Kind.ROUND_ROBIN, f"robin-{robin:%Y-%m-%d}", robin, MOST_IN_ROUND_ROBIN, 0),
    )
    made = 0
    for kind, key, begins_at, size, bots in wanted:
        if Cup.objects.filter(kind=kind, started_at=None, cancelled_at=None).exists():
            continue
        facts = {"kind": kind, "size": size, "begins_at": begins_at, "has_bots": bool(bots)}
        made += Cup.objects.get_or_create(key=key, defaults=facts)[1]
    return made


def process_cups(*, now: datetime) -> int:
    """Make the cups that are missing, and take every step that is due in the others; return how many cups changed."""
    made = make_next_cups(now=now)
    soon = Q(begins_at__lte=now + DECIDED_BEFORE) | Q(started_at__isnull=False)
    due = Cup.objects.filter(soon, closed_at=None, cancelled_at=None)
    numbers = due.order_by("begins_at", "pk").values_list("pk", flat=True)
    return made + act_on_each(numbers, lambda pk: advance_cup(cup_id=pk, now=now))


def advance_cup(*, cup_id: int, now: datetime) -> bool:
    """Take every step that is due in one cup, and return whether there was any."""
    with transaction.atomic():
        cup = Cup.objects.select_for_update().get(pk=cup_id)
        if cup.is_cancelled or cup.is_over or _must_wait(cup, now):
            return False
        if cup.started_at is None:
            if cup.is_too_late(now):
                return _cancel(cup, cup.places.filter(user__is_active=True).count(), now)
            return _decide_whether_it_takes_place(cup, now) | begin_cup(cup=cup, now=now)
        _take_out_closed_accounts(cup, now)
        return advance_rounds(cup=cup, now=now) if cup.is_live else advance_knockout(cup=cup, now=now)


def _must_wait(cup: Cup, now: datetime) -> bool:
    """Return whether nothing is due because the site is in doubt: its clock may be wrong, or its players shut out.

    A live cup that takes place needs pages and no email. It waits until an outage is given back to its duels.
    """
    if not cup.is_live or cup.confirmed_at is None:
        return bool(list_doubts(now))
    return is_site_closed() or list_gaps_to_make_good().exists() or list_outages_to_give_back().exists()


def _decide_whether_it_takes_place(cup: Cup, now: datetime) -> bool:
    """The day before, cancel a cup with too few entrants, or confirm it: from then on it takes place."""
    if cup.confirmed_at is not None or now < cup.begins_at - DECIDED_BEFORE:
        return False
    entrants = cup.places.filter(user__is_active=True).count()
    if entrants < cup.least_entrants:
        return _cancel(cup, entrants, now)
    cup.confirmed_at = now
    cup.save(update_fields=["confirmed_at"])
    notify_entrants(cup, "cup_confirmed", now=now)
    return True


def _cancel(cup: Cup, entrants: int, now: datetime) -> bool:
    cup.cancelled_at = now
    cup.save(update_fields=["cancelled_at"])
    notify_entrants(cup, "cup_cancelled", now=now, entrants=entrants, late=cup.was_too_late)
    if entrants or not cup.is_round_robin:  # a site without users' bots has no news each week
        tell_hooks_of_cup(cup, "cancelled", now=now)
    return True


def begin_cup(*, cup: Cup, now: datetime) -> bool:
    """Begin a cup that is due, or cancel it if nobody is left to play; return whether this call did.

    Must run in a transaction that holds the cup's lock.
    """
    if cup.is_cancelled or cup.started_at is not None or now < cup.begins_at:
        return False
    # An account may have become a bot since it joined.
    in_wrong_cup = Q(user__is_bot=not cup.is_round_robin)
    cup.places.filter(Q(user__is_active=False) | Q(user__in=list_suspended()) | in_wrong_cup).delete()
    entrants = cup.places.count()
    if entrants < 2:
        return _cancel(cup, entrants, now)
    if not cup.is_live:
        cup.size = choose_size(entrants)
    if cup.has_bots:
        _fill_with_bots(cup, now)
    places = seed_places(cup)
    cup.started_at = cup.round_began_at = now
    cup.round = 1
    cup.save(update_fields=["size", "started_at", "round_began_at", "round"])
    tell_hooks_of_cup(cup, "begins", now=now)
    if cup.is_live:
        pair_round(cup=cup, places=places, now=now)
    else:
        begin_knockout(cup=cup, places=places, now=now)
    return True


def _fill_with_bots(cup: Cup, now: datetime) -> None:
    """Give free places to bots, the weakest first, as many as the site's policy allows: they are there so that people
    have someone to meet."""
    policy = read_policy()
    most = policy.evening_bots if cup.is_evening else policy.knockout_bots
    free = min(most, cup.size - cup.places.count())
    mages = Mage.objects.filter(user__is_bot=True, user__is_active=True, died_at=None).exclude(user__bot_strength="")
    by_strength: dict[str, Mage] = {}
    for mage in mages.select_related("user").order_by("-pk"):
        by_strength[mage.user.bot_strength] = mage
    ranked = [by_strength[bot.strength] for bot in BOTS if bot.strength in by_strength]
    Place.objects.bulk_create(
        Place(cup=cup, user=mage.user, mage=mage, signed_up_at=now) for mage in ranked[: max(free, 0)]
    )


def seed_places(cup: Cup) -> list[Place]:
    """Give the places of a cup their seeds, by rating (bots by the one with bots) and then by sign-up, and return them
    in that order."""
    places = list(cup.places.select_related("user", "mage__user"))
    ratings = dict(
        UserRating.objects.filter(
            user__in=[place.user_id for place in places], kind="bots" if cup.is_round_robin else "duel"
        ).values_list("user_id", "rating")
    )
    places.sort(key=lambda place: (-ratings.get(place.user_id, NEW_DUEL.rating), place.signed_up_at, place.pk))
    for seed, place in enumerate(places, 1):
        place.slot = seed
    Place.objects.bulk_update(places, ["slot"])
    return places


def take_out(*, cup: Cup, place: Place, reason: Place.LeftFor, now: datetime) -> None:
    """Take someone out of a cup that runs: their undecided duels are lost without play and unrated, and they meet
    nobody else. Must run in a transaction that holds the cup's lock."""
    mark_left(cup=cup, place=place, reason=reason, now=now)
    for pairing in list_open_duels_of(place):
        losers = [each for each in (pairing.first, pairing.second) if each is not None and each.left_at is not None]
        decide_without_duel(pairing=pairing, losers=losers, by=Pairing.DecidedBy.LEFT, now=now)
    if reason != Place.LeftFor.LEFT:
        notify_out(cup, place, round_number=cup.round, why=reason, now=now)


def _take_out_closed_accounts(cup: Cup, now: datetime) -> None:
    gone = cup.places.filter(Q(user__is_active=False) | Q(user__in=list_suspended()), left_at=None)
    for place in gone.select_related("user", "mage"):
        take_out(cup=cup, place=place, reason=Place.LeftFor.ACCOUNT, now=now)
