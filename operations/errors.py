"""Errors of running the site.

OperationsError
├── InvalidPolicy      numbers out of bounds: every problem, with the nearest allowed number
├── TooManyAttempts    too many wrong guesses: wait
└── Refused            not accepted: every problem
"""

from collections.abc import Sequence

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from operations.policy import PolicyProblem


class OperationsError(Exception):
    """The root of the tree."""


class InvalidPolicy(OperationsError):
    """Numbers out of bounds; `problems` name each one (operations.policy.PolicyProblem)."""

    def __init__(self, problems: Sequence[PolicyProblem]) -> None:
        self.problems = tuple(problems)
        super().__init__(" ".join(map(write_problem, problems)))


def write_problem(problem: PolicyProblem) -> str:
    """Return what is wrong with a number, and the nearest valid one."""
    return _("%(problem)s The nearest is %(number)s.") % {"problem": problem.message, "number": problem.nearest}


class TooManyAttempts(OperationsError):
    """Too many wrong guesses; the next one counts in about `seconds`."""

    def __init__(self, seconds: int) -> None:
        self.seconds = seconds
        minutes = -(-seconds // 60)
        message = ngettext(
            "Too many attempts. Wait %(minutes)s minute.", "Too many attempts. Wait %(minutes)s minutes.", minutes
        )
        super().__init__(message % {"minutes": minutes})


class Refused(OperationsError):
    """The input cannot be accepted; `problems` are sentences."""

    def __init__(self, problems: Sequence[str]) -> None:
        self.problems = tuple(problems)
        super().__init__(" ".join(problems))
