"""Whether a mage is free to join any challenge at all."""

from typing import NamedTuple

from accounts.models import Engagement, Mage


class Hindrance(NamedTuple):
    """Why a mage is not free: a code of `words.REFUSALS`, and the number of the battle or challenge it is in."""

    code: str
    engaged: int | None = None


def find_hindrance(mage: Mage, *, waking: bool = False, lets_guests: bool = False) -> Hindrance | None:
    """Return why this mage cannot take a new seat, or None. Reads `mage.engagement` and `mage.user`.

    `waking`: the mage's own user acts, which brings the mage back from retirement; nobody else can. `lets_guests`: the
    seat is open to a guest's mage.
    """
    if mage.died_at is not None:
        return Hindrance("left" if mage.has_left else "dead")
    if mage.user.bot_strength:
        return Hindrance("bot")
    if mage.user.is_guest and not lets_guests:
        return Hindrance("guest")
    if mage.retired_at is not None and not waking:
        return Hindrance("retired")
    if not mage.user.is_active:
        return Hindrance("shut_out")
    engagement: Engagement | None = getattr(mage, "engagement", None)
    return None if engagement is None else Hindrance(f"busy_{engagement.kind}", engagement.number)
