"""The strings of one mage: a bead per column, the growing stretch, the ties between two clapping hands."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from duels.board.names import short_name
from duels.board.signs import HAND_WORDS, HANDS, SYMBOLS, WORDS, is_mirrored, shown

SHOWN = 7
WAITED, CUT, UNSEEN = ".", "#", "?"


def list_shown(view: Any) -> list[int]:
    """The columns that are drawn: the last seven turns. A cut is a mark between two columns, not one of its own."""
    cuts = {i for mage in view.mages for hand in (mage.left, mage.right) for i, c in enumerate(hand) if c == CUT}
    return [i for i in range(len(view.columns)) if i not in cuts][-SHOWN:]


def make_columns(
    labels: Sequence[str], shown_columns: Sequence[int], story_keys: Mapping[str, str], now_label: str | None
) -> list[dict[str, Any]]:
    """The turn numbers between the mages: the last seven columns and the one being played."""
    columns = []
    for place, index in enumerate(shown_columns, start=SHOWN + 1 - len(shown_columns)):
        label = labels[index]
        key = story_keys.get(label)
        columns.append(
            {
                "n": place,
                "label": _number(label),
                "word": _extra_word(label),
                "href": f"#turn-{key}" if key else "",
                "now": False,
            }
        )
    if now_label is not None:
        word = _extra_word(now_label)
        columns.append({"n": SHOWN + 1, "label": _number(now_label), "word": word, "href": "", "now": True})
    return columns


def _number(label: str) -> str:
    return f"{label[:-1]}+" if label.endswith("H") else label.removesuffix("T")


def _extra_word(label: str) -> str:
    return "stopped" if label.endswith("T") else ""


def is_extra(label: str) -> bool:
    """A turn that only some mages play: hastened, or while time stands still."""
    return label[-1:] in ("H", "T")


def make_strings(
    mage: Any,
    labels: Sequence[str],
    shown_columns: Sequence[int],
    casts: Mapping[int, Mapping[str, str]],
    causes: Mapping[int, Mapping[str, str]],
    book: Any,
    now: Mapping[str, dict[str, Any]] | None,
    *,
    yours: bool,
) -> list[dict[str, Any]]:
    """Both strings of a mage as the templates draw them; ``now`` holds the beads of the hands in the now column.

    `yours` is the mage that the reader plays here, one of several where his own meet.
    """
    history = {"LH": mage.left, "RH": mage.right}
    owner = "your" if yours else mage.name
    strings = []
    for hand in HANDS:
        own, other = history[hand], history["RH" if hand == "LH" else "LH"]
        grown = _growing_from(own, other, book)
        beads = _beads(hand, own, other, labels, shown_columns, casts, causes, grown)
        if now:
            beads += _now_beads(now, hand, grown is not None)
        strings.append(
            {
                "hand": hand,
                "short": hand[0],
                "long": HAND_WORDS[hand],
                "label": f"{owner[0].upper()}{owner[1:]}, {HAND_WORDS[hand].lower()} hand",
                "beads": beads,
                "last_three": [b for b in beads if not b.get("is_now")][-3:],
            }
        )
    return strings


def _now_beads(now: Mapping[str, dict[str, Any]], hand: str, grows: bool) -> list[dict[str, Any]]:
    """The bead of this hand in the now column, or the two of a turn of two pairs, side by side."""
    place = f"c{SHOWN + 1} now" + (" grow-in" if grows else "")
    second = now.get(f"{hand}2")
    if second is None:
        return [{**now[hand], "place": place}]
    spoken = second["spoken"].replace("Now:", "Now, the second time:")
    return [{**now[hand], "place": f"{place} first"}, {**second, "place": f"c{SHOWN + 1} now second", "spoken": spoken}]


def begun_as_seen(own: str, other: str, book: Any) -> list[tuple[Any, int]]:
    """What a hand has begun, as (series, gestures made), longest first; nothing reaches over what was not seen."""
    if book is None:
        return []
    return list(book.begun(book.state_of(own.replace(UNSEEN, CUT), other.replace(UNSEEN, CUT))))


def _growing_from(own: str, other: str, book: Any) -> int | None:
    """The column of the first bead of the longest series that this hand has begun and may still finish."""
    begun = begun_as_seen(own, other, book)
    if not begun:
        return None
    made, index = begun[0][1], len(own)
    while made and index:
        index -= 1
        if own[index] != WAITED:
            made -= 1
    return index


def _beads(
    hand: str,
    own: str,
    other: str,
    labels: Sequence[str],
    shown_columns: Sequence[int],
    casts: Mapping[int, Mapping[str, str]],
    causes: Mapping[int, Mapping[str, str]],
    grown: int | None,
) -> list[dict[str, Any]]:
    beads = []
    free = SHOWN
    for place, index in enumerate(shown_columns, start=SHOWN + 1 - len(shown_columns)):
        letter = own[index] if index < len(own) else WAITED
        free += 1
        if letter == WAITED:
            continue
        bead = _bead(hand, letter, labels[index], _spell(casts, index, hand), causes.get(index, {}).get(hand, ""))
        bead["last"] = index == shown_columns[-1] and letter in SYMBOLS
        if bead["last"]:
            bead["look"] += " big"
            bead["symbol"] = SYMBOLS[letter]
            bead["mirror"] = is_mirrored(letter, hand)
        bead["place"] = f"c{place}" + _growth(index, grown)
        if CUT in own[index + 1 : index + 2]:
            bead["cut"] = True
            bead["spoken"] += ", then the string is cut"
        bead["tie"] = hand == "LH" and letter == "C" and index < len(other) and other[index] == "C"
        bead["under_span"] = min(3, max(1, free))
        if hand == "LH" and casts.get(index, {}).get("BH"):
            bead["under"] = ""  # the name stands once, below the pair
        if bead["under"]:
            if free < 2:
                bead["under"] = short_name(bead["under"])
            free = 0
        beads.append(bead)
    return beads


def _growth(index: int, grown: int | None) -> str:
    if grown is None or index < grown:
        return ""
    return " grow-out" if index == grown else " grow-in grow-out"


def _spell(casts: Mapping[int, Mapping[str, str]], index: int, hand: str) -> str:
    here = casts.get(index, {})
    return here.get(hand) or here.get("BH") or ""


def _bead(hand: str, letter: str, label: str, spell: str, cause: str) -> dict[str, Any]:
    looks = {UNSEEN: "unseen", "-": "none", "B": "bow"}
    look = looks.get(letter, "gesture")
    turn = f"Turn {label}: "
    spoken = "not seen" if letter == UNSEEN else WORDS.get(letter, letter)
    if is_extra(label):
        look += " extra"
        spoken += ", extra turn"
    if spell:
        look += " cast"
        spoken += f", completed {spell}"
    if cause:
        look += " held"
        spoken += f", {cause}"
    return {
        "look": look,
        "look_small": look,
        "letter": shown(letter),
        "spoken": turn + spoken,
        "under": spell or cause,
        "hand": hand,
    }


def veiled_bead() -> dict[str, Any]:
    """Somebody else's now: the same whether they are thinking or ready."""
    return {"look": "square veiled", "letter": "?", "spoken": "Now: not shown until both are ready", "is_now": True}


