"""Which of a user's mages are free to join something."""

from collections.abc import Iterable

from accounts.models import Engagement, Mage, User
from accounts.selectors.users import read_mages_of


def name_free_mages(living: Iterable[Mage]) -> list[str]:
    """Return the names of those of the user's living mages who may join: retired ones only if no other is free."""
    mages = [mage for mage in living if getattr(mage, "engagement", None) is None]
    return [mage.name for mage in mages if not mage.is_retired] or [mage.name for mage in mages]


def list_living_mages(user: object) -> list[Mage]:
    """Return the user's living mages by name, each with its engagement; none of a stranger."""
    return read_mages_of(user) if isinstance(user, User) else []


def list_busy_mages(living: Iterable[Mage]) -> list[Mage]:
    return [mage for mage in living if getattr(mage, "engagement", None) is not None]


def find_battles_of(mages: Iterable[Mage]) -> set[int]:
    """Return the numbers of the battles that these mages are in; select them with `engagement`."""
    busy = [mage.busy_with for mage in mages]
    return {each.number for each in busy if each is not None and each.kind == Engagement.Kind.BATTLE}
