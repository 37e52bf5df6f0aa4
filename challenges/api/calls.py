"""The API of challenges: find one, create one, join, vote on changes, invite, leave and withdraw."""

from http import HTTPStatus
from typing import Annotated, Any

from django.http import HttpRequest, JsonResponse
from django.urls import reverse
from django.utils import timezone
from ninja import Query, Router
from ninja.responses import Status

from accounts.api_access import PLAY, READ, caller_of
from accounts.errors import AccountsError, NoSuchMage
from accounts.selectors.names import get_mage_for_user
from challenges.api import schema as api_schema
from challenges.errors import ChallengeNotFound, ChallengeRefused, InvalidChallenge
from challenges.rules import FEWEST_SEATS
from challenges.selectors.lists import ChallengeFilter, get_challenge_for_user, list_open_challenges
from challenges.selectors.mages import find_mages_by_name
from challenges.services import answers, create, proposals
from challenges.services.invite_links import make_invite_link, revoke_invite_link
from challenges.services.quick_match import find_quick_match
from challenges.services.votes import accept_changes, oppose_changes
from challenges.shown import ShownChallenge, ShownProposal
from duels.errors import InvalidTerms
from duels.terms import Terms
from operations.text.suggestions import suggest
from operations.web.api_schema import may_refuse, refuse_items, write_problem_item
from operations.web.problems import Refusals, refuse, refuse_as

router = Router(tags=["Challenges"])
ACTED = {200: api_schema.Challenge, **may_refuse(400, 404, 409, 413, 415, 422)}


@router.get(
    "/",
    auth=READ,
    url_name="challenges",
    response={200: api_schema.Challenges, **may_refuse(400)},
    summary="List open challenges",
)
def list_challenges(
    request: HttpRequest,
    joinable: Annotated[bool, Query(description="Only those that one of your mages may join.")] = False,
) -> api_schema.Challenges:
    """The open challenges by number, as you see them."""
    rows = list_open_challenges(viewer=request.user, wanted=ChallengeFilter(joinable=joinable))
    return api_schema.Challenges(challenges=[write_challenge(row) for row in rows])


@router.get(
    "/{int:number}/",
    auth=READ,
    url_name="challenge",
    response={200: api_schema.Challenge, **may_refuse(404)},
    summary="Read a challenge",
)
def read_challenge(request: HttpRequest, number: int) -> api_schema.Challenge:
    """One challenge, open or over. If its `status` is `started`, the battle has the same number."""
    return write_challenge(get_challenge_for_user(number=number, user=request.user))


@router.post(
    "/",
    auth=PLAY,
    url_name="challenges",
    response={201: api_schema.Challenge, **may_refuse(400, 409, 413, 415, 422)},
    summary="Create a challenge",
)
def create_challenge(request: HttpRequest, sent: api_schema.NewChallenge) -> Status[api_schema.Challenge]:
    """Challenge the mages you name, or anyone if you name none. Your mage has the first seat."""
    user = caller_of(request)
    challenger = get_mage_for_user(user=user, name=sent.mage)
    invited, problems = find_mages_by_name(names=sent.against)
    if problems:
        raise InvalidChallenge(problems)
    limit = sent.limit if sent.limit is not None or sent.against else FEWEST_SEATS
    challenge = create.create_challenge(
        challenger=challenger,
        terms=Terms(ruleset=sent.ruleset, pace=sent.pace, stakes=sent.stakes),
        invited=invited,
        open_to_all=not sent.against,
        limit=limit,
        comment=sent.comment,
        now=timezone.now(),
    )
    row = get_challenge_for_user(number=challenge.number, user=user)
    return Status(HTTPStatus.CREATED, write_challenge(row))


@router.post("/{int:number}/accept/", auth=PLAY, url_name="challenge_accept", response=ACTED, summary="Join")
def accept_challenge(request: HttpRequest, number: int, sent: api_schema.Joining) -> api_schema.Challenge:
    """Join a challenge with one of your mages. If they are the last, the battle begins and `status` is `started`."""
    return _act(request, number, sent, answers.accept_challenge, terms_key=sent.terms_key)


@router.post("/{int:number}/decline/", auth=PLAY, url_name="challenge_decline", response=ACTED, summary="Leave")
def decline_challenge(request: HttpRequest, number: int, sent: api_schema.Declining) -> api_schema.Challenge:
    """Decline an invitation, or leave a challenge that you have joined. You can tell the others why."""
    return _act(request, number, sent, answers.decline_challenge, reason=sent.reason or "")


