"""Emails to entrants of cups: that it takes place or not, whom they meet, and how far they came."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.utils.translation import gettext as _

from accounts.models import User
from email_gateway.compose.composers import composes
from email_gateway.compose.site_mail import write_site_mail
from email_gateway.deliver.mail import Mail
from email_gateway.errors import NothingToSend
from email_gateway.links import link_to
from league.cup_words import CUP_KINDS, name_cup_in_sentence, tell_of_cup
from league.models import Cup
from notifications.kinds import KINDS
from notifications.models import SkipReason
from notifications.selectors.notices import wants_mail, zone_of
from operations.text.dates import write_moment


@composes(*CUP_KINDS)
def compose_cup_mail(kind: str, facts: Mapping[str, Any], user: User) -> Mail:
    """Return the email about news of a cup in which the user has a place. Raises NothingToSend if the email that their
    duel has begun says it."""
    if kind == "cup_round" and facts.get("battle") and wants_mail(user, "battle_started"):
        raise NothingToSend(SkipReason.SETTLED)
    begins_at = datetime.fromisoformat(facts["begins_at"])
    parts = [tell_of_cup(kind, facts)]
    if kind == "cup_confirmed":
        parts.append(_("It begins on %(moment)s.") % {"moment": write_moment(begins_at, zone_of(user))})
        if facts["cup_kind"] == Cup.Kind.EVENING:
            parts.append(
                _(
                    "Be at the site when it begins: anyone who is not there five minutes after the start of a round "
                    "loses that duel."
                )
            )
    if kind == "cup_round" and facts.get("battle"):
        button = (_("To the duel"), link_to("duels:battle", facts["battle"]))
    else:
        button = (_("To the cup"), link_to("league:cup", facts["cup"]))
    subject = {
        "cup_confirmed": _("The %(cup)s takes place"),
        "cup_cancelled": _("The %(cup)s is cancelled"),
        "cup_round": _("The %(cup)s: a new round"),
        "cup_through": _("The %(cup)s: you are through"),
        "cup_out": _("The %(cup)s: you are out"),
        "cup_over": _("The %(cup)s is over"),
    }[kind] % {"cup": name_cup_in_sentence(facts["cup_kind"], begins_at)}
    return write_site_mail(subject, parts, user=user, stops=KINDS[kind].preference, button=button)
