"""Entering the league, leaving it, and what its players choose: their mage, and the pace of a duel."""

from datetime import datetime

from django.db import IntegrityError, transaction

from accounts.models import Mage, User
from accounts.selectors.hold import is_suspended
from accounts.services.mages import touch_activity, wake_mage
from league.errors import LeagueRefused
from league.models import Entry, Pairing, Place
from league.selectors.seasons import find_entry, find_open_season, takes_newcomers
from league.services.draw import give_free_place, lock_open_season, withdraw_place
from league.services.leaving import leave_place
from league.services.tell import tell_of_wish


def sign_up(*, user: User, mage: Mage, now: datetime) -> Entry:
    """Enter `user` in the league with one of their living mages, until they leave or lose their place.

    While a season takes newcomers and a place of it is free, they take it at once. Raises LeagueRefused.
    """
    if user.is_guest:
        raise LeagueRefused("guest")
    if user.is_bot:
        raise LeagueRefused("bot")
    if is_suspended(user, now):
        raise LeagueRefused("suspended")
    with transaction.atomic():
        # Locked, so that nobody closes or merges the account at the same time.
        if not User.objects.select_for_update(no_key=True).filter(pk=user.pk, is_active=True).exists():
            raise LeagueRefused("closed")
        check_mage(user, mage)
        try:
            with transaction.atomic():
                entry = Entry.objects.create(user=user, mage=mage, signed_up_at=now)
        except IntegrityError as error:
            found = find_entry(user)
            if found is None:
                raise
            raise LeagueRefused("already_in", mage=found.mage.name) from error
        touch_activity(user=user, mage=mage, now=now)
        wake_mage(mage=mage)
        season = find_open_season()
        if season is not None and takes_newcomers(season):
            give_free_place(entry=entry, season=season)
    return entry


def leave(*, user: User, at_once: bool, now: datetime) -> Entry:
    """Take `user` out of the league: `at_once` from a running season too, otherwise when it has ended.

    Before the draw and until round 1 begins, nothing is left of them. Raises LeagueRefused.
    """
    with transaction.atomic():
        lock_open_season()
        entry = Entry.objects.select_for_update(of=("self",)).filter(user=user, left_at=None).first()
        place = find_current_place(user)
        if entry is None and (place is None or not at_once):
            raise LeagueRefused("not_in")
        if entry is None:
            entry = Entry.objects.filter(user=user).latest("left_at")
        else:
            entry.left_at, entry.left_for = now, Entry.LeftFor.LEFT
            entry.save(update_fields=["left_at", "left_for"])
        if place is not None and place.group is not None:
            if place.group.season.started_at is None:
                withdraw_place(place=place)
            elif at_once:
                leave_place(place=place, reason=Place.LeftFor.LEFT, now=now)
    return entry


def choose_mage(*, user: User, mage: Mage, now: datetime) -> Entry:
    """Let `mage` play the league duels of `user` that have not begun; one who is retired comes back. Raises
    LeagueRefused."""
    with transaction.atomic():
        check_mage(user, mage)
        entry = Entry.objects.select_for_update(of=("self",)).filter(user=user, left_at=None).first()
        place = find_current_place(user)
        if entry is None and place is None:
            raise LeagueRefused("not_in")
        if place is not None:
            Place.objects.filter(pk=place.pk).update(mage=mage)
        if entry is None:
            entry = Entry.objects.filter(user=user).latest("left_at")
        else:
            entry.mage = mage
            entry.save(update_fields=["mage"])
        touch_activity(user=user, mage=mage, now=now)
        wake_mage(mage=mage)
    return entry


def find_current_place(user: User) -> Place | None:
    """Return the place of `user` in the season that is drawn or running, which they have not left; or None."""
    mine = Place.objects.filter(user=user, left_at=None, group__season__closed_at=None, group__isnull=False)
    return mine.select_related("group__season", "mage__user").order_by("group__tier").first()


def check_mage(user: User, mage: Mage) -> None:
    """Raise LeagueRefused unless `mage` is a living mage of `user`."""
    current = Mage.objects.filter(pk=mage.pk).first()
    if current is None or current.user_id != user.pk:
        raise LeagueRefused("not_your_mage", mage=mage.name)
    if not current.is_alive:
        raise LeagueRefused("mage_gone", mage=mage.name)


def wish_bank(*, user: User, pairing: int, wishes: bool, now: datetime) -> Pairing:
    """Note that `user` wants a time bank in this duel of theirs, or no longer does: it has one if both do.

    Until round 1 begins. Raises LeagueRefused.
    """
    with transaction.atomic():
        found = Pairing.objects.select_for_update(of=("self",)).filter(pk=pairing, group__isnull=False).first()
        if found is None or found.second is None or found.group is None:
            raise LeagueRefused("not_your_duel")
        mine = next((each for each in (found.first, found.second) if each.user_id == user.pk), None)
        if mine is None:
            raise LeagueRefused("not_your_duel")
        if found.group.season.started_at is not None or found.group.season.begins_at <= now:
            raise LeagueRefused("pace_settled")
        field = "first_wants_bank" if mine.pk == found.first_id else "second_wants_bank"
        setattr(found, field, wishes)
        found.save(update_fields=[field])
        if wishes:
            tell_of_wish(pairing=found, by=user, now=now)
    return found
