"""Writes a record's orders as lines of the classic order grammar (docs/orders.md)."""

from collections.abc import Iterator, Mapping
from typing import Any


def write_order_lines(orders: Mapping[str, Any]) -> tuple[str, ...]:
    """The lines of one recorded orderset: gestures, choices, targets, then the rest. The caller adds END."""
    return tuple(_lines(orders))


def _lines(orders: Mapping[str, Any]) -> Iterator[str]:
    for hand in ("lh", "rh"):
        if hand in orders:
            yield f"{hand.upper()} {orders[hand]}"
    for hand, spell in orders.get("choose", {}).items():
        # Records have two spellings of one spell (Finger of Death, Finger Of Death).
        yield f"CHOOSE {hand} {spell.title()}"
    for what, victim in orders.get("target", {}).items():
        yield f"TARGET {what} {victim}"
    for victim, hand in orders.get("paralyze", {}).items():
        yield f"PARALYZE {hand} {victim}"
    for victim, (hand, gesture) in orders.get("direct", {}).items():
        yield f"DIRECT {hand} {gesture} {victim}"
    for keyword in ("permanent", "delay"):
        if keyword in orders:
            yield f"{keyword.upper()} {orders[keyword]}"
    if orders.get("fire"):
        yield "FIRE"
