"""Read the list of challenges and one challenge, for one viewer: whether they may join, and if not, why."""

from collections.abc import Iterable
from dataclasses import dataclass

from django.contrib.auth.models import AnonymousUser
from django.db.models import Exists, OuterRef, Prefetch, QuerySet

from accounts.models import Mage, User
from accounts.selectors import find_users_apart_from
from challenges.errors import ChallengeNotFound
from challenges.models import Challenge, InviteLink, Proposal, Seat
from challenges.rows import ChallengeRow
from challenges.selectors.build_rows import COMING, Background, Onlooker, present_challenge
from challenges.selectors.state import read_seating
from duels.selectors import read_reliability
from fm_site.operations.selectors import recall_policy
from ladder.selectors import scores_by_kind

Viewer = User | AnonymousUser | None


@dataclass(frozen=True)
class Wanted:
    """Which challenges to list; None or False does not filter."""

    ruleset: str | None = None
    is_duel: bool | None = None
    has_scores_at_stake: bool | None = None
    joinable: bool = False

    def takes(self, row: ChallengeRow) -> bool:
        return (
            self.ruleset in (None, row.ruleset)
            and self.is_duel in (None, row.is_duel)
            and self.has_scores_at_stake in (None, row.has_scores_at_stake)
            and (row.may_join or not self.joinable)
        )


def list_open_challenges(*, viewer: Viewer, wanted: Wanted | None = None) -> list[ChallengeRow]:
    """Return the open challenges, or those `wanted`, by number, as this viewer sees them, without their proposals."""
    rows = _present(list(_with_seats(_open()).order_by("number")), _onlooker(viewer))
    return [row for row in rows if wanted is None or wanted.takes(row)]


def _open() -> "QuerySet[Challenge]":
    return Challenge.objects.filter(status=Challenge.Status.OPEN)


def _present(challenges: list[Challenge], onlooker: Onlooker) -> list[ChallengeRow]:
    background = _background(challenges, onlooker)
    seatings = [read_seating(each, scores=background.scores, kept=background.reliability) for each in challenges]
    return [
        present_challenge(each, seating, onlooker, background=background)
        for each, seating in zip(challenges, seatings, strict=True)
    ]


def get_challenge_for_user(*, number: int, user: Viewer) -> ChallengeRow:
    """Return one challenge, open or over, with its proposals, as this user sees it. Anyone may see every challenge.

    Raises ChallengeNotFound.
    """
    challenge = _with_seats(Challenge.objects.filter(number=number)).first()
    if challenge is None:
        raise ChallengeNotFound(number)
    proposals = Proposal.objects.filter(challenge=challenge).select_related("proposer").prefetch_related("votes")
    onlooker = _onlooker(user)
    background = _background([challenge], onlooker)
    seating = read_seating(challenge, scores=background.scores, kept=background.reliability)
    return present_challenge(challenge, seating, onlooker, list(proposals.order_by("number")), background)


def challenge_exists(*, number: int) -> bool:
    """Return whether there is a challenge with this number, open or over."""
    return Challenge.objects.filter(number=number).exists()


def _background(challenges: Iterable[Challenge], onlooker: Onlooker) -> Background:
    """Read the policy, and the scores and reliability of everyone with a seat in these challenges."""
    mages = [seat.mage for each in challenges for seat in each.seats.all()]
    users = {seat.mage.user_id for each in challenges for seat in each.seats.all() if seat.state in COMING}
    users |= {mage.user_id for mage in onlooker.mages}
    scores = scores_by_kind(mage.pk for mage in (*mages, *onlooker.mages))
    return Background(recall_policy(), read_reliability(users), scores)


@dataclass(frozen=True)
class Involved:
    """The open challenges that concern a user: those `waiting` for an answer of a free mage, oldest first, and those
    that a mage has joined, by number."""

    waiting: tuple[ChallengeRow, ...] = ()
    taken_part_in: tuple[ChallengeRow, ...] = ()


def list_challenges_involving(*, user: User) -> Involved:
    """Return the open challenges in which a mage of this user has a seat or an invitation."""
    seats = Seat.objects.filter(challenge=OuterRef("pk"), mage__user=user, state__in=COMING)
    challenges = list(_with_seats(_open().filter(Exists(seats))).order_by("number"))
    if not challenges:
        return Involved()
    rows = _present(challenges, _onlooker(user))
    waiting = sorted((row for row in rows if row.section == "waiting_for_you"), key=lambda row: row.created_at)
    return Involved(tuple(waiting), tuple(row for row in rows if row.section == "taking_part"))


def list_challenges_waiting_for(*, user: User) -> list[ChallengeRow]:
    """Return the open challenges that have invited a free mage of this user, who has not answered, oldest first."""
    return list(list_challenges_involving(user=user).waiting)


def list_followed_challenges(*, user: User) -> list[int]:
    """Return the numbers of the open challenges that this user follows."""
    followed = Challenge.objects.filter(followers__user=user, status=Challenge.Status.OPEN)
    return list(followed.order_by("number").values_list("number", flat=True))


def _with_seats(challenges: "QuerySet[Challenge]") -> "QuerySet[Challenge]":
    seats = Seat.objects.select_related("mage__user", "mage__engagement")
    live = InviteLink.objects.filter(challenge=OuterRef("pk"), state=InviteLink.State.LIVE)
    challenges = challenges.annotate(has_live_link=Exists(live))
    return challenges.select_related("challenger__user").prefetch_related(Prefetch("seats", queryset=seats))


def _onlooker(viewer: Viewer) -> Onlooker:
    is_deadly = bool(recall_policy().practice_deaths)
    if not isinstance(viewer, User):
        return Onlooker(known=False, practice_is_deadly=is_deadly)
    mages = Mage.objects.filter(user=viewer, died_at__isnull=True).select_related("user", "engagement").order_by("name")
    apart = find_users_apart_from([viewer.pk])
    return Onlooker(known=True, mages=tuple(mages), apart=apart, practice_is_deadly=is_deadly)
