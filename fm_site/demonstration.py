"""Who lives in a house that is only a demonstration. Log-ins everybody knows exist with DEBUG alone.

Plain data without Django, because the supervisor prints it.
"""

from typing import NamedTuple


class DemonstrationUser(NamedTuple):
    """Somebody to log in as."""

    username: str
    password: str
    mages: tuple[str, ...] = ()
    is_janitor: bool = False

    @property
    def email(self) -> str:
        """An address nobody can have; it also tells that the user is ours."""
        return f"{self.username.lower()}@demonstration.invalid"

    @property
    def part(self) -> str:
        """Who he is in the demonstration, in a word or two."""
        return "janitor, /admin/desk/" if self.is_janitor else self.mages[0]


ANNA = DemonstrationUser("Anna", "firetop-anna", ("Emberlin", "Marrowick"))
BORIS = DemonstrationUser("Boris", "firetop-boris", ("Quillon",))
CLARA = DemonstrationUser("Clara", "firetop-clara", is_janitor=True)
DEMONSTRATION = (ANNA, BORIS, CLARA)

# The duel of the first mages, as far as it has come: for each turn what each of the two does.
TURNS = (
    ("LH S\nRH D\nEND", "LH P\nRH W\nEND"),
    ("LH F\nRH F\nEND", "LH W\nRH P\nEND"),
)
