"""Build the row of a challenge, and of each proposal, for one viewer."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache

from accounts.models import Mage
from challenges.availability import find_hindrance
from challenges.ballot import Ballot, find_outlook
from challenges.bot_accounts import why_bot_may_not_join
from challenges.changes import Conditions, completes, find_remaining, list_differences
from challenges.models import Challenge, Proposal, Seat
from challenges.rules import FEWEST_SEATS, Place, Seating
from challenges.selectors.state import read_ballot, read_conditions
from challenges.shown import (
    Actions,
    ChallengeWords,
    OwnPart,
    Section,
    ShownChallenge,
    ShownProposal,
    ShownSeat,
    ShownSeating,
    ShownVote,
)
from challenges.vote_words import describe_outlook
from challenges.words import (
    WHY_NOT,
    DifferenceWords,
    describe_difference,
    describe_openness,
    describe_size,
    describe_start,
    describe_terms,
    describe_title,
)
from duels.paces import explain_time, get_pace, is_live
from duels.selectors.reliability import Reliability
from duels.terms import Terms
from ladder.stakes import explain_limit
from operations.policy import Policy

# More free seats than this are shown as a number, not as discs.
MOST_FREE_DISCS = 3
# Seats whose mages may play: their reliability and score are shown.
COMING = (Seat.State.JOINED, Seat.State.INVITED)


@dataclass(frozen=True)
class Onlooker:
    """The viewer: logged in or not, their living mages (user and engagement prefetched), users they must not meet, and
    for a bot those who don't want to meet one."""

    known: bool
    mages: tuple[Mage, ...] = ()
    apart: frozenset[int] = frozenset()
    practice_is_deadly: bool = False
    closed_to_bots: frozenset[int] = frozenset()

    @property
    def mage_ids(self) -> frozenset[int]:
        return frozenset(mage.pk for mage in self.mages)


@dataclass(frozen=True)
class Background:
    """Data read once for many rows: the policy, the reliability of users by id, and the duel and melee scores of mages
    by id."""

    policy: Policy = field(default_factory=Policy)
    reliability: Mapping[int, Reliability] = field(default_factory=dict)
    scores: Mapping[str, Mapping[int, int]] = field(default_factory=dict)


def present_challenge(
    challenge: Challenge,
    seating: Seating,
    onlooker: Onlooker,
    proposals: Sequence[Proposal] = (),
    background: Background | None = None,
) -> ShownChallenge:
    """Return the row of a challenge. Seats, and with `proposals` their votes, must be prefetched."""
    background = background or Background()
    terms = Terms.from_json(challenge.terms)

    @cache
    def describe(_language: str | None) -> ChallengeWords:
        return _describe_challenge(challenge, terms, seating, onlooker, background.policy)

    polls = [_present_proposal(proposal, challenge, seating, onlooker.mage_ids) for proposal in proposals]
    return ShownChallenge(
        number=challenge.number,
        describe=describe,
        challenger=challenge.challenger.name,
        challenger_user=str(challenge.challenger.user),
        ruleset=terms.ruleset,
        pace=terms.pace,
        stakes=terms.stakes,
        comment=challenge.comment,
        status=challenge.status,
        is_of_bot=bool(challenge.bot_pace),
        has_scores_at_stake=terms.stake.scores,
        authoritarian=seating.authoritarian,
        seating=_present_seating(challenge, seating, onlooker, background),
        own=_present_own_part(seating, onlooker, terms),
        created_at=challenge.created_at,
        revision=challenge.revision,
        terms_key=challenge.terms_key,
        proposals=tuple(poll for poll in polls if poll.is_pending),
        decided=tuple(poll for poll in polls if not poll.is_pending),
        is_live=is_live(terms.pace),
        arms=challenge.challenger.arms,
    )


def _describe_challenge(
    challenge: Challenge, terms: Terms, seating: Seating, onlooker: Onlooker, policy: Policy
) -> ChallengeWords:
    has_bots = bool(seating.bots or terms.bots)
    return ChallengeWords(
        title=describe_title(
            challenger=challenge.challenger.name,
            is_duel=seating.is_duel,
            is_open_to_all=seating.is_open_to_all,
            is_practice=seating.is_practice,
            asked=tuple(place.mage for place in seating.invited if place.mage_id in onlooker.mage_ids),
            is_alone=len(seating.places) == 1,
        ),
        size=describe_size(
            is_duel=seating.is_duel, is_open_to_all=seating.is_open_to_all, limit=seating.limit, mages=seating.present
        ),
        rest=describe_terms(
            terms,
            is_practice=seating.is_practice or has_bots,
            practice_is_deadly=onlooker.practice_is_deadly and not has_bots,
            policy=policy,
        ),
        pace=explain_time(get_pace(terms.pace, policy)),
        risk=terms.stake.risk,
        limit=explain_limit(policy.wins_that_count) if terms.stake.counts and not seating.is_practice else "",
        start=describe_start(
            is_open_to_all=seating.is_open_to_all,
            limit=seating.limit,
            mages=seating.present,
            asked=seating.asked,
            has_link=seating.has_live_link,
            authoritarian=seating.authoritarian,
        ),
        openness=describe_openness(seating.mages_per_user),
    )


