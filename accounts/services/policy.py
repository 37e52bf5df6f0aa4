"""Setting the numbers by which the house keeps time."""

from collections.abc import Mapping
from dataclasses import asdict
from datetime import datetime

from accounts.errors import InvalidPolicy
from accounts.models import HousePolicy, User
from accounts.policy import SETTINGS, find_policy_problems
from accounts.selectors import read_policy


def set_policy(*, by: User, why: str, numbers: Mapping[str, int], now: datetime) -> HousePolicy:
    """Put `numbers`, by their names in accounts.policy.Policy, into force; those not given stay. The row before is the
    history. Raises InvalidPolicy with every problem."""
    unknown = sorted(set(numbers) - set(SETTINGS))
    if unknown:
        raise ValueError(f"There is no number {', '.join(unknown)}.")
    wanted = asdict(read_policy()) | dict(numbers)
    problems = find_policy_problems(wanted)
    if problems:
        raise InvalidPolicy(problems)
    return HousePolicy.objects.create(set_by=by, set_at=now, why=why.strip()[:300], **wanted)
