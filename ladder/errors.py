"""What can go wrong with scores.

LadderError
└── WrongResult     a result that cannot be: a dead winner, a mage who was not there, the wrong kind of battle
"""


class LadderError(Exception):
    """The root of the tree."""


class WrongResult(LadderError):
    """The result handed in contradicts itself."""
