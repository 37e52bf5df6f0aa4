"""Battles to study: one that is over, and one that is running."""

from tests.duels.fights import Fight, start_fight
from tests.scenes import make_mage

# A missile, a stab, and a surrender while nothing is lost.
ENDED = [("S/W", "P/S"), ("D/W", "W/S"), (">/F", "D/F"), ("F/F", "S/W"), ("W/S", "P/P")]


def fight_to_the_end(*names: str) -> Fight:
    """Five turns; Froodal wins by Bung's surrender in the last one."""
    made = start_fight(*(make_mage(name) for name in names or ("Froodal", "Bung")))
    for mine, theirs in ENDED:
        for name, text in zip(made.names, (mine, theirs), strict=True):
            made.order(name, text, confirmed=True)
    assert made.battle.is_over
    return made


def fields(orders: str, mage: str, **more: str) -> dict[str, object]:
    """Return the fields of the order form for `S/W` with further lines."""
    first, *others = orders.split("\n")
    left, right = first.split("/")
    return {"stage": "1.0.0", "mage": mage, "LH": left, "RH": right, "order": others, "act": "ready", **more}
