"""Errors of scores.

LadderError
├── WrongResult     an impossible result: a dead winner, a mage who was not there, the wrong kind of battle
├── NotCounted      the battle's result has not been counted, so it cannot be corrected
├── ResultAnnulled  an annulled result must be restored first
└── MageElsewhere   a mage who is now in another battle or challenge cannot have died in an earlier one
"""

from collections.abc import Sequence

from django.utils.translation import gettext as _


class LadderError(Exception):
    """The base of all errors of the ladder."""


class WrongResult(LadderError):
    """The result contradicts itself."""


class NotCounted(LadderError):
    """The battle's result has not been counted."""

    def __init__(self, battle: int) -> None:
        super().__init__(_("The result of battle %(number)d has not been counted yet.") % {"number": battle})


class ResultAnnulled(LadderError):
    """The battle's result is annulled."""

    def __init__(self, battle: int) -> None:
        sentence = _("The result of battle %(number)d is annulled. Restore it first.")
        super().__init__(sentence % {"number": battle})


class MageElsewhere(LadderError):
    """`places` says where each mage who would be dead is now."""

    def __init__(self, places: Sequence[str]) -> None:
        sentence = _("These mages cannot have died in this battle: %(places)s.")
        super().__init__(sentence % {"places": "; ".join(places)})
        self.places = tuple(places)
