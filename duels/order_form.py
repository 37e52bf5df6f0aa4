"""The fields of the order form on the battle page, and the order text they make.

The page holds, in one ``<form method="post">``:

* ``stage``: ``seq.attempt.stage`` of the stage the page was drawn for;
* ``mage``: the written name of the mage in hand;
* ``LH`` and ``RH`` (``LH2`` and ``RH2`` in a turn of two pairs): one radio per gesture, value ``F P S W D C > -``;
* ``order``: repeated; every select and radio that answers a question, its value the order line itself
  (``TARGET LH Bung``), empty for "leave it to the default";
* ``say``: what the mage says;
* ``line``: the order line, several orders parted by semicolons.
  When it is filled it wins over ``LH``, ``RH`` and ``order``: a page without scripts sends
  it only when somebody typed there, a page with scripts keeps it equal to the rest;
* ``act``: which button was pressed: ``ready``, ``preview`` (recount the hints) or ``draft`` (saved by the script);
* ``confirmed``: ``yes`` once a severe warning (a surrender, or SUICIDE) was shown and confirmed.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from django.http import QueryDict

HANDS = ("LH", "RH", "LH2", "RH2")
Act = Literal["ready", "preview", "draft"]


@dataclass(frozen=True)
class OrderForm:
    """What somebody sent with the order form: text of the grammar in ``docs/orders.md``, and which button.

    `text` is what counts: the line where it is filled, else `pads`, what the keys and selects say.
    """

    text: str
    act: Act
    confirmed: bool
    mage: str
    stage: tuple[int, int, int] | None
    line: str
    pads: str = ""

    @property
    def with_pads(self) -> str:
        """The pads and selects, and the line after them: what is kept where the line is not understood."""
        return "\n".join(part for part in (self.pads, self.text) if part) if self.line else self.text


def read_order_form(data: QueryDict) -> OrderForm:
    """The form as order text. Never raises: what cannot be understood is left to the grammar to name."""
    line = data.get("line", "").strip()
    pads = [*_gestures(data), *(o.strip() for o in data.getlist("order") if o.strip())]
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
    )


def read_act(text: str) -> Act:
    """Which button was pressed; anything else than Ready and the draft's is a preview."""
    return "ready" if text == "ready" else "draft" if text == "draft" else "preview"


def split_line(line: str) -> list[str]:
    """One line of the page as lines of the grammar: a semicolon ends an order, except in what is said."""
    orders: list[str] = []
    for part in line.split(";"):
        if orders and orders[-1].upper().startswith("SAY"):
            orders[-1] += f";{part}"
        elif part.strip():
            orders.append(part.strip())
    return orders


def read_stage(text: str) -> tuple[int, int, int] | None:
    """``seq.attempt.stage`` as numbers, None when it is not that."""
    parts = text.split(".")
    if len(parts) != 3 or not all(p.isascii() and p.isdigit() and len(p) < 9 for p in parts):
        return None
    seq, attempt, stage = (int(p) for p in parts)
    return seq, attempt, stage


def _gestures(data: QueryDict) -> list[str]:
    said = {hand: data.get(hand, "").strip() for hand in HANDS}
    return [f"{hand} {gesture}" for hand, gesture in said.items() if gesture]
