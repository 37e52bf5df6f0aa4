"""Leaving a running season, for whatever reason."""

from datetime import datetime

from django.db import transaction
from django.db.models import Q, QuerySet

from accounts.selectors.hold import list_suspended
from league.models import Entry, Pairing, Place, Season
from league.rules.tables import loses_results
from league.services.draw import lock_open_season, withdraw_place
from league.services.results import MOST_FORFEITS, count_forfeits, end_duel
from league.services.tell import tell_of_lost_place

REASONS = {
    Place.LeftFor.LEFT: Entry.LeftFor.LEFT,
    Place.LeftFor.FORFEITS: Entry.LeftFor.FORFEITS,
    Place.LeftFor.ACCOUNT: Entry.LeftFor.ACCOUNT,
}


def leave_place(*, place: Place, reason: Place.LeftFor, now: datetime) -> bool:
    """Take someone out of a running season, once; return whether this call did. Their entry ends with it.

    If fewer than half of their duels are finished, all their results leave the table; otherwise the rest are lost.
    Running duels end unrated. Only someone who has another place, of an account merged into theirs, stays entered.
    """
    with transaction.atomic():
        # A newcomer is paired with everyone who still has a place.
        lock_open_season()
        entries = Entry.objects.filter(user=place.user_id, left_at=None)
        # First the entry and then the place, as `leave` does.
        list(entries.select_for_update(of=("self",)))
        if not Place.objects.filter(pk=place.pk, left_at=None).update(left_at=now, left_for=reason):
            return False
        others = Place.objects.filter(user=place.user_id, group__season__closed_at=None, left_at=None)
        if not others.exists():
            entries.update(left_at=now, left_for=REASONS[reason])
        duels = list(list_counting_duels(place))
        is_void = loses_results(sum(each.decided_at is not None for each in duels), len(duels))
        Place.objects.filter(pk=place.pk).update(is_void=is_void)
        for duel in duels:
            if duel.decided_at is None:
                winner = None if is_void else duel.second if duel.first_id == place.pk else duel.first
                end_duel(pairing=duel.pk, now=now, by=Pairing.DecidedBy.LEFT, winner=winner)
        if reason == Place.LeftFor.FORFEITS:
            tell_of_lost_place(place=place, now=now)
    place.refresh_from_db()
    return True


def list_counting_duels(place: Place) -> QuerySet[Pairing]:
    """Return the duels of a place in its group, played or not, without those against someone whose results have left
    the table."""
    duels = Pairing.objects.filter(group=place.group, second__isnull=False).filter(Q(first=place) | Q(second=place))
    void = (Q(first__is_void=True) & ~Q(first=place)) | (Q(second__is_void=True) & ~Q(second=place))
    return duels.exclude(void).select_related("first", "second").order_by("pk")


def remove_closed_accounts(*, season: Season | None, now: datetime) -> int:
    """Take everyone out of the league whose account is closed, merged into another or suspended; return how many.

    After a merge, a user may have two places in one season: they keep the one in the higher league.
    """
    gone = Q(user__is_active=False) | Q(user__in=list_suspended())
    done = Entry.objects.filter(gone, left_at=None).update(left_at=now, left_for=Entry.LeftFor.ACCOUNT)
    if season is None or season.drawn_at is None:
        return done
    places = list(Place.objects.filter(group__season=season, left_at=None).order_by("group__tier", "pk"))
    leaving = set(Place.objects.filter(gone, group__season=season, left_at=None).values_list("pk", flat=True))
    seen: set[int] = set()
    for place in places:
        if place.pk in leaving or place.user_id in seen:
            done += _remove(place, now)
        seen.add(place.user_id)
    return done


def _remove(place: Place, now: datetime) -> bool:
    with transaction.atomic():
        season = lock_open_season()
        if season is not None and season.started_at is None:
            withdraw_place(place=place)
            return True
        return leave_place(place=place, reason=Place.LeftFor.ACCOUNT, now=now)


def take_forfeited_places(*, season: Season, now: datetime) -> int:
    """Take the places of those who have forfeited two duels in this season; return how many."""
    missed = Pairing.objects.filter(
        group__season=season, decided_by__in=(Pairing.DecidedBy.FORFEIT, Pairing.DecidedBy.ABSENT)
    )
    suspects = Place.objects.filter(Q(pairings_as_first__in=missed) | Q(pairings_as_second__in=missed), left_at=None)
    lost = [place for place in suspects.distinct().order_by("pk") if count_forfeits(place) >= MOST_FORFEITS]
    return sum(leave_place(place=place, reason=Place.LeftFor.FORFEITS, now=now) for place in lost)
