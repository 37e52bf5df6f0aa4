"""Propose changes, and withdraw them."""

from datetime import datetime, timedelta

from django.db import transaction

from accounts.models import Mage
from accounts.selectors.ties import find_users_apart_from
from accounts.services.mages import touch_activity
from challenges import notices
from challenges.changes import ActionOutcome, Change, find_remaining, list_differences, tidy_change
from challenges.errors import InvalidChallenge
from challenges.models import Challenge, Proposal, Vote
from challenges.rules import Seating
from challenges.selectors.mages import find_mages_by_name, list_free_mages
from challenges.selectors.state import list_pending_proposals, read_conditions, read_seating
from challenges.services.claim import claim_challenge, refuse
from challenges.services.settle import make_change, settle_challenge
from challenges.services.votes import cast_votes, get_pending
from challenges.validation import ChallengeState, find_problems_of_change, tidy_comment
from duels.terms import Terms
from ladder.selectors.scores import scores_by_id

PROPOSAL_LIFE = timedelta(days=7)
# How many proposals of one challenge may be pending: as many as a page and an email can show.
MOST_PENDING = 10


def propose_change(*, number: int, mage: Mage, change: Change, everyone: bool = False, now: datetime) -> ActionOutcome:
    """Change the challenge, or propose the change if others vote on it (FM-ORDCHG-1, 3.6).

    Names of mages may be in any case. `everyone` invites every free mage, and opens a closed challenge unless the
    change says who may join. Proposing the same change again counts as a vote for it. Raises ChallengeNotFound,
    ChallengeOver, ChallengeRefused, and InvalidChallenge with every problem.
    """
    with transaction.atomic():
        challenge = claim_challenge(number, mage, now)
        seating = read_seating(challenge)
        refuse(seating, mage, seating.why_not_propose(mage.pk))
        wanted = _check_change(challenge, seating, change, mage, everyone=everyone)
        touch_activity(user=mage.user, mage=mage, now=now)
        return _propose(challenge, seating, mage, wanted, now)


def start_challenge(*, number: int, mage: Mage, now: datetime) -> ActionOutcome:
    """Start the battle with the mages who have joined (at least two), or propose to if others vote on it.

    Raises ChallengeNotFound, ChallengeOver, ChallengeRefused, InvalidChallenge.
    """
    with transaction.atomic():
        challenge = claim_challenge(number, mage, now)
        seating = read_seating(challenge)
        refuse(seating, mage, seating.why_not_start(mage.pk))
        touch_activity(user=mage.user, mage=mage, now=now)
        return _propose(challenge, seating, mage, Change(start=True), now)


def take_back_change(*, number: int, mage: Mage, change: int, now: datetime) -> ActionOutcome:
    """Withdraw the mage's own proposal. Raises ChallengeNotFound, ChallengeOver, ChallengeRefused."""
    with transaction.atomic():
        challenge = claim_challenge(number, mage, now)
        seating = read_seating(challenge)
        proposal = get_pending(challenge, seating, mage, change)
        if proposal.proposer_id != mage.pk:
            name = proposal.proposer.name
            refuse(seating, mage, "not_the_proposer", change=change, proposer=name)
        Proposal.objects.filter(pk=proposal.pk).update(state=Proposal.State.TAKEN_BACK, decided_at=now)
        touch_activity(user=mage.user, mage=mage, now=now)
        differences = list_differences(proposal.change, read_conditions(challenge))
        notices.notify_taken_back(challenge, seating, change, mage.name, differences, actor=mage.user, now=now)
    return ActionOutcome(number, challenge.status)


def _propose(challenge: Challenge, seating: Seating, mage: Mage, change: Change, now: datetime) -> ActionOutcome:
    if seating.decides_at_once(mage.pk):
        remaining = find_remaining(change, read_conditions(challenge), seating)
        made = make_change(challenge, remaining, number=None, proposer=mage, causer=mage.user, now=now)
        decided = (made, *settle_challenge(challenge, causer=mage.user, now=now))
        return ActionOutcome(challenge.number, challenge.status, decided)
    pending = list_pending_proposals(challenge)
    same = next((each for each in pending if each.change == change), None)
    if same is not None:
        cast_votes(challenge, mage, [same.number], in_favour=True, now=now)
        decided = settle_challenge(challenge, causer=mage.user, now=now)
        same.refresh_from_db()
        proposed = same.number if same.state == Proposal.State.PENDING else None
        return ActionOutcome(challenge.number, challenge.status, decided, proposed=proposed)
    count = len(pending)
    refuse(seating, mage, "too_many_changes" if count >= MOST_PENDING else None, count=count)
    proposal = _add_proposal(challenge, mage, change, now)
    decided = settle_challenge(challenge, causer=mage.user, now=now)
    proposal.refresh_from_db()
    if proposal.state != Proposal.State.PENDING:
        return ActionOutcome(challenge.number, challenge.status, decided)
    notices.notify_proposed(
        challenge,
        read_seating(challenge),
        proposal.number,
        mage.name,
        list_differences(proposal.change, read_conditions(challenge)),
        expires_at=proposal.expires_at,
        actor=mage.user,
        now=now,
    )
    return ActionOutcome(challenge.number, challenge.status, decided, proposed=proposal.number)


def _add_proposal(challenge: Challenge, mage: Mage, change: Change, now: datetime) -> Proposal:
    challenge.changes_proposed += 1
    challenge.save(update_fields=["changes_proposed"])
    proposal = Proposal.objects.create(
        challenge=challenge,
        number=challenge.changes_proposed,
        proposer=mage,
        change=change,
        created_at=now,
        expires_at=now + PROPOSAL_LIFE,
    )
    Vote.objects.create(proposal=proposal, mage=mage, in_favour=True, cast_at=now)
    return proposal


def _call_all(challenge: Challenge, seating: Seating, change: Change) -> Change:
    """Return the change with every mage who is free now added by name."""
    names = [mage.name for mage in list_free_mages(user=challenge.challenger.user, seating=seating)]
    called: Change = {**change, "add": [*change.get("add", []), *names]}
    if challenge.mages_per_user is None:
        called.setdefault("mages_per_user", 1)
    return called


def _check_change(challenge: Challenge, seating: Seating, change: Change, mage: Mage, *, everyone: bool) -> Change:
    """Return the change with names as registered and the comment cleaned up. Raises InvalidChallenge."""
    wanted = _call_all(challenge, seating, change) if everyone else change.copy()
    if "comment" in wanted:
        wanted["comment"] = tidy_comment(wanted["comment"])
    added, unknown = find_mages_by_name(names=wanted.get("add", ()), place="add")
    excluded, strangers = find_mages_by_name(names=wanted.get("exclude", ()), place="exclude")
    if "add" in wanted:
        wanted["add"] = [mage.name for mage in added]
    if "exclude" in wanted:
        wanted["exclude"] = [mage.name for mage in excluded]
    wanted = tidy_change(wanted)
    state = _read_state(challenge, seating)
    problems = [
        *unknown,
        *strangers,
        *find_problems_of_change(state, wanted, proposer=mage, added=added, excluded=excluded, called_all=everyone),
    ]
    if problems:
        raise InvalidChallenge(problems)
    return wanted


def _read_state(challenge: Challenge, seating: Seating) -> ChallengeState:
    joined = seating.joined
    return ChallengeState(
        terms=Terms.from_json(challenge.terms),
        conditions=read_conditions(challenge),
        seating=seating,
        apart=find_users_apart_from({place.user_id for place in joined}),
        scores=scores_by_id((place.mage_id for place in joined), "duel" if seating.is_duel else "melee"),
    )
