"""Settle a challenge: count votes, apply changes, and start the battle.

Every service ends with `settle_challenge`, so votes are recounted whenever a mage joins or leaves, a flag changes or
another change is adopted, and the battle starts only after everything that can be decided has been.
"""

from datetime import datetime

from accounts.models import Mage, User
from accounts.selectors.ties import find_users_apart_from, list_blocked_pairs
from challenges import notices
from challenges.availability import find_hindrance
from challenges.changes import Change, Decision, Difference, change_terms, find_remaining, list_differences
from challenges.models import Challenge, Proposal, Seat
from challenges.rules import FEWEST_SEATS, Place, Seating
from challenges.selectors.state import list_pending_proposals, read_ballot, read_conditions, read_seating
from challenges.services.bot_seats import seat_bots, wake_bots_for
from challenges.services.seats import vacate_seat
from challenges.services.start_battle import start_battle_of, start_if_complete
from duels.errors import InvalidTerms
from duels.terms import Terms


def settle_challenge(challenge: Challenge, *, causer: User | None, now: datetime) -> tuple[Decision, ...]:
    """Settle a claimed challenge; return the proposals that were decided. `causer` gets no notice: the response to
    their action says it."""
    decisions: list[Decision] = []
    if challenge.status == Challenge.Status.OPEN:
        seating = seat_bots(challenge, _separate_blocked_users(challenge, now), now)
    while challenge.status == Challenge.Status.OPEN:
        decision = _decide_one(challenge, seating, causer, now)
        if decision is None:
            start_if_complete(challenge, seating, now)
            break
        decisions.append(decision)
        seating = read_seating(challenge)
    wake_bots_for(challenge)
    return tuple(decisions)


def make_change(
    challenge: Challenge,
    change: Change,
    *,
    number: int | None,
    proposer: Mage,
    causer: User | None,
    now: datetime,
) -> Decision:
    """Apply an adopted change (3.7), in the order of the rules, and notify everyone. `change` is what remains of it."""
    differences = tuple(list_differences(change, read_conditions(challenge)))
    _separate_blocked_users(challenge, now)
    _set_terms(challenge, change)
    invited = _invite(challenge, change.get("add", []), now)
    uninvited = _exclude(challenge, change.get("exclude", []), now)
    notices.notify_uninvited(challenge, uninvited, now=now)
    seating = seat_bots(challenge, read_seating(challenge), now)
    if change.get("start") and len(seating.joined) >= FEWEST_SEATS:
        start_battle_of(challenge, seating, now)
    elif not seating.is_complete():
        notices.notify_invited(challenge, seating, invited, now=now)
        notices.notify_adopted(
            challenge, seating, number, proposer.name, differences, actor=causer, invited=invited, now=now
        )
    return Decision(number, proposer.name, "adopted", differences)


def _decide_one(challenge: Challenge, seating: Seating, causer: User | None, now: datetime) -> Decision | None:
    """Decide the first proposal that can be decided; return None if there is none."""
    if not challenge.changes_proposed:
        return None
    conditions = read_conditions(challenge)
    for proposal in list_pending_proposals(challenge):
        remaining = find_remaining(proposal.change, conditions, seating)
        differences = tuple(list_differences(remaining or proposal.change, conditions))
        if not remaining or not _is_possible(challenge, remaining):
            return _end_proposal(challenge, proposal, Proposal.State.MOOT, differences, causer, now)
        verdict = read_ballot(proposal, seating).verdict()
        if verdict == "rejected":
            return _end_proposal(challenge, proposal, Proposal.State.REJECTED, differences, causer, now)
        if verdict == "adopted":
            _close(proposal, Proposal.State.ADOPTED, now)
            return make_change(
                challenge, remaining, number=proposal.number, proposer=proposal.proposer, causer=causer, now=now
            )
    return None


def _end_proposal(
    challenge: Challenge,
    proposal: Proposal,
    state: Proposal.State,
    differences: tuple[Difference, ...],
    causer: User | None,
    now: datetime,
) -> Decision:
    _close(proposal, state, now)
    seating, proposer = read_seating(challenge), proposal.proposer.name
    if state == Proposal.State.REJECTED:
        notices.notify_rejected(challenge, seating, proposal.number, proposer, differences, actor=causer, now=now)
        return Decision(proposal.number, proposer, "rejected", differences)
    notices.notify_of_ended_proposal(
        challenge, seating, proposal.number, proposer, differences, reason="moot", actor=causer, now=now
    )
    return Decision(proposal.number, proposer, "moot", differences)


def _close(proposal: Proposal, state: Proposal.State, now: datetime) -> None:
    Proposal.objects.filter(pk=proposal.pk, state=Proposal.State.PENDING).update(state=state, decided_at=now)


def _is_possible(challenge: Challenge, change: Change) -> bool:
    """Return whether the new terms are still valid: a ruleset may have been removed since the proposal."""
    try:
        change_terms(Terms.from_json(challenge.terms), change)
    except InvalidTerms:
        return False
    return True


def _set_terms(challenge: Challenge, change: Change) -> None:
    challenge.comment = change.get("comment", challenge.comment)
    challenge.terms = change_terms(Terms.from_json(challenge.terms), change).to_json()
    challenge.mages_per_user = change.get("mages_per_user", challenge.mages_per_user)
    challenge.limit = change.get("limit", challenge.limit)
    challenge.authoritarian = change.get("authoritarian", challenge.authoritarian)
    challenge.save(update_fields=["comment", "terms", "mages_per_user", "limit", "authoritarian"])


def _invite(challenge: Challenge, names: list[str], now: datetime) -> list[int]:
    """Invite these mages, except those that are no longer free or have a block between them and a joined user."""
    seating = read_seating(challenge)
    apart = find_users_apart_from({place.user_id for place in seating.joined})
    mages = Mage.objects.select_related("user", "engagement").filter(name__in=names)
    free = [mage for mage in mages if mage.user_id not in apart and find_hindrance(mage) is None]
    for mage in free:
        Seat.objects.update_or_create(
            challenge=challenge,
            mage=mage,
            defaults={"state": Seat.State.INVITED, "asked_at": now, "answered_at": None},
        )
    return [mage.pk for mage in free]


def _exclude(challenge: Challenge, names: list[str], now: datetime) -> list[Place]:
    """Exclude these mages; return the places of those that were invited."""
    places = [place for place in read_seating(challenge).invited if place.mage in names]
    for mage in Mage.objects.filter(name__in=names):
        Seat.objects.update_or_create(
            challenge=challenge,
            mage=mage,
            defaults={"state": Seat.State.EXCLUDED, "answered_at": now},
            create_defaults={"state": Seat.State.EXCLUDED, "asked_at": now, "answered_at": now},
        )
    return places


def _separate_blocked_users(challenge: Challenge, now: datetime) -> Seating:
    """If there is a block between two users and one has joined, remove the one who came later. Return the seating after
    that."""
    seating = read_seating(challenge)
    removed = _find_blocked_places(seating)
    for place in removed:
        vacate_seat(challenge, place.mage_id, Seat.State.EXCLUDED, now)
    notices.notify_uninvited(challenge, removed, now=now)
    return read_seating(challenge) if removed else seating


def _find_blocked_places(seating: Seating) -> list[Place]:
    places = (*seating.joined, *seating.invited)
    pairs = list_blocked_pairs({place.user_id for place in places})
    staying: set[int] = set()
    blocked = []
    for place in places if pairs else ():
        if any(frozenset((place.user_id, other)) in pairs for other in staying):
            blocked.append(place)
        elif place.state == "joined":
            staying.add(place.user_id)
    return blocked
