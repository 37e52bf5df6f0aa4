"""ACCEPT, DECLINE, OPPOSE and WITHDRAW: answers to a challenge and votes on its proposals."""

import re
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts.errors import AccountsError
from challenges.decline_reasons import REASONS
from challenges.errors import ChallengeError
from challenges.services.answers import accept_challenge, decline_challenge, withdraw_challenge
from challenges.services.proposals import take_back_change
from challenges.services.votes import oppose_changes
from challenges.shown import ShownChallenge, ShownProposal
from email_gateway.commands.challenge_orders import Seated, describe_outcome, read_seat, reject
from email_gateway.commands.order_entry import Order
from email_gateway.commands.words import find_nearest, strip_marks
from email_gateway.conversation import Conversation
from email_gateway.errors import OrderRejected
from operations.text.suggestions import find_nearest_word

# The end of a line: the changes that it names, or all of them.
NUMBERS = r"\d{1,6}(?:[\s,]+\d{1,6})*"
VOTE = re.compile(rf"(?:^|[\s,]+)(?P<about>(?:CHANGES?[\s,]+{NUMBERS}[\s,]*)+|EVERYTHING)$", re.I)


class VoteSubject(NamedTuple):
    """The subject of a line, from its end: some changes, everything, or (neither) the challenge itself. `said` has the
    sender's words for it."""

    changes: tuple[int, ...] = ()
    everything: bool = False
    said: str = ""


def handle_accept(talk: Conversation, rest: str) -> list[str]:
    """ACCEPT number mage: join the challenge; with CHANGE n or EVERYTHING, vote for proposals."""
    head, vote = split_vote(rest)
    clause = "FM-ORDACC-2" if vote.changes else "FM-ORDACC-3" if vote.everything else "FM-ORDACC-1"

    def find_meant(challenge: ShownChallenge) -> tuple[str, ...]:
        voters = challenge.own.actions.everything if vote.everything else list_voters(challenge, vote.changes, "accept")
        return voters or challenge.own.actions.accept

    seated = read_seat(talk, "ACCEPT", head, clause=clause, meant=find_meant, follows=is_vote_word, stays=vote.said)
    reject_more("ACCEPT", seated, "CHANGE <number>", clause)
    outcome = call(accept_challenge, seated, talk, clause, changes=vote.changes, everything=vote.everything)
    if vote.everything:
        sentences = [
            _("%(mage)s accepts every change to challenge %(number)s, now and later.")
            % {"mage": seated.mage.name, "number": seated.number}
        ]
    elif vote.changes:
        sentences = [
            _("%(mage)s accepts change %(change)s.") % {"mage": seated.mage.name, "change": change}
            for change in vote.changes
        ]
    else:
        sentences = [
            _("%(mage)s has joined challenge %(number)s.") % {"mage": seated.mage.name, "number": seated.number}
        ]
    return [*sentences, *describe_outcome(outcome)]


def handle_decline(talk: Conversation, rest: str) -> list[str]:
    """DECLINE number mage {reason}: decline the challenge, or leave it."""
    clause = "FM-ORDACC-4"
    seated = read_seat(
        talk,
        "DECLINE",
        strip_marks(rest),
        clause=clause,
        meant=lambda challenge: challenge.own.actions.decline or challenge.own.actions.leave,
    )
    reason = seated.rest.strip().lower()
    if reason and reason not in REASONS:
        near = find_nearest_word(reason, REASONS)
        raise OrderRejected(
            _('"%(what)s" is no reason to decline. Reasons: %(known)s.')
            % {"what": seated.rest[:40], "known": ", ".join(REASONS).upper()},
            nearest=f"DECLINE {seated.head} {near.upper() if near else ''}".strip(),
            clause=clause,
        )
    outcome = call(decline_challenge, seated, talk, clause, reason=reason)
    return [
        _("%(mage)s declines challenge %(number)s.") % {"mage": seated.mage.name, "number": seated.number},
        *describe_outcome(outcome),
    ]


def handle_oppose(talk: Conversation, rest: str) -> list[str]:
    """OPPOSE number mage CHANGE n: vote against a proposal."""
    clause = "FM-ORDACC-6"
    head, vote = split_vote(rest)
    seated = read_seat(
        talk,
        "OPPOSE",
        head,
        clause=clause,
        meant=lambda challenge: list_voters(challenge, vote.changes, "oppose") or challenge.own.actions.propose,
        follows=is_vote_word,
        stays=vote.said,
    )
    reject_more("OPPOSE", seated, "CHANGE <number>", clause)
    if not vote.changes:
        nearest = f"OPPOSE {seated.head} CHANGE <number>"
        raise OrderRejected(_("OPPOSE needs the number of a change."), nearest=nearest, clause=clause)
    outcome = call(oppose_changes, seated, talk, clause, changes=vote.changes)
    return [
        *(
            _("%(mage)s opposes change %(change)s.") % {"mage": seated.mage.name, "change": change}
            for change in vote.changes
        ),
        *describe_outcome(outcome),
    ]


