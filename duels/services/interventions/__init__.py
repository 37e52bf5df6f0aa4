"""What janitors do to battles. Each has a reason, stands in the battle's own book, is logged, and can be undone.

Nobody does anything to a battle in which he has a mage (permission). The book says what was done (book), what it
changed is kept to the letter (rows), and is put back if nothing has changed since (undoing).
"""

from duels.services.interventions.annulling import annul_battle
from duels.services.interventions.asking import answer_question, ask_for_consent
from duels.services.interventions.comparing import compare_replay
from duels.services.interventions.deciding import set_result
from duels.services.interventions.entering import enter_orders_for_mage
from duels.services.interventions.keeping_time import (
    MOST_HOURS,
    excuse_turn,
    give_more_time,
    pause_for_janitor,
    resume_for_janitor,
)
from duels.services.interventions.looking import look_through_eyes
from duels.services.interventions.permission import refuse_who_stands_in
from duels.services.interventions.taking_back import rewind_battle
from duels.services.interventions.trying import try_to_play_on
from duels.services.interventions.undoing import may_be_undone, undo_intervention

__all__ = [
    "MOST_HOURS",
    "annul_battle",
    "answer_question",
    "ask_for_consent",
    "compare_replay",
    "enter_orders_for_mage",
    "excuse_turn",
    "give_more_time",
    "look_through_eyes",
    "may_be_undone",
    "pause_for_janitor",
    "refuse_who_stands_in",
    "resume_for_janitor",
    "rewind_battle",
    "set_result",
    "try_to_play_on",
    "undo_intervention",
]
