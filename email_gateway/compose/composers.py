"""Which function composes the email for each kind of notice. The modules with the texts register theirs."""

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from accounts.models import User
from email_gateway.deliver.mail import Mail
from notifications.kinds import KINDS

Compose = Callable[[str, Mapping[str, Any], User], Mail]
Composer = TypeVar("Composer", bound=Compose)

COMPOSERS: dict[str, Compose] = {}


def composes(*kinds: str) -> Callable[[Composer], Composer]:
    """Register a function as the composer of these kinds. Raises KeyError for one that notifications.kinds lacks, and
    ValueError for one that has a composer."""

    def register(composer: Composer) -> Composer:
        for kind in kinds:
            if KINDS[kind].name in COMPOSERS:
                raise ValueError(f"{kind} has a composer: {COMPOSERS[kind].__name__}")
            COMPOSERS[kind] = composer
        return composer

    return register
