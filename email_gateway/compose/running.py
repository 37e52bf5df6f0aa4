"""The series that a player's hands have begun: what they lack, for the end of a mail."""

import textwrap

from duels.selectors import BattleView
from email_gateway.text.wrapping import WIDTH

MOST_MISSING = 2
HANDS = {"LH": "Left", "RH": "Right"}


def write_running_series(view: BattleView) -> str:
    """Return which spells the hands of the mage in hand are one or two gestures away from; nothing when he is not
    asked for gestures."""
    preview = view.preview
    if preview is None or not view.owes or view.stage_key.stage:
        return ""
    rows: list[str] = []
    for hand, word in HANDS.items():
        near = [
            one for one in preview.becomes.get(hand, ()) if 0 < one.more <= MOST_MISSING and one.more < len(one.series)
        ]
        told = [f"{one.spell} ({' '.join(one.rest)})" for one in sorted(near, key=lambda one: (one.more, one.spell))]
        if told:
            words = ", ".join(told)
            rows += textwrap.wrap(words, WIDTH, initial_indent=f"  {word + ':':<6} ", subsequent_indent=" " * 9)
    return "\n".join(["Begun, and what is still to be made (small letters by both hands):", *rows]) if rows else ""