def _present_own_part(seating: Seating, onlooker: Onlooker, terms: Terms) -> OwnPart:
    actions = _find_actions(seating, onlooker, terms)
    code = "" if actions.accept else _why_not(seating, onlooker, terms)
    return OwnPart(
        section=_find_section(seating, actions, onlooker.mage_ids),
        actions=actions,
        why_not=str(WHY_NOT[code]) if code else "",
        why_not_code=code,
    )


def _find_actions(seating: Seating, onlooker: Onlooker, terms: Terms) -> Actions:
    mages = onlooker.mages
    leaving = [mage for mage in mages if seating.why_not_decline(mage.pk) is None]
    proposing = [mage for mage in mages if seating.why_not_propose(mage.pk) is None]
    deciding = [mage for mage in proposing if seating.decides_at_once(mage.pk)]
    own = next((mage for mage in mages if seating.why_not_withdraw(mage.pk) is None), None)
    flags = {place.mage_id for place in seating.joined if not place.accepts_everything}
    going = Actions(
        decline=tuple(mage.name for mage in leaving if not seating.has_joined(mage.pk)),
        leave=tuple(mage.name for mage in leaving if seating.has_joined(mage.pk)),
        withdraw=own.name if own else "",
    )
    if any(mage.user.is_guest for mage in mages):
        # Guests answer a rematch on the page of its battle, and change nothing here (accounts.guests).
        return going
    return replace(
        going,
        accept=_find_joining(seating, onlooker, terms),
        start=deciding[0].name if deciding and len(seating.joined) >= FEWEST_SEATS else "",
        propose=tuple(mage.name for mage in deciding or proposing),
        decides=bool(deciding),
        everything=tuple(mage.name for mage in proposing if mage.pk in flags and not seating.authoritarian),
        link=own.name if own and seating.why_not_link(own.pk) is None else "",
    )


def _find_joining(seating: Seating, onlooker: Onlooker, terms: Terms) -> tuple[str, ...]:
    """Return the mages who may join: retired ones, which would come back, only if no other may."""
    able = [
        mage
        for mage in onlooker.mages
        if _why_mage_may_not(seating, mage, onlooker, terms) is None and find_hindrance(mage, waking=True) is None
    ]
    awake = [mage for mage in able if not mage.is_retired]
    return tuple(mage.name for mage in awake or able)


def _why_mage_may_not(seating: Seating, mage: Mage, onlooker: Onlooker, terms: Terms) -> str | None:
    """Return a code for why this mage cannot join, or None; the same as joining would."""
    code = seating.why_not_join(mage.pk, mage.user_id, apart=onlooker.apart)
    if code is None and mage.user.is_bot_account:
        return why_bot_may_not_join(terms, seating, mage, closed=onlooker.closed_to_bots)
    return code


def _why_not(seating: Seating, onlooker: Onlooker, terms: Terms) -> str:
    """Return a code for why none of these mages may join: first reasons that hold for any mage, then those the viewer
    can fix."""
    if seating.status != "open":
        return seating.status
    if not onlooker.known:
        return "anonymous" if seating.is_open_to_all else "anonymous_guest"
    mages = onlooker.mages
    codes = [_why_mage_may_not(seating, mage, onlooker, terms) for mage in mages]
    if "joined_already" in codes:
        return "joined_already"
    if not mages:
        return "no_mage" if seating.is_open_to_all else "not_invited"
    if None in codes:
        return "all_busy"
    return next(code for code in codes if code is not None)


def _find_section(seating: Seating, actions: Actions, mine: frozenset[int]) -> Section:
    # Check this first: in practice, a user with a seat may have a second mage invited.
    if any(place.mage_id in mine and place.mage in actions.accept for place in seating.invited):
        return "waiting_for_you"
    if any(place.mage_id in mine for place in seating.joined):
        return "taking_part"
    return "open_to_join"


