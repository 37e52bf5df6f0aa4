"""The fields of the order form on the battle page, and the order text they produce.

The page has one ``<form method="post">`` with these fields:

* ``stage``: the stage the page was rendered for, as ``seq.attempt.stage``;
* ``mage``: the name of the viewer's current mage;
* ``LH`` and ``RH`` (also ``LH2`` and ``RH2`` in a turn of two pairs): a radio button per gesture, ``F P S W D C > -``;
* ``order``: repeated, for every select that answers a question. The value is the order line itself
  (``TARGET LH Bung``), or empty for the default. Radio buttons that answer a question need a name of their own, which
  begins with ``order-``;
* ``say``: what the mage says;
* ``line``: the order line, with semicolons between orders. If it is filled in, it replaces ``LH``, ``RH`` and
  ``order``: without scripts it is sent only if the player typed there, and with scripts it mirrors the rest;
* ``act``: the button: ``ready``, ``preview`` (update the hints) or ``draft`` (saved by the script);
* ``confirmed``: ``yes`` once the player has confirmed a severe warning (a surrender, or SUICIDE).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from django.http import QueryDict

from duels.keys import StageKey
from rules_engine import ALL_HANDS as ALL_HANDS
from rules_engine import NOBODY as NOBODY

# The orders of a mage who surrenders: both palms.
SURRENDER = "LH P\nRH P"
Act = Literal["ready", "preview", "draft"]


@dataclass(frozen=True)
class OrderForm:
    """A submitted order form: the orders in the grammar of ``docs/orders.md``, and the button.

    `text` is what counts: the line if it is filled in, else `pads`, the choices of the keys and selects; and `said`,
    what the mage says.
    """

    text: str
    act: Act
    confirmed: bool
    mage: str
    stage: StageKey | None
    line: str
    pads: str = ""
    said: str = ""

    @property
    def with_pads(self) -> str:
        """The pads and selects followed by the line, to keep the choices if the line is not understood."""
        return "\n".join(part for part in (self.pads, self.text) if part) if self.line else self.text


def read_order_form(data: QueryDict) -> OrderForm:
    """Return the form as order text. Never raises: the grammar reports what it does not understand."""
    line = data.get("line", "").strip()
    pads = [*_gestures(data), *_answers(data)]
    orders = split_line(line) if line else list(pads)
    said = " ".join(data.get("say", "").split())
    if said:
        orders.append(f"SAY {said}")
    return OrderForm(
        text="\n".join(orders),
        act=read_act(data.get("act", "")),
        confirmed=data.get("confirmed") == "yes",
        mage=data.get("mage", ""),
        stage=read_stage(data.get("stage", "")),
        line=line,
        pads="\n".join(pads),
        said=said,
    )


def _answers(data: QueryDict) -> list[str]:
    fields = [name for name in data if name == "order" or name.startswith("order-")]
    return [line for name in fields for text in data.getlist(name) if (line := text.strip())]


def read_act(text: str) -> Act:
    """Return which button was pressed; anything else than Ready and the draft's is a preview."""
    return "ready" if text == "ready" else "draft" if text == "draft" else "preview"


def split_line(line: str) -> list[str]:
    """Split the order line at semicolons, except inside SAY."""
    orders: list[str] = []
    for part in line.split(";"):
        if orders and orders[-1].upper().startswith("SAY"):
            orders[-1] += f";{part}"
        elif part.strip():
            orders.append(part.strip())
    return orders


def part_speech(text: str) -> tuple[str, str]:
    """Return the orders without SAY, in one line, and what the mage says."""
    lines = text.splitlines()
    said = [line[3:].lstrip(": ") for line in lines if is_speech(line)]
    return "; ".join(line for line in lines if not is_speech(line)), said[-1] if said else ""


def is_speech(line: str) -> bool:
    """Return whether an order is SAY."""
    words = line.split(maxsplit=1)
    return bool(words) and words[0].upper().rstrip(":") == "SAY"


def read_stage(text: str) -> StageKey | None:
    """Return ``seq.attempt.stage`` as a key, or None if it is something else."""
    parts = text.split(".")
    if len(parts) != 3 or not all(p.isascii() and p.isdigit() and len(p) < 9 for p in parts):
        return None
    seq, attempt, stage = (int(p) for p in parts)
    return StageKey(seq, attempt, stage)


def _gestures(data: QueryDict) -> list[str]:
    said = {hand: data.get(hand, "").strip() for hand in ALL_HANDS}
    return [f"{hand} {gesture}" for hand, gesture in said.items() if gesture]
