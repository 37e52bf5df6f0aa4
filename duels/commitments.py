"""The commitments to the orders on one sheet, as its row stores them.

`{"closing": salt, "sets": [commitment to each set of orders], "salt": of the last set, "shown": commitment}`. The salts
are secret until the battle ends. `shown` is the commitment to the orders with which the sheet became ready. It stays
while ready orders are replaced, because nobody else may notice that; "" while the sheet is not ready.
"""

import secrets
from collections.abc import Mapping, Sequence
from typing import Any

from rules_engine.records import SALT_BYTES, Place, Seal

Sealed = Mapping[str, Any]


def draw_seal() -> dict[str, Any]:
    """Return what a new, empty sheet stores."""
    return {"closing": secrets.token_hex(SALT_BYTES), "sets": [], "salt": "", "shown": ""}


def seal_orders(
    sealed: Sealed,
    *,
    place: Place,
    position: int,
    before: Sequence[str],
    after: Sequence[str],
    was_ready: bool,
    ready: bool,
) -> dict[str, Any]:
    """Return the commitments that a sheet stores once its lines are `after`.

    Orders get a new commitment, with a new salt, when they change and whenever they become ready: a published value
    that came back would tell everyone that they are the same as before.
    """
    sets, salt = list(sealed["sets"]), sealed["salt"]
    becomes_ready = ready and not was_ready
    if not sets or list(before) != list(after) or becomes_ready:
        salt = secrets.token_hex(SALT_BYTES)
        sets.append(place.commit_orders(position, after, salt))
    shown = "" if not ready else sealed["shown"] if was_ready else sets[-1]
    return {"closing": sealed["closing"], "sets": sets, "salt": salt, "shown": shown}


def close_seal(sealed: Sealed, *, place: Place, position: int) -> str:
    """Return the closing commitment of a sheet whose stage is over. It opens nothing."""
    return place.commit_closing(position, sealed["sets"], sealed["closing"])


def open_seal(sealed: Sealed, *, place: Place, position: int, by_clock: bool) -> Seal:
    """Return all commitments with their salts: only for battles that have ended."""
    closed = close_seal(sealed, place=place, position=position)
    return Seal(closed, sealed["closing"], tuple(sealed["sets"]), "" if by_clock else sealed["salt"])
