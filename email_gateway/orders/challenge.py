"""NEWGAME, ACCEPT, DECLINE, WITHDRAW and CHALLENGES."""

from collections.abc import Callable
from functools import partial
from typing import Any

from accounts.errors import AccountsError, NoSuchMage
from accounts.models import Mage, User
from accounts.selectors import get_mage_for_user
from challenges.errors import ChallengeError, ChallengeNotFound, InvalidChallenge
from challenges.models import Challenge
from challenges.outcomes import Outcome
from challenges.rows import ChallengeRow
from challenges.selectors import find_mages_to_invite, get_challenge_for_user, list_open_challenges
from challenges.services import accept_challenge, create_challenge, decline_challenge, withdraw_challenge
from duels.terms import Terms
from email_gateway.conversation import Conversation
from email_gateway.errors import OrderRefused
from email_gateway.orders.newgame import NewGame, read_newgame
from email_gateway.orders.words import split_words

NEWGAME_FORM = "NEWGAME <mage> CHALLENGE <mages>, or NEWGAME <mage> OPEN"


def obey_newgame(talk: Conversation, rest: str) -> list[str]:
    """NEWGAME mage options: a challenge."""
    user = talk.require_user("NEWGAME")
    name, _, options = rest.partition(";")[0].strip().partition(" ")
    if not name:
        raise OrderRefused(
            "NEWGAME takes a mage and what the challenge is.", nearest=NEWGAME_FORM, clause="FM-ORDNEW-1"
        )
    challenger = find_own_mage(user, name.strip(","), "NEWGAME {} ...")
    game = read_newgame(options)
    invited, unknown = find_mages_to_invite(text=" ".join(game.invited))
    problems = [*game.problems, *(add_nearest(problem.message, problem.nearest) for problem in unknown)]
    if problems:
        raise OrderRefused(" ".join(problems), nearest=NEWGAME_FORM, clause="FM-ORDNEW-1")
    challenge = make_challenge(talk, challenger, invited, game)
    return [f"Challenge {challenge.number} stands.", *describe_challenge(challenge.number, user)]


def make_challenge(talk: Conversation, challenger: Mage, invited: list[Mage], game: NewGame) -> Challenge:
    try:
        return create_challenge(
            challenger=challenger,
            terms=Terms(ruleset=game.ruleset, rated=game.rated),
            invited=invited,
            open_to_all=game.open_to_all,
            mages_per_user=game.mages_per_user,
            limit=game.limit,
            comment=game.comment,
            now=talk.now,
        )
    except InvalidChallenge as error:
        told = [add_nearest(problem.message, problem.nearest) for problem in error.problems]
        raise OrderRefused(" ".join(told), clause="FM-ORDNEW-1") from error
    except (ChallengeError, AccountsError) as error:
        raise OrderRefused(str(error), clause="FM-ORDNEW-1") from error


def obey_accept(talk: Conversation, rest: str) -> list[str]:
    """ACCEPT number mage: a seat in the challenge."""
    number, mage, user = read_seat(talk, "ACCEPT", rest)
    challenge = change_challenge(accept_challenge, number, mage, talk, "FM-ORDACC-1")
    if challenge.status == Challenge.Status.STARTED:
        return [f"{mage.name} takes a seat, and battle {number} begins. Its first report follows."]
    return [f"{mage.name} has a seat in challenge {number}.", *describe_challenge(number, user)]


def obey_decline(talk: Conversation, rest: str) -> list[str]:
    """DECLINE number mage: no seat, or the seat given back."""
    number, mage, _ = read_seat(talk, "DECLINE", rest)
    change_challenge(decline_challenge, number, mage, talk, "FM-ORDACC-4")
    return [f"{mage.name} declines challenge {number}."]


def obey_withdraw(talk: Conversation, rest: str) -> list[str]:
    """WITHDRAW number mage: the challenge is off."""
    number, mage, _ = read_seat(talk, "WITHDRAW", rest)
    change_challenge(withdraw_challenge, number, mage, talk, "FM-ORDACC-7")
    return [f"Challenge {number} is withdrawn."]


def obey_challenges(talk: Conversation, rest: str) -> list[str]:
    """CHALLENGES: every challenge that stands. Anybody may see them."""
    talk.report("challenges", partial(write_challenges, talk.user))
    return []


