"""Read the list of challenges and one challenge, for one viewer: whether they may join, and if not, why."""

from collections.abc import Iterable
from dataclasses import dataclass, replace

from django.db.models import Exists, OuterRef, Prefetch, QuerySet

from accounts.models import Mage, User
from accounts.selectors.ties import find_users_apart_from
from challenges.bot_accounts import find_users_closed_to_bots
from challenges.errors import ChallengeNotFound
from challenges.models import Challenge, InviteLink, Proposal, Seat
from challenges.selectors.present_challenges import COMING, Background, Onlooker, present_challenge
from challenges.selectors.state import read_seating
from challenges.shown import ShownChallenge
from duels.selectors.reliability import recall_reliability
from duels.selectors.viewer import MaybeUser
from ladder.selectors.scores import scores_by_kind
from operations.request_policy import recall_policy


@dataclass(frozen=True)
class ChallengeFilter:
    """Which challenges to list; None or False does not filter."""

    ruleset: str | None = None
    is_duel: bool | None = None
    has_scores_at_stake: bool | None = None
    joinable: bool = False

    def takes(self, challenge: ShownChallenge) -> bool:
        return (
            self.ruleset in (None, challenge.ruleset)
            and self.is_duel in (None, challenge.seating.is_duel)
            and self.has_scores_at_stake in (None, challenge.has_scores_at_stake)
            and (challenge.own.may_join or not self.joinable)
        )


def list_open_challenges(*, viewer: MaybeUser, wanted: ChallengeFilter | None = None) -> list[ShownChallenge]:
    """Return the open challenges, or those `wanted`, by number, as this viewer sees them, without their proposals."""
    rows = _present(list(_with_seats(_open())), _onlooker(viewer))
    return [row for row in rows if wanted is None or wanted.takes(row)]


def _open() -> "QuerySet[Challenge]":
    return Challenge.objects.filter(status=Challenge.Status.OPEN)


def _present(challenges: list[Challenge], onlooker: Onlooker) -> list[ShownChallenge]:
    onlooker = _with_unwilling(challenges, onlooker)
    background = _background(challenges, onlooker)
    seatings = [read_seating(each, scores=background.scores, reliability=background.reliability) for each in challenges]
    return [
        present_challenge(each, seating, onlooker, background=background)
        for each, seating in zip(challenges, seatings, strict=True)
    ]


def get_challenge_for_user(*, number: int, user: MaybeUser) -> ShownChallenge:
    """Return one challenge, open or over, with its proposals, as this user sees it. Anyone may see every challenge.

    Raises ChallengeNotFound.
    """
    challenge = _with_seats(Challenge.objects.filter(number=number)).first()
    if challenge is None:
        raise ChallengeNotFound(number)
    proposals = Proposal.objects.filter(challenge=challenge).select_related("proposer").prefetch_related("votes")
    onlooker = _with_unwilling([challenge], _onlooker(user))
    background = _background([challenge], onlooker)
    seating = read_seating(challenge, scores=background.scores, reliability=background.reliability)
    return present_challenge(challenge, seating, onlooker, list(proposals.order_by("number")), background)


def challenge_exists(*, number: int) -> bool:
    """Return whether there is a challenge with this number, open or over."""
    return Challenge.objects.filter(number=number).exists()


def _background(challenges: Iterable[Challenge], onlooker: Onlooker) -> Background:
    mages = [seat.mage for each in challenges for seat in each.seats.all()]
    users = {seat.mage.user_id for each in challenges for seat in each.seats.all() if seat.state in COMING}
    users |= {mage.user_id for mage in onlooker.mages}
    scores = scores_by_kind(mage.pk for mage in (*mages, *onlooker.mages))
    return Background(recall_policy(), recall_reliability(users), scores)


@dataclass(frozen=True)
class Involved:
    """The open challenges that concern a user: those `waiting` for the answer of a free mage, oldest first, and those
    that a mage has joined, by number."""

    waiting: tuple[ShownChallenge, ...] = ()
    taken_part_in: tuple[ShownChallenge, ...] = ()


def list_challenges_involving(*, user: User) -> Involved:
    """Return the open challenges in which a mage of this user has a seat or an invitation."""
    involved = list(list_open_seats(user.pk).values_list("challenge", flat=True))
    if not involved:
        return Involved()
    shown = _present(list(_with_seats(Challenge.objects.filter(pk__in=involved))), _onlooker(user))
    waiting = sorted(
        (challenge for challenge in shown if challenge.own.section == "waiting_for_you"),
        key=lambda challenge: challenge.created_at,
    )
    return Involved(tuple(waiting), tuple(challenge for challenge in shown if challenge.own.section == "taking_part"))


def list_open_seats(user: int) -> "QuerySet[Seat]":
    """Return the seats and invitations of the mages of `user` (their id) in open challenges."""
    return Seat.objects.filter(challenge__status=Challenge.Status.OPEN, mage__user=user, state__in=COMING)


def list_followed_challenges(*, user: User) -> list[int]:
    """Return the numbers of the open challenges that this user follows."""
    followed = Challenge.objects.filter(followers__user=user, status=Challenge.Status.OPEN)
    return list(followed.order_by("number").values_list("number", flat=True))


def _with_seats(challenges: "QuerySet[Challenge]") -> "QuerySet[Challenge]":
    """Return these challenges by number, with challengers and seats."""
    live = InviteLink.objects.filter(challenge=OuterRef("pk"), state=InviteLink.State.LIVE)
    seats = Prefetch("seats", Seat.objects.select_related("mage__user", "mage__engagement"))
    challenges = challenges.annotate(has_live_link=Exists(live)).select_related("challenger__user")
    return challenges.prefetch_related(seats).order_by("number")


def _with_unwilling(challenges: Iterable[Challenge], onlooker: Onlooker) -> Onlooker:
    """Return the viewer who may be a bot, with those who have joined and don't want to meet one."""
    if not any(mage.user.is_bot_account for mage in onlooker.mages):
        return onlooker
    joined = {seat.mage.user_id for each in challenges for seat in each.seats.all() if seat.state == Seat.State.JOINED}
    return replace(onlooker, closed_to_bots=find_users_closed_to_bots(joined))


def _onlooker(viewer: MaybeUser) -> Onlooker:
    is_deadly = bool(recall_policy().practice_deaths)
    if not isinstance(viewer, User):
        return Onlooker(known=False, practice_is_deadly=is_deadly)
    mages = Mage.objects.filter(user=viewer, died_at__isnull=True).select_related("user", "engagement")
    apart = find_users_apart_from([viewer.pk])
    return Onlooker(known=True, mages=tuple(mages.order_by("name")), apart=apart, practice_is_deadly=is_deadly)
