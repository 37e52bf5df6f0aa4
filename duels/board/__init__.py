"""The battle page as values: a BattleView in, a Board of frozen parts out, which the templates draw.

The view of the page does, for a GET and after every refused or previewed POST::

    board = build_board(battle_view, now=now, sent=SentOrders(form, problems=...))
    render(request, "duels/battle.html", {"board": board})      # the whole page
    render(request, "duels/_live.html", {"board": board})       # ?fragment=board, and the answer of POST …/draft/

``POST /battles/N/draft/`` takes the fields of ``duels/order_form.py``; with ``save=1`` it saves the sheet as a draft
(never ready), with ``save=0`` it only updates the hints for that sheet. Nothing here decides what a viewer may see: it
only arranges what the selectors return. Every part of a Board has a version, which changes only if the part shows
something else.
"""

from duels.board.links import Link
from duels.board.page import Board, SentOrders, build_board, build_position_board

__all__ = ["Board", "Link", "SentOrders", "build_board", "build_position_board"]
