"""Errors of running the site, and the base of every app's refusals (docs/decisions/0020-one-style-of-refusal.md).

Exception
├── InvalidPolicy      numbers out of bounds: every problem, with the nearest allowed number
├── TooManyAttempts    too many wrong guesses: wait
└── Refused            understood, but not allowed: a code for programs, a sentence for people
"""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, ClassVar

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from operations.policy import PolicyProblem

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise


class InvalidPolicy(Exception):
    """Numbers out of bounds; `problems` name each one (operations.policy.PolicyProblem)."""

    def __init__(self, problems: Sequence[PolicyProblem]) -> None:
        self.problems = tuple(problems)
        super().__init__(" ".join(map(write_problem, problems)))


def write_problem(problem: PolicyProblem) -> str:
    """Return what is wrong with a number, and the nearest valid one."""
    return _("%(problem)s The nearest is %(number)s.") % {"problem": problem.message, "number": problem.nearest}


class TooManyAttempts(Exception):
    """Too many wrong guesses; the next one counts in about `seconds`."""

    def __init__(self, seconds: int) -> None:
        self.seconds = seconds
        minutes = -(-seconds // 60)
        message = ngettext(
            "Too many attempts. Wait %(minutes)s minute.", "Too many attempts. Wait %(minutes)s minutes.", minutes
        )
        super().__init__(message % {"minutes": minutes})


class Refused(Exception):
    """Understood, but not allowed; nothing has changed.

    Each app has one subclass with its table of `sentences`: whole, lazily translated, with named slots, which the
    keywords fill in the language of the moment. `code` is for programs, `problems` are the sentences for people.
    """

    sentences: "ClassVar[Mapping[str, StrOrPromise]]" = {}

    def __init__(self, code: str, **slots: object) -> None:
        super().__init__(code)
        self.code = code
        self.problems: tuple[str, ...] = (str(self.sentences[code] % slots),)

    def __str__(self) -> str:
        return " ".join(self.problems)

    @staticmethod
    def together(refusals: "Sequence[Refused]") -> "Refused":
        """Return the first of these with the problems of all, each once."""
        first = refusals[0]
        first.problems = tuple(dict.fromkeys(problem for each in refusals for problem in each.problems))
        return first
