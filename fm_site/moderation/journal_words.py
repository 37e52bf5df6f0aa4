"""The janitors' journal in words: facts in, a sentence out. The page shows who did it and when beside it."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from django.utils.translation import gettext as _

from fm_site.operations.text.wording import UTC, write_moment

Facts = Mapping[str, Any]


def describe_entry(kind: str, facts: Facts, reason: str = "", zone: ZoneInfo = UTC) -> str:
    """Return the action and its reason: "Turn 5 was taken back. Reason: …". Times are in `zone`."""
    more = {"until": _describe_end(facts, zone)} if kind in ("sent_away", "suspended") else {}
    sentence = SENTENCES[kind]({**facts, **more})
    return _("%(told)s Reason: %(reason)s") % {"told": sentence, "reason": reason} if reason else sentence


def _describe_look(facts: Facts) -> str:
    if facts.get("orders"):
        message = _("A janitor looked at the battle through the eyes of %(mage)s, with the pending orders.")
    else:
        message = _("A janitor looked at the battle through the eyes of %(mage)s, without pending orders.")
    return message % facts


def _describe_question(facts: Facts) -> str:
    return _("A janitor asked the players whether the battle may go back to the start of turn %(turn)s.") % facts


def _describe_rewinding(facts: Facts) -> str:
    ended = [_("The end of the battle was undone.")] if facts.get("ended") else []
    if facts["turn"] == facts["to"]:
        taken = _("Turn %(turn)s was undone and is played again.")
    else:
        taken = _("Turns %(turn)s to %(to)s were undone, and turn %(turn)s is played again.")
    return " ".join([*ended, taken % facts, *_describe_consent(facts)])


def _describe_consent(facts: Facts) -> Iterator[str]:
    if facts.get("agreed"):
        yield _("%(mages)s agreed.") % {"mages": _join(facts["agreed"])}
    if facts.get("refused"):
        yield _("%(mages)s refused.") % {"mages": _join(facts["refused"])}
    if facts.get("silent"):
        yield _("%(mages)s did not answer.") % {"mages": _join(facts["silent"])}
    if facts.get("without_consent"):
        yield _("The janitor did it anyway: %(without_consent)s") % facts


def _describe_replay(facts: Facts) -> str:
    if facts.get("turn"):
        return _("The battle was replayed for comparison: turn %(turn)s has a different outcome.") % facts
    return _("The battle was replayed for comparison: every turn has the same outcome.")


def _describe_orders(facts: Facts) -> str:
    return _("A janitor entered orders for %(mage)s for turn %(turn)s.") % facts


def _describe_annulment(facts: Facts) -> str:
    return _("The battle was annulled. It no longer counts, and mages who died in it live again.")


def _describe_decision(facts: Facts) -> str:
    winners, dead = facts.get("winners", ()), facts.get("dead", ())
    if winners:
        message = _("The result was set: %(mages)s won.") % {"mages": _join(winners)}
    else:
        message = _("The result was set: nobody won.")
    return " ".join([message, _("Dead: %(mages)s.") % {"mages": _join(dead)}]) if dead else message


def _describe_excuse(facts: Facts) -> str:
    return _("%(mage)s is excused for turn %(turn)s.") % facts


def _describe_extension(facts: Facts) -> str:
    return _("%(mage)s has %(hours)s more hours for turn %(turn)s.") % facts


def _describe_pause(facts: Facts) -> str:
    return _("The battle is paused and its clocks have stopped.")


def _describe_resumption(facts: Facts) -> str:
    return _("The battle is resumed and its clocks run again.")


def _describe_try(facts: Facts) -> str:
    sentences = {
        "resolved": _("A janitor tried to resolve turn %(turn)s again, and it was resolved."),
        "stuck": _("A janitor tried to resolve turn %(turn)s again, but the rules still cannot resolve it."),
        "waiting": _("A janitor tried to resolve turn %(turn)s again, and it is waiting for orders again."),
    }
    return sentences[facts["outcome"]] % facts


def _describe_vacation(facts: Facts) -> str:
    if facts["until"]:
        return _("%(name)s is on vacation until %(until)s.") % facts
    return _("%(name)s is on vacation until further notice.") % facts


def _describe_suspension(facts: Facts) -> str:
    if facts["until"]:
        return _("%(name)s is suspended until %(until)s.") % facts
    return _("%(name)s is suspended until further notice.") % facts


def _describe_end(facts: Facts, zone: ZoneInfo) -> str:
    """Return the end, or "" if there is none. Earlier entries stored words: "until 2031-05-04", or only the day."""
    if "ends_at" not in facts:
        return str(facts.get("until", "")).removeprefix("until ")
    end = facts["ends_at"]
    return write_moment(datetime.fromisoformat(end), zone) if end else ""


def _join(names: Sequence[str]) -> str:
    if len(names) < 2:
        return "".join(names)
    return _("%(some)s and %(last)s") % {"some": ", ".join(names[:-1]), "last": names[-1]}


SENTENCES: Mapping[str, Callable[[Facts], str]] = {
    "looked": _describe_look,
    "asked": _describe_question,
    "rewound": _describe_rewinding,
    "replayed": _describe_replay,
    "ordered": _describe_orders,
    "annulled": _describe_annulment,
    "decided": _describe_decision,
    "excused": _describe_excuse,
    "extended": _describe_extension,
    "paused": _describe_pause,
    "resumed": _describe_resumption,
    "tried": _describe_try,
    "removed": lambda facts: _("A chat line by %(name)s was removed.") % facts,
    "renamed": lambda facts: _("User %(old)s is now called %(new)s.") % facts,
    "sent_away": _describe_vacation,
    "called_back": lambda facts: _("%(name)s's vacation has ended.") % facts,
    "suspended": _describe_suspension,
    "lifted": lambda facts: _("%(name)s's suspension is lifted.") % facts,
    "warned": lambda facts: _("%(name)s is warned.") % facts,
    "taken_down": lambda facts: _("What %(name)s wrote in “%(title)s” is taken down.") % facts,
    "withdrawn": lambda facts: _("%(name)s's warning is withdrawn: “%(text)s”") % facts,
}
