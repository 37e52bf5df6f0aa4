"""The only code that changes users and mages."""

from accounts.services.absence import end_absence_warning, sweep_absent_users, sweep_vacations, warn_of_absence
from accounts.services.absence_news import note_absence_news, settle_absence_news
from accounts.services.audit import log_janitor
from accounts.services.blocks import block_user, unblock_user
from accounts.services.engagements import engage_mage, move_engagement, release_mage
from accounts.services.failed_chores import tell_of_failed_chore
from accounts.services.leaving import close_user, remove_free_mage, retire_free_mage
from accounts.services.mages import keep_mage, kill_mage, register_mage, revive_mage, touch_activity, wake_mage
from accounts.services.mail_passwords import check_mail_password, check_mail_password_fitness, set_mail_password
from accounts.services.merging import mark_merge_counted, merge_users, undo_merge
from accounts.services.moderation import (
    acknowledge_warnings,
    answer_report,
    lift_sanction,
    make_report,
    put_report_back,
    suspend_user,
    sweep_sanctions,
    take_report_in_hand,
    warn_user,
    withdraw_warning,
)
from accounts.services.renaming import rename_user
from accounts.services.second_factors import remove_second_factor
from accounts.services.theme import set_theme
from accounts.services.tokens import get_user_for_token, issue_api_token, revoke_api_token
from accounts.services.traces import forget_traces, note_traces
from accounts.services.user_acts import call_back, rename_for_janitor, send_on_vacation
from accounts.services.user_book import list_undoable_acts, undo_user_act
from accounts.services.users import (
    change_address,
    create_guest,
    create_user,
    create_user_from_signup,
    note_mail_arrives,
    note_mail_fails,
)
from accounts.services.vacations import close_expired_vacation, end_vacation, start_vacation

__all__ = [
    "acknowledge_warnings",
    "answer_report",
    "block_user",
    "call_back",
    "change_address",
    "check_mail_password",
    "check_mail_password_fitness",
    "close_expired_vacation",
    "close_user",
    "create_guest",
    "create_user",
    "create_user_from_signup",
    "end_absence_warning",
    "end_vacation",
    "engage_mage",
    "forget_traces",
    "get_user_for_token",
    "issue_api_token",
    "keep_mage",
    "kill_mage",
    "lift_sanction",
    "list_undoable_acts",
    "log_janitor",
    "make_report",
    "mark_merge_counted",
    "merge_users",
    "move_engagement",
    "note_absence_news",
    "note_mail_arrives",
    "note_mail_fails",
    "note_traces",
    "put_report_back",
    "register_mage",
    "release_mage",
    "remove_free_mage",
    "remove_second_factor",
    "rename_for_janitor",
    "rename_user",
    "retire_free_mage",
    "revive_mage",
    "revoke_api_token",
    "send_on_vacation",
    "set_mail_password",
    "set_theme",
    "settle_absence_news",
    "start_vacation",
    "suspend_user",
    "sweep_absent_users",
    "sweep_sanctions",
    "sweep_vacations",
    "take_report_in_hand",
    "tell_of_failed_chore",
    "touch_activity",
    "unblock_user",
    "undo_merge",
    "undo_user_act",
    "wake_mage",
    "warn_of_absence",
    "warn_user",
    "withdraw_warning",
]
