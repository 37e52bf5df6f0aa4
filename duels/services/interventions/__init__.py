"""What janitors do to battles. Each has a reason, stands in the battle's own book, is logged, and can be undone.

Nobody does anything to a battle in which he has a mage (permission). The book says what was done (book), what it
changed is kept to the letter (rows), and is put back if nothing has changed since (undoing).
"""

from duels.services.interventions.annulling import annul_battle
from duels.services.interventions.asking import answer_question, ask_for_consent
from duels.services.interventions.entering import enter_orders_for_mage
from duels.services.interventions.looking import look_through_eyes
from duels.services.interventions.taking_back import rewind_battle
from duels.services.interventions.undoing import may_be_undone, undo_intervention

__all__ = [
    "annul_battle",
    "answer_question",
    "ask_for_consent",
    "enter_orders_for_mage",
    "look_through_eyes",
    "may_be_undone",
    "rewind_battle",
    "undo_intervention",
]