def handle_withdraw(talk: Conversation, rest: str) -> list[str]:
    """WITHDRAW number mage: withdraw the challenge; with CHANGE n, only the mage's proposal."""
    clause = "FM-ORDACC-7"
    head, vote = split_vote(rest)

    def find_meant(challenge: ShownChallenge) -> tuple[str, ...]:
        if not vote.changes:
            return (challenge.own.actions.withdraw,) if challenge.own.actions.withdraw else ()
        proposal = find_proposal(challenge, vote.changes[0])
        return (proposal.take_back,) if proposal and proposal.take_back else ()

    seated = read_seat(talk, "WITHDRAW", head, clause=clause, meant=find_meant, follows=is_vote_word, stays=vote.said)
    reject_more("WITHDRAW", seated, "CHANGE <number>", clause)
    if vote.everything or len(vote.changes) > 1:
        raise OrderRejected(
            _("WITHDRAW needs the number of one change, or no number for the whole challenge."),
            nearest=f"WITHDRAW {seated.head} CHANGE <number>",
            clause=clause,
        )
    if vote.changes:
        call(take_back_change, seated, talk, clause, change=vote.changes[0])
        return [_("%(mage)s withdraws change %(change)s.") % {"mage": seated.mage.name, "change": vote.changes[0]}]
    call(withdraw_challenge, seated, talk, clause, nearest=f"DECLINE {seated.head}")
    return [_("Challenge %(number)s is withdrawn.") % {"number": seated.number}]


def split_vote(rest: str) -> tuple[str, VoteSubject]:
    """Split a line into the challenge, the mage who answers, and the proposals."""
    text = strip_marks(rest)
    vote = VOTE.search(text)
    if vote is None:
        return text, VoteSubject()
    numbers = dict.fromkeys(int(number) for number in re.findall(r"\d+", vote["about"]))
    return text[: vote.start()], VoteSubject(tuple(numbers), everything=not numbers, said=vote["about"])


def is_vote_word(word: str) -> bool:
    return word.upper() in ("CHANGE", "CHANGES", "EVERYTHING")


def find_proposal(row: ShownChallenge, change: int) -> ShownProposal | None:
    return next((each for each in row.proposals if each.number == change), None)


def list_voters(row: ShownChallenge, changes: Sequence[int], stance: str) -> tuple[str, ...]:
    """Return the sender's mages who may vote on the first of these changes that is still open."""
    proposals = (find_proposal(row, change) for change in changes)
    proposal = next(filter(None, proposals), None)
    return tuple(getattr(proposal, stance)) if proposal else ()


def reject_more(order: str, seated: Seated, form: str, clause: str) -> None:
    """Raise OrderRejected if there are too many words after the mage."""
    if seated.rest:
        numbers = " ".join(re.findall(r"\d{1,6}", seated.rest))
        is_vote = bool(re.fullmatch(NUMBERS, seated.rest) or find_nearest(seated.rest.split()[0], ("CHANGE",)))
        if is_vote and numbers:
            form = f"CHANGE {numbers}"
        elif not is_vote and order == "ACCEPT":
            form = ""
        nearest = f"{order} {seated.head} {form}".strip()
        raise OrderRejected(
            _('%(order)s does not take "%(what)s".') % {"order": order, "what": seated.rest[:40]},
            nearest=nearest,
            clause=clause,
        )


def call(
    service: Callable[..., Any],
    seated: Seated,
    talk: Conversation,
    clause: str,
    nearest: str | None = None,
    **more: Any,
) -> Any:
    """Call a service for the mage. Raises OrderRejected with its reason."""
    try:
        return service(number=seated.number, mage=seated.mage, now=talk.request.now, **more)
    except (ChallengeError, AccountsError) as error:
        raise reject(error, clause, nearest) from error


ORDERS: tuple[Order, ...] = (
    Order(
        "ACCEPT",
        "ACCEPT <number> <mage> {CHANGE <numbers>}",
        "player",
        "challenges.services.answers.accept_challenge",
        gettext_lazy(
            "Joins a challenge. With CHANGE and numbers it votes for proposed changes, with EVERYTHING for every "
            "change, now and later. In a reply to an email about it, you can leave out the number and the mage."
        ),
        "FM-ORDACC-1",
        handle_accept,
        example="ACCEPT 12 Merlyn CHANGE 2",
    ),
    Order(
        "DECLINE",
        "DECLINE <number> <mage> {BUSY | RULESET | PACE | STAKES | STRENGTH}",
        "player",
        "challenges.services.answers.decline_challenge",
        gettext_lazy(
            "Declines a challenge, or leaves it before the battle begins. One word can tell the others why: you have "
            "no time now, or want another ruleset, pace, other stakes, or an opponent of another strength."
        ),
        "FM-ORDACC-4",
        handle_decline,
        example="DECLINE 12 Merlyn PACE",
    ),
    Order(
        "OPPOSE",
        "OPPOSE <number> <mage> CHANGE <numbers>",
        "player",
        "challenges.services.votes.oppose_changes",
        gettext_lazy("Votes against proposed changes. This also ends an earlier ACCEPT EVERYTHING."),
        "FM-ORDACC-6",
        handle_oppose,
        example="OPPOSE 12 Merlyn CHANGE 2",
    ),
    Order(
        "WITHDRAW",
        "WITHDRAW <number> <mage> {CHANGE <number>}",
        "player",
        "challenges.services.answers.withdraw_challenge",
        gettext_lazy(
            "Withdraws a challenge that your mage created or, with CHANGE and a number, a change that your mage "
            "proposed."
        ),
        "FM-ORDACC-7",
        handle_withdraw,
        example="WITHDRAW 12 Merlyn",
    ),
)
