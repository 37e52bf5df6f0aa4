"""Joining a cup, and leaving it."""

from datetime import datetime

from django.db import transaction

from accounts.models import Mage, User
from accounts.selectors.hold import is_suspended
from accounts.services.mages import touch_activity
from league.errors import CupRefused
from league.models import Cup, Place
from league.selectors.owners import find_other_bot_of_owner
from league.services.run_cups import take_out


def join_cup(*, user: User, cup_id: int, mage: Mage, now: datetime) -> Place:
    """Give `user` a place in a cup that has not begun, to play with one of their living mages; if they have one, let
    that mage play instead. Bots of users join only a round robin, one for each owner, and people only the other cups.
    Raises CupRefused, and Cup.DoesNotExist."""
    if user.is_guest:
        raise CupRefused("guest")
    if user.bot_strength:
        raise CupRefused("bot")
    if is_suspended(user, now):
        raise CupRefused("suspended")
    with transaction.atomic():
        cup = Cup.objects.select_for_update().get(pk=cup_id)
        # Locked, so that nobody closes or merges the account at the same time.
        locked = User.objects.select_for_update(no_key=True).filter(pk=user.pk, is_active=True).first()
        if locked is None:
            raise CupRefused("closed")
        if locked.is_bot != cup.is_round_robin:
            raise CupRefused("bot" if locked.is_bot else "person")
        current = Mage.objects.get(pk=mage.pk)
        if current.user_id != user.pk:
            raise CupRefused("not_your_mage", mage=mage.name)
        if not current.is_alive:
            raise CupRefused("mage_gone", mage=mage.name)
        if cup.is_cancelled:
            raise CupRefused("cancelled")
        if not cup.takes_entrants(now):
            raise CupRefused("begun")
        place = Place.objects.filter(cup=cup, user=user).first()
        if place is None:
            if cup.places.count() >= cup.size:
                raise CupRefused("full")
            other = find_other_bot_of_owner(cup, user)
            if other is not None:
                raise CupRefused("one_bot", bot=other.user.username)
            place = Place(cup=cup, user=user, signed_up_at=now)
        place.mage = mage
        place.save()
        touch_activity(user=user, mage=mage, now=now)
    return place


def leave_cup(*, user: User, cup_id: int, now: datetime) -> Cup:
    """Give up the place of `user`. Before the cup begins nothing is left of it; afterwards their running duel is lost
    without play and unrated, and they meet nobody else. Raises CupRefused, and Cup.DoesNotExist."""
    with transaction.atomic():
        cup = Cup.objects.select_for_update().get(pk=cup_id)
        place = Place.objects.filter(cup=cup, user=user, left_at=None).first()
        if place is None:
            raise CupRefused("not_in")
        if cup.is_over:
            raise CupRefused("over")
        if cup.started_at is None:
            place.delete()
        else:
            take_out(cup=cup, place=place, reason=Place.LeftFor.LEFT, now=now)
    return cup
