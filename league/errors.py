"""Errors of leagues and cups.

LeagueRefused (and Refused of operations)   not allowed: SENTENCES lists why
CupRefused (and Refused of operations)      not allowed: CUP_SENTENCES lists why
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from django.utils.translation import gettext_lazy as _

from operations.errors import Refused

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

SENTENCES: "Mapping[str, StrOrPromise]" = {
    "guest": _("Guests cannot play in the league. Sign up first: press “Keep this mage”."),
    "bot": _("Bots cannot play in the league."),
    "closed": _("This account is closed."),
    "suspended": _("You cannot enter the league while you are suspended."),
    "already_in": _("You are in the league already, with %(mage)s."),
    "not_in": _("You are not in the league."),
    "not_your_mage": _("%(mage)s is not your mage."),
    "mage_gone": _("%(mage)s is out of play. Choose a living mage."),
    "not_your_duel": _("You do not play in this duel."),
    "pace_settled": _("The pace of this duel is settled. Pairs choose it before round 1."),
}

CUP_SENTENCES: "Mapping[str, StrOrPromise]" = {
    "guest": _("Guests cannot play in cups. Sign up first: press “Keep this mage”."),
    "bot": _("Only people can join this cup. Bots of users have a round robin each week."),
    "person": _("Only bots of users can enter a round robin of bots."),
    "one_bot": _("You have a bot in this round robin already: %(bot)s. Each owner can enter only one."),
    "closed": _("This account is closed."),
    "suspended": _("You cannot join a cup while you are suspended."),
    "begun": _("This cup has begun. You can join the next one."),
    "over": _("This cup is over."),
    "cancelled": _("This cup is cancelled."),
    "full": _("All places of this cup are taken."),
    "not_in": _("You are not in this cup."),
    "not_your_mage": _("%(mage)s is not your mage."),
    "mage_gone": _("%(mage)s is out of play. Choose a living mage."),
}


class LeagueRefused(Refused):
    """The rules of leagues do not allow it. Nothing was changed."""

    sentences = SENTENCES


class CupRefused(Refused):
    """The rules of cups do not allow it. Nothing was changed."""

    sentences = CUP_SENTENCES
