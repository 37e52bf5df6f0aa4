"""Emails to janitors about open tasks. They read the texts of emails on the admin pages, without secrets."""

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accounts.models import User
from duels.names import name_battle
from email_gateway.compose.composers import composes
from email_gateway.compose.parts import render_plain
from email_gateway.deliver.mail import Mail
from email_gateway.links import link_to
from email_gateway.text.layout import wrap


def describe_stuck(facts: Mapping[str, Any]) -> tuple[str, str, str, str]:
    number = facts["mail"]
    news = _(
        "Email %(number)s failed repeatedly because of an error on our side (reference %(reference)s). It is still "
        "stored. Once the error is fixed, process it again from the admin pages."
    ) % {"number": number, "reference": facts.get("reference")}
    return (
        _("Email %(number)s is stuck") % {"number": number},
        news,
        _("Read the email"),
        link_to("admin:email_gateway_inboundmail_change", number),
    )


def describe_stuck_battle(facts: Mapping[str, Any]) -> tuple[str, str, str, str]:
    """Name the battle and the turn, and nothing of its orders: this janitor may play in it."""
    slots = {"battle": name_battle(facts["kind"], facts["battle"]), "turn": facts["label"]}
    if facts.get("again"):
        subject, news = (
            _("%(battle)s is still stuck in turn %(turn)s"),
            _("Turn %(turn)s of %(battle)s is still stuck."),
        )
    else:
        subject, news = (
            _("%(battle)s is stuck in turn %(turn)s"),
            _("We could not resolve turn %(turn)s of %(battle)s."),
        )
    error = _("The error is in the log, with the reference %(reference)s.") % {"reference": facts["reference"]}
    steps = _(
        "Once it is repaired, replay the turn with the same orders. If it can't be repaired, void the battle: nobody "
        "dies, and no score or rating changes. Until then its players wait and their mages are not free."
    )
    return (
        subject % slots,
        f"{news % slots} {error} {steps}",
        _("Open the battle at the desk"),
        link_to("admin:duels_battle_change", facts["row"]),
    )


def describe_letter(facts: Mapping[str, Any]) -> tuple[str, str, str, str]:
    number = facts["mail"]
    page = link_to("admin:email_gateway_inboundmail_change", number)
    return (
        _("Email %(number)s is for the janitors") % {"number": number},
        _("Someone has written to the postmaster."),
        _("Read the email"),
        page,
    )


def describe_failing_address(facts: Mapping[str, Any]) -> tuple[str, str, str, str]:
    name = facts["name"]
    news = _(
        "Emails to %(name)s are bouncing. Until %(name)s replies to an email or changes the address, we assume that "
        "our emails don't reach them."
    ) % {"name": name}
    page = link_to("admin:email_gateway_mailaddress_change", facts["address"])
    return (_("Emails to %(name)s are bouncing") % {"name": name}), news, _("See why"), page


def describe_renamed(facts: Mapping[str, Any]) -> tuple[str, str, str, str]:
    old, new = facts["old"], facts["new"]
    page = link_to("admin:accounts_user_change", facts["user"])
    return (
        _("%(old)s is now %(new)s") % {"old": old, "new": new},
        _("The user %(old)s changed their name to %(new)s.") % {"old": old, "new": new},
        _("See the user"),
        page,
    )


def describe_scores(facts: Mapping[str, Any]) -> tuple[str, str, str, str]:
    rows = facts["rows"]
    news = ngettext(
        "A score is the sum of its rows, and %(count)s row does not follow from the one before it. The first: "
        "%(named)s. Nothing was changed.",
        "A score is the sum of its rows, and %(count)s rows do not follow from the ones before them. The first: "
        "%(named)s. Nothing was changed.",
        rows,
    ) % {"count": rows, "named": "; ".join(facts["named"])}
    return _("Scores disagree with their rows"), news, _("See the rows"), link_to("admin:ladder_scoreentry_changelist")


def describe_replay(facts: Mapping[str, Any]) -> tuple[str, str, str, str]:
    """Name what differs without showing it: the battle may be running, with this janitor in it."""
    number = facts["battle"]
    news = _(
        "The rules now resolve turn %(turn)s of battle %(number)s differently from when it was played. "
        "This differs: %(what)s. The battle is unchanged. manage.py replay_battles %(number)s shows the "
        "difference."
    ) % {"turn": facts["turn"], "number": number, "what": facts["what"]}
    return (
        _("Battle %(number)s replays differently") % {"number": number},
        news,
        _("Open the battle"),
        link_to("duels:battle", number),
    )


def describe_report(facts: Mapping[str, Any]) -> tuple[str, str, str, str]:
    page = link_to("admin:moderation_report_change", facts["report"])
    news = _("A player reports %(subject)s.") % {"subject": facts["subject"]}
    if facts.get("by_stranger"):
        news = _("Someone without an account reports %(subject)s.") % {"subject": facts["subject"]}
    return (
        _("A report about %(subject)s") % {"subject": facts["subject"]},
        news,
        _("Read and answer"),
        page,
    )


def describe_chore(facts: Mapping[str, Any]) -> tuple[str, str, str, str]:
    news = _('The nightly task "%(chore)s" failed. %(reason)s') % {"chore": facts["chore"], "reason": facts["reason"]}
    return (
        _("Nightly task failed: %(chore)s") % {"chore": facts["chore"]},
        news,
        _("See the nightly tasks"),
        link_to("admin:operations_chore_changelist"),
    )


WORDS = {
    "mail_stuck": describe_stuck,
    "battle_stuck": describe_stuck_battle,
    "mail_for_janitors": describe_letter,
    "battle_replays_otherwise": describe_replay,
    "address_fails": describe_failing_address,
    "user_renamed": describe_renamed,
    "scores_disagree": describe_scores,
    "report_made": describe_report,
    "chore_fails": describe_chore,
}


@composes(*WORDS)
def compose_janitor_mail(kind: str, facts: Mapping[str, Any], user: User) -> Mail:
    """Return the email to a janitor about something that needs one."""
    subject, news, button, page = WORDS[kind](facts)
    return Mail(
        subject=subject,
        text=f"{wrap(news)}\n\n{page}\n",
        html=render_plain(heading=subject, parts=[news], button=(button, page)),
    )
