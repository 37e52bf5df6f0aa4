"""Janitors' actions on battles. Each has a reason, is entered in the battle's journal, logged, and can be undone.

Janitors cannot act on a battle in which they have a mage. The journal says what was done (journal), the changed
rows are stored exactly (snapshots), and restored if nothing has changed since (undo).
"""

from moderation.services.battles.annul_battle import annul_battle
from moderation.services.battles.ask_for_consent import answer_question, ask_for_consent
from moderation.services.battles.change_clocks import (
    MOST_HOURS,
    excuse_turn,
    give_more_time,
    pause_for_janitor,
    resume_for_janitor,
)
from moderation.services.battles.enter_orders import enter_orders_for_mage
from moderation.services.battles.journal import hold_battle, refuse_players
from moderation.services.battles.look_into_battle import compare_replay, look_through_eyes
from moderation.services.battles.note_stuck_turn import note_stuck_turn
from moderation.services.battles.remove_line import remove_line
from moderation.services.battles.retry_turn import retry_turn
from moderation.services.battles.rewind_battle import rewind_battle
from moderation.services.battles.set_result import set_result
from moderation.services.battles.undo import may_be_undone, undo_battle_entry
from moderation.services.battles.void_battle import void_battle

__all__ = [
    "MOST_HOURS",
    "annul_battle",
    "answer_question",
    "ask_for_consent",
    "compare_replay",
    "enter_orders_for_mage",
    "excuse_turn",
    "give_more_time",
    "hold_battle",
    "look_through_eyes",
    "may_be_undone",
    "note_stuck_turn",
    "pause_for_janitor",
    "refuse_players",
    "remove_line",
    "resume_for_janitor",
    "retry_turn",
    "rewind_battle",
    "set_result",
    "undo_battle_entry",
    "void_battle",
]