def idle_bead() -> dict[str, Any]:
    """My now where this hand does not move: in somebody else's extra turn."""
    return {"look": "none", "letter": shown("-"), "spoken": "Now: nothing is asked", "is_now": True}


def made_bead() -> dict[str, Any]:
    """My now in a turn that waits for answers: the gesture is made, and what became of it is not told yet."""
    return {"look": "square ready", "letter": "✓", "spoken": "Now: the gesture is made", "is_now": True}


def repeated_bead(hand: str, letter: str) -> dict[str, Any]:
    """My now where the hand repeats its last gesture, whatever I would like (FM-AMNESIA-2)."""
    return {
        "look": "square held" + (" big" if letter in SYMBOLS else ""),
        "letter": shown(letter),
        "symbol": SYMBOLS.get(letter, ""),
        "mirror": is_mirrored(letter, hand),
        "spoken": f"Now: {WORDS.get(letter, letter)}, repeated",
        "is_now": True,
    }


def my_bead(hand: str, letter: str | None, spell: str, sealed: bool) -> dict[str, Any]:
    """My now: empty, chosen, completing, sealed."""
    look = "square " + ("ready" if sealed else "mine") + (" completes" if spell else "") + ("" if letter else " empty")
    if not letter:
        return {
            "look": look,
            "letter": "" if sealed else "+",
            "spoken": "Now: not chosen",
            "is_now": True,
            "now_hand": hand,
            "gesture": "",
            "jump": "" if sealed else f"pad-{hand}",
        }
    spoken = f"Now: {WORDS[letter]}" + (f", completes {spell}" if spell else "") + (", sealed" if sealed else "")
    return {
        "look": look,
        "letter": shown(letter),
        "symbol": SYMBOLS[letter],
        "mirror": is_mirrored(letter, hand),
        "spoken": spoken,
        "is_now": True,
        "now_hand": hand,
        "gesture": letter,
        "jump": "" if sealed else f"pad-{hand}",
    }
