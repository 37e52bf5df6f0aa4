"""What can go wrong with scores.

LadderError
├── WrongResult     a result that cannot be: a dead winner, a mage who was not there, the wrong kind of battle
├── NotCounted      a battle whose result was never counted cannot be corrected
├── ResultAnnulled  an annulled result is restored before anything else is done to it
└── MageElsewhere   a mage who is in another battle or challenge now cannot have been dead since an earlier one
"""

from collections.abc import Sequence


class LadderError(Exception):
    """The root of the tree."""


class WrongResult(LadderError):
    """The result handed in contradicts itself."""


class NotCounted(LadderError):
    """The battle's result has not been counted."""

    def __init__(self, battle: int) -> None:
        super().__init__(f"The result of battle {battle} is not counted yet.")


class ResultAnnulled(LadderError):
    """The battle's result counts for nothing now."""

    def __init__(self, battle: int) -> None:
        super().__init__(f"The result of battle {battle} is annulled. Restore it first.")


class MageElsewhere(LadderError):
    """`places` says where each mage is who would be dead."""

    def __init__(self, places: Sequence[str]) -> None:
        super().__init__(f"These mages cannot be dead: {'; '.join(places)}.")
        self.places = tuple(places)
