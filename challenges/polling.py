"""One proposed change made into a row for one viewer: the difference in words, and who says what."""

from challenges.changes import Conditions, find_remaining, list_differences
from challenges.models import Challenge, Proposal
from challenges.outlook import describe_outlook
from challenges.rows import ProposalRow, VoteRow
from challenges.seating import Place, Seating
from challenges.selectors.standings import read_ballot, read_conditions
from challenges.voting import Ballot
from challenges.words import DifferenceWords, describe_difference

STANCES = {True: "for", False: "against", None: ""}


def present_proposal(proposal: Proposal, challenge: Challenge, seating: Seating, mine: set[int]) -> ProposalRow:
    """Make the row. `mine` are the ids of the viewer's mages. The challenge and the proposal bring seats and votes."""
    ballot = read_ballot(proposal, seating)
    users = {seat.mage_id: seat.mage.user.username for seat in challenge.seats.all()}
    open_to_votes = proposal.state == Proposal.State.PENDING and seating.status == "open"
    voting = [
        place
        for place in seating.joined
        if open_to_votes and place.mage_id in mine and seating.why_not_propose(place.mage_id) is None
    ]
    return ProposalRow(
        number=proposal.number,
        proposer=proposal.proposer.name,
        state=proposal.state,
        differences=_describe(proposal, read_conditions(challenge), seating),
        votes=tuple(_present_vote(place, ballot, users[place.mage_id], mine) for place in seating.joined),
        points_for=ballot.weigh(ballot.in_favour),
        points_against=ballot.weigh(ballot.against),
        needed=ballot.needed,
        created_at=proposal.created_at,
        lapses_at=proposal.lapses_at,
        decided_at=proposal.decided_at,
        accept=tuple(place.mage for place in voting if ballot.stance_of(place.mage_id) is not True),
        oppose=tuple(place.mage for place in voting if ballot.stance_of(place.mage_id) is not False),
        outlook=describe_outlook(ballot, seating, mine) if open_to_votes else "",
        take_back=proposal.proposer.name if open_to_votes and proposal.proposer_id in mine else "",
    )


def _describe(proposal: Proposal, conditions: Conditions, seating: Seating) -> tuple[DifferenceWords, ...]:
    """What is left to change; of a proposal that is over, all that it asked for."""
    pending = proposal.state == Proposal.State.PENDING
    change = find_remaining(proposal.change, conditions, seating) if pending else proposal.change
    return tuple(
        describe_difference(each.what, each.before, each.after, over=not pending)
        for each in list_differences(change, conditions)
    )


def _present_vote(place: Place, ballot: Ballot, user: str, mine: set[int]) -> VoteRow:
    return VoteRow(
        name=place.mage,
        user=user,
        stance=STANCES[ballot.stance_of(place.mage_id)],
        points=ballot.weigh((place.mage_id,)),
        is_mine=place.mage_id in mine,
        by_everything=place.accepts_everything,
    )
