"""Shared by the orders on challenges: a number and a mage at the start, and the answer with the result."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from accounts.errors import AccountsError, NoSuchMage
from accounts.models import Mage, User
from accounts.selectors.names import get_mage_for_user
from challenges.changes import ActionOutcome, Decision, Difference
from challenges.errors import ChallengeError, ChallengeNotFound, ChallengeOver, ChallengeProblem, InvalidChallenge
from challenges.selectors.lists import get_challenge_for_user
from challenges.shown import ShownChallenge
from challenges.words import describe_difference
from duels.names import listed
from email_gateway.commands.words import LONGEST_NUMBER, MARKS
from email_gateway.conversation import Conversation
from email_gateway.errors import OrderRejected
from operations.text.suggestions import suggest

# The possible mages if none is named.
FindMeant = Callable[[ShownChallenge], tuple[str, ...]]
# Whether a word is not a mage's name but the start of the rest.
Follows = Callable[[str], bool]


@dataclass(frozen=True)
class Seated:
    """A challenge, the user's mage in it, and the remaining words of the order."""

    number: int
    mage: Mage
    user: User
    rest: str

    @property
    def head(self) -> str:
        """The start of the order, for the nearest valid form."""
        return f"{self.number} {self.mage.name}"


def read_seat(
    talk: Conversation,
    order: str,
    rest: str,
    *,
    clause: str,
    meant: FindMeant,
    follows: Follows | None = None,
    stays: str = "",
) -> Seated:
    """Read `<number> <mage>`. In answer to a challenge's own mail the number may be left out, and so may the mage's
    name when only one of the user's mages can be meant. `stays` is the end of the line, if the caller has cut it off.
    Raises OrderRejected, with the whole line in its nearest form."""
    number, rest = read_number(talk, order, rest.partition(";")[0].strip(), clause)
    user = talk.require_user_for(order, "challenge", number)
    talk.state.challenges.append(number)
    word, __, after = rest.partition(" ")
    name = word.strip(MARKS)
    if name and follows is not None and follows(name):
        name, after = "", rest
    name, after = name or find_meant_mage(number, user, order, clause, meant), after.strip(" ,")
    form = f"{order} {number} {{}}"
    try:
        mage = find_own_mage(user, name, form, f"{after} {stays}".strip())
    except OrderRejected as error:
        only = _list_meant(number, user, meant)
        if error.nearest is None and len(only) == 1:
            error.nearest = f"{form.format(only[0])} {stays}".strip()
        raise
    return Seated(number, mage, user, after)


def _list_meant(number: int, user: User, meant: FindMeant) -> tuple[str, ...]:
    """Return the user's mages that an order can refer to, none if they may not see the challenge."""
    try:
        return meant(get_challenge_for_user(number=number, user=user))
    except ChallengeNotFound:
        return ()


def read_number(talk: Conversation, order: str, rest: str, clause: str) -> tuple[int, str]:
    """Return the number of the challenge, which may come from the reply address, and what follows it."""
    found = re.match(rf"#?(\d{{1,{LONGEST_NUMBER}}})(?:[\s,]+|$)", rest)
    if found:
        return int(found[1]), rest[found.end() :]
    token = talk.get_token("challenge")
    if token is None or rest.lstrip("#")[:1].isdecimal():
        nearest = f"{order} <number> <mage>"
        raise OrderRejected(
            _("%(order)s needs a challenge's number and a mage's name.") % {"order": order},
            nearest=nearest,
            clause=clause,
        )
    return token.about, rest


def find_meant_mage(number: int, user: User, order: str, clause: str, meant: FindMeant) -> str:
    """Return the user's only mage that this order can refer to, or raise OrderRejected."""
    try:
        names = meant(get_challenge_for_user(number=number, user=user))
    except ChallengeNotFound as error:
        raise OrderRejected(str(error), nearest="CHALLENGES", clause=clause) from error
    if len(names) != 1:
        reason = _("Name your mage.")
        if names:
            reason = _("Name one of your mages: %(mages)s.") % {"mages": listed(names, "or")}
        raise OrderRejected(reason, nearest=f"{order} {number} <mage>", clause=clause)
    return names[0]


def find_own_mage(user: User, name: str, form: str, rest: str = "") -> Mage:
    """Return the user's mage with that name. Raises OrderRejected: `form` is the order with a slot for the name, `rest`
    the words after it that stay as they are."""
    try:
        return get_mage_for_user(user=user, name=name)
    except NoSuchMage as error:
        nearest = f"{form.format(error.nearest)} {rest}".rstrip() if error.nearest else None
        raise OrderRejected(error.message, nearest=nearest) from error


def reject(error: ChallengeError | AccountsError, clause: str, nearest: str | None = None) -> OrderRejected:
    """Return the rejection of an order that the challenge does not accept."""
    if isinstance(error, ChallengeNotFound):
        nearest = "CHALLENGES"
    if isinstance(error, ChallengeOver):
        nearest = None
    messages = (
        [describe_problem(each) for each in error.problems] if isinstance(error, InvalidChallenge) else [str(error)]
    )
    return OrderRejected(" ".join(messages), nearest=nearest, clause=clause)


def describe_problem(problem: ChallengeProblem) -> str:
    return suggest(problem.message, problem.nearest)


def describe_outcome(outcome: ActionOutcome) -> list[str]:
    """Describe what the order decided, and whether it began the battle."""
    sentences = [describe_decision(decision) for decision in outcome.decided]
    if outcome.proposed is not None:
        sentences.append(
            _("Change %(proposed)s of challenge %(number)s is waiting for votes.")
            % {"proposed": outcome.proposed, "number": outcome.number}
        )
    if outcome.has_started:
        sentences.append(
            _("Battle %(number)s has begun. You will get its first turn report soon.") % {"number": outcome.number}
        )
    return sentences


def describe_decision(decision: Decision) -> str:
    what = write_differences(decision.differences)
    if decision.number is None:
        return _("The challenge is changed: %(what)s.") % {"what": what}
    sentences = {
        "adopted": _("Change %(change)s by %(mage)s is adopted: %(what)s."),
        "rejected": _("Change %(change)s by %(mage)s is rejected: %(what)s."),
        "moot": _("Change %(change)s by %(mage)s has nothing left to change: %(what)s."),
    }
    return sentences[decision.result] % {"change": decision.number, "mage": decision.proposer, "what": what}


def write_differences(differences: Sequence[Difference]) -> str:
    """Describe all parts of a change in one line."""
    return ", ".join(describe_difference(each.what, each.before, each.after).sentence for each in differences)
