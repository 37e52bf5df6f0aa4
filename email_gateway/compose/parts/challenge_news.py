"""News of a challenge, as a subject and sentences, from the facts of a notice."""

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import TYPE_CHECKING, Any, NamedTuple
from zoneinfo import ZoneInfo

from django.utils.translation import gettext, ngettext_lazy
from django.utils.translation import gettext_lazy as _

from challenges.decline_reasons import describe_reason
from challenges.words import describe_difference
from duels.names import listed
from operations.text.dates import write_moment

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

Facts = Mapping[str, Any]


class News(NamedTuple):
    """A title, in which only names come from players, the subject with it, and the sentences below."""

    title: str
    subject: str
    sentences: tuple[str, ...]


class Template(NamedTuple):
    """The title and the first sentence of news, with slots, and what else to say."""

    title: "StrOrPromise"
    sentence: "StrOrPromise"
    more: tuple[Callable[[Facts, ZoneInfo], str], ...] = ()


def describe_challenge_news(kind: str, facts: Facts, zone: ZoneInfo) -> News:
    """Describe the news, with times in that time zone. `kind` is one of those in challenges.notices."""
    template = _choose_template(kind, facts)
    slots = _fill_slots(facts)
    title = str(template.title % slots)
    subject = gettext("Challenge %(number)s: %(news)s") % {"number": facts["number"], "news": title}
    more = (describe(facts, zone) for describe in template.more)
    return News(title, subject, tuple(filter(None, (str(template.sentence % slots), *more))))


def _choose_template(kind: str, facts: Facts) -> Template:
    if kind == "challenged" and facts.get("everyone"):
        return EVERYONE_CHALLENGED
    if kind == "change_adopted" and not facts["change"]:
        return CHANGED_WITHOUT_VOTE
    return TEMPLATES[kind]


def _fill_slots(facts: Facts) -> dict[str, Any]:
    names = list(facts.get("mages", ()))
    changes = [
        describe_difference(each["what"], each["before"], each["after"]) for each in facts.get("differences", ())
    ]
    return {
        "number": facts["number"],
        "challenger": facts.get("challenger", ""),
        "mage": facts.get("mage", ""),
        "mages": listed(names),
        "count": len(names),
        "days": facts.get("days", 0),
        "proposer": facts.get("proposer", ""),
        "change": facts.get("change", ""),
        "what": ", ".join(each.sentence for each in changes),
    }


def _describe_missing(facts: Facts, zone: ZoneInfo) -> str:
    waiting = listed(list(facts.get("waiting_for", ())))
    return gettext("Still to answer: %(waiting)s.") % {"waiting": waiting} if waiting else ""


def _describe_reason(facts: Facts, zone: ZoneInfo) -> str:
    return describe_reason(facts.get("reason"))


def _describe_loneliness(facts: Facts, zone: ZoneInfo) -> str:
    if not facts.get("alone"):
        return ""
    order = f"{facts['number']} {facts.get('challenger', '')}"
    return gettext(
        "There is nobody left to join. CHANGEGAME %(order)s ADD <mages> challenges others, CHANGEGAME %(order)s OPEN "
        "lets anyone in, and WITHDRAW %(order)s calls it off."
    ) % {"order": order}


def _describe_ways(facts: Facts, zone: ZoneInfo) -> str:
    order = f"{facts['number']} {facts.get('challenger', '')}"
    return gettext(
        "CHANGEGAME %(order)s ADD <mages> challenges others, CHANGEGAME %(order)s OPEN lets anyone in, and WITHDRAW "
        "%(order)s calls it off."
    ) % {"order": order}


def _describe_closing(facts: Facts, zone: ZoneInfo) -> str:
    end = facts.get("closes_at")
    if not end:
        return gettext("Change or withdraw it. If nothing happens, we close it and free its mages.")
    moment = write_moment(datetime.fromisoformat(end), zone)
    return gettext("Change or withdraw it. If nothing happens by %(moment)s, we close it and free its mages.") % {
        "moment": moment
    }


