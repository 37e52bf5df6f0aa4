"""News of a challenge, as a subject and sentences, from the facts of a notice."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any, NamedTuple
from zoneinfo import ZoneInfo

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from challenges.words import describe_difference
from duels.names import listed
from fm_site.operations.wording import write_moment


class News(NamedTuple):
    """A title, in which only names come from players, the subject with it, and the sentences below."""

    title: str
    subject: str
    sentences: tuple[str, ...]


def describe_news(kind: str, facts: Mapping[str, Any], zone: ZoneInfo) -> News:
    """Describe the news, with times in that time zone. `kind` is one of those in challenges.notices."""
    told = describe_change(kind, facts, zone) if kind.startswith("change_") else describe_seats(kind, facts, zone)
    title, *sentences = told
    subject = _("Challenge %(number)s: %(news)s") % {"number": facts["number"], "news": title}
    return News(title, subject, tuple(filter(None, sentences)))


def describe_seats(kind: str, facts: Mapping[str, Any], zone: ZoneInfo) -> tuple[str, ...]:
    """Return the title and sentences about mages who join or leave."""
    names = list(facts.get("mages", ()))
    slots = {
        "number": facts["number"],
        "challenger": facts.get("challenger", ""),
        "mage": facts.get("mage", ""),
        "mages": listed(names),
        "waiting": listed(list(facts.get("waiting_for", ()))),
        "days": facts.get("days", 0),
    }
    missing = _("Still to answer: %(waiting)s.") % slots if slots["waiting"] else ""
    if kind == "challenged" and facts.get("everyone"):
        return (
            _("%(challenger)s challenges everyone") % slots,
            _("%(challenger)s challenges every free mage, including %(mages)s.") % slots,
        )
    if kind == "challenged":
        return (
            _("%(challenger)s challenges %(mages)s") % slots,
            _("%(challenger)s challenges %(mages)s to a battle.") % slots,
        )
    if kind == "challenge_accepted":
        return _("%(mage)s accepts") % slots, _("%(mage)s accepts challenge %(number)s.") % slots, missing
    if kind == "challenge_declined":
        sentence = _("%(mage)s declines challenge %(number)s.") % slots
        return _("%(mage)s declines") % slots, sentence, missing, describe_loneliness(facts)
    if kind == "challenge_withdrawn":
        return (
            _("%(challenger)s withdraws it") % slots,
            _("%(challenger)s withdraws challenge %(number)s. There is no battle.") % slots,
        )
    if kind == "challenge_prodded":
        return _("Do you still want it?"), describe_standstill(facts), describe_closing(facts, zone)
    if kind == "challenge_closed":
        return _("Closed"), _(
            "Nothing has happened in challenge %(number)s by %(challenger)s for too long. We have closed it, and its "
            "mages are free."
        ) % slots
    if kind == "challenge_excluded":
        return _("The battle begins without %(mages)s") % slots, ngettext(
            "Challenge %(number)s has become a battle. %(mages)s is not in it, because no answer came in time.",
            "Challenge %(number)s has become a battle. %(mages)s are not in it, because no answers came in time.",
            len(names),
        ) % slots
    assert kind == "challenge_uninvited", kind
    title = ngettext("%(mages)s is no longer invited", "%(mages)s are no longer invited", len(names))
    return title % slots, ngettext(
        "%(mages)s is no longer invited to challenge %(number)s.",
        "%(mages)s are no longer invited to challenge %(number)s.",
        len(names),
    ) % slots


def describe_standstill(facts: Mapping[str, Any]) -> str:
    days = facts.get("days", 0)
    return ngettext(
        "Nothing has happened in challenge %(number)s for %(days)s day.",
        "Nothing has happened in challenge %(number)s for %(days)s days.",
        days,
    ) % {"number": facts["number"], "days": days}


def describe_closing(facts: Mapping[str, Any], zone: ZoneInfo) -> str:
    end = facts.get("closes_at")
    if not end:
        return _("Change or withdraw it. If nothing happens, we close it and free its mages.")
    moment = write_moment(datetime.fromisoformat(end), zone)
    return _("Change or withdraw it. If nothing happens by %(moment)s, we close it and free its mages.") % {
        "moment": moment
    }


def describe_loneliness(facts: Mapping[str, Any]) -> str:
    if not facts.get("alone"):
        return ""
    order = f"{facts['number']} {facts.get('challenger', '')}"
    return _(
        "There is nobody left to join. CHANGEGAME %(order)s ADD <mages> challenges others, CHANGEGAME %(order)s OPEN "
        "lets anyone in, and WITHDRAW %(order)s calls it off."
    ) % {"order": order}


def describe_change(kind: str, facts: Mapping[str, Any], zone: ZoneInfo) -> tuple[str, ...]:
    """Return the title and sentences about a change."""
    words = [describe_difference(each["what"], each["before"], each["after"]) for each in facts["differences"]]
    slots = {
        "number": facts["number"],
        "proposer": facts["proposer"],
        "change": facts["change"],
        "what": ", ".join(each.sentence for each in words),
    }
    if kind == "change_proposed":
        return (
            _("%(proposer)s proposes change %(change)s") % slots,
            _("%(proposer)s proposes change %(change)s of challenge %(number)s: %(what)s.") % slots,
            describe_time(facts, zone),
        )
    if kind == "change_adopted" and not facts["change"]:
        return _("%(proposer)s changes it") % slots, _("%(proposer)s changes challenge %(number)s: %(what)s.") % slots
    if kind == "change_adopted":
        told = _("Change %(change)s by %(proposer)s is adopted: %(what)s.") % slots
        return _("Change %(change)s is adopted") % slots, told
    if kind == "change_rejected":
        told = _("Change %(change)s by %(proposer)s is rejected: %(what)s.") % slots
        return _("Change %(change)s is rejected") % slots, told
    if kind == "change_taken_back":
        told = _("%(proposer)s withdraws change %(change)s: %(what)s.") % slots
        return _("Change %(change)s is withdrawn") % slots, told
    assert kind == "change_lapsed", kind
    why = _("It has nothing left to change.") if facts.get("reason") == "moot" else _("It was not decided in time.")
    told = _("Change %(change)s by %(proposer)s expires: %(what)s.") % slots
    return _("Change %(change)s expires") % slots, told, why


def describe_time(facts: Mapping[str, Any], zone: ZoneInfo) -> str:
    if "lapses_at" not in facts:
        return ""
    moment = write_moment(datetime.fromisoformat(facts["lapses_at"]), zone)
    return _("Accept or oppose it by %(moment)s.") % {"moment": moment}
