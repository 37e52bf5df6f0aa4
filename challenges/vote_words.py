"""The texts of votes: decisions, and what would decide an open one."""

from django.utils.text import capfirst
from django.utils.translation import gettext, ngettext

from challenges.ballot import Outlook
from challenges.changes import Decision
from challenges.words import describe_difference


def describe_decision(decision: Decision) -> str:
    """Describe the decision of a vote: "Change 2 is adopted: limit 4 → 3."."""
    what = ", ".join(describe_difference(each.what, each.before, each.after).sentence for each in decision.differences)
    slots = {"number": decision.number, "change": what}
    if decision.number is None:
        return gettext("Changed: %(change)s.") % slots
    sentences = {
        "adopted": gettext("Change %(number)d is adopted: %(change)s."),
        "rejected": gettext("Change %(number)d is rejected: %(change)s."),
        "moot": gettext("Change %(number)d has nothing left to change."),
    }
    return sentences[decision.result] % slots


def describe_outlook(outlook: Outlook, *, decider: str, is_mine: bool, starts: bool = False) -> str:
    """Return what would decide a vote. `decider` names the mage whose vote does; `is_mine`: it is one of the
    reader's. `starts`: once the change is adopted, the challenge waits for nobody."""
    said = _describe_decision(outlook, decider=decider, is_mine=is_mine)
    start = gettext("If this change is adopted, the battle starts at once.") if starts else ""
    return f"{said} {start}".strip()


def _describe_decision(outlook: Outlook, *, decider: str, is_mine: bool) -> str:
    if outlook.decider is not None and outlook.by_rule:
        return gettext("You alone decide.") if is_mine else gettext("%(mage)s alone decides.") % {"mage": decider}
    if outlook.decider is not None:
        return gettext("Your vote decides.") if is_mine else gettext("%(mage)s's vote decides.") % {"mage": decider}
    clauses = []
    if outlook.adopting is not None:
        clauses.append(
            ngettext(
                "adopted with %(count)d more vote for it", "adopted with %(count)d more votes for it", outlook.adopting
            )
            % {"count": outlook.adopting}
        )
    if outlook.rejecting is not None:
        clauses.append(
            ngettext(
                "rejected with %(count)d more vote against it",
                "rejected with %(count)d more votes against it",
                outlook.rejecting,
            )
            % {"count": outlook.rejecting}
        )
    return capfirst(f"{', '.join(clauses)}.") if clauses else ""
