"""What a puzzle asks for, and a line to share, in words."""

from datetime import date

from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from studies.selectors.puzzle_streak import Streak


def name_puzzle(kind: str) -> str:
    """Return the name of a kind of puzzle (studies.models.Puzzle.Kind)."""
    return {"win": _("Win this turn"), "two": _("Win in two turns"), "survive": _("Survive this turn")}[kind]


def write_share_line(day: date, streak: Streak | None) -> str:
    """Return what a reader can say of the puzzle of the day that they have solved, without a word about the solution:
    "Firetop Mountain puzzle, 28 November: solved at the first try, 12 days in a row". Only with an account it is known
    whether it was the first try."""
    slots = {"day": date_format(day, _("j F"))}
    if streak is None or not streak.solved_today:
        return _("Firetop Mountain puzzle, %(day)s: solved") % slots
    if streak.days < 2:
        return _("Firetop Mountain puzzle, %(day)s: solved at the first try") % slots
    line = ngettext(
        "Firetop Mountain puzzle, %(day)s: solved at the first try, %(days)d day in a row",
        "Firetop Mountain puzzle, %(day)s: solved at the first try, %(days)d days in a row",
        streak.days,
    )
    return line % (slots | {"days": streak.days})
