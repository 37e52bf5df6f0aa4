"""Rematch: the same mages on the same terms once more."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from django.db import transaction

from accounts.models import Mage
from accounts.services.mages import engage_mage, note_joining, wake_mage
from challenges.availability import find_hindrance
from challenges.changes import ActionOutcome
from challenges.errors import ChallengeRefused
from challenges.models import Challenge, Seat
from challenges.services.answers import accept_challenge, decline_elsewhere_on_commit
from challenges.services.create import create_challenge
from duels.models import Battle
from duels.paces import PACES
from duels.services.rematch import lock_for_rematch, record_rematch
from duels.services.start import start_battle, take_number
from duels.terms import Terms
from ladder.stakes import FRIENDLY


def ask_for_rematch(*, number: int, mage: Mage, now: datetime) -> ActionOutcome:
    """Challenge the others of battle `number`, which is over, on its terms; or accept, if one of them has asked before.

    `mage` fought in it. A mage who cannot fight again is replaced by a free mage of the same user. Against the site's
    bots alone the battle begins at once. A guest who fought a friend by link may meet them again. Asked twice, the
    second gets the outcome of the first. Raises duels' BattleNotFound, ChallengeRefused, and what `create_challenge`
    and `accept_challenge` raise.
    """
    with transaction.atomic():
        battle = lock_for_rematch(number=number)
        mages = {row.mage_id: row.mage for row in battle.combatants.select_related("mage__user", "mage__engagement")}
        if not battle.is_over:
            raise ChallengeRefused("running")
        if mage.pk not in mages:
            raise ChallengeRefused("not_yours")
        asked = _find_asked(battle)
        if asked is not None and asked.status == Challenge.Status.OPEN:
            return _answer(asked, battle, mage, now)
        if asked is not None or _runs(battle):
            assert battle.rematch is not None
            return ActionOutcome(battle.rematch, Challenge.Status.STARTED)
        return _ask(battle, list(mages.values()), mages[mage.pk], now)


def _find_asked(battle: Battle) -> Challenge | None:
    """Return the challenge that is the rematch, unless it has ended without a battle."""
    if battle.rematch is None:
        return None
    live = [Challenge.Status.OPEN, Challenge.Status.STARTED]
    return Challenge.objects.filter(number=battle.rematch, status__in=live).first()


def _runs(battle: Battle) -> bool:
    """Return whether the rematch is a battle against bots that is not over; such battles have no challenge."""
    return battle.rematch is not None and Battle.objects.filter(number=battle.rematch, finished_at=None).exists()


def _answer(asked: Challenge, battle: Battle, mage: Mage, now: datetime) -> ActionOutcome:
    """Accept the rematch with the mage of this user who is invited; a mage who has joined just waits. With other
    terms than those of the battle it is no rematch."""
    seats = list(asked.seats.filter(mage__user=mage.user_id).select_related("mage"))
    if any(seat.state == Seat.State.JOINED for seat in seats):
        return ActionOutcome(asked.number, asked.status)
    invited = next((seat.mage for seat in seats if seat.state == Seat.State.INVITED), mage)
    same = Challenge(terms=_offer_terms(battle).to_json()).terms_key
    return accept_challenge(number=asked.number, mage=invited, terms_key=same, lets_guests=True, now=now)


def _ask(battle: Battle, mages: Sequence[Mage], mage: Mage, now: datetime) -> ActionOutcome:
    mine = _find_mine(mage)
    others = [each for each in mages if each.user_id != mage.user_id]
    terms = _offer_terms(battle)
    if others and all(each.user.bot_strength for each in others):
        rematch = take_number()
        engage_mage(mage=mine, kind="battle", number=rematch)
        wake_mage(mage=mine)
        note_joining(mage=mine, now=now)
        start_battle(number=rematch, terms=terms, mages=[mine, *others], now=now)
        decline_elsewhere_on_commit(mine, now)
        record_rematch(battle=battle, number=rematch, asked_by=mine)
        return ActionOutcome(rematch, Challenge.Status.STARTED)
    invited = [fit for each in others if not each.user.bot_strength and (fit := _find_fit(each)) is not None]
    if not invited:
        raise ChallengeRefused("nobody")
    challenge = create_challenge(challenger=mine, terms=terms, invited=invited, lets_guests=True, now=now)
    record_rematch(battle=battle, number=challenge.number, asked_by=mine)
    return ActionOutcome(challenge.number, Challenge.Status.OPEN)


def _offer_terms(battle: Battle) -> Terms:
    """Return the terms of the rematch: the battle's, but a duel of a league or cup has a friendly rematch."""
    terms = replace(Terms.from_json(battle.terms), lesson=False)
    if not terms.stake.is_event:
        return terms
    return replace(terms, stakes=FRIENDLY, pace=terms.pace if terms.pace in PACES else "day", chat=True)


def _find_mine(mage: Mage) -> Mage:
    """Return the mage if they are free, else the free mage of their user who was active last."""
    mages = [mage, *_list_mages_of(mage)]
    free = [each for each in mages if each.is_alive and each.busy_with is None]
    if not free:
        raise ChallengeRefused("no_mage")
    return free[0]


def _find_fit(mage: Mage) -> Mage | None:
    """Return the mage if they can be invited, else the mage of their user who can and was active last."""
    return next(
        (each for each in [mage, *_list_mages_of(mage)] if find_hindrance(each, lets_guests=True) is None), None
    )


def _list_mages_of(mage: Mage) -> list[Mage]:
    mages = Mage.objects.filter(user=mage.user_id, died_at=None).exclude(pk=mage.pk)
    return list(mages.select_related("user", "engagement").order_by("-last_active_at", "pk"))
