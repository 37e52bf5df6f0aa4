"""The text of emails: lines, quotations and text without HTML of those we receive, and wrapping of those we send."""

from email_gateway.text.letter import Letter
from email_gateway.text.lines import Line, split_lines
from email_gateway.text.password_lines import find_secrets, show_line
from email_gateway.text.quotes import NOTHING, Printed, find_quote

__all__ = [
    "NOTHING",
    "Letter",
    "Line",
    "Printed",
    "find_quote",
    "find_secrets",
    "show_line",
    "split_lines",
]
