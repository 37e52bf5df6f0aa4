"""A newcomer asks a host for a duel; sweeps ask the next host, and open the notes at the end."""

from collections.abc import Collection
from datetime import datetime

from django.db import transaction

from accounts.models import Mage, User
from accounts.selectors.hold import is_suspended
from accounts.services.hosts import claim_host
from challenges.changes import Change
from challenges.errors import ChallengeRefused
from challenges.models import Challenge, HostedDuel
from challenges.selectors.hosting import (
    TIME_TO_ANSWER,
    list_free_hosts,
    list_over,
    list_to_pass_on,
    may_ask_host,
)
from challenges.selectors.links import DUEL
from challenges.selectors.state import read_seating
from challenges.services.answers import withdraw_challenge
from challenges.services.claim import claim_if_open
from challenges.services.create import create_challenge
from challenges.services.settle import make_change, settle_challenge
from duels.models import Battle, Combatant
from duels.terms import Terms
from ladder.stakes import FRIENDLY
from notifications.services.outbox import write_notices
from operations.selectors import list_doubts, read_policy
from operations.sweeps import act_on_each
from studies.selectors.notes import has_notes

HOSTED = Terms(pace="day", stakes=FRIENDLY)


def ask_host(*, mage: Mage, wanted: str = "", now: datetime) -> Challenge:
    """Challenge a free host to a friendly duel at a turn a day: the host called `wanted`, or else the one whom a
    newcomer asked longest ago. Raises ChallengeRefused, and InvalidChallenge for a mage who is not free."""
    newcomer = mage.user
    with transaction.atomic():
        User.objects.select_for_update(no_key=True).get(pk=newcomer.pk)
        if not may_ask_host(newcomer, now=now):
            raise ChallengeRefused("not_new")
        found = _take_host(newcomer, wanted=wanted, now=now)
        if found is None:
            raise ChallengeRefused("no_host")
        # The host is invited by a change, as the next one would be: their email then knows what kind of duel it is.
        challenge = create_challenge(challenger=mage, terms=HOSTED, by_link=True, now=now)
        HostedDuel.objects.create(
            challenge=challenge, newcomer=newcomer, host=found.user, asked_at=now, next_at=now + TIME_TO_ANSWER
        )
        _change(challenge, Change(add=[found.name]), now)
    return challenge


def _change(challenge: Challenge, change: Change, now: datetime) -> None:
    newcomer = challenge.challenger.user
    make_change(challenge, change, number=None, proposer=challenge.challenger, causer=newcomer, now=now)
    settle_challenge(challenge, causer=newcomer, now=now)


def _take_host(newcomer: User, *, besides: Collection[int] = (), wanted: str = "", now: datetime) -> Mage | None:
    """Return the mage of the next free host, who is now asked. Two newcomers at the same moment ask two hosts."""
    free = list_free_hosts(newcomer, besides=besides, now=now)
    free.sort(key=lambda pair: pair[0].user.username != wanted)
    return next((mage for host, mage in free if claim_host(host=host, now=now)), None)


def pass_on_hosted_duels(*, now: datetime) -> int:
    """Ask the next host where one did not answer or cannot play, or open the duel to anyone; withdraw it if the
    newcomer has been suspended. Return how many. Does nothing while the site is in doubt."""
    due = list_to_pass_on(now=now)
    if not due or list_doubts(now, read_policy()):
        return 0
    return act_on_each(due, lambda each: _pass_on(each, now))


def _pass_on(hosted: HostedDuel, now: datetime) -> bool:
    newcomer = hosted.challenge.challenger.user
    with transaction.atomic():
        mine = HostedDuel.objects.filter(pk=hosted.pk, next_at=hosted.next_at)
        if not mine.update(next_at=None):
            return False
        challenge = claim_if_open(hosted.challenge.number, now)
        if challenge is None:
            return False
        seating = read_seating(challenge)
        if len(seating.joined) > 1 or seating.is_open_to_all:
            return True  # the newcomer has found someone else, or looks for anyone
        if is_suspended(newcomer, now):
            withdraw_challenge(number=challenge.number, mage=challenge.challenger, now=now)
            return True
        found = _take_host(newcomer, besides={place.user_id for place in seating.places}, now=now)
        if found is None:
            # The last host may still join.
            change = Change(mages_per_user=1, limit=DUEL)
        else:
            late = [place.mage for place in seating.invited if place.user_id == hosted.host_id]
            change = Change(add=[found.name], exclude=late)
            again = HostedDuel.objects.filter(pk=hosted.pk)
            again.update(host=found.user, asked_at=now, next_at=now + TIME_TO_ANSWER)
        _change(challenge, change, now)
    return True


def open_notes(*, now: datetime) -> int:
    """Tell both players of each hosted duel that is over that their notes are open, if they wrote any; return how
    many duels there were."""
    return sum(_open_notes(each, now) for each in list_over())


def _open_notes(hosted: HostedDuel, now: datetime) -> bool:
    number = hosted.challenge.number
    with transaction.atomic():
        if not HostedDuel.objects.filter(pk=hosted.pk, notes_opened_at=None).update(notes_opened_at=now):
            return False
        battle = Battle.objects.get(number=number)
        if not has_notes(battle):
            return True
        fought = list(Combatant.objects.filter(battle=battle).select_related("mage__user").order_by("position"))
        for mine in fought:
            others = [each.mage for each in fought if each.mage.user_id != mine.mage.user_id]
            facts = {"battle": number, "kind": battle.kind, "others": [mage.name for mage in others]}
            write_notices(
                kind="notes_open",
                entries=[(f"notes_open:{number}:{mine.mage.user_id}", mine.mage.user, facts)],
                about=[mage.user_id for mage in others],
                now=now,
            )
    return True
