"""What a puzzle asks for, in words."""

from django.utils.translation import gettext as _


def name_puzzle(kind: str) -> str:
    """Return the name of a kind of puzzle (studies.models.Puzzle.Kind)."""
    return {"win": _("Win this turn"), "two": _("Win in two turns"), "survive": _("Survive this turn")}[kind]
