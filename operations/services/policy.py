"""Setting the site policy."""

from collections.abc import Mapping
from dataclasses import asdict
from datetime import datetime

from django.contrib.auth.base_user import AbstractBaseUser

from operations.errors import InvalidPolicy
from operations.models import SitePolicy
from operations.policy import SETTINGS, find_policy_problems
from operations.selectors import read_policy


def set_policy(*, by: AbstractBaseUser, why: str, numbers: Mapping[str, int], now: datetime) -> SitePolicy:
    """Set `numbers`, named as in Policy; the others stay. Earlier rows are the history. Raises InvalidPolicy with every
    problem."""
    unknown = sorted(set(numbers) - set(SETTINGS))
    if unknown:
        raise ValueError(f"Unknown policy numbers: {', '.join(unknown)}.")
    wanted = asdict(read_policy()) | dict(numbers)
    problems = find_policy_problems(wanted)
    if problems:
        raise InvalidPolicy(problems)
    return SitePolicy.objects.create(set_by_id=by.pk, set_at=now, why=why.strip()[:300], **wanted)
