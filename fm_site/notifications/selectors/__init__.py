"""Reading notices and preferences."""

from fm_site.notifications.selectors.notices import (
    address_for_delivery,
    address_for_notices,
    count_answers,
    facts_with_secrets,
    find_choices,
    find_email_delay,
    find_last_message_id,
    find_mail_choices,
    find_newest_notice,
    find_next_digest,
    list_messages,
    preferences_of,
    wants_mail,
    zone_of,
)

__all__ = [
    "address_for_delivery",
    "address_for_notices",
    "count_answers",
    "facts_with_secrets",
    "find_choices",
    "find_email_delay",
    "find_last_message_id",
    "find_mail_choices",
    "find_newest_notice",
    "find_next_digest",
    "list_messages",
    "preferences_of",
    "wants_mail",
    "zone_of",
]