@router.post("/{int:number}/withdraw/", auth=PLAY, url_name="challenge_withdraw", response=ACTED, summary="Withdraw")
def withdraw_challenge(request: HttpRequest, number: int, sent: api_schema.ByMage) -> api_schema.Challenge:
    """Withdraw a challenge that your mage created."""
    return _act(request, number, sent, answers.withdraw_challenge)


@router.post("/{int:number}/start/", auth=PLAY, url_name="challenge_start", response=ACTED, summary="Start")
def start_challenge(request: HttpRequest, number: int, sent: api_schema.ByMage) -> api_schema.Challenge:
    """Start the battle with the mages who have joined; if others have a vote, propose to start."""
    return _act(request, number, sent, proposals.start_challenge)


@router.post(
    "/{int:number}/changes/", auth=PLAY, url_name="challenge_changes", response=ACTED, summary="Propose a change"
)
def propose_change(request: HttpRequest, number: int, sent: api_schema.NewChange) -> api_schema.Challenge:
    """Propose other terms, invitations or exclusions. If nobody else has a vote, the change takes effect at once."""
    wanted = sent.model_dump(exclude_unset=True, exclude={"mage", "everyone"})
    return _act(request, number, sent, proposals.propose_change, change=wanted, everyone=sent.everyone)


@router.post(
    "/{int:number}/changes/{int:change}/accept/",
    auth=PLAY,
    url_name="change_accept",
    response=ACTED,
    summary="Vote for a change",
)
def accept_change(request: HttpRequest, number: int, change: int, sent: api_schema.ByMage) -> api_schema.Challenge:
    """Vote for a change with one of your mages. They can vote again until the change is decided."""
    return _act(request, number, sent, accept_changes, changes=[change])


@router.post(
    "/{int:number}/changes/{int:change}/oppose/",
    auth=PLAY,
    url_name="change_oppose",
    response=ACTED,
    summary="Vote against a change",
)
def oppose_change(request: HttpRequest, number: int, change: int, sent: api_schema.ByMage) -> api_schema.Challenge:
    """Vote against a change with one of your mages. They can vote again until the change is decided."""
    return _act(request, number, sent, oppose_changes, changes=[change])


@router.post(
    "/{int:number}/changes/{int:change}/take-back/",
    auth=PLAY,
    url_name="change_take_back",
    response=ACTED,
    summary="Withdraw a change",
)
def take_back_change(request: HttpRequest, number: int, change: int, sent: api_schema.ByMage) -> api_schema.Challenge:
    """Withdraw a change that your mage has proposed."""
    return _act(request, number, sent, proposals.take_back_change, change=change)


@router.post(
    "/{int:number}/links/",
    auth=PLAY,
    url_name="challenge_links",
    response={201: api_schema.InviteLink, **may_refuse(400, 404, 409, 413, 415, 422)},
    summary="Create an invite link",
)
def create_link(request: HttpRequest, number: int, sent: api_schema.ByMage) -> Status[api_schema.InviteLink]:
    """Create a link that lets one person join, with or without an account."""
    user = caller_of(request)
    get_challenge_for_user(number=number, user=user)
    mage = get_mage_for_user(user=user, name=sent.mage)
    link, token = make_invite_link(number=number, mage=mage, now=timezone.now())
    address = request.build_absolute_uri(reverse("challenges:join", args=[token]))
    created = api_schema.InviteLink(link=link.pk, challenge=number, url=address, expires_at=link.expires_at)
    return Status(HTTPStatus.CREATED, created)


@router.delete(
    "/{int:number}/links/{int:link}/",
    auth=PLAY,
    url_name="challenge_link",
    response=ACTED,
    summary="Revoke an invite link",
)
def revoke_link(request: HttpRequest, number: int, link: int) -> api_schema.Challenge:
    """Revoke an unused link of yours. The battle begins if it waits for nobody else."""
    user = caller_of(request)
    get_challenge_for_user(number=number, user=user)
    if not revoke_invite_link(number=number, user=user, link_id=link, now=timezone.now()):
        raise ChallengeRefused("no_link")
    return write_challenge(get_challenge_for_user(number=number, user=user))


