"""Who lives in a house that is only a demonstration. Log-ins everybody knows exist with DEBUG alone.

Plain data without Django, because the supervisor prints it.
"""

from typing import NamedTuple


class DemonstrationUser(NamedTuple):
    """Somebody to log in as."""

    username: str
    password: str
    mages: tuple[str, ...]

    @property
    def email(self) -> str:
        """An address nobody can have; it also tells that the user is ours."""
        return f"{self.username.lower()}@demonstration.invalid"


ANNA = DemonstrationUser("Anna", "firetop-anna", ("Emberlin", "Marrowick"))
BORIS = DemonstrationUser("Boris", "firetop-boris", ("Quillon",))
DEMONSTRATION = (ANNA, BORIS)

# The duel of the first mages, as far as it has come: for each turn what each of the two does.
TURNS = (
    ("LH S\nRH D\nEND", "LH P\nRH W\nEND"),
    ("LH F\nRH F\nEND", "LH W\nRH P\nEND"),
)