def _present_seating(
    challenge: Challenge, seating: Seating, onlooker: Onlooker, background: Background
) -> ShownSeating:
    taken = _present_taken_seats(challenge, seating, onlooker.mage_ids, background)
    free = seating.free_seats if seating.is_open_to_all else 0
    discs = min(free or 0, MOST_FREE_DISCS) if seating.status == "open" else 0
    return ShownSeating(
        seats=(*taken, *(ShownSeat(name="", user="", state="free") for _ in range(discs))),
        is_duel=seating.is_duel,
        is_practice=seating.is_practice,
        is_open_to_all=seating.is_open_to_all,
        has_live_link=seating.has_live_link,
        limit=seating.limit,
        free_seats=seating.free_seats,
    )


def _present_taken_seats(
    challenge: Challenge, seating: Seating, mine: frozenset[int], background: Background
) -> list[ShownSeat]:
    mages = {seat.mage_id: seat.mage for seat in challenge.seats.all()}
    scores = background.scores.get("duel" if seating.is_duel else "melee", {})
    return [
        ShownSeat(
            name=place.mage,
            user=str(mages[place.mage_id].user),
            state=place.state,
            is_challenger=place.mage_id == seating.challenger_id,
            is_mine=place.mage_id in mine,
            is_bot=place.is_bot,
            reliability=_describe_reliability(place, background),
            score=scores.get(place.mage_id) if place.state in COMING else None,
            arms=mages[place.mage_id].arms,
            reason=place.reason if place.state == "declined" else "",
        )
        for place in seating.places
    ]


def _describe_reliability(place: Place, background: Background) -> str:
    kept = None if place.is_bot else background.reliability.get(place.user_id)
    return kept.words if kept else ""


STANCES = {True: "for", False: "against", None: ""}


def _present_proposal(
    proposal: Proposal, challenge: Challenge, seating: Seating, mine: frozenset[int]
) -> ShownProposal:
    ballot = read_ballot(proposal, seating)
    outlook = find_outlook(ballot)
    names: dict[int | None, str] = {place.mage_id: place.mage for place in seating.joined}
    users = {seat.mage_id: str(seat.mage.user) for seat in challenge.seats.all()}
    open_to_votes = proposal.state == Proposal.State.PENDING and seating.status == "open"
    voting = [
        place
        for place in seating.joined
        if open_to_votes and place.mage_id in mine and seating.why_not_propose(place.mage_id) is None
    ]
    return ShownProposal(
        number=proposal.number,
        proposer=proposal.proposer.name,
        state=proposal.state,
        differences=_describe_differences(proposal, read_conditions(challenge), seating),
        votes=tuple(_present_vote(place, ballot, users[place.mage_id], mine) for place in seating.voters),
        points_for=ballot.weigh(ballot.in_favour),
        points_against=ballot.weigh(ballot.against),
        needed=ballot.needed,
        created_at=proposal.created_at,
        expires_at=proposal.expires_at,
        decided_at=proposal.decided_at,
        accept=tuple(place.mage for place in voting if ballot.stance_of(place.mage_id) is not True),
        oppose=tuple(place.mage for place in voting if ballot.stance_of(place.mage_id) is not False),
        outlook=describe_outlook(
            outlook,
            decider=names.get(outlook.decider, ""),
            is_mine=outlook.decider in mine,
            starts=not proposal.change.get("start") and completes(proposal.change, seating),
        )
        if open_to_votes
        else "",
        my_vote_decides=open_to_votes and outlook.decider in mine and not outlook.by_rule,
        take_back=proposal.proposer.name if open_to_votes and proposal.proposer_id in mine else "",
    )


def _describe_differences(proposal: Proposal, conditions: Conditions, seating: Seating) -> tuple[DifferenceWords, ...]:
    """Describe what is left to change or, once it is decided, everything that was proposed."""
    pending = proposal.state == Proposal.State.PENDING
    change = find_remaining(proposal.change, conditions, seating) if pending else proposal.change
    return tuple(
        describe_difference(each.what, each.before, each.after, over=not pending)
        for each in list_differences(change, conditions)
    )


def _present_vote(place: Place, ballot: Ballot, user: str, mine: frozenset[int]) -> ShownVote:
    return ShownVote(
        name=place.mage,
        user=user,
        stance=STANCES[ballot.stance_of(place.mage_id)],
        points=ballot.weigh((place.mage_id,)),
        is_mine=place.mage_id in mine,
        by_everything=place.accepts_everything,
    )
