"""Cups and their rounds in words."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.utils.formats import date_format
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from league.models import Cup, Pairing, Place
from league.rules.knockout import count_rounds

# The notices that tell_of_cup puts into words.
CUP_KINDS = ("cup_confirmed", "cup_cancelled", "cup_round", "cup_through", "cup_out", "cup_over")


def name_cup(kind: str, begins_at: datetime) -> str:
    """Return the name of a cup: "December Cup", "Live evening of 13 December", "Round robin of 28 November"."""
    if kind == Cup.Kind.EVENING:
        return _("Live evening of %(day)s") % {"day": date_format(begins_at, _("j F"))}
    if kind == Cup.Kind.ROUND_ROBIN:
        return _("Round robin of %(day)s") % {"day": date_format(begins_at, _("j F"))}
    return _("%(month)s Cup") % {"month": date_format(begins_at, "F")}


def name_cup_in_sentence(kind: str, begins_at: datetime) -> str:
    """Return the name of a cup after an article: "the December Cup", "the live evening of 13 December"."""
    if kind == Cup.Kind.EVENING:
        return _("live evening of %(day)s") % {"day": date_format(begins_at, _("j F"))}
    if kind == Cup.Kind.ROUND_ROBIN:
        return _("round robin of %(day)s") % {"day": date_format(begins_at, _("j F"))}
    return name_cup(kind, begins_at)


def name_round(cup_kind: str, number: int, size: int) -> str:
    """Return the name of a round of a cup of that size: "Semi-finals" in a knock-out, "Round 2" in other cups."""
    if cup_kind != Cup.Kind.KNOCKOUT:
        return _("Round %(number)s") % {"number": number}
    names = {
        0: pgettext("round of a cup", "Final"),
        1: pgettext("round of a cup", "Semi-finals"),
        2: pgettext("round of a cup", "Quarter-finals"),
    }
    return names.get(count_rounds(size) - number) or pgettext("round of a cup", "First round")


def name_board(number: int, board: int, rounds: int) -> str:
    """Return the name of one board of a knock-out: "semi-final 1"."""
    names = {
        0: _("the final"),
        1: _("semi-final %(board)s"),
        2: _("quarter-final %(board)s"),
    }
    return names.get(rounds - number, _("first-round duel %(board)s")) % {"board": board}


def tell_of_cup(kind: str, facts: Mapping[str, Any]) -> str:
    """Return what a notice of this kind says, in a sentence or two, from its facts."""
    begins_at = datetime.fromisoformat(facts["begins_at"])
    slots = {**facts, "cup": name_cup_in_sentence(facts["cup_kind"], begins_at)}
    if "round" in facts:
        slots["round"] = name_round(facts["cup_kind"], facts["round"], facts["size"])
    if kind == "cup_confirmed":
        return _("The %(cup)s takes place.") % slots
    if kind == "cup_cancelled" and facts.get("late"):
        return _("The %(cup)s is cancelled: it could not begin in time.") % slots
    if kind == "cup_cancelled":
        words = ngettext(
            "The %(cup)s is cancelled: only %(entrants)s mage had signed up.",
            "The %(cup)s is cancelled: only %(entrants)s mages had signed up.",
            facts["entrants"],
        )
        return words % slots
    if kind == "cup_round":
        return _tell_of_round(slots)
    if kind == "cup_through":
        return _("You won your duel in the %(cup)s (%(round)s) and are through.") % slots
    if kind == "cup_out":
        return " ".join(filter(None, [_("You are out of the %(cup)s (%(round)s).") % slots, say_why_out(facts["why"])]))
    if facts["rank"] == 1:
        return _("You won the %(cup)s.") % slots
    return _("The %(cup)s is over. You came in at place %(rank)s.") % slots


def _tell_of_round(slots: Mapping[str, Any]) -> str:
    slots = {**slots, "cup": capfirst(slots["cup"])}
    if not slots["against"]:
        return _("%(cup)s, %(round)s: you have a bye.") % slots
    if slots["game"] > 1:
        return _("%(cup)s, %(round)s: after the draw you meet %(against)s again.") % slots
    return _("%(cup)s, %(round)s: you meet %(against)s.") % slots


def say_why_out(why: str) -> str:
    """Return why someone is out, for a reason of Place.LeftFor; "" if they lost."""
    return {
        Place.LeftFor.ABSENT: _("You were not there for two duels."),
        Place.LeftFor.FORFEITS: _("You missed the deadlines of two duels."),
        Place.LeftFor.NO_MAGE: _("You have no living mage."),
    }.get(Place.LeftFor(why) if why else Place.LeftFor.LEFT, "")


def say_how_decided(pairing: Pairing) -> str:
    """Return what decided a duel in the cup, if that was not the duel itself; else ""."""
    return {
        Pairing.DecidedBy.TIME: _("time used"),
        Pairing.DecidedBy.FORFEIT: _("missed deadline"),
        Pairing.DecidedBy.ABSENT: _("not there"),
        Pairing.DecidedBy.LEFT: _("left the cup"),
    }.get(Pairing.DecidedBy(pairing.decided_by) if pairing.decided_by else Pairing.DecidedBy.BYE, "")
