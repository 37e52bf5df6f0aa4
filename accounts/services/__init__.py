"""The only code that changes users and mages."""

from accounts.services.absence import end_absence_warning, sweep_absent_users, sweep_vacations, warn_of_absence
from accounts.services.bots import become_bot, ensure_bots
from accounts.services.credentials import Revoked, revoke_credentials
from accounts.services.engagements import engage_mage, move_engagement, release_mage
from accounts.services.hold import acknowledge_warnings, mark_held
from accounts.services.idempotency import answer_once, forget_answers
from accounts.services.keep_guest import turn_guest_into_user
from accounts.services.leave import close_user, remove_free_mage, retire_free_mage
from accounts.services.mages import (
    keep_mage,
    kill_mage,
    register_mage,
    revive_mage,
    set_pronoun,
    touch_activity,
    wake_mage,
    was_active_lately,
)
from accounts.services.mail_passwords import check_mail_password, check_mail_password_fitness, set_mail_password
from accounts.services.push_devices import (
    add_push_device,
    read_public_push_key,
    remove_push_device,
    remove_push_devices,
)
from accounts.services.rename import rename_user
from accounts.services.ties import block_user, follow_user, unblock_user, unfollow_user
from accounts.services.tokens import find_api_token, get_user_for_token, issue_api_token, revoke_api_token
from accounts.services.traces import forget_traces, record_traces
from accounts.services.users import (
    change_address,
    create_guest,
    create_guest_mage,
    create_user,
    create_user_from_signup,
    is_address_pending,
    mark_email_failing,
    mark_email_working,
    mark_merge_counted,
    set_language,
    set_theme,
)
from accounts.services.vacations import (
    close_expired_vacation,
    confirm_clock_update,
    end_vacation,
    request_clock_update,
    start_vacation,
)
from accounts.services.webhooks import record_webhook_answer, remove_webhook, retry_webhook, set_webhook

__all__ = [
    "Revoked",
    "acknowledge_warnings",
    "add_push_device",
    "answer_once",
    "become_bot",
    "block_user",
    "change_address",
    "check_mail_password",
    "check_mail_password_fitness",
    "close_expired_vacation",
    "close_user",
    "confirm_clock_update",
    "create_guest",
    "create_guest_mage",
    "create_user",
    "create_user_from_signup",
    "end_absence_warning",
    "end_vacation",
    "engage_mage",
    "ensure_bots",
    "find_api_token",
    "follow_user",
    "forget_answers",
    "forget_traces",
    "get_user_for_token",
    "is_address_pending",
    "issue_api_token",
    "keep_mage",
    "kill_mage",
    "mark_email_failing",
    "mark_email_working",
    "mark_held",
    "mark_merge_counted",
    "move_engagement",
    "read_public_push_key",
    "record_traces",
    "record_webhook_answer",
    "register_mage",
    "release_mage",
    "remove_free_mage",
    "remove_push_device",
    "remove_push_devices",
    "remove_webhook",
    "rename_user",
    "request_clock_update",
    "retire_free_mage",
    "retry_webhook",
    "revive_mage",
    "revoke_api_token",
    "revoke_credentials",
    "set_language",
    "set_mail_password",
    "set_pronoun",
    "set_theme",
    "set_webhook",
    "start_vacation",
    "sweep_absent_users",
    "sweep_vacations",
    "touch_activity",
    "turn_guest_into_user",
    "unblock_user",
    "unfollow_user",
    "wake_mage",
    "warn_of_absence",
    "was_active_lately",
]
