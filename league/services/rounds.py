"""Beginning the rounds of a season, and their duels."""

from datetime import datetime, timedelta

from django.db import transaction

from accounts.models import Mage
from accounts.selectors.ties import list_blocked_pairs
from duels.services.start import start_battle, take_number
from duels.terms import Terms
from ladder.stakes import LEAGUE
from league.models import Entry, Pairing, Place, Season
from league.models.season import ROUNDS, WEEK
from league.selectors.fighters import find_fighter
from league.services.decisions import decide
from league.services.tell import tell_of_round

DAY = timedelta(days=1)


def begin_round(*, season: Season, now: datetime) -> bool:
    """Begin the next round of a season if it is due, once; return whether this call did.

    If it begins days late because no worker ran, everything that follows is as many days later: each round has its
    week, and the last one its three weeks.
    """
    with transaction.atomic():
        season = Season.objects.select_for_update().get(pk=season.pk)
        number = season.round + 1
        if season.drawn_at is None or number > ROUNDS or now < season.begin_of_round(number):
            return False
        season.begins_at += (now - season.begin_of_round(number)) // DAY * DAY
        season.round = number
        season.started_at = season.started_at or now
        season.save(update_fields=["begins_at", "round", "started_at"])
        byes = Pairing.objects.filter(group__season=season, round=number, second=None, decided_at=None)
        byes.update(result=Pairing.Result.NONE, decided_by=Pairing.DecidedBy.BYE, decided_at=now)
        tell_of_round(season=season, now=now)
    return True


def list_duels_to_begin(season: Season) -> list[int]:
    """Return the duels of the rounds that have begun which have not, in order."""
    waiting = Pairing.objects.filter(
        group__season=season, round__lte=season.round, battle=None, decided_at=None, second__isnull=False
    )
    return list(waiting.order_by("round", "group__tier", "board").values_list("pk", flat=True))


def begin_duel(*, pairing: int, now: datetime) -> bool:
    """Begin a duel of a round that has begun, once; return whether this call did, or decided it without play.

    The duel and its row are one transaction. A user without a living mage is waited for until the next round begins:
    then the duel is lost without play.
    """
    with transaction.atomic():
        locked = Pairing.objects.select_for_update(of=("self",)).select_related("group__season").get(pk=pairing)
        group = locked.group
        if locked.battle_id is not None or locked.decided_at is not None or locked.second is None or group is None:
            return False
        places = Place.objects.select_related("user", "mage__user").in_bulk([locked.first_id, locked.second.pk])
        first, second = places[locked.first_id], places[locked.second.pk]
        mages = [_choose_mage(place) for place in (first, second)]
        if None in mages:
            if now < group.season.begin_of_round(locked.round) + WEEK:
                return False
            result = Pairing.Result.FIRST if mages[0] else Pairing.Result.SECOND if mages[1] else Pairing.Result.NONE
            decide(locked, result, Pairing.DecidedBy.ABSENT, now=now)
            locked.save()
            return True
        has_bank = locked.first_wants_bank and locked.second_wants_bank
        battle = start_battle(
            number=take_number(),
            terms=Terms(
                stakes=LEAGUE,
                pace="bank" if has_bank else "day",
                chat=not list_blocked_pairs([first.user_id, second.user_id]),
            ),
            mages=[mage for mage in mages if mage is not None],
            now=now,
        )
        locked.battle = battle
        locked.save(update_fields=["battle"])
        return True


def _choose_mage(place: Place) -> Mage | None:
    """Return the mage who fights the next duel of a place, and keep them there; None without a living mage."""
    mage = find_fighter(place)
    if mage is not None and mage.pk != place.mage_id:
        Place.objects.filter(pk=place.pk).update(mage=mage)
        Entry.objects.filter(user=place.user_id, left_at=None).update(mage=mage)
    return mage
