"""Users' reports and janitors' actions on users. Actions on battles are in services.battles."""

from moderation.services.audit import log_janitor
from moderation.services.merge_users import merge_users, undo_merge
from moderation.services.reports import (
    answer_report,
    assign_report,
    lift_sanction,
    make_report,
    suspend_user,
    sweep_sanctions,
    unassign_report,
    warn_user,
    withdraw_warning,
)
from moderation.services.user_actions import (
    close_account_for_janitor,
    end_vacation_for_janitor,
    remove_second_factor,
    rename_for_janitor,
    start_vacation_for_janitor,
    take_down,
)
from moderation.services.user_journal import list_undoable_entries, undo_user_entry

__all__ = [
    "answer_report",
    "assign_report",
    "close_account_for_janitor",
    "end_vacation_for_janitor",
    "lift_sanction",
    "list_undoable_entries",
    "log_janitor",
    "make_report",
    "merge_users",
    "remove_second_factor",
    "rename_for_janitor",
    "start_vacation_for_janitor",
    "suspend_user",
    "sweep_sanctions",
    "take_down",
    "unassign_report",
    "undo_merge",
    "undo_user_entry",
    "warn_user",
    "withdraw_warning",
]
