"""Who lives in a house that is only a demonstration. Log-ins everybody knows exist with DEBUG alone.

Plain data without Django, because the supervisor prints it.
"""

from typing import NamedTuple


class DemonstrationUser(NamedTuple):
    """Somebody to log in as."""

    username: str
    password: str
    mage: str


DEMONSTRATION = (
    DemonstrationUser("anna", "firetop-anna", "Emberlin"),
    DemonstrationUser("boris", "firetop-boris", "Quillon"),
)
