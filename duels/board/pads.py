"""The two pads, the becomes lists and the questions: what the engine asks, as rows that know no ruleset."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from django.utils.text import slugify

from duels.board.labels import label_question, name_hand
from duels.board.names import listed, short_name
from duels.board.signs import HANDS, SECOND_HANDS, SYMBOLS, WORDS, is_second, plain, shown, steps

GESTURES = tuple(SYMBOLS)
ROWS = 3
BLANKS = {
    "permanent": "nothing",
    "delay": "nothing",
    "fire": "not now",
    "suicide": "no",
    "target": "choose",
    "choose": "choose",
}
SPELLS_A_ROW = 2
KEY_NOTES = 2


def make_question(question: Any, why: str = "") -> dict[str, Any]:
    """One question of the engine as a labelled select whose values are order lines; ``why`` leads to its rule."""
    answer = question.answered if question.answered is not None else question.default
    options = [
        {
            "line": question.line(option.value),
            "label": option.label,
            "allowed": option.allowed,
            "reason": option.reason,
            "selected": option.value == answer,
        }
        for option in question.options
    ]
    return {
        "id": question.id,
        "field": f"q-{slugify(question.id.replace(':', '-'))}",
        "kind": question.kind,
        "about": label_question(question),
        "action": question.about,
        "options": options,
        "open": question.required and question.answered is None and question.default is None,
        "default_line": question.line(question.default) if question.default is not None else "",
        "blank": "" if answer is not None else BLANKS.get(question.kind, "leave it open"),
        "why": why,
    }


def make_pads(questions: Iterable[Any], preview: Any, rows: Mapping[str, dict[str, Any]]) -> list[dict[str, Any]]:
    """A pad for each hand whose gesture is asked; two for each where the turn has two pairs of gestures."""
    asked = {q.id: q for q in questions if q.kind == "gesture"}
    return [_pad(hand, asked[hand], preview, rows) for hand in (*HANDS, *SECOND_HANDS) if hand in asked]


def _pad(hand: str, question: Any, preview: Any, rows: Mapping[str, dict[str, Any]]) -> dict[str, Any]:
    allowed = {option.value: option for option in question.options}
    hints = preview.keys.get(hand, {}) if preview else {}
    return {
        "hand": hand,
        "name": name_hand(hand),
        "mirror": plain(hand) == "LH",
        "keys": [_key(g, allowed.get(g), hints.get(g), question.answered) for g in GESTURES],
        "becomes": _becomes(hand, preview, rows),
    }


def _key(gesture: str, option: Any, hint: Any, answered: str | None) -> dict[str, Any]:
    is_allowed = bool(option and option.allowed) and (hint is None or hint.allowed)
    reason = ("" if is_allowed else (getattr(option, "reason", "") or getattr(hint, "reason", ""))) or ""
    return {
        "letter": gesture,
        "shown": shown(gesture),
        "word": WORDS[gesture],
        "symbol": SYMBOLS[gesture],
        "mirrors": gesture != "C",
        "chosen": answered == gesture,
        "allowed": is_allowed,
        "reason": reason,
        "notes": _key_notes(hint) if hint and is_allowed else [],
        "full": _key_words(hint) if hint and is_allowed else "",
    }


def _key_notes(hint: Any) -> list[dict[str, str]]:
    """The lines on a key: every spell that the gesture completes, and as far as there is room what it leads on to."""
    notes = [{"look": "completes", "name": short_name(spell)} for spell in hint.completes]
    notes += [{"look": "both", "name": short_name(spell)} for spell in hint.with_both]
    notes += [{"look": "leads", "name": short_name(spell)} for spell, _ in hint.leads]
    return notes[: max(KEY_NOTES, len(hint.completes))]


def _key_words(hint: Any) -> str:
    """Everything that the gesture does with this hand, in sentences."""
    said = []
    if hint.completes:
        said.append(f"Completes {listed(list(hint.completes))}.")
    if hint.with_both:
        said.append(f"With both hands completes {listed(list(hint.with_both))}.")
    on = [f"{spell} ({more} more)" for spell, more in (*hint.leads, *hint.begun)]
    if on:
        said.append(f"Leads on to {listed(on)}.")
    return " ".join(said)


def spells_to_choose(hand: str, rows: Mapping[str, dict[str, Any]]) -> list[str]:
    """The spells that this hand completes while its mage has not said which; empty where nothing is left to choose."""
    asked = [rows.get(f"CHOOSE {one}") for one in (hand, "BH2" if is_second(hand) else "BH")]
    named = [option["label"] for row in asked if row and row["open"] for option in row["options"]]
    return list(dict.fromkeys(named))


def _becomes(hand: str, preview: Any, rows: Mapping[str, dict[str, Any]]) -> list[dict[str, Any]]:
    both = "BH2" if is_second(hand) else "BH"
    spell = (preview.casts.get(hand) or preview.casts.get(both)) if preview else None
    target = rows.get(f"TARGET {hand}") or (rows.get(f"TARGET {both}") if plain(hand) == "LH" else None)
    if target and target["id"] == f"TARGET {both}":
        spell = target["action"]
    action = spell or (target["action"] if target else "")  # a stab is aimed too
    choosing = spells_to_choose(hand, rows)
    listed = [
        {"when": "now", "now": True, "spell": action, "question": target, "none": not action, "choosing": choosing}
    ]
    coming: dict[int, list[dict[str, Any]]] = {}
    for becoming in preview.becomes.get(hand, ()) if preview else ():
        row = coming.setdefault(becoming.more, [])
        if 1 <= becoming.more <= ROWS and len(row) < SPELLS_A_ROW:
            row.append({"name": becoming.spell, "steps": steps(becoming.rest)})
    listed += [{"when": f"{more} more", "spells": coming[more]} for more in range(1, ROWS + 1) if coming.get(more)]
    return listed
