"""Read a challenge as its rules see it: seats, conditions, proposals and votes as plain values."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import replace

from django.db.models import Exists, OuterRef

from accounts.models import Mage, User
from challenges.ballot import Ballot
from challenges.changes import Conditions
from challenges.models import Challenge, InviteLink, Proposal, Seat, Vote
from challenges.rules import Place, Seating, find_most_seats
from duels.selectors.reliability import Reliability, read_reliability
from duels.terms import Terms
from ladder.selectors.scores import scores_by_id

ScoresByKind = Mapping[str, Mapping[int, int]]
ReliabilityByUser = Mapping[int, Reliability]


def read_seating(
    challenge: Challenge,
    *,
    guests: Iterable[int] = (),
    scores: ScoresByKind | None = None,
    reliability: ReliabilityByUser | None = None,
) -> Seating:
    """Return the challenge and its seats as the rules see them.

    For a challenge within the band, it includes the scores of all seated mages and of `guests` (mage ids). Callers that
    read many challenges pass `scores`, and the `reliability` of users.
    """
    seats = sorted(_read_seats(challenge), key=_by_time_of_answer)
    terms = Terms.from_json(challenge.terms)
    seating = Seating(
        number=challenge.number,
        status=challenge.status,
        challenger_id=challenge.challenger_id,
        challenger_user_id=challenge.challenger.user_id,
        mages_per_user=challenge.mages_per_user,
        limit=challenge.limit,
        places=tuple(
            Place(
                seat.mage_id,
                seat.mage.name,
                seat.mage.user_id,
                seat.state,
                seat.accepts_everything,
                seat.mage.user.bot_strength,
                seat.mage.user.is_bot_account,
                seat.reason,
            )
            for seat in seats
        ),
        authoritarian=challenge.authoritarian,
        has_live_link=_has_live_link(challenge, seats),
        most_seats=find_most_seats(terms.most_mages),
    )
    if terms.reliable:
        if reliability is None:
            reliability = read_reliability(Mage.objects.filter(pk__in=list(guests)).values_list("user_id", flat=True))
        seating = replace(seating, unreliable=_find_unreliable(terms, reliability))
    if not terms.stake.in_band:
        return seating
    kind = "duel" if seating.is_duel else "melee"
    known = scores[kind] if scores else scores_by_id({*guests, *(seat.mage_id for seat in seats)}, kind)
    return replace(seating, scores=known)


def _find_unreliable(terms: Terms, reliability: ReliabilityByUser) -> frozenset[int]:
    """Return the users who are less reliable than the terms require; new users are trusted."""
    shares = ((pk, each.percent) for pk, each in reliability.items())
    return frozenset(pk for pk, percent in shares if percent is not None and percent < terms.reliable)


def read_conditions(challenge: Challenge) -> Conditions:
    """Return the current values that changes are compared with."""
    return Conditions.of(
        terms=Terms.from_json(challenge.terms),
        mages_per_user=challenge.mages_per_user,
        limit=challenge.limit,
        authoritarian=challenge.authoritarian,
        comment=challenge.comment,
    )


def get_conditions(*, number: int) -> Conditions:
    """Return the current values of the challenge with this number, which must exist."""
    return read_conditions(Challenge.objects.get(number=number))


def list_pending_proposals(challenge: Challenge) -> list[Proposal]:
    """Return the pending proposals, by number, with their votes and proposers."""
    pending = Proposal.objects.filter(challenge=challenge, state=Proposal.State.PENDING)
    return list(pending.select_related("proposer__user").prefetch_related("votes").order_by("number"))


def count_missing_votes(*, user: User) -> dict[int, int]:
    """Return, by challenge number, how many changes this user's mages have yet to vote on."""
    seats = Seat.objects.filter(mage__user=user, state=Seat.State.JOINED, accepts_everything=False)
    democratic = seats.filter(challenge__status=Challenge.Status.OPEN, challenge__authoritarian=False)
    voters = list(democratic.values_list("challenge", "mage"))
    if not voters:
        return {}
    pending = Proposal.objects.filter(
        state=Proposal.State.PENDING, challenge__in=[challenge for challenge, _ in voters]
    ).values_list("pk", "challenge", "challenge__number")
    voted = set(Vote.objects.filter(proposal__in=[row[0] for row in pending]).values_list("proposal", "mage"))
    missing = (
        number
        for proposal, challenge, number in pending
        if any(seat[0] == challenge and (proposal, seat[1]) not in voted for seat in voters)
    )
    return dict(Counter(missing))


def read_ballot(proposal: Proposal, seating: Seating) -> Ballot:
    """Return the current vote on a proposal."""
    return Ballot(
        challenger_id=seating.challenger_id,
        voters=tuple(place.mage_id for place in seating.voters),
        said={vote.mage_id: vote.in_favour for vote in proposal.votes.all()},
        accepting=frozenset(place.mage_id for place in seating.joined if place.accepts_everything),
        authoritarian=seating.authoritarian,
    )


def _read_seats(challenge: Challenge) -> "Iterable[Seat]":
    if "seats" in getattr(challenge, "_prefetched_objects_cache", {}):
        return challenge.seats.all()
    live = InviteLink.objects.filter(challenge=OuterRef("challenge"), state=InviteLink.State.LIVE)
    return challenge.seats.select_related("mage__user").annotate(has_live_link=Exists(live))


def _has_live_link(challenge: Challenge, seats: "Iterable[Seat]") -> bool:
    """Read the annotation of the challenge, or of its seats: there is at least the challenger's."""
    known = getattr(challenge, "has_live_link", None)
    if known is not None:
        return bool(known)
    return any(getattr(seat, "has_live_link", False) for seat in seats)


def _by_time_of_answer(seat: Seat) -> tuple[bool, bool, float, int]:
    is_challenger = seat.mage_id == seat.challenge.challenger_id
    answered = seat.answered_at.timestamp() if seat.answered_at else 0.0
    return (not is_challenger, seat.answered_at is None, answered, seat.pk)