@router.post("/find-opponent/", auth=PLAY, url_name="find_opponent", response=ACTED, summary="Find an opponent")
def find_opponent(request: HttpRequest, sent: api_schema.Wanted) -> api_schema.Challenge:
    """Join a waiting duel on these terms, or create one and wait: `status` is `started` or `open`."""
    user = caller_of(request)
    terms = Terms(ruleset=sent.ruleset, pace=sent.pace, stakes=sent.stakes)
    mage = get_mage_for_user(user=user, name=sent.mage)
    outcome = find_quick_match(mage=mage, terms=terms, now=timezone.now())
    return write_challenge(get_challenge_for_user(number=outcome.number, user=user))


def _act(request: HttpRequest, number: int, sent: api_schema.ByMage, service: Any, **more: Any) -> api_schema.Challenge:
    user = caller_of(request)
    get_challenge_for_user(number=number, user=user)
    service(number=number, mage=get_mage_for_user(user=user, name=sent.mage), now=timezone.now(), **more)
    return write_challenge(get_challenge_for_user(number=number, user=user))


def write_challenge(challenge: ShownChallenge) -> api_schema.Challenge:
    """Return a challenge as its viewer sees it."""
    return api_schema.Challenge(
        challenge=challenge.number,
        status=challenge.status,
        title=challenge.title,
        challenger=challenge.challenger,
        challenger_user=challenge.challenger_user,
        ruleset=challenge.ruleset,
        pace=challenge.pace,
        stakes=challenge.stakes,
        practice=challenge.seating.is_practice,
        scores=challenge.has_scores_at_stake,
        terms=challenge.words.terms,
        open_to_all=challenge.seating.is_open_to_all,
        limit=challenge.seating.limit,
        comment=challenge.comment,
        seats=[
            api_schema.SeatFacts(mage=seat.name, user=seat.user, bot=seat.is_bot, state=seat.state, reason=seat.reason)
            for seat in challenge.seating.seats
            if seat.name
        ],
        may_join=list(challenge.own.actions.accept),
        why_not=challenge.own.why_not,
        why_not_code=challenge.own.why_not_code,
        may_propose=list(challenge.own.actions.propose),
        may_start=challenge.own.actions.start,
        changes=[write_change(each) for each in challenge.proposals],
        created_at=challenge.created_at.isoformat(),
        revision=challenge.revision,
        terms_key=challenge.terms_key,
    )


def write_change(row: ShownProposal) -> api_schema.ProposedChange:
    """Return a change that is waiting for votes, as its viewer sees it."""
    return api_schema.ProposedChange(
        change=row.number,
        proposer=row.proposer,
        words=row.sentence,
        votes=[api_schema.Vote(mage=vote.name, stance=vote.stance, points=vote.points) for vote in row.votes],
        points_for=row.points_for,
        points_against=row.points_against,
        needed=row.needed,
        lapses_at=row.expires_at,
        may_accept=list(row.accept),
        may_oppose=list(row.oppose),
        may_take_back=row.take_back,
    )


def _refuse_invalid(request: HttpRequest, error: InvalidChallenge) -> JsonResponse:
    items = [
        write_problem_item(each.place, each.code, suggest(each.message, each.nearest), each.nearest)
        for each in error.problems
    ]
    return refuse_items(HTTPStatus.UNPROCESSABLE_ENTITY, "not_valid", items)


def _refuse_terms(request: HttpRequest, error: InvalidTerms) -> JsonResponse:
    items = [write_problem_item(each.place, "terms", str(each), each.nearest) for each in error.details]
    return refuse_items(HTTPStatus.UNPROCESSABLE_ENTITY, "not_valid", items)


def _refuse_act(request: HttpRequest, error: ChallengeRefused) -> JsonResponse:
    return refuse(HTTPStatus.CONFLICT, "refused", str(error), reason=error.code)


# The response to each error of the services.
REFUSALS: Refusals = {
    ChallengeNotFound: refuse_as(HTTPStatus.NOT_FOUND, "no_challenge"),
    InvalidChallenge: _refuse_invalid,
    InvalidTerms: _refuse_terms,
    ChallengeRefused: _refuse_act,
    NoSuchMage: refuse_as(HTTPStatus.FORBIDDEN, "not_your_mage"),
    AccountsError: refuse_as(HTTPStatus.CONFLICT, "refused"),
}
