"""The only code that changes users, mages and the outbox."""

from accounts.services.absence import end_absence_warning, sweep_absent_users, sweep_vacations, warn_of_absence
from accounts.services.absence_news import note_absence_news, settle_absence_news
from accounts.services.announcements import announce, tell_announcements, withdraw_announcement
from accounts.services.audit import log_janitor
from accounts.services.blocks import block_user, unblock_user
from accounts.services.chores import claim_chore, finish_chore, prune_notices, prune_sessions, tell_of_failed_chore
from accounts.services.credentials import Revoked, revoke_credentials
from accounts.services.engagements import engage_mage, move_engagement, release_mage
from accounts.services.house import (
    end_maintenance,
    forget_heartbeat,
    mark_outage_given_back,
    note_heartbeat,
    note_part_fails,
    note_part_works,
    start_maintenance,
    watch_house,
)
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
from accounts.services.outbox import (
    claim_delivery,
    claim_due_deliveries,
    claim_due_digest,
    keep_frozen_mail,
    mark_delivery_failed,
    mark_delivery_sent,
    mark_told,
    read_frozen_mail,
    remind_unconfirmed,
    write_notice,
    write_notices,
)
from accounts.services.policy import set_policy
from accounts.services.renaming import rename_user
from accounts.services.second_factors import remove_second_factor
from accounts.services.settings import set_preference, set_theme
from accounts.services.tokens import find_api_token, get_user_for_token, issue_api_token, revoke_api_token
from accounts.services.traces import forget_traces, note_traces
from accounts.services.user_acts import call_back, rename_for_janitor, send_on_vacation
from accounts.services.user_book import list_undoable_acts, undo_user_act
from accounts.services.users import (
    change_address,
    create_guest,
    create_user,
    create_user_from_signup,
    is_address_pending,
    note_mail_arrives,
    note_mail_fails,
)
from accounts.services.vacations import close_expired_vacation, end_vacation, start_vacation

__all__ = [
    "Revoked",
    "acknowledge_warnings",
    "announce",
    "answer_report",
    "block_user",
    "call_back",
    "change_address",
    "check_mail_password",
    "check_mail_password_fitness",
    "claim_chore",
    "claim_delivery",
    "claim_due_deliveries",
    "claim_due_digest",
    "close_expired_vacation",
    "close_user",
    "create_guest",
    "create_user",
    "create_user_from_signup",
    "end_absence_warning",
    "end_maintenance",
    "end_vacation",
    "engage_mage",
    "find_api_token",
    "finish_chore",
    "forget_heartbeat",
    "forget_traces",
    "get_user_for_token",
    "is_address_pending",
    "issue_api_token",
    "keep_frozen_mail",
    "keep_mage",
    "kill_mage",
    "lift_sanction",
    "list_undoable_acts",
    "log_janitor",
    "make_report",
    "mark_delivery_failed",
    "mark_delivery_sent",
    "mark_merge_counted",
    "mark_outage_given_back",
    "mark_told",
    "merge_users",
    "move_engagement",
    "note_absence_news",
    "note_heartbeat",
    "note_mail_arrives",
    "note_mail_fails",
    "note_part_fails",
    "note_part_works",
    "note_traces",
    "prune_notices",
    "prune_sessions",
    "put_report_back",
    "read_frozen_mail",
    "register_mage",
    "release_mage",
    "remind_unconfirmed",
    "remove_free_mage",
    "remove_second_factor",
    "rename_for_janitor",
    "rename_user",
    "retire_free_mage",
    "revive_mage",
    "revoke_api_token",
    "revoke_credentials",
    "send_on_vacation",
    "set_mail_password",
    "set_policy",
    "set_preference",
    "set_theme",
    "settle_absence_news",
    "start_maintenance",
    "start_vacation",
    "suspend_user",
    "sweep_absent_users",
    "sweep_sanctions",
    "sweep_vacations",
    "take_report_in_hand",
    "tell_announcements",
    "tell_of_failed_chore",
    "touch_activity",
    "unblock_user",
    "undo_merge",
    "undo_user_act",
    "wake_mage",
    "warn_of_absence",
    "warn_user",
    "watch_house",
    "withdraw_announcement",
    "withdraw_warning",
    "write_notice",
    "write_notices",
]
