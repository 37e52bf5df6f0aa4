"""Fill and free the seats reserved for bots in a claimed challenge. The terms say which bots have a seat. Applying
them is idempotent."""

from collections import Counter
from collections.abc import Collection, Iterator
from datetime import datetime

from accounts.models import Mage
from accounts.selectors.ties import find_users_apart_from
from challenges.models import Challenge, Seat
from challenges.rules import Seating
from challenges.selectors.bots import list_mages_of_bot
from challenges.selectors.state import read_seating
from challenges.services.seats import take_bot_seat, vacate_seat
from challenges.wakeups import wake_bots_on_commit
from duels.terms import Terms


def seat_bots(challenge: Challenge, seating: Seating, now: datetime) -> Seating:
    """Seat the bots for which the terms reserve seats, and remove the others; return the seating.

    A seat stays free if the challenge is full, or if all mages of that bot have joined or may not join.
    """
    terms = Terms.from_json(challenge.terms)
    if not (terms.bots or seating.bots):
        return seating
    seated = [place for place in seating.bots if place.mage_id != challenge.challenger_id]
    missing = Counter(terms.bots)
    missing.subtract(place.bot for place in seated)
    changed = False
    for place in seated[::-1] if not terms.bots_may_join else ():
        if missing[place.bot] < 0:
            vacate_seat(challenge, place.mage_id, Seat.State.DECLINED, now)
            missing[place.bot] += 1
            changed = True
    for strength in missing.elements():
        seating = read_seating(challenge) if changed else seating
        mage = find_free_bot(seating, [strength])
        if mage is not None:
            take_bot_seat(challenge, mage, now)
            changed = True
    return read_seating(challenge) if changed else seating


def find_free_bot(seating: Seating, strengths: Collection[str]) -> Mage | None:
    """Return a mage of the first of these bots that has one which may join; None if the challenge is full."""
    room = seating.most_seats if seating.limit is None else seating.limit
    if len(seating.joined) >= room:
        return None
    apart = find_users_apart_from({place.user_id for place in seating.joined})
    return next(_list_free_mages(seating, strengths, apart), None)


def _list_free_mages(seating: Seating, strengths: Collection[str], apart: frozenset[int]) -> Iterator[Mage]:
    shut = {place.mage_id for place in seating.places if place.state in (Seat.State.JOINED, Seat.State.EXCLUDED)}
    for strength in strengths:
        mages = list_mages_of_bot(strength)
        start = seating.number % len(mages) if mages else 0
        for mage in (*mages[start:], *mages[:start]):
            if mage.pk not in shut and mage.user_id not in apart:
                yield mage


def wake_bots_for(challenge: Challenge) -> None:
    """Wake the bots' worker if bots may join the challenge, or if a bot's offer was accepted."""
    is_open = challenge.status == Challenge.Status.OPEN
    if challenge.terms.get("bots_may_join", False) if is_open else challenge.bot_pace:
        wake_bots_on_commit()
