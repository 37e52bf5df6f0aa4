"""The commands that an email may contain: one module for each family, and one table."""

from email_gateway.commands.battle import answer_without_orders, close_block
from email_gateway.commands.dispatch import (
    VOCABULARY,
    is_order,
    note_hidden_orders,
    process_line,
    put_after_end,
    read_subject_line,
)
from email_gateway.commands.message_replies import (
    answer_message,
    explain_old_message,
    find_old_message,
    is_message_reply,
)
from email_gateway.commands.room import answer_room, is_room_reply
from email_gateway.commands.users import find_named_user, has_address

__all__ = [
    "VOCABULARY",
    "answer_message",
    "answer_room",
    "answer_without_orders",
    "close_block",
    "explain_old_message",
    "find_named_user",
    "find_old_message",
    "has_address",
    "is_message_reply",
    "is_order",
    "is_room_reply",
    "note_hidden_orders",
    "process_line",
    "put_after_end",
    "read_subject_line",
]
