"""The janitors' journal in words: facts in, a sentence out. The page shows who did it and when beside it."""

from collections.abc import Callable, Iterator, Mapping
from datetime import datetime
from typing import TYPE_CHECKING, Any
from zoneinfo import ZoneInfo

from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts.former_users import show_user_names
from duels.names import listed
from operations.text.dates import UTC, write_moment

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

Facts = Mapping[str, Any]


def describe_entry(kind: str, facts: Facts, reason: str = "", zone: ZoneInfo = UTC) -> str:
    """Return the action and its reason: "Turn 5 was taken back. Reason: …". Times are in `zone`."""
    facts = show_user_names(facts)
    if kind in TEMPLATES:
        sentence = str(TEMPLATES[kind] % facts)
    else:
        more = {"until": _describe_end(facts, zone)} if kind in ("sent_away", "suspended", "muted") else {}
        sentence = DESCRIPTIONS[kind]({**facts, **more})
    return gettext("%(action)s Reason: %(reason)s") % {"action": sentence, "reason": reason} if reason else sentence


def _describe_look(facts: Facts) -> str:
    if "report" in facts:
        return gettext("A janitor read the messages with %(name)s that report %(report)s is about.") % facts
    if facts.get("orders"):
        message = gettext("A janitor looked at the battle through the eyes of %(mage)s, with the pending orders.")
    else:
        message = gettext("A janitor looked at the battle through the eyes of %(mage)s, without pending orders.")
    return message % facts


def _describe_rewinding(facts: Facts) -> str:
    ended = [gettext("The end of the battle was undone.")] if facts.get("ended") else []
    if facts["turn"] == facts["to"]:
        taken = gettext("Turn %(turn)s was undone and is played again.")
    else:
        taken = gettext("Turns %(turn)s to %(to)s were undone, and turn %(turn)s is played again.")
    return " ".join([*ended, taken % facts, *_describe_consent(facts)])


def _describe_consent(facts: Facts) -> Iterator[str]:
    if facts.get("agreed"):
        yield gettext("%(mages)s agreed.") % {"mages": listed(facts["agreed"])}
    if facts.get("refused"):
        yield gettext("%(mages)s refused.") % {"mages": listed(facts["refused"])}
    if facts.get("silent"):
        yield gettext("%(mages)s did not answer.") % {"mages": listed(facts["silent"])}
    if facts.get("without_consent"):
        yield gettext("The janitor did it anyway: %(without_consent)s") % facts


def _describe_replay(facts: Facts) -> str:
    if facts.get("turn"):
        return gettext("The battle was replayed for comparison: turn %(turn)s has a different outcome.") % facts
    return gettext("The battle was replayed for comparison: every turn has the same outcome.")


def _describe_decision(facts: Facts) -> str:
    winners, dead = facts.get("winners", ()), facts.get("dead", ())
    if winners:
        message = gettext("The result was set: %(mages)s won.") % {"mages": listed(winners)}
    else:
        message = gettext("The result was set: nobody won.")
    return " ".join([message, gettext("Dead: %(mages)s.") % {"mages": listed(dead)}]) if dead else message


def _describe_stuck(facts: Facts) -> str:
    message = gettext("The rules could not resolve turn %(turn)s because of an error.") % facts
    if not facts["mages"]:
        return " ".join([message, gettext("It does not come from the orders of one mage.")])
    return " ".join([message, gettext("It comes from the orders of %(mages)s.") % {"mages": listed(facts["mages"])}])


def _describe_try(facts: Facts) -> str:
    sentences = {
        "resolved": gettext("A janitor replayed turn %(turn)s, and it was resolved."),
        "stuck": gettext("A janitor replayed turn %(turn)s, but the rules still cannot resolve it."),
        "waiting": gettext("A janitor replayed turn %(turn)s, and it is waiting for orders again."),
    }
    return sentences[facts["outcome"]] % facts


def _describe_vacation(facts: Facts) -> str:
    if facts["until"]:
        return gettext("%(name)s is on vacation until %(until)s.") % facts
    return gettext("%(name)s is on vacation until further notice.") % facts


def _describe_suspension(facts: Facts) -> str:
    if facts["until"]:
        return gettext("%(name)s is suspended until %(until)s.") % facts
    return gettext("%(name)s is suspended until further notice.") % facts


def _describe_mute(facts: Facts) -> str:
    return gettext("%(name)s cannot write in the lobby until %(until)s.") % facts


def _describe_words_taken_down(facts: Facts) -> str:
    if facts.get("room_line"):
        return gettext("A line by %(name)s in the lobby is removed.") % facts
    if facts.get("about"):
        return gettext("What %(name)s wrote about themselves is taken down.") % facts
    if facts.get("line"):
        return gettext("What %(name)s wrote about %(mage)s is taken down.") % facts
    return gettext("What %(name)s wrote in “%(title)s” is taken down.") % facts


def _describe_end(facts: Facts, zone: ZoneInfo) -> str:
    """Return the end, or "" if there is none. Earlier entries stored words: "until 2031-05-04", or only the day."""
    if "ends_at" not in facts:
        return str(facts.get("until", "")).removeprefix("until ")
    end = facts["ends_at"]
    return write_moment(datetime.fromisoformat(end), zone) if end else ""


TEMPLATES: Mapping[str, "StrOrPromise"] = {
    "asked": _("A janitor asked the players whether the battle may go back to the start of turn %(turn)s."),
    "ordered": _("A janitor entered orders for %(mage)s for turn %(turn)s."),
    "voided": _(
        "The battle is void because the rules could not resolve turn %(turn)s: nobody wins, nobody dies, and no score "
        "or rating changes."
    ),
    "annulled": _("The battle was annulled. It no longer counts, and mages who died in it live again."),
    "excused": _("%(mage)s is excused for turn %(turn)s."),
    "extended": _("%(mage)s has %(hours)s more hours for turn %(turn)s."),
    "paused": _("The battle is paused, for 30 days at most, and its clocks have stopped."),
    "resumed": _("The battle is resumed and its clocks run again."),
    "removed": _("A chat line by %(name)s was removed."),
    "chosen": _("A janitor chose this as the battle of the week."),
    "renamed": _("User %(old)s is now called %(new)s."),
    "called_back": _("%(name)s's vacation has ended."),
    "lifted": _("%(name)s's suspension is lifted."),
    "warned": _("%(name)s is warned."),
    "host_marked": _("%(name)s is marked as a host, who plays newcomers."),
    "host_removed": _("%(name)s is no longer marked as a host."),
    "hook_added": _("The site's hook “%(hook)s” was added."),
    "hook_changed": _("The site's hook “%(hook)s” was changed."),
    "hook_removed": _("The site's hook “%(hook)s” was removed."),
    "closed": _("The account was closed, as its user had asked."),
    "erased": _("What the closed account had left was erased, as its user had asked."),
    "exported": _("The user's data was sent to their confirmed address, as they had asked."),
    "mail_stopped": _("All email to the user's address is stopped."),
    "mail_resumed": _("The user's address gets email again."),
    "withdrawn": _("%(name)s's warning is withdrawn: “%(text)s”"),
}
DESCRIPTIONS: Mapping[str, Callable[[Facts], str]] = {
    "looked": _describe_look,
    "rewound": _describe_rewinding,
    "replayed": _describe_replay,
    "decided": _describe_decision,
    "stuck": _describe_stuck,
    "tried": _describe_try,
    "sent_away": _describe_vacation,
    "suspended": _describe_suspension,
    "taken_down": _describe_words_taken_down,
    "muted": _describe_mute,
}
