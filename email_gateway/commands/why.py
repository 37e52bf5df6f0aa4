"""WHY: the rules and events behind a turn, for the mage whose block it stands in. It orders nothing."""

import re

from duels.errors import DuelsError, UnknownSubject, UnknownTurn
from duels.selectors import Explanation, explain_turn_to_owner
from email_gateway.commands.words import split_words
from email_gateway.conversation import Conversation
from email_gateway.errors import OrderRejected
from email_gateway.text.lines import Line

TURN = re.compile(r"\d+[HT]?(?:/\d+)?", re.I)


def answer_why(talk: Conversation, line: Line, shown: str, rest: str) -> None:
    """WHY {turn} {spell or name}."""
    words = split_words(rest)
    turn = words[0] if words and TURN.fullmatch(words[0]) else ""
    about = " ".join(words[1:] if turn else words)
    try:
        told = _explain(talk, turn, about)
    except OrderRejected as refusal:
        talk.reject(line, shown, refusal)
        return
    talk.report(f"why {turn} {about}".casefold(), lambda: write_explanation(told))
    talk.accept(line, shown)


def _explain(talk: Conversation, turn: str, about: str) -> Explanation:
    combatant = talk.done.block.combatant if talk.done.block else None
    if combatant is None:
        raise OrderRejected("The mage it is for is not known.", nearest="GAME <number> <mage>", clause="FM-ORDGEN-14")
    try:
        return explain_turn_to_owner(combatant=combatant, turn=turn, about=about)
    except UnknownSubject as error:
        nearest = " ".join(["WHY", *([turn] if turn else []), error.nearest]) if error.nearest else None
        raise OrderRejected(str(error), nearest=nearest) from error
    except UnknownTurn as error:
        raise OrderRejected(str(error), nearest="WHY {turn} {spell or name}", clause="FM-ORDMOVE-6") from error
    except DuelsError as error:
        raise OrderRejected(str(error)) from error


def write_explanation(told: Explanation) -> str:
    """Each answer as its sum and, further in, what led to it."""
    rows = [f"Why, turn {told.label}"]
    for answer in told.answers:
        first, *others = answer
        rows += ["", f"  {first.text}{_rule(first.text, first.clause)}"]
        rows += [f"    {each.text}{_rule(each.text, each.clause)}" for each in others]
    return "\n".join(rows if told.answers else [*rows, "", "  Nothing but the orders of the turn is behind it."])


def _rule(text: str, clause: str) -> str:
    return f" [{clause}]" if clause and f"({clause})" not in text else ""