def _describe_time_to_vote(facts: Facts, zone: ZoneInfo) -> str:
    if "lapses_at" not in facts:
        return ""
    moment = write_moment(datetime.fromisoformat(facts["lapses_at"]), zone)
    return gettext("Accept or oppose it by %(moment)s.") % {"moment": moment}


def _describe_expiry(facts: Facts, zone: ZoneInfo) -> str:
    if facts.get("reason") == "moot":
        return gettext("It has nothing left to change.")
    return gettext("It was not decided in time.")


EVERYONE_CHALLENGED = Template(
    _("%(challenger)s challenges everyone"), _("%(challenger)s challenges every free mage, including %(mages)s.")
)
CHANGED_WITHOUT_VOTE = Template(_("%(proposer)s changes it"), _("%(proposer)s changes challenge %(number)s: %(what)s."))
TEMPLATES: Mapping[str, Template] = {
    "challenged": Template(
        _("%(challenger)s challenges %(mages)s"), _("%(challenger)s challenges %(mages)s to a battle.")
    ),
    "seek_opened": Template(
        _("%(challenger)s looks for a duel"),
        _("%(challenger)s looks for a duel, and waits for anyone who joins. You asked to be told."),
    ),
    "challenge_accepted": Template(
        _("%(mage)s accepts"), _("%(mage)s accepts challenge %(number)s."), (_describe_missing,)
    ),
    "challenge_declined": Template(
        _("%(mage)s declines"),
        _("%(mage)s declines challenge %(number)s."),
        (_describe_reason, _describe_missing, _describe_loneliness),
    ),
    "challenge_withdrawn": Template(
        _("%(challenger)s withdraws it"),
        _("%(challenger)s withdraws challenge %(number)s. There is no battle."),
    ),
    "challenge_prodded": Template(
        _("Do you still want it?"),
        ngettext_lazy(
            "Nothing has happened in challenge %(number)s for %(days)s day.",
            "Nothing has happened in challenge %(number)s for %(days)s days.",
            "days",
        ),
        (_describe_closing, _describe_ways),
    ),
    "challenge_closed": Template(
        _("Closed"),
        _(
            "Nothing has happened in challenge %(number)s by %(challenger)s for too long. We have closed it, and its "
            "mages are free."
        ),
    ),
    "challenge_excluded": Template(
        _("The battle begins without %(mages)s"),
        ngettext_lazy(
            "Challenge %(number)s has become a battle. %(mages)s is not in it, because no answer came in time.",
            "Challenge %(number)s has become a battle. %(mages)s are not in it, because no answers came in time.",
            "count",
        ),
    ),
    "challenge_uninvited": Template(
        ngettext_lazy("%(mages)s is no longer invited", "%(mages)s are no longer invited", "count"),
        ngettext_lazy(
            "%(mages)s is no longer invited to challenge %(number)s.",
            "%(mages)s are no longer invited to challenge %(number)s.",
            "count",
        ),
    ),
    "change_proposed": Template(
        _("%(proposer)s proposes change %(change)s"),
        _("%(proposer)s proposes change %(change)s of challenge %(number)s: %(what)s."),
        (_describe_time_to_vote,),
    ),
    "change_adopted": Template(
        _("Change %(change)s is adopted"), _("Change %(change)s by %(proposer)s is adopted: %(what)s.")
    ),
    "change_rejected": Template(
        _("Change %(change)s is rejected"), _("Change %(change)s by %(proposer)s is rejected: %(what)s.")
    ),
    "change_taken_back": Template(
        _("Change %(change)s is withdrawn"), _("%(proposer)s withdraws change %(change)s: %(what)s.")
    ),
    "change_lapsed": Template(
        _("Change %(change)s expires"),
        _("Change %(change)s by %(proposer)s expires: %(what)s."),
        (_describe_expiry,),
    ),
}
