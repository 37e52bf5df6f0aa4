"""Challenges of the bots: those they offer to anyone, and those of people that they join.

Both are sweeps: they may run late, twice, or on several machines at once. At each pace a bot offers one challenge,
which the database enforces; claiming the challenge ensures that no seat is taken twice.
"""

from datetime import datetime

from django.db import IntegrityError, transaction

from accounts.models import Mage
from challenges.models import Challenge, Seat
from challenges.selectors.bots import (
    BotChallenge,
    list_bot_challenges,
    list_bot_names,
    list_challenges_open_to_bots,
    list_mages_of_bot,
    list_wanted_challenges,
)
from challenges.selectors.state import read_seating
from challenges.services.answers import settle_after_joining
from challenges.services.bot_seats import find_free_bot
from challenges.services.claim import claim_if_open
from challenges.services.seats import take_bot_seat
from challenges.services.start_battle import end_challenge
from duels.services.start import take_number
from duels.terms import list_rulesets
from operations.sweeps import act_on_each

DUEL = 2


def offer_bot_challenges(*, now: datetime) -> int:
    """Let a bot offer an open duel at each pace, so that one is available at any hour; return how many were created or
    withdrawn. A duel that can no longer be played is withdrawn and replaced."""
    bots = list_bot_names()
    wanted = {each.pace: each for each in list_wanted_challenges(bots)}
    gone = [each for each in list_bot_challenges() if not _is_playable(each, bots)]
    changed = sum(_withdraw(each.number, now) for each in gone)
    held = {each.bot_pace for each in list_bot_challenges()}
    return changed + sum(_offer(each, now) for pace, each in wanted.items() if pace not in held)


def seat_bots_in_open_challenges(*, now: datetime) -> int:
    """Let bots join the challenges whose terms allow it, until these are full; return how many seats they took."""
    numbers = list_challenges_open_to_bots().values_list("number", flat=True)
    return act_on_each(numbers, lambda number: _join(number, now))


def _is_playable(challenge: Challenge, bots: list[str]) -> bool:
    mage = challenge.challenger
    is_offered = challenge.terms["ruleset"] in dict(list_rulesets())
    return is_offered and mage.is_alive and mage.user.bot_strength in bots


def _withdraw(number: int, now: datetime) -> int:
    with transaction.atomic():
        challenge = claim_if_open(number, now)
        if challenge is None or _is_playable(challenge, list_bot_names()):
            return 0
        end_challenge(challenge, Challenge.Status.WITHDRAWN, now)
    return 1


def _offer(wanted: BotChallenge, now: datetime) -> int:
    """Create a challenge; 0 if another worker was quicker."""
    mages = list_mages_of_bot(wanted.strength)
    if not mages:
        return 0
    try:
        with transaction.atomic():
            number = take_number()
            mage = mages[number % len(mages)]
            challenge = Challenge.objects.create(
                number=number,
                challenger=mage,
                terms=wanted.terms.to_json(),
                mages_per_user=1,
                limit=DUEL,
                seats_taken=1,
                bot_pace=wanted.pace,
                created_at=now,
                updated_at=now,
            )
            Seat.objects.create(challenge=challenge, mage=mage, state=Seat.State.JOINED, asked_at=now, answered_at=now)
    except IntegrityError:
        return 0
    return 1


def _join(number: int, now: datetime) -> int:
    """Let bots take the free seats of a challenge: a different bot for each, if there are enough."""
    # Before the claim, which every page of the challenge notices.
    if _find_joining(number) is None:
        return 0
    taken = 0
    with transaction.atomic():
        challenge = claim_if_open(number, now)
        while challenge is not None and challenge.status == Challenge.Status.OPEN:
            mage = _find_joining(number)
            if mage is None:
                break
            take_bot_seat(challenge, mage, now)
            taken += 1
            settle_after_joining(challenge, mage, now)
    return taken


def _find_joining(number: int) -> Mage | None:
    """Return the bot's mage who joins next; None if none may."""
    challenge = list_challenges_open_to_bots(number=number).first()
    strengths = list_bot_names()
    if challenge is None or not strengths:
        return None
    seating = read_seating(challenge)
    turn = (number + len(seating.bots)) % len(strengths)
    return find_free_bot(seating, [*strengths[turn:], *strengths[:turn]])
