"""What can go wrong in running the site.

OperationsError
├── InvalidPolicy      numbers out of bounds: every problem, with the nearest allowed number
├── TooManyAttempts    too many wrong guesses: wait
└── Refused            not accepted: every problem
"""

from collections.abc import Sequence

from fm_site.operations.policy import PolicyProblem


class OperationsError(Exception):
    """The root of the tree."""


class InvalidPolicy(OperationsError):
    """Numbers out of bounds; `problems` name each one (fm_site.operations.policy.PolicyProblem)."""

    def __init__(self, problems: Sequence[PolicyProblem]) -> None:
        self.problems = tuple(problems)
        super().__init__(" ".join(f"{problem.message} The nearest is {problem.nearest}." for problem in problems))


class TooManyAttempts(OperationsError):
    """Too many wrong guesses; the next one counts in about `seconds`."""

    def __init__(self, seconds: int) -> None:
        self.seconds = seconds
        super().__init__(f"Too many attempts. Wait {-(-seconds // 60)} minutes.")


class Refused(OperationsError):
    """Something cannot be accepted; `problems` are sentences."""

    def __init__(self, problems: Sequence[str]) -> None:
        self.problems = tuple(problems)
        super().__init__(" ".join(problems))
