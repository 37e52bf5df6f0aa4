"""NEWGAME and CHANGEGAME: create and change challenges."""

import re
from dataclasses import replace

from django.utils.translation import gettext as _

from accounts.errors import AccountsError
from accounts.models import Mage
from challenges.changes import TERMS, Change
from challenges.errors import ChallengeError, InvalidChallenge
from challenges.rules import FEWEST_SEATS
from challenges.selectors.mages import find_mages_by_name
from challenges.services.create import create_challenge
from challenges.services.proposals import propose_change
from challenges.shown import ShownChallenge
from duels.errors import InvalidTerms
from duels.names import listed
from duels.terms import Terms
from email_gateway.commands.challenge_orders import describe_outcome, describe_problem, find_own_mage, read_seat, reject
from email_gateway.commands.game_options import (
    BY_NAME,
    GameOptions,
    cover_comment,
    find_option,
    is_option,
    mention_cut_comment,
    read_options,
    replace_option,
)
from email_gateway.commands.words import find_nearest
from email_gateway.conversation import Conversation
from email_gateway.errors import OrderRejected

NEWGAME_FORMS = ("NEWGAME <mage> CHALLENGE <mages>", "NEWGAME <mage> OPEN")
NAMED = "FM-ORDNEW-1"
CHANGED = "FM-ORDCHG-1"


def handle_newgame(talk: Conversation, rest: str) -> list[str]:
    """NEWGAME mage options: create a challenge."""
    user = talk.require_user("NEWGAME")
    name, __, text = rest.partition(";")[0].strip().partition(" ")
    if not name:
        raise OrderRejected(
            _("NEWGAME needs a mage's name and options."), nearest=listed(NEWGAME_FORMS, "or"), clause=NAMED
        )
    challenger = find_own_mage(user, name.strip(","), "NEWGAME {} ...")
    game = read_options(cover_comment(talk, text), order="NEWGAME")
    invited, excluded, problems = find_named(game)
    is_closed = not game.is_open and not game.everyone and not game.change.get("bots")
    if is_closed and not any(game.list_names()) and not problems:
        problems = [_("Name the mages you challenge (CHALLENGE <mages>), or say OPEN.")]
    if problems:
        mended = mend_options(game, text, problems)
        nearest = f"NEWGAME {challenger.name} {mended}" if mended else listed(NEWGAME_FORMS, "or")
        raise OrderRejected(" ".join(problems), nearest=talk.cover_secrets(nearest), clause=NAMED)
    sentences = []
    if not game.is_open and excluded:  # only challenged mages can join (FM-ORDNEW-8: useful with OPEN)
        names = listed([mage.name for mage in excluded])
        sentences = [_("The challenge is by invitation, so %(mages)s cannot join anyway.") % {"mages": names}]
        excluded = []
    number = make_challenge(talk, challenger, game, invited, excluded, text)
    talk.state.challenges.append(number)
    sentences += mention_cut_comment(cover_comment(talk, rest))
    return [_("Challenge %(number)s is created.") % {"number": number}, *sentences]


def make_challenge(
    talk: Conversation, challenger: Mage, game: GameOptions, invited: list[Mage], excluded: list[Mage], text: str
) -> int:
    """Create the challenge with the options in `text` and return its number. Raises OrderRejected."""
    wanted = game.change
    per_user = wanted.get("mages_per_user")
    try:
        return create_challenge(
            challenger=challenger,
            terms=make_terms(wanted),
            invited=invited,
            everyone=game.everyone,
            excluded=excluded,
            open_to_all=game.is_open,
            mages_per_user=1 if per_user is None else per_user,
            limit=wanted.get("limit"),
            authoritarian=wanted.get("authoritarian", False),
            comment=wanted.get("comment", ""),
            now=talk.request.now,
        ).number
    except (ChallengeError, AccountsError) as error:
        nearest = None
        if isinstance(error, InvalidChallenge) and [each.code for each in error.problems] == ["limit_too_low"]:
            options = replace_option(text, r"lim\w*[\s,]+\d+", f"LIMIT {FEWEST_SEATS}")
            nearest = talk.cover_secrets(f"NEWGAME {challenger.name} {options}")
        raise reject(error, NAMED, nearest) from error


def mend_options(game: GameOptions, text: str, problems: list[str]) -> str | None:
    """Return the options with those that are misspelt corrected; None if that is not all that is wrong."""
    if len(problems) != len(game.misspelt):
        return None
    for word, option in game.misspelt.items():
        text = replace_option(text, re.escape(word), option)
    return text


def make_terms(wanted: Change) -> Terms:
    """Return the terms of these options. Raises OrderRejected if they contradict each other."""
    try:
        return Terms(**{name: value for name, value in wanted.items() if name in TERMS})  # type: ignore[arg-type]
    except InvalidTerms as error:
        raise OrderRejected(str(error), clause="FM-ORDNEW-1") from error


def handle_changegame(talk: Conversation, rest: str) -> list[str]:
    """CHANGEGAME number mage options: a change, or a proposal if others may vote."""

    def find_meant(challenge: ShownChallenge) -> tuple[str, ...]:
        return (challenge.own.actions.start,) if challenge.own.actions.start else challenge.own.actions.propose

    seated = read_seat(talk, "CHANGEGAME", rest, clause=CHANGED, meant=find_meant, follows=begins_options)
    game = read_options(cover_comment(talk, seated.rest), order="CHANGEGAME")
    problems = find_named(game)[2]
    if not problems and not game.change and not game.everyone:
        problems = [_("Choose what to change.")]
    if problems:
        mended = mend_options(game, seated.rest, problems)
        nearest = f"CHANGEGAME {seated.head} {mended or '<options>'}"
        raise OrderRejected(" ".join(problems), nearest=talk.cover_secrets(nearest), clause=CHANGED)
    try:
        outcome = propose_change(
            number=seated.number, mage=seated.mage, change=game.change, everyone=game.everyone, now=talk.request.now
        )
    except (ChallengeError, AccountsError) as error:
        raise reject(error, CHANGED) from error
    return [*describe_outcome(outcome), *mention_cut_comment(cover_comment(talk, rest))]


def begins_options(word: str) -> bool:
    """Return whether this is an option of CHANGEGAME rather than a mage."""
    return is_option(word) or (find_option(word) is not None and not find_mages_by_name(names=[word])[0])


def find_named(game: GameOptions) -> tuple[list[Mage], list[Mage], list[str]]:
    """Return the mages challenged, those excluded, and every problem of the line: of its options, and unknown names,
    each with the nearest mage or, as an option may be misspelt among the names, the nearest option."""
    problems = list(game.problems)
    found = {}
    named = {"add": game.change.get("add", ()), "exclude": game.change.get("exclude", ())}
    for part, names in named.items():
        mages, unknown = find_mages_by_name(names=names, place=part)
        known = {mage.name.lower() for mage in mages}
        strangers = [name for name in names if name.lower() not in known]
        for name, problem in zip(strangers, unknown, strict=True):
            option = None if problem.nearest else find_nearest(name, BY_NAME)
            problems.append(describe_problem(replace(problem, nearest=option or problem.nearest)))
        found[part] = mages
    return found["add"], found["exclude"], problems
