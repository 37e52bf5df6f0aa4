"""A BattleView turned into what the templates of the battle page draw (context variable ``board``).

The view of the page does, for a GET and after every refused or previewed POST::

    context = {"board": build_board(battle_view, now=now, form=order_form_or_None, problems=..., ask_to_confirm=...)}
    render(request, "duels/battle.html", context)            # the whole page
    render(request, "duels/_live.html", context)             # ?fragment=board: everything that a new turn replaces
    render(request, "duels/_orders.html", context)           # POST /battles/N/draft/: pads, hints, questions, order bar

``POST /battles/N/draft/`` takes the fields of ``duels/order_form.py``; with ``save=1`` it keeps the sheet as a draft
(never ready), with ``save=0`` it only recounts the hints for the sheet that was sent.
"""

from __future__ import annotations

from typing import Any


def build_board(battle_view: Any, *, now: Any = None, form: Any = None, problems: Any = (), **more: Any) -> dict[str, Any]:
    """The context of the battle page; see ``fm_site/templates/duels/`` for who reads what."""
    return {"battle_view": battle_view, "problems": problems}
