"""The order bar: what the sheet amounts to, what stands against it, and the one button."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from duels.board.names import listed
from duels.board.signs import WORDS
from duels.board.strings import is_extra


def make_bar(
    view: Any,
    state: str,
    *,
    open_questions: Sequence[dict[str, Any]],
    typed: str,
    late: str,
    ask_to_confirm: bool,
    urls: dict[str, str],
    next_battle: Any,
) -> dict[str, Any]:
    """The context of ``duels/_order_bar.html``."""
    others = [name for name in view.waiting_for if name != view.me]
    if state == "sealed":
        rest = f"Your orders stay sealed until {listed(others)} is ready too." if others else "The turn resolves now."
        change = "" if view.terms.orders_final else urls["change"]
        return {"state": state, "rest": rest, "next": next_battle, "change_url": change}
    if state == "over":
        return {"state": state, "next": next_battle}
    if state == "stale":
        rest = "Your orders were not used; they are kept below." if late else "Your orders were not used."
        return {"state": state, "fact": "That turn is over.", "rest": rest, "line": late}
    if state == "watch":
        rest = f"The battle waits for {listed(others)}." if others else "The turn resolves by itself."
        return {"state": state, "fact": _why_watching(view), "rest": rest}
    warnings = sorted(view.preview.warnings, key=lambda w: not w.severe) if view.preview else []
    severe = bool(warnings and warnings[0].severe)
    # A surrender waits for no choice of spell and no target. Whoever ends their life still casts this turn.
    surrenders = severe and warnings[0].code != "suicide"
    held = any(not surrenders or question["kind"] not in ("choose", "target") for question in open_questions)
    return {
        "state": "incomplete" if held else state,
        "notes": [_note(warnings[0], ask_to_confirm)] if warnings else [],
        "repeats": _repeats(view.repeated),
        "confirm": ask_to_confirm and severe,
        "review": view.preview.review if view.preview else "",
        "kept": bool(view.draft),
        "line": typed,
        "canonical": canonical_line(view.sheet),
        "placeholder": canonical_line(view.sheet) or ("P/D" if _asks_gestures(view) else ""),
        "button": _button(warnings[0].code if severe else "", ask_to_confirm, held),
    }


def _why_watching(view: Any) -> str:
    """Why a mage of the battle has nothing to do now."""
    if is_extra(view.view.label) and view.hand and not view.hand.asked:
        extra = "a turn outside time" if view.view.label.endswith("T") else "an extra turn"
        return f"This is {extra}, and you do not move in it."
    return "Nothing is asked of you now."


def _repeats(gestures: Mapping[str, str] | None) -> str:
    """What Amnesia makes of the turn, in words; empty in any other turn."""
    if gestures is None:
        return ""
    words = {hand: WORDS.get(letter, letter) for hand, letter in gestures.items()}
    again = f"; the second time {words['LH2']} and {words['RH2']}" if "LH2" in words else ""
    return f"Your left hand repeats {words['LH']}, your right hand {words['RH']}{again}. Press Ready to go on."


def _asks_gestures(view: Any) -> bool:
    return any(question.kind == "gesture" for question in view.questions)


def _note(warning: Any, ask_to_confirm: bool) -> dict[str, str]:
    fact, _, rest = warning.message.partition(". ")
    if rest:
        fact += "."
    if warning.severe and ask_to_confirm:
        rest = f"{rest} Press once more if that is what you want.".strip()
    return {"tone": "warn", "fact": fact, "rest": rest}


def _button(severe: str, ask_to_confirm: bool, held: bool) -> dict[str, Any]:
    """The button that sends the orders; `severe` is the code of a warning that has to be confirmed."""
    word = "End your life" if severe == "suicide" else "Surrender"
    if severe and ask_to_confirm:
        return {"word": word, "tone": "blood", "held": False}
    if severe:
        return {"word": f"{word}…", "tone": "blood", "held": held}
    return {"word": "Ready", "tone": "main", "held": held}


def canonical_line(sheet: Any) -> str:
    """The sheet in one line: ``P/D``, then every other order after a semicolon."""
    if not sheet:
        return ""
    lines = list(sheet.lines())
    hands = {hand: sheet.get(hand) for hand in ("LH", "RH") if sheet.get(hand)}
    rest = [line for line in lines if not line.startswith(("LH ", "RH ", "SAY"))]
    first = f"{hands['LH']}/{hands['RH']}" if len(hands) == 2 else "; ".join(f"{h} {g}" for h, g in hands.items())
    return "; ".join(part for part in (first, *rest) if part)
