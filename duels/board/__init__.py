"""A BattleView turned into what the templates of the battle page draw (context variable ``board``).

The view of the page does, for a GET and after every refused or previewed POST::

    board = build_board(battle_view, now=now, form=..., problems=..., ask_to_confirm=...)
    render(request, "duels/battle.html", {"board": board})      # the whole page
    render(request, "duels/_live.html", {"board": board})       # ?fragment=board, and the answer of POST …/draft/

``POST /battles/N/draft/`` takes the fields of ``duels/order_form.py``; with ``save=1`` it keeps the sheet as a draft
(never ready), with ``save=0`` it only recounts the hints for the sheet that was sent. Nothing here decides what may be
seen: it only arranges what the selectors already filtered.
"""

from duels.board.page import build_board

__all__ = ["build_board"]
