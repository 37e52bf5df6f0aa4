"""The users of the demonstration. Accounts with public passwords exist only with DEBUG.

Plain data without Django, because the supervisor prints it.
"""

import base64
import hmac
import sys
import time
from typing import NamedTuple

from accounts.demonstration import DEMONSTRATION_DOMAIN

PERIOD = 30


def write_address(username: str) -> str:
    """Return the address of a user of the demonstration, which nobody can have (User.is_demonstration)."""
    return f"{username.lower()}@{DEMONSTRATION_DOMAIN}"


class DemonstrationUser(NamedTuple):
    """A user to log in as."""

    username: str
    password: str
    mages: tuple[str, ...] = ()
    is_janitor: bool = False
    # The secret of the authenticator app, in base 32.
    totp_secret: str = ""

    @property
    def email(self) -> str:
        """An address nobody can have; it also marks the user as ours."""
        return write_address(self.username)

    @property
    def part(self) -> str:
        """The user's role in the demonstration, in one or two words."""
        return "janitor, /admin/desk/" if self.is_janitor else self.mages[0]


ANNA = DemonstrationUser("Anna", "firetop-anna", ("Emberlin", "Marrowick"))
BORIS = DemonstrationUser("Boris", "firetop-boris", ("Quillon",))
CLARA = DemonstrationUser("Clara", "firetop-clara", is_janitor=True, totp_secret="FIRETOPCLARAFIRETOPCLARAFIRETOPX")
DEMONSTRATION = (ANNA, BORIS, CLARA)

# The duel of the first mages: for each turn, the orders of both.
TURNS = (
    ("LH S\nRH D\nEND", "LH P\nRH W\nEND"),
    ("LH F\nRH F\nEND", "LH W\nRH P\nEND"),
)


def make_code(secret: str, moment: float) -> str:
    """Return the six digits that an authenticator app shows at `moment` (RFC 6238)."""
    digest = hmac.digest(base64.b32decode(secret), int(moment // PERIOD).to_bytes(8, "big"), "sha1")
    start = digest[-1] & 0xF
    number = int.from_bytes(digest[start : start + 4], "big") & 0x7FFFFFFF
    return f"{number % 10**6:06}"


def main() -> int:
    """Print the janitor's current login code and how long it is valid."""
    now = time.time()
    sys.stdout.write(f"{make_code(CLARA.totp_secret, now)}  (good for {PERIOD - int(now % PERIOD)} seconds)\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
