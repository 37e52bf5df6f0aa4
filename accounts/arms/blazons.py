"""Blazons: a drawing as one word, which rows and pages carry and `accounts.arms.drawing` draws.

The first letter says whether its owner is living, retired or dead, the second whose it is: a mage's shield, a user's
round seal or a bot's hexagon. The rest says what is on it. Two seals belong to nobody.
"""

from enum import StrEnum
from functools import lru_cache

from accounts.arms.design import EDITION, design
from accounts.arms.parts import FACES, SIGILS

JANITORS = "janitors"
LEFT = "left"


class State(StrEnum):
    """What the colours say."""

    LIVING = "l"
    RETIRED = "r"
    DEAD = "d"


MAGE, USER, BOT = "m", "u", "b"


@lru_cache(4096)
def _code(text: str, number: int, edition: int) -> str:
    return design(text, number, edition).code


def blazon_mage(text: str, number: int = 1, edition: int = EDITION, state: State = State.LIVING) -> str:
    """Return the blazon of a mage whose arms are drawn from `text`."""
    return f"{state}{MAGE}{_code(text, number, edition)}"


def blazon_user(name: str) -> str:
    return f"{State.LIVING}{USER}{_code(name, 1, EDITION)}"


def blazon_bot(name: str, strength: str = "", state: State = State.LIVING) -> str:
    """Return the blazon of a bot or its mage: its face, else the sigil of its strength, else a charge from its name."""
    known = name.rstrip("0123456789")
    face = known if known in FACES and strength else strength if strength in SIGILS else _code(name, 1, EDITION)[-2:]
    return f"{state}{BOT}{face}"


def is_of_bot(blazon: str) -> bool:
    return blazon[1:2] == BOT and blazon not in (JANITORS, LEFT)


def change_state(blazon: str, state: State) -> str:
    """Return the blazon of the same mage in another state, as the board of one battle shows them."""
    return blazon if blazon in (JANITORS, LEFT) else f"{state}{blazon[1:]}"
