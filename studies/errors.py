"""Errors of studies, analyses, collections and notes.

Refused (of operations)
├── StudyRefused       not allowed: SENTENCES lists why
├── StudyNotFound      no such study or branch, or this reader may not see it: the answer is the same
└── NotYourStudy       only its owner changes a study
"""

from django.utils.translation import gettext_lazy as _

from operations.errors import Refused

SENTENCES = {
    "not_found": _("There is no such study."),
    "not_yours": _("Only its owner can change this study."),
    "form_incomplete": _("Nothing was changed: the form was incomplete."),
    # Where a study can start.
    "no_such_turn": _("No such turn was played in this battle."),
    "not_a_player": _("This battle is still running. Only its players can try their next turn, with what they know."),
    "not_this_turn": _("This battle is still running. You can only start from the present turn."),
    "no_gestures_now": _("Your mage has no gestures to choose now. Try again in the next turn."),
    "reopened": _("The battle was reopened. You can see this study again when it is over."),
    # Orders, and answers of bots.
    "nothing_to_order": _("%(mage)s has no orders to give here."),
    "incomplete": _("%(mage)s still has something to choose."),
    "no_bots_while_running": _("Bots don't answer while this battle is running. Set the orders of all mages yourself."),
    "near_running": _(
        "This position is too similar to your battle %(number)s, which is still running. Set all orders yourself."
    ),
    # Sharing and collecting.
    "cannot_share_yet": _("The battle is still running. You can share this study when it is over."),
    "no_collection_name": _("Enter a name for the collection."),
    "nothing_to_add": _("Choose a battle or a study to add."),
    # Limits.
    "too_many_branches": _("This study is full. Start another one, or remove branches."),
    "too_many_studies": _("You have %(count)s studies. Delete one first."),
    "too_many_collections": _("You have %(count)s collections. Delete one first."),
    "too_many_entries": _("This collection has %(count)s entries. Remove one first."),
    "too_many_waiting": _("%(count)s of your analyses are still waiting. Try again when one is done."),
    "archmage_busy": _("The Archmage is still analysing a battle for you. Try again when that is done."),
    "archmage_too_often": _(
        "The Archmage has analysed %(count)s battles for you within a day. Ask the Magus, or try again tomorrow."
    ),
    # Analyses.
    "not_over": _("A battle can be analysed only when it is over."),
    "set_up_by_hand": _("Only battles can be analysed. In a position set up by hand, let a bot answer."),
    "no_such_bot": _("No bot with that name analyses battles. Choose the Magus or the Archmage."),
    "duels_only": _("The Archmage analyses duels only. Choose the Magus for a melee."),
    "wrong_length": _("We can't analyse this battle: no turn was played, or too many were."),
    "no_mistake_there": _("You made no mistake in this turn, or its analysis is not done yet."),
    "failed": _("This battle could not be analysed."),
    "reasons_later": _("The bots give their reasons when the battle is over."),
    "turn_near_running": _(
        "One of its turns is too similar to your battle %(number)s, which is still running. Try "
        "again when that is over."
    ),
    # Notes.
    "notes_are_open": _("The battle is over: the notes are open, and nobody can add to them."),
}


class StudyRefused(Refused):
    sentences = SENTENCES


class StudyNotFound(Refused):
    sentences = SENTENCES

    def __init__(self) -> None:
        super().__init__("not_found")


class NotYourStudy(Refused):
    sentences = SENTENCES

    def __init__(self) -> None:
        super().__init__("not_yours")
