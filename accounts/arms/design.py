"""The rule by which a name becomes arms: a shape, a field of two tinctures, and a charge upon it.

Both tinctures of a field are colours and the charge is a metal, or the other way round: so every charge stands out.
"""

import hashlib
import unicodedata
from dataclasses import dataclass

EDITION = 1
METALS = ("chalk", "brass")
COLOURS = ("basalt", "tarn", "pine", "heather", "madder", "lichen")
TINCTURES = (*METALS, *COLOURS)
# The second colour of a field: those that differ enough from the first.
PARTNERS = {
    "basalt": ("tarn", "pine", "heather", "madder", "lichen"),
    "tarn": ("basalt", "madder", "lichen"),
    "pine": ("basalt", "heather", "madder"),
    "heather": ("basalt", "pine", "lichen"),
    "madder": ("basalt", "tarn", "pine"),
    "lichen": ("basalt", "tarn", "heather"),
}
SHAPES, FIELDS, CHARGES, HANDS = 4, 16, 32, 8


@dataclass(frozen=True)
class Arms:
    """Arms, with the numbers of their shape, field and charge in `parts.json`, and their tinctures by name."""

    shape: int
    field: int
    is_mirrored: bool
    first: str
    second: str
    tincture: str
    charge: int

    @property
    def likeness(self) -> str:
        """Field, tinctures and charge as one word: arms with the same one are twins."""
        tinctures = "".join(str(TINCTURES.index(each)) for each in (self.first, self.second, self.tincture))
        return f"{self.field:x}{tinctures}{self.charge:02}"

    @property
    def code(self) -> str:
        """All of the arms as one word of eight digits (base 16)."""
        return f"{self.shape}{self.is_mirrored:d}{self.likeness}"


def read_code(code: str) -> Arms:
    first, second, tincture = (TINCTURES[int(digit)] for digit in code[3:6])
    return Arms(int(code[0]), int(code[2], 16), code[1] == "1", first, second, tincture, int(code[6:]))


def design(text: str, number: int = 1, edition: int = EDITION) -> Arms:
    """Return the arms of a name. `number`: how often the name was tried before no living mage had its like."""
    if edition != EDITION:
        raise ValueError(f"There is no edition {edition} of the rule for arms.")
    plain = unicodedata.normalize("NFKC", text).casefold()
    suffix = f":{number}" if number > 1 else ""
    d = hashlib.sha256(f"arms:{edition}:{plain}{suffix}".encode()).digest()
    if d[3] < 64:
        first, second = METALS if d[4] & 1 else METALS[::-1]
        tincture = COLOURS[d[5] % 6]
    else:
        first = COLOURS[d[4] % 6]
        second = PARTNERS[first][d[5] % len(PARTNERS[first])]
        tincture = METALS[d[6] & 1]
    return Arms(d[0] % SHAPES, d[1] % FIELDS, bool(d[2] & 1), first, second, tincture, d[7] % CHARGES)
