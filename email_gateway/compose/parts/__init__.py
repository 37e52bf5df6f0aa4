"""Parts shared by several emails: tables, questions, times, unsubscribe links.

Composers import from here."""

from email_gateway.compose.parts.beads import MOST_BEADS, describe_monster, list_strings
from email_gateway.compose.parts.challenge_news import News, describe_challenge_news
from email_gateway.compose.parts.challenge_status import (
    STATES,
    describe_seat,
    list_answers,
    list_orders,
    list_terms,
    list_votes,
    write_challenge_status,
    write_order_offer,
)
from email_gateway.compose.parts.classic import write_status, write_tombstone
from email_gateway.compose.parts.mail_links import MailLink, link_to_email, link_to_orders, list_links
from email_gateway.compose.parts.moments import (
    describe_absence,
    explain_restart,
    explain_time,
    is_between_two,
    name_whole_pace,
    write_day,
    write_time,
)
from email_gateway.compose.parts.plain_html import (
    link_own_pages,
    render_plain,
    render_several,
    render_tables,
    split_tables,
)
from email_gateway.compose.parts.questions import write_order_block, write_running_series, write_threats
from email_gateway.compose.parts.score_tables import write_scores
from email_gateway.compose.parts.stop_mails import read_stop_token, stop_mails, write_settings_line, write_stop_link
from email_gateway.compose.parts.subjects import write_battle_subject

__all__ = [
    "MOST_BEADS",
    "STATES",
    "MailLink",
    "News",
    "describe_absence",
    "describe_challenge_news",
    "describe_monster",
    "describe_seat",
    "explain_restart",
    "explain_time",
    "is_between_two",
    "link_own_pages",
    "link_to_email",
    "link_to_orders",
    "list_answers",
    "list_links",
    "list_orders",
    "list_strings",
    "list_terms",
    "list_votes",
    "name_whole_pace",
    "read_stop_token",
    "render_plain",
    "render_several",
    "render_tables",
    "split_tables",
    "stop_mails",
    "write_battle_subject",
    "write_challenge_status",
    "write_day",
    "write_order_block",
    "write_order_offer",
    "write_running_series",
    "write_scores",
    "write_settings_line",
    "write_status",
    "write_stop_link",
    "write_threats",
    "write_time",
    "write_tombstone",
]