def write_challenges(viewer: User | None) -> str:
    rows = list_open_challenges(viewer=viewer)
    tables = [
        list_rows("Open challenges", [row for row in rows if row.is_open_to_all]),
        list_rows("Closed challenges", [row for row in rows if not row.is_open_to_all]),
    ]
    return "\n\n".join(tables)


def read_seat(talk: Conversation, order: str, rest: str) -> tuple[int, Mage, User]:
    """Read `<number> <mage>`. In answer to a challenge's own mail the number may be left out, and so may the mage's
    name when only one of the user's mages is meant."""
    words = split_words(rest)
    form = f"{order} <number> <mage>"
    about = talk.token.about if talk.token is not None and talk.token.kind == "challenge" else None
    if about is not None and (not words or not words[0].isdecimal()):
        words.insert(0, str(about))
    if not words or not words[0].isdecimal() or len(words) > 2 or len(words[0]) > 12:
        raise OrderRefused(f"{order} takes a number and a mage.", nearest=form, clause="FM-ORDACC-1")
    number = int(words[0])
    user = talk.require_user_for(order, "challenge", number)
    name = words[1] if len(words) == 2 else find_meant_mage(number, user, order)
    return number, find_own_mage(user, name, f"{order} {number} {{}}"), user


def find_meant_mage(number: int, user: User, order: str) -> str:
    """Return the one mage of the user that this order can mean, or raise OrderRefused."""
    try:
        actions = get_challenge_for_user(number=number, user=user).actions
    except ChallengeNotFound as error:
        raise OrderRefused(str(error)) from error
    meant = {
        "ACCEPT": actions.accept,
        "DECLINE": (*actions.decline, *actions.leave),
        "WITHDRAW": (actions.withdraw,) if actions.withdraw else (),
    }[order]
    if len(meant) != 1:
        choices = f" It may be {' or '.join(meant)}." if meant else ""
        raise OrderRefused(f"Say which mage.{choices}", nearest=f"{order} {number} <mage>", clause="FM-ORDACC-1")
    return meant[0]


def find_own_mage(user: User, name: str, form: str) -> Mage:
    try:
        return get_mage_for_user(user=user, name=name)
    except NoSuchMage as error:
        nearest = form.format(error.nearest) if error.nearest else None
        raise OrderRefused(str(error).split(" Do you mean")[0], nearest=nearest) from error


def change_challenge(
    service: Callable[..., Challenge | Outcome], number: int, mage: Mage, talk: Conversation, clause: str
) -> Challenge | Outcome:
    try:
        return service(number=number, mage=mage, now=talk.now)
    except (ChallengeError, AccountsError) as error:
        raise OrderRefused(str(error), clause=clause) from error


def describe_challenge(number: int, viewer: Any) -> list[str]:
    """Say how a challenge stands, for whoever may see it (which is anybody)."""
    return [describe_row(get_challenge_for_user(number=number, user=viewer))]


def describe_row(row: ChallengeRow) -> str:
    told = [f"Challenge {row.number}: {row.title}. {row.terms_words}."]
    told.append(f"Joined: {', '.join(row.joined)}." if row.joined else "Nobody has joined.")
    if row.invited:
        told.append(f"Not answered yet: {', '.join(row.invited)}.")
    if row.start_words:
        told.append(row.start_words)
    if row.comment:
        told.append(f'Comment: "{row.comment}"')
    return "\n  ".join(told)


def list_rows(heading: str, rows: list[ChallengeRow]) -> str:
    if not rows:
        return f"{heading}\n\n  None."
    table = [f"{'Number':>6}  {'Challenger':<20}  {'User':<20}  {'Joined':>6}  {'Limit':>5}"]
    for row in rows:
        limit = str(row.limit) if row.limit else "-"
        table.append(
            f"{row.number:>6}  {row.challenger:<20}  {row.challenger_user:<20}  {len(row.joined):>6}  {limit:>5}"
        )
        table.append(f"{'':>6}  {row.terms_words}")
        if row.invited:
            table.append(f"{'':>6}  not answered yet: {', '.join(row.invited)}")
        if row.comment:
            table.append(f'{"":>6}  "{row.comment}"')
    return f"{heading}\n\n" + "\n".join(table)


def add_nearest(message: str, nearest: str | None) -> str:
    return f"{message} Do you mean {nearest}?" if nearest else message
